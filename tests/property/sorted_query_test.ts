/**
 * A declared order is what a re-run would give: after every step `entries.filter(f).toSorted(c).slice(0, limit)`, and the
 * very array of before when it holds the same.
 */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import * as fc from "fast-check";
import { type AnyEndpoint, Controller, Endpoint, Entity, Query, schema, Sorter } from "@rejoin/data";
import { type Reader, readerOf, readerOfResponse } from "../contracts/reader.ts";
import { Pending } from "../support/pending.ts";
import { breathing } from "../support/breathing.ts";
import { check, runs } from "../support/property.ts";

class Film extends Entity {
  id = "";
  title = "";
  votes: number | undefined = 0;
  director = "";
  static key = "Film";
}

type Compare = (a: Film, b: Film) => number;

/** Orders that a re-run of them gives for certain: with ties, and none at all. */
const ORDERS: readonly (Compare | undefined)[] = [
  (a, b) => (a.votes ?? 0) - (b.votes ?? 0),
  (a, b) => (b.votes ?? 0) - (a.votes ?? 0) || (a.title < b.title ? -1 : a.title > b.title ? 1 : 0),
  (a, b) => a.title.localeCompare(b.title),
  (a, b) => a.id < b.id ? 1 : -1,
  () => 0,
  undefined,
];

/** Comparisons that contradict themselves: whatever they give is no order. */
const CONTRADICTIONS: readonly Compare[] = [
  () => NaN,
  () => 1,
  (a, b) => (a.votes! % 3 + 3 - b.votes! % 3) % 3 === 1 ? -1 : 1,
  (a, b) => a.votes! - b.votes!,
  (a, b) => a.title === "B" ? NaN : b.votes! - a.votes!,
];

const FILTERS: readonly (((film: Film) => boolean) | undefined)[] = [
  undefined,
  ({ votes }) => (votes ?? 0) % 2 === 0,
  ({ director }) => director !== "t",
  () => false,
];

const LIMITS: readonly (number | undefined)[] = [undefined, 1, 3, 10, 0, -1, 2.5, NaN, Infinity];

/** What a re-run gives; fewer than none are none. */
function rerun(
  films: readonly Film[],
  filter: ((film: Film) => boolean) | undefined,
  sort: Compare | undefined,
  limit: number | undefined,
): readonly Film[] {
  const kept = filter === undefined ? films : films.filter((film) => filter(film));
  const sorted = sort === undefined ? kept : kept.toSorted(sort);
  return limit === undefined ? sorted : sorted.slice(0, Math.max(0, limit));
}

const KINDS = [
  ["set", 8],
  ["delete", 2],
  ["list", 3],
  ["many", 1],
  ["show", 3],
  ["hide", 1],
  ["confirm", 2],
  ["refuse", 2],
  ["reset", 1],
] as const;

interface Step {
  readonly kind: (typeof KINDS)[number][0];
  readonly id: number;
  readonly votes: number;
  readonly title: number;
  readonly director: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(...KINDS.map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) }))),
  id: fc.nat(160),
  votes: fc.nat(5),
  title: fc.nat(3),
  director: fc.nat(2),
});

interface Setup {
  readonly sort: number;
  readonly filter: number;
  readonly limit: number;
  /** How many films there are: few meet often, many are sorted anew at once. */
  readonly films: number;
  readonly strict: boolean;
}

const setup: fc.Arbitrary<Setup> = fc.record({
  sort: fc.nat(59),
  filter: fc.nat(FILTERS.length - 1),
  limit: fc.nat(LIMITS.length - 1),
  films: fc.constantFrom(3, 8, 8, 160),
  strict: fc.boolean(),
});

const noFetch = async () => await Promise.resolve();
const collection = new schema.Collection([Film]);
const byDirector = new schema.HasMany(Film, "director");
const removal = new schema.Invalidate(Film);

/** One source, read as it is and through the order. */
interface Pair {
  readonly name: string;
  readonly source: { readonly value: readonly Film[] | undefined };
  readonly sorted: Reader<readonly Film[] | undefined>;
  before: readonly Film[] | undefined;
  told: number;
}

class Session {
  readonly controller: Controller;
  readonly pending: Pending;
  readonly films: number;
  /** The films that the last answer to `ordered` named. */
  #answer: readonly string[] | undefined;
  readonly ordered: AnyEndpoint;
  readonly collected = new Endpoint(noFetch, { name: "collected", schema: collection });
  readonly pairs: Pair[];

  constructor(given: { filter?: (film: Film) => boolean; sort?: Compare; limit: number | undefined }, setup: Setup) {
    const order = { Sorter, ...given };
    this.controller = new Controller({ strict: setup.strict });
    this.pending = new Pending(this.controller);
    this.films = setup.films;
    const { controller } = this;
    const all = new schema.All(Film);
    this.ordered = new Endpoint(noFetch, { name: "ordered", schema: new Query([Film], order) });
    const nested = new Query(new Query(all, order), { Sorter, filter: ({ votes }) => votes !== 1 });
    const pair = (name: string, source: Pair["source"], sorted: Pair["sorted"]): Pair => ({
      name,
      source,
      sorted,
      before: sorted.value,
      told: 0,
    });
    const films = () => this.#answer?.map((id) => controller.get(Film, id)).filter((film) => film !== undefined);
    const answered: Pair["source"] = {
      get value() {
        return films();
      },
    };
    this.pairs = [
      pair("All", readerOf(controller, all), readerOf(controller, new Query(all, order))),
      pair("a collection", readerOf(controller, collection), readerOf(controller, new Query(collection, order))),
      pair(
        "HasMany",
        readerOf(controller, byDirector, "s"),
        readerOf(controller, new Query(byDirector, order), "s"),
      ),
      pair(
        "an array",
        answered,
        readerOfResponse(controller, this.ordered),
      ),
      pair("a query of the order", readerOf(controller, new Query(all, order)), readerOf(controller, nested)),
    ];
  }

  rowOf({ id, votes, title, director }: Step, shift = 0): Record<string, unknown> {
    const at = (id + shift) % this.films;
    return {
      id: `${at}`,
      votes: (votes + shift * 7) % 6,
      title: "ABCA"[(title + shift) % 4],
      director: "sts"[(director + shift) % 3],
    };
  }

  async do(step: Step): Promise<void> {
    const { controller, pending } = this;
    const row = this.rowOf(step);
    const rows = (count: number) => Array.from({ length: count }, (_, at) => this.rowOf(step, at * (step.title + 1)));
    switch (step.kind) {
      case "set":
        return controller.set(Film, { id: row.id as string }, row);
      case "delete":
        return controller.setResponse(
          new Endpoint(noFetch, { name: "gone", schema: removal, sideEffect: true }),
          { id: row.id },
        );
      case "list":
      case "many": {
        // Lists of the same films in another order, with some that changed and some that are new.
        const list = rows(step.kind === "many" ? this.films : step.votes);
        if (step.director === 0) return controller.setResponse(this.collected, list);
        if (step.director === 1) return controller.set(new schema.All(Film), list);
        this.#answer = list.map(({ id }) => id as string);
        return controller.setResponse(this.ordered, list);
      }
      case "show":
        return pending.start({ schema: collection.push, shows: () => row });
      case "hide":
        return pending.start({ schema: removal, shows: () => ({ id: row.id }) });
      case "confirm":
        return void await pending.settle(step.votes, row);
      case "refuse":
        return void await pending.settle(step.votes, new Error("no"));
      case "reset":
        if (step.votes > 0) return;
        controller.resetEntireStore();
        this.#answer = undefined;
        return pending.forget();
    }
  }
}

const equalArrays = (one: readonly unknown[] | undefined, two: readonly unknown[] | undefined) =>
  one === two ||
  (one !== undefined && two !== undefined && one.length === two.length && one.every((each, at) => each === two[at]));

const optional = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;

Deno.test("a declared order is that of a re-run after every step, over All, a collection, a relation, an array, a query", async () => {
  let steps = 0;
  const script = fc.array(step, { minLength: 1, maxLength: 60, size: "max" });
  const property = fc.asyncProperty(setup, script, async (setup, script) => {
    const sort = ORDERS[setup.sort % ORDERS.length];
    const filter = FILTERS[setup.filter];
    const limit = LIMITS[setup.limit];
    const session = new Session(optional({ filter, sort, limit }) as never, setup);
    for (const each of script) {
      await session.do(each);
      steps++;
      for (const pair of session.pairs) {
        const { name, source, sorted, before } = pair;
        const films = source.value;
        const now = pair.before = sorted.value;
        const expected = films === undefined
          ? undefined
          : name === "a query of the order"
          ? films.filter(({ votes }) => votes !== 1)
          : rerun(films, filter, sort, limit);
        assert(equalArrays(now, expected), `${name}: ${now?.map(({ id }) => id)} not ${expected?.map(({ id }) => id)}`);
        assertEquals(now === before, equalArrays(now, before), `${name} is another array when it holds others`);
        // Of an answer, one is told also when it becomes stale.
        if (name !== "an array" || now !== before) {
          assertEquals(sorted.told > pair.told, now !== before, `${name} is told when it is another`);
        }
        pair.told = sorted.told;
        if (setup.strict && now !== undefined) assert(Object.isFrozen(now), name);
      }
    }
  });
  // About 30 steps a run: 1,000,000 in a soak.
  const number = runs(1_000, 35_000);
  await check(property, { name: "sorted_query", runs: number });
  assert(steps >= 10 * number, `${steps} steps`);
});

Deno.test("an order that contradicts itself gives each entry once, and never throws", async () => {
  const script = fc.array(step, { minLength: 1, maxLength: 60, size: "max" });
  const property = fc.asyncProperty(setup, script, async (setup, script) => {
    const sort = CONTRADICTIONS[setup.sort % CONTRADICTIONS.length];
    const filter = FILTERS[setup.filter];
    const limit = LIMITS[setup.limit];
    const session = new Session(optional({ filter, sort, limit }) as never, setup);
    for (const each of script) {
      // Also votes that are no number at all.
      if (each.kind === "set" && each.title === 3) {
        session.controller.set(Film, `${each.id}`, { id: `${each.id}`, votes: NaN });
      }
      await session.do(each);
      for (const { name, source, sorted } of session.pairs.slice(0, 4)) {
        const films = source.value;
        const now = sorted.value;
        assertEquals(now === undefined, films === undefined, name);
        if (now === undefined || films === undefined) continue;
        const kept = rerun(films, filter, undefined, undefined);
        assertEquals(now.length, rerun(kept, undefined, undefined, limit).length, name);
        for (const film of new Set(now)) {
          // An array may name a film twice.
          const [given, there] = [now, kept].map((list) => list.filter((other) => other === film).length);
          assert(given! <= there!, `${name} has ${film.id} ${given} times, its source ${there} times`);
        }
      }
    }
  });
  await check(property, { name: "sorted_query_contradictions", runs: runs(1_000, 35_000) });
});

Deno.test("an order that throws for some entries throws while they are compared, and is right again afterwards", async () => {
  const script = fc.array(step, { minLength: 1, maxLength: 60, size: "max" });
  const compare: Compare = (a, b) => {
    if (a.title === "C" || b.title === "C") throw new TypeError("no order of C");
    return a.votes! - b.votes!;
  };
  const property = breathing(fc.constantFrom(3, 8, 160), script, (films, script) => {
    const controller = new Controller();
    const all = new schema.All(Film);
    const query = new Query(all, { Sorter, sort: compare });
    for (const { id, votes, title, kind } of script) {
      const pk = `${id % films}`;
      if (kind === "delete") controller.set(removal, pk);
      else controller.set(Film, pk, { id: pk, votes, title: "ABCA"[title]! });
      let expected: unknown[] | undefined;
      try {
        expected = controller.get(all)?.toSorted(compare);
      } catch {
        // What is not compared with one another may be given; what is given must be nothing wrong.
        try {
          controller.get(query);
        } catch (error) {
          assert(error instanceof TypeError);
        }
        continue;
      }
      const now: readonly unknown[] | undefined = controller.get(query);
      assert(equalArrays(now, expected), "as a re-run gives it");
      assertStrictEquals(controller.get(query) as unknown, now);
    }
  });
  await check(property, { name: "sorted_query_throws", runs: runs(1_000, 35_000) });
});
