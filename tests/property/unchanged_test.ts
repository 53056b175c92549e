/**
 * Two clients of one server in random interleavings, in lockstep: one is told when an answer is the one it has, the other
 * writes every answer. After each step both must hold the same, in the same order, as fresh and as stale.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { Controller, Endpoint, Entity, onCommit, schema, type Snapshot, type State, stateOf } from "@rejoin/data";
import { type CallContext, remember, remembered } from "@rejoin/data/extend";
import { watch } from "../../src/store/watch.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";

class Director extends Entity {
  id = "";
  name = "";
  pk() {
    return this.id;
  }
  static key = "Director";
}

class Film extends Entity {
  id = "";
  title = "";
  votes = 0;
  director: Director | undefined = undefined;
  pk() {
    return this.id;
  }
  static key = "Film";
  static schema = { director: Director };
}

const OPS = [
  ["read", 24],
  ["rename", 2],
  ["remove", 1],
  ["vote", 2],
  ["set", 2],
  ["setResponse", 1],
  ["invalidate", 1],
  ["expire", 1],
  ["reset", 1],
  ["elsewhere", 1],
  ["wait", 2],
  ["apply", 6],
  ["answer", 32],
  ["fail", 1],
] as const;

type Op = readonly [name: (typeof OPS)[number][0], a: number, b: number];

const op: fc.Arbitrary<Op> = fc.tuple(
  fc.oneof(...OPS.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) }))),
  fc.nat(11),
  fc.nat(3),
);

interface RawFilm {
  readonly id: string;
  title: string;
  votes: number;
  readonly director: { readonly id: string; name: string };
}

/** One call of one client. */
interface Call {
  readonly name: string;
  readonly id: string;
  /** Whose: the memo of the client that is told, `undefined` for the other. */
  readonly context: CallContext | undefined;
  readonly memo: unknown;
  resolve(reply: unknown): void;
  reject(reason: unknown): void;
}

const READS = ["all", "first", "get"] as const;

/** A controller and its endpoints. */
class Client {
  readonly controller = new Controller();
  readonly calls: Call[] = [];
  readonly reads: Readonly<
    Record<(typeof READS)[number], Endpoint<[id: string], unknown, typeof Film | typeof Film[]>>
  >;
  /** How often each reader was told. */
  readonly told = new Map<string, number>();
  /** How often an answer was taken as it was, and how often it had to be written after all. */
  renewed = 0;
  readAgain = 0;

  constructor(isTold: boolean) {
    const make = (name: string, of: typeof Film | typeof Film[]) => {
      const call = (context: CallContext | undefined, id: string) => {
        const memo = context && remembered(context).memo;
        return new Promise<unknown>((resolve, reject) => this.calls.push({ name, id, context, memo, resolve, reject }));
      };
      const endpoint = new Endpoint((id: string) => call(undefined, id), { name, schema: of });
      const fetchReply = (context: CallContext, [id]: [string]) => call(context, id);
      return isTold ? Object.defineProperty(endpoint, "fetchReply", { value: fetchReply }) : endpoint;
    };
    this.reads = { all: make("all", [Film]), first: make("first", [Film]), get: make("get", Film) };
    const { store } = this.controller;
    for (const name of READS) {
      for (const id of ["1", "2"]) {
        const view = store.response(this.reads[name], [id], this.reads[name].key(id));
        const reader = `${name} ${id}`;
        watch(store, view, () => this.told.set(reader, (this.told.get(reader) ?? 0) + 1));
      }
    }
    onCommit(this.controller, (_, action) => {
      if (action.type === "renew") this.renewed++;
    });
  }

  mutate(name: string, id: string, members: object, shows: boolean): void {
    const endpoint = new Endpoint(
      (id: string) =>
        new Promise<unknown>((resolve, reject) =>
          this.calls.push({ name, id, context: undefined, memo: undefined, resolve, reject })
        ),
      {
        name,
        schema: name === "remove" ? new schema.Invalidate(Film) : Film,
        sideEffect: true,
        getOptimisticResponse: shows ? (_: Snapshot, id: string) => ({ id, ...members }) : undefined,
      },
    );
    this.controller.fetch(endpoint, id).catch(() => {});
  }
}

/** What is asked of the server by the calls of both, and its answer once it has done so. */
interface Demand {
  readonly name: string;
  readonly id: string;
  readonly members: { readonly title?: string };
  answer?: { readonly text: string | undefined };
  isOver: boolean;
}

class Session {
  readonly films = new Map<string, RawFilm>();
  readonly told = new Client(true);
  readonly plain = new Client(false);
  readonly demands: Demand[] = [];
  readonly clock: FakeClock;
  /** Reads of one film that have failed. */
  readonly #failed = new Set<string>();
  #texts = 0;
  #members: { title?: string } = {};

  constructor(clock: FakeClock) {
    this.clock = clock;
    for (const id of ["1", "2", "3"]) {
      this.films.set(id, { id, title: `Film ${id}`, votes: 0, director: { id: id === "3" ? "2" : "1", name: "Ann" } });
    }
  }

  both(run: (client: Client) => void): void {
    run(this.told);
    run(this.plain);
  }

  do([name, a, b]: Op): void {
    const id = String(a % 3 + 1);
    const key = String(a % 2 + 1);
    const read = READS[b % 3]!;
    switch (name) {
      case "read":
        this.both(({ controller, reads }) => void controller.fetch(reads[read], key).catch(() => {}));
        break;
      case "rename":
        this.#members = { title: `Title ${++this.#texts}` };
        this.both((client) => client.mutate("rename", id, this.#members, b % 2 === 0));
        break;
      case "vote":
        // Answered with what is there already: a write that changes nothing.
        this.#members = {};
        this.both((client) => client.mutate("vote", id, {}, false));
        break;
      case "remove":
        this.both((client) => client.mutate("remove", id, {}, b % 2 === 0));
        break;
      case "set": {
        const title = b === 0 ? `Title ${++this.#texts}` : this.films.get(id)?.title ?? "";
        this.both(({ controller }) => controller.set(Film, { id }, { title }));
        break;
      }
      case "setResponse":
        this.both(({ controller, reads }) => controller.setResponse(reads.all, key, [...this.films.values()]));
        break;
      case "invalidate":
        this.both(({ controller, reads }) => controller.invalidate(reads[read], key));
        break;
      case "expire":
        this.both(({ controller }) => controller.expireAll({ testKey: () => true }));
        break;
      case "reset":
        if (b === 0) this.both(({ controller }) => controller.resetEntireStore());
        break;
      case "elsewhere": {
        const film = this.films.get(id);
        // Back and forth between few titles: an answer may be one that was there before.
        if (film !== undefined) film.title = `Film ${b}`;
        break;
      }
      case "wait":
        this.clock.tick(a * 7_000);
        break;
      case "apply": {
        const waiting = this.demands.filter(({ answer }) => answer === undefined);
        if (waiting.length > 0) this.apply(waiting[a % waiting.length]!);
        break;
      }
      case "answer":
      case "fail": {
        const open = this.demands.filter(({ isOver }) => !isOver);
        if (open.length > 0) this.answer(open[a % open.length]!, name === "fail");
      }
    }
  }

  /** What the clients have asked meanwhile; both the same. */
  collect(): void {
    const names = (client: Client) => client.calls.map(({ name, id }) => `${name} ${id}`);
    assertEquals(names(this.told), names(this.plain), "both ask the same");
    for (const { name, id } of this.told.calls.slice(this.demands.length)) {
      this.demands.push({ name, id, members: this.#members, isOver: false });
    }
  }

  apply(demand: Demand): void {
    const { name, id, members } = demand;
    const film = this.films.get(id);
    if (name === "rename" && film !== undefined) Object.assign(film, members);
    if (name === "remove") this.films.delete(id);
    const value = name === "all"
      ? [...this.films.values()]
      : name === "first"
      ? [...this.films.values()].slice(0, 2)
      : name === "remove"
      ? { id }
      : film;
    demand.answer = { text: value === undefined ? undefined : JSON.stringify(value) };
  }

  answer(demand: Demand, isLost: boolean): void {
    if (demand.answer === undefined) this.apply(demand);
    demand.isOver = true;
    const { text } = demand.answer!;
    const at = this.demands.indexOf(demand);
    this.both((client) => {
      const { context, memo, resolve, reject } = client.calls[at]!;
      if (isLost || text === undefined) return reject(new Error(isLost ? "lost" : "404"));
      if (context === undefined) return resolve(JSON.parse(text));
      const read = () => {
        client.readAgain++;
        return Promise.resolve(JSON.parse(text));
      };
      const isSame = memo === text;
      resolve(remember(context, { value: isSame ? undefined : JSON.parse(text), memo: text, unchanged: isSame, read }));
    });
  }

  verify(): void {
    const [told, plain] = [this.told, this.plain].map(({ controller }) => stateOf(controller)) as [State, State];
    assertEquals(told.entities, plain.entities);
    assertEquals(told.endpoints, plain.endpoints);
    assertEquals(told.meta, plain.meta);
    for (const [key, records] of Object.entries(told.entitiesMeta)) {
      for (const [pk, { expiresAt }] of Object.entries(records)) {
        const other = plain.entitiesMeta[key]![pk]!.expiresAt;
        // Read behind a mutation: what another answer has said of the record may stand meanwhile.
        if (other === 0) continue;
        assert((expiresAt ?? Infinity) <= (other ?? Infinity), `${key} ${pk} is believed for longer than it may be`);
      }
    }
    for (const name of READS) {
      for (const id of ["1", "2"]) {
        const [a, b] = [this.told, this.plain].map(({ controller: { store }, reads }) => {
          const entry = store.entries.get(reads[name].key(id), reads[name]);
          return entry && [entry.seq, entry.staleSeq, entry.mark, entry.isInvalid, entry.expiresAt];
        });
        assertEquals(a, b, `${name} ${id}`);
        const [one, two] = [this.told, this.plain].map(({ controller, reads }) =>
          controller.getResponseMeta(reads[name], id).error
        );
        const [seen, expected] = [this.told, this.plain].map(({ controller, reads }) =>
          JSON.stringify(controller.getResponse(reads[name], id).data)
        );
        // An invalidated read that failed shows what was written since; an unchanged answer writes nothing.
        const isUnwritten = one !== undefined && seen === undefined && a?.[3] === true;
        if (!isUnwritten) assertEquals(seen, expected, `${name} ${id}`);
        if (one !== undefined || two !== undefined) this.#failed.add(`${name} ${id}`);
      }
    }
    for (const reader of new Set([...this.told.told.keys(), ...this.plain.told.keys()])) {
      // An error gives way to a record that was written since. What is not written again leaves it there: it did happen.
      if (this.#failed.has(reader)) continue;
      assertEquals(this.told.told.get(reader), this.plain.told.get(reader), `how often ${reader} was told`);
    }
    for (const { controller: { store } } of [this.told, this.plain]) {
      // What a mutation shows of which nobody knows what became of it stays for a moment.
      if (store.sequence.size + store.layers.length === 0) assertEquals(store.logs.size, 0, "logs at rest");
    }
  }

  async finish(): Promise<void> {
    for (let round = 0; this.demands.some(({ isOver }) => !isOver); round++) {
      assert(round < 1_000);
      this.answer(this.demands.find(({ isOver }) => !isOver)!, false);
      await this.step();
    }
    // Whoever shows what is in doubt has had the time to ask.
    this.clock.tick(1_000);
    await this.step();
    for (const { controller: { store } } of [this.told, this.plain]) {
      assertEquals(store.layers.length, 0, "layers at rest");
    }
  }

  async step(): Promise<void> {
    await flush();
    this.collect();
    this.verify();
  }
}

Deno.test('a client that is told "unchanged" holds, step by step, what one holds that writes every answer', async () => {
  let renewed = 0;
  let readAgain = 0;
  const number = runs(1_000, 100_000);
  await check(
    fc.asyncProperty(fc.array(op, { maxLength: 60, size: "max" }), async (ops) => {
      const clock = new FakeClock();
      using _ = clock.install();
      const session = new Session(clock);
      for (const each of ops) {
        session.do(each);
        await session.step();
      }
      await session.finish();
      renewed += session.told.renewed;
      readAgain += session.told.readAgain;
    }),
    { name: "unchanged", runs: number },
  );
  console.log(`unchanged: ${renewed} answers were taken as they were, ${readAgain} had to be written after all`);
  assert(renewed > number / 4 && readAgain > number / 4, "both ways are gone");
});
