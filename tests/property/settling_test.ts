// deno-lint-ignore-file no-explicit-any
/**
 * Whatever the network does to requests and the app does meanwhile, every promise settles, and nothing is left behind.
 *
 * @module
 */
import { Controller, Entity, isEnding, memory, NetworkError, resource, serial, UsageError } from "@rejoin/data/core";
import { sweep } from "../../src/parts/memory.ts";
import { Reader } from "../support/mounted.ts";

class Item extends Entity {
  id = "";
  title = "";
  done = false;
  static override key = "Item";
}
const SCHEDULES = Deno.env.get("REJOIN_SOAK") ? 100_000 : 1_000;
const random = (seed: number) => () => ((seed = (seed * 1664525 + 1013904223) >>> 0) / 4294967296);
const settle = async () => {
  for (let at = 0; at < 12; at++) await undefined;
};

async function schedule(seed: number): Promise<string | undefined> {
  const next = random(seed * 7919 + 3), pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)]!;
  const waiting: any[] = [];
  const R: any = resource({
    path: "/items/:id",
    schema: Item,
    optimistic: true,
    ...(seed % 3 === 0 && { scope: serial("record") }),
    fetch(this: any, ...args: any[]) {
      const { params, body } = this.readArgs(args);
      // Some requests react to their signal.
      return new Promise((reply, fail) => {
        waiting.push({ name: this.name.split(".").at(-1), params, body, reply, fail });
        if (next() < 0.5) this.signal.addEventListener("abort", () => fail(this.signal.reason));
      });
    },
  } as any);
  const c: any = new Controller({ use: [memory()] }), readers: Reader[] = [], outcomes: (unknown | undefined)[] = [];
  let asked = 0, created = 10;
  const ask = (promise: Promise<unknown>) => {
    asked++;
    promise.then(() => outcomes.push(undefined), (error) => outcomes.push(error));
  };
  const someId = () => pick(["1", "2", ...(c.getResponse(R.getList).data ?? []).map(({ id }: any) => id)]);
  const deeds: Record<string, () => void> = {
    get: () => ask(c.fetch(R.get, { id: someId() })),
    list: () => ask(c.fetch(R.getList)),
    create: () => ask(c.fetch(R.create, { title: "n" })),
    update: () => ask(c.fetch(R.partialUpdate, { id: someId() }, { title: `${next()}` })),
    delete: () => ask(c.fetch(R.delete, { id: someId() })),
    set: () => c.set(Item, { id: someId() }, { done: true }),
    abort: () => c.abort(pick([R.get, R.partialUpdate, R.delete]), { id: someId() }),
    invalidate: () => c.invalidateAll(pick([R.get, R.getList])),
    expire: () => c.expireAll(pick([R.get, R.getList])),
    mount: () => {
      const reader = new Reader(c, () => {});
      readers.push(reader);
      reader.follow(pick([R.get]), [{ id: someId() }]);
    },
    mountList: () => {
      const reader = new Reader(c, () => {});
      readers.push(reader);
      reader.follow(R.getList, []);
    },
    unmount: () => readers.shift()?.stop(),
    sweep: () => sweep(c.store),
    reset: () => next() < 0.3 && c.resetEntireStore(),
  };
  const answer = ({ name, params, reply, fail }: any) => {
    const what = next();
    if (what < 0.12) fail(new NetworkError(601));
    else if (what < 0.2) fail(Object.assign(new NetworkError(602), { status: pick([404, 412, 422, 503]) }));
    else if (what < 0.24) fail(new DOMException("left", "AbortError"));
    else if (what < 0.28) reply(pick([null, {}, 5, [5], "text"]));
    else if (name === "getList") reply([{ id: "1", title: "a", done: false }, { id: "2", title: "b", done: true }]);
    else if (name === "create") reply({ id: `${created++}`, title: "n", done: false });
    else reply({ id: params.id, title: "x", done: false });
  };
  const names = Object.keys(deeds), steps = 5 + next() * 25;
  for (let step = 0; step < steps; step++) {
    if (next() < 0.6) deeds[pick(names)]!();
    else if (waiting.length) answer(waiting.splice(Math.floor(next() * waiting.length), 1)[0]);
    if (next() < 0.7) await settle();
  }
  for (const reader of readers) reader.stop();
  for (let round = 0; round < 200 && (waiting.length || c.flights.size); round++) {
    while (waiting.length) answer(waiting.pop());
    await settle();
    await new Promise((go) => queueMicrotask(() => go(undefined)));
  }
  await settle();
  if (outcomes.length !== asked) return `${asked - outcomes.length} of ${asked} promises never settle`;
  // A call may end with an error of the network, an ending, or a reply that does not fit. Anything else is our fault.
  const odd = outcomes.find((error: any) =>
    error && !isEnding(error) && !(error instanceof NetworkError) && !(error instanceof UsageError) &&
    error.message !== "elsewhere" && !/^Rejoin \d/.test(error.message)
  );
  if (odd) return `a call ends with ${odd}`;
  const { store, flights } = c;
  if (flights.size || store.edits.size) return `${flights.size} requests, ${store.edits.size} edits are left`;
  for (const table of store.tables.values()) {
    if (table.pending) return `${table.key} waits for ${table.pending}`;
    for (const row of table.rows.values()) {
      if (row.layers || row.edits || row.next !== undefined) return `${table.key} ${row.pk} keeps what was pending`;
    }
  }
  for (const one of store.answers()) if (one.flight) return `${one.key} counts as in flight`;
  c.cleanup();
}

Deno.test({
  name: `rules 30 to 36: ${SCHEDULES} schedules of faults: every promise settles, and nothing is left behind`,
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    for (let seed = 0; seed < SCHEDULES; seed++) {
      const wrong = await schedule(seed);
      if (wrong) throw new Error(`seed ${seed}: ${wrong}`);
    }
  },
});
