/**
 * Records whose own `merge` keeps what is newer by the server's clock, while reads, optimistic edits, refusals and a
 * stream speak in any order. In the end nothing is called fresh that the server does not have, and what is asked for
 * once more is what it has.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import { Controller, Endpoint, Entity, StreamManager } from "@rejoin/data";
import type { StreamSource } from "@rejoin/data/extend";
import { FakeClock, flush } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";

class Row extends Entity {
  id = "";
  at = 0;
  a = "";
  b = "";
  static key = "Row";
  static override merge(existing: { at: number }, incoming: { at: number }) {
    return incoming.at < existing.at ? { ...incoming, ...existing } : { ...existing, ...incoming };
  }
}

type Raw = Readonly<Record<"id" | "a" | "b", string> & { at: number }>;

/** A request on the wire. */
interface Sent {
  readonly ids: readonly string[];
  /** What is to be changed; `undefined`: it only reads. */
  readonly body: Partial<Raw> | undefined;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** What the server has answered, when it has. */
  answer?: readonly Raw[];
}

const IDS = ["1", "2"] as const;

/** Two rows, a clock of their own, and what the stream has not delivered yet. */
class Server {
  readonly rows: Map<string, Raw> = new Map(IDS.map((id) => [id, { id, at: 1, a: "0", b: "0" }]));
  readonly sent: Sent[] = [];
  readonly messages: Raw[] = [];
  #at = 1;

  ask(ids: readonly string[], body?: Partial<Raw>): Promise<unknown> {
    return new Promise((resolve, reject) => this.sent.push({ ids, body, resolve, reject }));
  }

  change(id: string, body: Partial<Raw>): void {
    const row = { ...this.rows.get(id)!, ...body, at: ++this.#at };
    this.rows.set(id, row);
    this.messages.push(row);
  }

  /** Does what is asked, now. */
  apply(sent: Sent | undefined): void {
    if (sent === undefined || sent.answer !== undefined) return;
    if (sent.body !== undefined) this.change(sent.ids[0]!, sent.body);
    sent.answer = sent.ids.map((id) => this.rows.get(id)!);
  }

  answer(sent: Sent | undefined): void {
    if (sent === undefined) return;
    this.sent.splice(this.sent.indexOf(sent), 1);
    this.apply(sent);
    sent.resolve(sent.ids.length > 1 ? sent.answer : sent.answer![0]);
  }

  refuse(sent: Sent | undefined): void {
    if (sent?.body === undefined || sent.answer !== undefined) return;
    this.sent.splice(this.sent.indexOf(sent), 1);
    sent.reject(Object.assign(new Error("no"), { status: 400 }));
  }
}

const OPS = [
  ["get", 4],
  ["list", 3],
  ["edit", 4],
  ["elsewhere", 3],
  ["tell", 4],
  ["apply", 5],
  ["answer", 8],
  ["refuse", 1],
] as const;
type Op = readonly [name: (typeof OPS)[number][0], a: number, b: number];
const op: fc.Arbitrary<Op> = fc.tuple(
  fc.oneof(...OPS.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) }))),
  fc.nat(7),
  fc.nat(3),
);

async function live(ops: readonly Op[], isOptimistic: boolean): Promise<void> {
  const clock = new FakeClock();
  using _ = clock.install();
  const server = new Server();
  let stream: Parameters<StreamSource>[0] | undefined;
  const source: StreamSource = (listener) => {
    stream = listener;
    listener.open();
    return { close() {} };
  };
  const controller = new Controller({ managers: [new StreamManager({ source, messages: { row: Row } })] });
  const get = new Endpoint(({ id }: { id: string }) => server.ask([id]) as Promise<Raw>, { name: "get", schema: Row });
  const list = new Endpoint(() => server.ask(IDS) as Promise<Raw[]>, { name: "list", schema: [Row] });
  const edit = new Endpoint(
    ({ id }: { id: string }, body: Partial<Raw>) => server.ask([id], body) as Promise<Raw>,
    {
      name: "edit",
      schema: Row,
      sideEffect: true,
      getOptimisticResponse: isOptimistic ? (_, { id }, body) => ({ id, ...body, at: 1e9 }) : undefined,
    },
  );
  const tell = () => {
    const data = server.messages.shift();
    if (data !== undefined) stream!.message({ type: "row", data });
  };
  for (const [step, [name, a, b]] of ops.entries()) {
    const id = IDS[a % 2]!;
    const sent = server.sent[a % Math.max(1, server.sent.length)];
    const body = { [b % 2 === 0 ? "a" : "b"]: `${name} ${step}` };
    if (name === "get") controller.fetch(get, { id }).catch(() => {});
    if (name === "list") controller.fetch(list).catch(() => {});
    if (name === "edit") controller.fetch(edit, { id }, body).catch(() => {});
    if (name === "elsewhere") server.change(id, body);
    if (name === "tell") tell();
    if (name === "apply") server.apply(sent);
    if (name === "answer") server.answer(sent);
    if (name === "refuse") server.refuse(sent);
    await flush();
  }
  const settle = async () => {
    while (server.sent.length > 0) {
      server.answer(server.sent[0]);
      await flush();
    }
    while (server.messages.length > 0) {
      tell();
      await flush();
    }
    await clock.tickAsync(200);
  };
  await settle();
  const look = (isAskedAgain: boolean) => {
    const truth = IDS.map((id) => server.rows.get(id)!);
    const plain = ({ id, at, a, b }: Raw): Raw => ({ id, at, a, b });
    for (const [at, id] of IDS.entries()) {
      const { data, expiresAt } = controller.getResponse(get, { id });
      if (isAskedAgain || (data !== undefined && expiresAt > clock.now())) {
        assertEquals(plain(data!), plain(truth[at]!));
      }
    }
    const { data, expiresAt } = controller.getResponse(list);
    if (isAskedAgain || (data !== undefined && expiresAt > clock.now())) {
      assertEquals(data!.map(plain), truth.map(plain));
    }
  };
  look(false);
  for (const id of IDS) controller.fetch(get, { id }).catch(() => {});
  controller.fetch(list).catch(() => {});
  await settle();
  look(true);
  controller.cleanup();
  await flush();
  assertEquals(
    [clock.pending, controller.store.logs.size, controller.store.layers.length],
    [0, 0, 0],
    "nothing is left",
  );
}

Deno.test("whatever a stream and replies say, in any order, a merge of the app's own ends with the newest", async () => {
  await check(
    fc.asyncProperty(fc.array(op, { maxLength: 30, size: "max" }), fc.boolean(), live),
    { name: "stream_merge", runs: runs(1_000, 50_000) },
  );
});
