import { type ReadonlySignal, signal } from "../deps/signals_core.ts";
import type { Controller } from "../controller/controller.ts";
import type { Args, Value } from "../plain/value.ts";
import type { Node } from "../store/row.ts";
import type { Store } from "../store/store.ts";
import { dataOf, follow, readOf } from "./read.ts";
import { Stored } from "./stored.ts";

class StoredValue extends Stored<Node, Value> {
  constructor(readonly store: Store, readonly schema: Value, readonly args: Args) {
    super(store);
  }
  find(): Node {
    return this.store.nodeOf(this.schema, this.args)!;
  }
  look(node: Node): Value {
    return node.row ? this.store.readRoot(node) : this.store.get(this.schema, this.args);
  }
}
const NOTHING: ReadonlySignal<undefined> = /* @__PURE__ */ signal(undefined);

/** The signal of what the store holds for a schema. It is the same signal as long as something watches it. */
export function storedOf(store: Store, schema: Value, args: Args): ReadonlySignal<Value> {
  const node = args[0] === null ? undefined : store.nodeOf(schema, args);
  if (!node) return NOTHING;
  return node.watcher instanceof StoredValue ? node.watcher : new StoredValue(store, schema, args);
}

/**
 * What is stored for a schema, or of a call, as a signal; it never asks the server. While it is watched, a value has one
 * signal.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { effect } from "@preact/signals-core";
 * import { Controller, Entity } from "@rejoin/data";
 * import { signalOf } from "@rejoin/data/signals";
 *
 * class User extends Entity {
 *   id = "";
 *   name = "";
 *   static override key = "User";
 * }
 * const controller = new Controller(), name = signalOf(controller, User, { id: "1" }), seen: unknown[] = [];
 * const stop = effect(() => void seen.push(name.value?.name));
 * controller.set(User, { id: "1" }, { id: "1", name: "Ann" });
 * stop();
 * assertEquals(seen, [undefined, "Ann"]);
 * ```
 *
 * @param controller Whose store is read.
 * @param schema An entity, an All, a Query …, or an endpoint.
 * @param args What names it; `null` as the first: nothing.
 * @returns A signal that holds another value exactly when what is read is another object.
 */
export function signalOf(controller: Controller, schema: Value, ...args: Value[]): ReadonlySignal<Value> {
  return schema.fetch && args[0] !== null
    ? follow(readOf(controller, schema, args), dataOf)
    : storedOf(controller.store, schema, args);
}
