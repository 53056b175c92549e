import { computed, type ReadonlySignal } from "../deps/signals_core.ts";
import type { ViewNode } from "../denormalize/node.ts";
import type { AnyReadable } from "../endpoint/interface.ts";
import type { StoredSource } from "../endpoint/readable.ts";
import { isInactive } from "../controller/is_inactive.ts";
import { copyArgs } from "../endpoint/copy_plain.ts";
import type { DenormalizeNullable, NullableArgs, Queryable, SchemaArgs } from "../schemas/infer.ts";
import { isEntity, isSchemaObject } from "../schemas/interface.ts";
import { track } from "../signals/track.ts";
import type { Answer } from "../store/entry.ts";
import { inactiveData } from "../store/response_view.ts";
import type { Store } from "../store/store.ts";
import { checkGiven } from "./_check_given.ts";
import { useMemory } from "./_internals.ts";
import { useController } from "./use_controller.ts";

/** What is read as a signal: an endpoint, or a schema that arguments name. */
export type SignalSource = AnyReadable | Queryable;

/** The arguments of a {@linkcode SignalSource}. */
export type SourceArgs<S> = S extends AnyReadable ? NullableArgs<S["~types"]["args"]>
  : S extends Queryable ? NullableArgs<SchemaArgs<S>>
  : never;

/** What reading a {@linkcode SignalSource} gives; `undefined` while it is not there. */
export type SourceValue<S> = S extends AnyReadable ? S["~types"]["nullable"]
  : S extends Queryable ? DenormalizeNullable<S>
  : never;

/**
 * What is stored, as a signal: put into JSX as it is, it changes a text or an attribute without the component running
 * again. Never fetches: `useFetch` or a hook above it does.
 *
 * @param source An endpoint, an entity, a Query …
 * @param args Its arguments; `null` as the first: nothing.
 * @param select Makes of it what the signal is to hold; of nothing but its argument, for it runs when that has changed.
 * @returns The signal: the same one for the same arguments. It holds `undefined` while nothing is there.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Entity } from "@rejoin/data";
 * import { useSignalOf } from "@rejoin/data/preact";
 *
 * class Price extends Entity {
 *   id = "";
 *   value = 0;
 *   static key = "Price";
 * }
 * function Ticker({ id }: { id: string }) {
 *   const value = useSignalOf(Price, [{ id }], (price) => price?.value);
 *   return <b>{value}</b>;
 * }
 * assert(Ticker.length === 1);
 * ```
 */
export function useSignalOf<S extends SignalSource, T = SourceValue<S>, G = S>(
  source: StoredSource<S, G>,
  args: readonly [...SourceArgs<S>],
  select?: (value: SourceValue<S>) => T,
): ReadonlySignal<T>;
export function useSignalOf(
  source: SignalSource,
  args: readonly unknown[],
  select: (value: unknown) => unknown = (value) => value,
): ReadonlySignal<unknown> {
  checkGiven(source, "source", "useSignalOf");
  const kept = useMemory((): { signal?: ReadonlySignal<unknown>; view?: ViewNode | undefined } => ({}));
  const { store } = useController();
  const view = viewOf(store, source, args);
  if (kept.signal === undefined || kept.view !== view) {
    kept.view = view;
    const copied = copyArgs(args);
    kept.signal = computed(() => select(read(store, source, copied)));
  }
  return kept.signal;
}

/**
 * What a function makes of what is stored: the component runs again only when that is another value. Never fetches.
 *
 * @param source An endpoint, an entity, a Query …
 * @param args Its arguments; `null` as the first: nothing.
 * @param select Makes of the stored value what the component needs. It may use props: it runs at each rendering.
 * @returns What `select` gives; values are compared by `Object.is`.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Entity, Query, schema } from "@rejoin/data";
 * import { useSelect } from "@rejoin/data/preact";
 *
 * class Todo extends Entity {
 *   id = "";
 *   done = false;
 *   static key = "Todo";
 * }
 * const todos = new Query(new schema.All(Todo));
 *
 * function Left() {
 *   return <b>{useSelect(todos, [], (all) => all?.filter(({ done }) => !done).length)} to do</b>;
 * }
 * assert(Left.length === 0);
 * ```
 */
export function useSelect<S extends SignalSource, T, G = S>(
  source: StoredSource<S, G>,
  args: readonly [...SourceArgs<S>],
  select: (value: SourceValue<S>) => T,
): T;
export function useSelect(
  source: SignalSource,
  args: readonly unknown[],
  select: (value: unknown) => unknown,
): unknown {
  checkGiven(source, "source", "useSelect");
  const { store } = useController();
  // One for each rendering: the function is another one, and may use other props.
  return computed(() => select(read(store, source, args))).value;
}

/** What a source is read from; `undefined`: nothing. */
function viewOf(store: Store, source: SignalSource, args: readonly unknown[]): ViewNode | undefined {
  if (!isReadable(source)) return store.query(source, args);
  if (isInactive(args)) return undefined;
  const call = store.callOf(source, args);
  return store.response(call.endpoint, call.args, call.key);
}

/** The present value. A view that nobody has looked at for long may be forgotten, and be another one by then. */
function read(store: Store, source: SignalSource, args: readonly unknown[]): unknown {
  const view = viewOf(store, source, args);
  if (view === undefined) return inactiveData(source as AnyReadable);
  track(store, view);
  const value = view.read(store.graph);
  return isReadable(source) ? (value as Answer).data : value;
}

/** A Query is both; as what can be fetched it has nothing to offer. */
function isReadable(source: SignalSource): source is AnyReadable {
  return typeof source === "function" && !isEntity(source) && !isSchemaObject(source);
}
