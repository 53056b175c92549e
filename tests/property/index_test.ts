/**
 * Indexes and rows agree (reliability N9): `static indexes`, HasMany and HasOne give, after every step, what a look at
 * every record gives, in order of arrival, and tell their readers exactly when that is something else.
 */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import * as fc from "fast-check";
import { type AnySchema, Controller, Endpoint, Entity, hydrate, schema, stateOf } from "@rejoin/data";
import { flush } from "../support/clock.ts";
import { type Reader, readerOf } from "../contracts/reader.ts";
import { Pending } from "../support/pending.ts";
import { check, runs, size } from "../support/property.ts";

class Director extends Entity {
  id = "";
  static key = "Director";
  static films = new schema.HasMany(() => Film, "director");
  static debut = new schema.HasOne(() => Film, "director");
}
class Actor extends Entity {
  id = "";
  static key = "Actor";
  static films = new schema.HasMany(() => Film, "actors");
}
class Film extends Entity {
  id = "";
  director: Director | undefined = undefined;
  actors: Actor[] = [];
  genre: unknown = undefined;
  tags: unknown = undefined;
  static key = "Film";
  static indexes = ["genre", "tags"];
  static schema = { director: Director, actors: [Actor] };
}

const byGenre = new schema.HasMany(Film, "genre");
const oneByGenre = new schema.HasOne(Film, "genre");
const byTags = new schema.HasMany(Film, "tags");
const all = new schema.All(Film);
const removal = new schema.Invalidate(Film);

/** Values of members: ordinary texts, names of things that every object has, other kinds, and what is in no index. */
const VALUES: readonly unknown[] = [
  ...["a", "b", "c", "1", "10", "__proto__", "constructor", "toString", "", "hasOwnProperty", "\u2028", "\ud800"],
  ...[1, 10, 0, -0, 1.5, NaN, true, false, null, undefined, { id: "a" }, ["a"], 10n],
];
/** Those that can be stored as JSON. */
const PLAIN: readonly unknown[] = VALUES.filter((value) => typeof value !== "bigint");
const IDS: readonly string[] = ["a", "b", "1", "10", "2", "__proto__", "constructor", "toString"];

/** The texts under which a look at a record finds it. */
function textsOf(value: unknown): readonly string[] {
  const texts = (Array.isArray(value) ? value : [value])
    .filter((one) => ["string", "number", "boolean", "bigint"].includes(typeof one)).map(String);
  return [...new Set(texts)];
}

/** What is asked, and what a look at the record finds: the member as it is stored. */
interface Question {
  readonly name: string;
  readonly member: "director" | "actors" | "genre" | "tags";
  readonly kind: "many" | "one" | "entity";
  readonly schema: AnySchema;
  readonly ask: unknown;
  readonly value: unknown;
}

const asked = [...new Set(VALUES.map((value) => ["object", "undefined"].includes(typeof value) ? "a" : value))];
const QUESTIONS: readonly Question[] = [
  ...IDS.flatMap((id): Question[] => [
    { name: `films of ${id}`, member: "director", kind: "many", schema: Director.films, ask: id, value: id },
    { name: `debut of ${id}`, member: "director", kind: "one", schema: Director.debut, ask: { id }, value: id },
    { name: `films with ${id}`, member: "actors", kind: "many", schema: Actor.films, ask: { id }, value: id },
  ]),
  ...asked.flatMap((value): Question[] => [
    { name: `genre ${String(value)}`, member: "genre", kind: "many", schema: byGenre, ask: value, value },
    { name: `one of ${String(value)}`, member: "genre", kind: "one", schema: oneByGenre, ask: value, value },
    { name: `tag ${String(value)}`, member: "tags", kind: "many", schema: byTags, ask: value, value },
    { name: `by genre ${String(value)}`, member: "genre", kind: "entity", schema: Film, ask: { genre: value }, value },
    { name: `by tag ${String(value)}`, member: "tags", kind: "entity", schema: Film, ask: { tags: value }, value },
  ]),
];

const KINDS = [
  ["set", 8],
  ["delete", 2],
  ["list", 2],
  ["show", 3],
  ["hide", 1],
  ["confirm", 2],
  ["refuse", 2],
  ["read", 2],
  ["answer", 3],
  ["reset", 1],
  ["hydrate", 1],
  ["watch", 2],
  ["stop", 1],
] as const;

interface Step {
  readonly kind: (typeof KINDS)[number][0];
  readonly id: number;
  readonly director: number;
  readonly actors: readonly number[];
  readonly genre: number;
  readonly tags: readonly number[] | number;
  readonly which: number;
}

const value = fc.oneof({ weight: 3, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.nat(PLAIN.length - 1) });
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(...KINDS.map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) }))),
  id: fc.nat(IDS.length - 1),
  director: fc.nat(IDS.length),
  actors: fc.array(fc.nat(IDS.length - 1), { maxLength: 3 }),
  genre: value,
  tags: fc.oneof(fc.array(value, { maxLength: 3 }), value),
  which: fc.nat(1_000),
});

/** One who reads, and what was read last. */
interface Watched {
  readonly question: Question;
  readonly reader: Reader<unknown>;
  last: unknown;
  told: number;
}

class Session {
  controller = new Controller();
  pending = new Pending(this.controller);
  watched: Watched[] = [];
  /** Reads on the wire: their answers come later than other writes, and stand before them. */
  #reads: { resolve: (reply: unknown) => void }[] = [];
  #names = 0;

  rowOf({ id, director, actors, genre, tags }: Step): object {
    return {
      id: IDS[id],
      ...director < IDS.length ? { director: IDS[director] } : {},
      actors: actors.map((at) => at % 2 === 0 ? IDS[at] : { id: IDS[at] }),
      genre: PLAIN[genre],
      tags: Array.isArray(tags) ? tags.map((at) => PLAIN[at]) : PLAIN[tags as number],
    };
  }

  async do(step: Step, rows: readonly object[]): Promise<void> {
    const { controller, pending } = this;
    const row = this.rowOf(step);
    const id = IDS[step.id]!;
    switch (step.kind) {
      case "set":
        return controller.set(Film, id, row as never);
      case "delete":
        return controller.set(removal, id);
      case "list":
        return controller.set(all, rows);
      case "show":
        return pending.start({ schema: Film, shows: () => row });
      case "hide":
        return pending.start({ schema: removal, shows: () => ({ id }) });
      case "confirm":
        return void await pending.settle(step.which, row);
      case "refuse":
        return void await pending.settle(step.which, new Error("no"));
      case "read": {
        let resolve!: (reply: unknown) => void;
        const reply = new Promise<unknown>((fulfil) => resolve = fulfil);
        this.#reads.push({ resolve });
        const read = new Endpoint(() => reply, { name: `read ${this.#names++}`, schema: [Film] });
        controller.fetch(read).catch(() => {});
        return;
      }
      case "answer": {
        const [read] = this.#reads.splice(step.which % Math.max(1, this.#reads.length), 1);
        read?.resolve(rows);
        return await flush();
      }
      case "reset":
        if (step.which % 2 === 0) return;
        controller.resetEntireStore();
        this.#reads = [];
        return pending.forget();
      case "hydrate": {
        const initialState = JSON.parse(JSON.stringify(stateOf(controller)));
        const questions = this.watched.map(({ question }) => question);
        this.watched = [];
        this.#reads = [];
        pending.forget();
        this.controller = new Controller({ strict: step.which % 2 === 0, use: [hydrate(initialState)] });
        this.pending = new Pending(this.controller);
        for (const question of questions) this.watch(question);
        return;
      }
      case "watch":
        return this.watch(QUESTIONS[step.which % QUESTIONS.length]!);
      case "stop": {
        const [gone] = this.watched.splice(step.which % Math.max(1, this.watched.length), 1);
        return gone?.reader.stop();
      }
    }
  }

  watch(question: Question): void {
    const reader = readerOf<unknown>(this.controller, question.schema, question.ask);
    this.watched.push({ question, reader, last: reader.value, told: 0 });
  }

  /** Every answer is what a look at all records gives, and who was told had a reason. */
  verify(): void {
    const { controller } = this;
    const films = controller.get(all) as readonly Film[] | undefined;
    const rows = films?.map((film) => [film, this.#stored(film)] as const);
    const look = ({ member, value, kind }: Question): unknown => {
      if (rows === undefined) return undefined;
      const found = rows.filter(([, row]) => textsOf(row[member]).includes(String(value))).map(([film]) => film);
      return kind === "many" ? found : found[0];
    };
    for (const question of QUESTIONS) {
      const now: unknown = controller.get(question.schema as typeof Film, question.ask as never);
      const expected = look(question);
      assert(isEqual(now, expected), `${question.name}: ${idsOf(now)} not ${idsOf(expected)}`);
    }
    for (const watched of this.watched) {
      const { question, reader } = watched;
      const now = reader.value;
      assertStrictEquals(controller.get(question.schema as typeof Film, question.ask as never), now, question.name);
      assertEquals(now === watched.last, isEqual(now, watched.last), `${question.name} is another array`);
      assertEquals(reader.told > watched.told, now !== watched.last, `${question.name} is told when it changes`);
      watched.last = now;
      watched.told = reader.told;
    }
  }

  /** The members as a reader sees them, with entities as pks: what the index is of. */
  #stored(film: Film): Record<string, unknown> {
    const { store } = this.controller;
    const plan = store.graph.planOf(Film);
    return { ...store.tables.of(plan).slots.get(film.id)!.rec };
  }
}

function isEqual(one: unknown, two: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(two)) return one === two;
  return one.length === two.length && one.every((each, at) => each === two[at]);
}

function idsOf(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(({ id }) => id)}]` : `${(value as Film | undefined)?.id}`;
}

Deno.test("N9: indexes give what a look at every record gives, in order of arrival, and tell exactly who is concerned", async () => {
  let steps = 0;
  const script = fc.array(fc.tuple(step, fc.array(step, { maxLength: 4 })), {
    minLength: 1,
    maxLength: size(25, 60),
    size: "max",
  });
  const property = fc.asyncProperty(script, async (script) => {
    const session = new Session();
    for (const [each, others] of script) {
      await session.do(each, others.map((other) => session.rowOf(other)));
      steps++;
      session.verify();
    }
  });
  // About 13 steps a run, and 30 in a soak: 1,000,000.
  const number = runs(1_000, 35_000);
  await check(property, { name: "index", runs: number });
  assert(steps >= 10 * number, `${steps} steps`);
});
