/**
 * After each random write, HasMany and HasOne give the same records as a search through all records, in order of
 * arrival.
 */
import { assert, assertEquals } from "@std/assert";
import { All, Controller, Endpoint, Entity, memory, schema } from "@rejoin/data";
import { sweep } from "../../src/parts/memory.ts";
import { randomOf, RUNS } from "../property/random.ts";
import { readerOf } from "./_reader.ts";

class Director extends Entity {
  id = "";
  static key = "Director";
}
class Film extends Entity {
  id = "";
  director: any = undefined;
  actors: any[] = [];
  genre: unknown = undefined;
  static key = "Film";
  static schema = { director: Director, actors: [Director] };
}
const relations: any = {
  director: new schema.HasMany(Film, "director"),
  actors: new schema.HasMany(Film, "actors"),
  genre: new schema.HasMany(Film, "genre"),
};
const one = new schema.HasOne(Film, "director"), all = new All(Film), removal = new schema.Invalidate(Film);
const NAMES = ["a", "b", "1", "__proto__", "constructor"];

async function live(seed: number): Promise<void> {
  const below = randomOf(seed), pick = <T>(of: readonly T[]): T => of[below(of.length)]!;
  using controller = new Controller({ use: [memory()] });
  for (const id of NAMES) {
    controller.set(Director, { id }, { id });
    // A reader keeps the record from being removed by `memory`.
    readerOf(controller, Director as any, id);
  }
  const readers = Object.keys(relations).flatMap((member) =>
    NAMES.map((name) => ({ member, name, reader: readerOf(controller, relations[member], name) }))
  );
  const film = () => ({
    director: pick([...NAMES, null]),
    actors: NAMES.filter(() => below(3) === 0),
    genre: pick([...NAMES, 1, undefined]),
  });
  const pending: (() => Promise<unknown>)[] = [];
  for (let steps = 1 + below(15); steps; steps--) {
    const id = pick(["1", "2", "3", "4", "__proto__"]), does = below(6);
    if (does < 3) controller.set(Film, { id }, film() as never);
    else if (does === 3) (controller.set as any)(removal, id);
    else if (does === 4 && controller.get(Film, id)) {
      const reply = Promise.withResolvers<unknown>();
      const change = new Endpoint(() => reply.promise, {
        name: "change",
        schema: Film,
        sideEffect: true,
        getOptimisticResponse: () => ({ id, ...film() }),
      });
      const call = controller.fetch(change).catch(() => {});
      pending.push(() => {
        if (below(2)) reply.resolve({ id, ...film() });
        else reply.reject(new Error("refused"));
        return call;
      });
    } else if (pending.length) await pending.splice(below(pending.length), 1)[0]!();
    else sweep(controller.store);
    // `All` is undefined after `memory` has removed records: then the rows themselves are searched.
    const pks = [...controller.store.table("Film").rows.keys()],
      films = controller.get(all) ?? pks.map((id) => controller.get(Film, id)!).filter((film) => film);
    const pkOf = (value: any) => value?.pk?.() ?? value;
    for (const { member, name, reader } of readers) {
      const right = films.filter((film: any) =>
        [film[member]].flat().some((value) => value != null && `${pkOf(value)}` === name)
      );
      const why = `seed ${seed}: ${member} ${name}`;
      assertEquals((reader.value ?? []).map(({ id }: Film) => id), right.map(({ id }) => id), why);
      assert((reader.value ?? []).every((film: Film, at: number) => film === right[at]), why);
    }
    assertEquals(controller.get(one, "a"), controller.get(relations.director, "a" as never)?.[0]);
  }
  for (const settle of pending) await settle();
}

Deno.test("HasMany and HasOne give the same records as a search through all records, after any writes", async () => {
  for (let seed = 0; seed < RUNS; seed++) await live(seed);
});
