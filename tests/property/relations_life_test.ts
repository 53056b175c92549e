/**
 * Relations, sorted queries and queries of queries while records change, move to another owner, are deleted and come
 * again, under layers that are confirmed and rolled back in any order: after each step all of them are what a naive client
 * shows that replays every write, and each record is one object in all of them.
 *
 * @module
 */
import { assertEquals, assertStrictEquals } from "@std/assert";
import * as fc from "fast-check";
import { Controller, Endpoint, Entity, Query, schema } from "@rejoin/data";
import { flush } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";

class Director extends Entity {
  id = "";
  name = "";
  static key = "Director";
  static films = new schema.HasMany(() => Film, "director");
}
class Actor extends Entity {
  id = "";
  static key = "Actor";
  static films = new schema.HasMany(() => Film, "actors");
}
class Film extends Entity {
  id = "";
  title = "";
  rank = 0;
  director: Director | undefined = undefined;
  actors: (Actor | null)[] = [];
  static key = "Film";
  static schema = { director: Director, actors: [Actor] };
}
class Poster extends Entity {
  id = "";
  filmId = "";
  static key = "Poster";
}
const posterOf = new schema.HasOne(Poster, "filmId");
const CLASSES = { Director, Actor, Film, Poster } as const;
type Table = keyof typeof CLASSES;
const TABLES = Object.keys(CLASSES) as Table[];
const compare = (a: Film, b: Film) => a.rank - b.rank || a.id.localeCompare(b.id);
const sorted = new Query(new schema.All(Film), (films) => films.toSorted(compare));
const few = new Query(sorted, (films, { least }: { least: number }) => films.filter(({ rank }) => rank >= least));

type Members = Record<string, unknown>;
/** Members by table and pk; `null`: deleted. */
type Write = readonly (readonly [table: Table, pk: string, members: Members | null])[];
interface Call {
  readonly write: Write;
  state: "pending" | "done" | "failed";
}

const ids = { Director: "d", Actor: "a", Film: "f", Poster: "p" } as const;
const pkOf = (table: Table) => fc.constantFrom("1", "2", "3").map((n) => ids[table] + n);
const members: Record<Table, fc.Arbitrary<Members>> = {
  Director: fc.record({ name: fc.constantFrom("x", "y") }, { requiredKeys: [] }),
  Actor: fc.record({}),
  Poster: fc.record({ filmId: fc.oneof(pkOf("Film"), fc.constant(null)) }, { requiredKeys: [] }),
  Film: fc.record({
    title: fc.constantFrom("x", "y"),
    rank: fc.nat(2),
    director: fc.oneof(pkOf("Director"), fc.constant(null)),
    actors: fc.array(fc.oneof(pkOf("Actor"), pkOf("Actor"), fc.constant(null)), { maxLength: 4 }),
  }, { requiredKeys: [] }),
};
const write = fc.constantFrom<Table>("Film", "Film", "Film", ...TABLES).chain((table) =>
  fc.tuple(
    fc.constant(table),
    pkOf(table),
    fc.oneof({ weight: 4, arbitrary: members[table] }, { weight: 1, arbitrary: fc.constant(null) }),
  )
);
type One = readonly [Table, string, Members | null];
const act = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant("set" as const), write) },
  { weight: 3, arbitrary: fc.tuple(fc.constant("call" as const), write) },
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom("done" as const, "failed" as const), fc.nat(9)) },
);
type Act = readonly ["set" | "call", One] | readonly ["done" | "failed", number];

/** What a client shows that replays all it was told. */
function replay(calls: readonly Call[]): Map<string, Members> {
  const records = new Map<string, Members>();
  // Each at its number in the order of writes, confirmed or not: what is later is seen over it.
  for (const { write } of calls.filter(({ state }) => state !== "failed")) {
    for (const [table, pk, members] of write) {
      if (members === null) records.delete(`${table} ${pk}`);
      else records.set(`${table} ${pk}`, { ...records.get(`${table} ${pk}`), ...members, id: pk });
    }
  }
  return records;
}

async function live(acts: readonly Act[], strict: boolean): Promise<void> {
  using controller = new Controller({ strict });
  const calls: Call[] = [];
  const waiting: { readonly call: Call; readonly end: (isDone: boolean) => void }[] = [];
  const endpoints = Object.fromEntries(TABLES.map((table) => {
    const send = (isDelete: boolean) =>
      new Endpoint((pk: string, body: Members) =>
        new Promise<object>((resolve, reject) => {
          const call = calls.at(-1)!;
          waiting.push({
            call,
            end: (isDone) => isDone ? resolve({ ...body, id: pk }) : reject(new Error("no luck")),
          });
        }), {
        name: `${table} ${isDelete}`,
        schema: isDelete ? new schema.Invalidate(CLASSES[table]) : CLASSES[table],
        sideEffect: true,
        getOptimisticResponse: (_: unknown, pk: string, body: Members) => ({ ...body, id: pk }),
      } as object);
    return [table, [send(false), send(true)]];
  }));
  for (const [what, about] of acts) {
    if (what === "set" || what === "call") {
      const [table, pk, members] = about;
      calls.push({ write: [about], state: what === "set" ? "done" : "pending" });
      if (what === "call") {
        const [update, remove] = endpoints[table]!;
        // deno-lint-ignore no-explicit-any -- one endpoint for all classes
        controller.fetch((members === null ? remove : update) as any, pk, structuredClone(members ?? {})).catch(
          () => {},
        );
      } else if (members === null) controller.set(new schema.Invalidate<typeof Entity>(CLASSES[table]), { id: pk });
      else controller.set(CLASSES[table], { id: pk }, structuredClone({ ...members, id: pk }) as never);
    } else {
      const [one] = waiting.splice(Number(about) % Math.max(1, waiting.length), 1);
      if (one === undefined) continue;
      one.end(what === "done");
      one.call.state = what;
    }
    await flush();
    verify(controller, replay(calls));
  }
}

function verify(controller: Controller, records: ReadonlyMap<string, Members>): void {
  const has = (table: Table, pk: unknown) => records.has(`${table} ${pk}`);
  const films = [...records].filter(([name]) => name.startsWith("Film")).map(([, film]) => film);
  const object = (pk: string) => controller.get(Film, { id: pk });
  const shown = (list: readonly (Film | undefined)[] | undefined) => {
    for (const film of list ?? []) assertStrictEquals(film, object(film!.id), "one object in all views");
    return (list ?? []).map((film) => film!.id);
  };
  for (const n of ["1", "2", "3"]) {
    const own = records.get(`Film f${n}`);
    const film = object(`f${n}`);
    assertEquals(film?.id, own?.id);
    if (own !== undefined) {
      const { title = "", rank = 0, director, actors = [] } = own;
      const kept = (actors as (string | null)[]).filter((pk, i, all) => pk === null || all.indexOf(pk) === i);
      assertEquals(
        {
          title: film!.title,
          rank: film!.rank,
          director: film!.director?.id,
          actors: film!.actors.map((one) => one?.id),
        },
        {
          title,
          rank,
          director: has("Director", director) ? director as string : undefined,
          actors: kept.filter((pk) => pk === null || has("Actor", pk)).map((pk) => pk ?? undefined),
        } as never,
      );
      if (film!.director) assertStrictEquals(film!.director, controller.get(Director, { id: film!.director.id }));
    }
    const referring = (member: string, pk: string) =>
      films.filter((one) => [one[member]].flat().includes(pk)).map(({ id }) => id as string).sort();
    assertEquals(
      shown(controller.get(Director.films, `d${n}`)).sort(),
      referring("director", `d${n}`),
      `films of d${n}`,
    );
    assertEquals(shown(controller.get(Actor.films, `a${n}`)).sort(), referring("actors", `a${n}`), `films of a${n}`);
    const posters = [...records].filter(([name, { filmId }]) => name.startsWith("Poster") && filmId === `f${n}`);
    const poster = controller.get(posterOf, `f${n}`);
    assertEquals(poster === undefined, posters.length === 0, `poster of f${n}`);
    if (poster) assertStrictEquals(poster, controller.get(Poster, { id: poster.id }));
  }
  const order = films.map(({ id, rank = 0 }) => ({ id, rank }) as Film).sort(compare);
  assertEquals(shown(controller.get(sorted)), order.map(({ id }) => id), "sorted");
  for (const least of [1, 2]) {
    const wanted = order.filter(({ rank }) => rank >= least).map(({ id }) => id);
    assertEquals(shown(controller.get(few, { least })), wanted, `of rank ${least}`);
    assertStrictEquals(controller.get(few, { least }), controller.get(few, { least }));
  }
}

Deno.test("relations, sorted queries and queries of queries are what a naive client shows, under layers too", async () => {
  await check(fc.asyncProperty(fc.array(act, { maxLength: 16 }), fc.boolean(), live), {
    name: "relations_life",
    runs: runs(1_500, 100_000),
  });
});
