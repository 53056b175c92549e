import { type ReadonlySignal, signal } from "../deps/signals_core.ts";
import type { Controller } from "../controller/controller.ts";
import type { AnyReadable } from "../endpoint/endpoint_types.ts";
import type { Args, Value } from "../plain/value.ts";
import type { DenormalizeNullable, NullableArgs, Queryable, SchemaArgs } from "../store/infer.ts";
import type { Node } from "../store/row.ts";
import type { Store } from "../store/store.ts";
import { dataOf, follow, readOf } from "./read.ts";
import { Stored } from "./stored.ts";

/** A source that can be read as a signal: an endpoint, or a schema whose records arguments name. */
export type SignalSource = AnyReadable | Queryable;
/** The arguments of a {@linkcode SignalSource}. */
export type SourceArgs<S> = S extends AnyReadable ? NullableArgs<S["~types"]["args"]>
  : S extends Queryable ? NullableArgs<SchemaArgs<S>>
  : never;
/** The value of a {@linkcode SignalSource}; `undefined` while it is not in the store. */
export type SourceValue<S> = S extends AnyReadable ? S["~types"]["nullable"]
  : S extends Queryable ? DenormalizeNullable<S>
  : never;

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

/** The signal of what the store holds for a schema. It is the same signal as long as something watches it. */
export function storedOf(store: Store, schema: Value, args: Args): ReadonlySignal<Value> {
  const node = args[0] === null ? undefined : store.nodeOf(schema, args);
  // Its own signal, because a server never ends the subscription of a component that throws.
  if (!node) return signal(undefined);
  return node.watcher instanceof StoredValue ? node.watcher : new StoredValue(store, schema, args);
}

/**
 * Returns the stored data of a schema or of a call as a signal. It never fetches. While a value is watched, all calls
 * for it return the same signal.
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
 * @param controller The controller whose store is read.
 * @param source An endpoint, or an entity, an `All`, a `Query` …
 * @param args Its arguments; with `null` as the first, nothing is read.
 * @returns The signal. Its value changes only when the data are another object.
 */
export function signalOf<S extends SignalSource>(
  controller: Controller,
  source: S,
  ...args: readonly [...SourceArgs<S>]
): ReadonlySignal<SourceValue<S>>;
export function signalOf(controller: Controller, schema: Value, ...args: Value[]): ReadonlySignal<Value> {
  return schema.fetch && args[0] !== null
    ? follow(readOf(controller, schema, args), dataOf)
    : storedOf(controller.store, schema, args);
}
