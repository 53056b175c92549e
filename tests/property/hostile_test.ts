/** Values that a server or an app should not send: they pollute nothing, nothing hangs, and an error writes nothing. */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, denormalize, Endpoint, Entity, normalize, RejoinError, schema } from "@rejoin/data";
import { randomOf } from "./random.ts";

class Node extends Entity {
  id = "";
  text = "";
  next: Node | undefined = undefined;
  all: Node[] = [];
  static override key = "Node";
  static override schema = {};
}
Node.schema = { next: Node, all: [Node] };
const either = new schema.Union({ node: Node, constructor: Node }, "type");
const SCHEMAS = [
  Node,
  [Node],
  { nodes: [Node], next: "" },
  new schema.Values(Node),
  either,
  [either],
  new schema.Collection([Node]),
  { nodes: new schema.Collection([either]), all: { next: Node } },
  new schema.All(Node),
  new schema.Invalidate(Node),
];
const NAMES = "id text next all nodes type __proto__ constructor toString hasOwnProperty then".split(" ");
const LEAVES = [
  ...[null, true, false, 0, -1, NaN, 1e400, "", "1", "2"],
  ...["__proto__", "constructor", "node", "\ud800", "\u0000"],
];
/** The number of stores, each of which gets three replies. */
const INPUTS = Deno.env.get("REJOIN_SOAK") ? 1_000_000 : 10_000;

function valueOf(pick: (below: number) => number, depth: number): unknown {
  const kind = depth ? pick(5) : 0;
  if (kind < 2) return LEAVES[pick(LEAVES.length)];
  if (kind === 2) return Array.from({ length: pick(4) }, () => valueOf(pick, depth - 1));
  const members = Array.from({ length: pick(5) }, () => [NAMES[pick(NAMES.length)], valueOf(pick, depth - 1)]);
  // An own member, as JSON.parse makes `__proto__`.
  return Object.fromEntries([["id", `${pick(4)}`], ...members]);
}

Deno.test("hostile replies pollute nothing, and are refused by errors of ours, or read the same twice", () => {
  const clean = Object.getOwnPropertyNames(Object.prototype).join(),
    arrays = Object.getOwnPropertyNames(Array.prototype).join();
  let stored = 0;
  for (let seed = 0; seed < INPUTS; seed++) {
    const pick = randomOf(seed), controller = new Controller(), declared = SCHEMAS[pick(SCHEMAS.length)]!;
    const get = new Endpoint(() => Promise.resolve(), { name: "get", schema: declared });
    for (let step = 0; step < 3; step++) {
      const reply = valueOf(pick, 4), before = controller.getResponse(get).data;
      try {
        controller.setResponse(get, reply);
      } catch (error) {
        assert(error instanceof RejoinError, `seed ${seed}: ${(error as Error).stack}`);
        assertStrictEquals(controller.getResponse(get).data, before, `seed ${seed}: what throws writes nothing`);
        continue;
      }
      stored++;
      const { data } = controller.getResponse(get);
      assertStrictEquals(controller.getResponse(get).data, data, `seed ${seed}`);
      const { result, entities } = normalize(declared, reply);
      denormalize(declared, result, entities);
    }
  }
  assertEquals(Object.getOwnPropertyNames(Object.prototype).join(), clean);
  assertEquals(Object.getOwnPropertyNames(Array.prototype).join(), arrays);
  assert(stored > INPUTS / 5);
});

Deno.test("getters that throw, and frozen values, write nothing or all", () => {
  const controller = new Controller();
  const get = new Endpoint(() => Promise.resolve(), { name: "get", schema: [Node] });
  controller.setResponse(
    get,
    Object.freeze([Object.freeze({ id: "1", text: "a", all: Object.freeze([{ id: "2" }]) })]),
  );
  const { data } = controller.getResponse(get);
  const trap = {
    id: "2",
    get text(): string {
      throw new RangeError("trap");
    },
  };
  let thrown: unknown;
  try {
    controller.setResponse(get, [{ id: "1", text: "b" }, trap]);
  } catch (error) {
    thrown = error;
  }
  assert(thrown instanceof RangeError);
  assertStrictEquals(controller.getResponse(get).data, data);
});

Deno.test("100,000 levels of lists in records, written, read, changed at the end, and taken apart again", () => {
  let chain: object = { id: "0", text: "end" };
  for (let at = 1; at < 100_000; at++) chain = { id: `${at}`, all: [chain] };
  const controller = new Controller(), get = new Endpoint(() => Promise.resolve(), { name: "get", schema: Node });
  controller.setResponse(get, chain);
  const first = controller.getResponse(get).data!;
  controller.set(Node, { id: "0" }, { text: "new" });
  let last = controller.getResponse(get).data!;
  assert(last !== first);
  for (let at = 1; at < 100_000; at++) last = last.all[0]!;
  assertEquals(last.text, "new");
});
