import { computed } from "../deps/signals_core.ts";
import { useMemo } from "../deps/preact_hooks.ts";
import { checks } from "../errors/mod.ts";
import { argsText } from "../plain/args_text.ts";
import { copyPlain } from "../plain/copy_plain.ts";
import type { Args, Value } from "../plain/value.ts";
import type { UseSelect, UseSignalOf } from "./hook_types.ts";
import { useController } from "./use_controller.ts";
import { signalOf } from "../signals/signal_of.ts";

/**
 * Returns stored data as a signal. In JSX the signal updates its text or attribute itself, and the component does not
 * run again. It never fetches.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Entity } from "@rejoin/data";
 * import { useSignalOf } from "@rejoin/data/preact";
 *
 * class Todo extends Entity {
 *   id = "";
 *   title = "";
 *   static override key = "Todo";
 * }
 * function Title({ id }: { id: string }) {
 *   return <h1>{useSignalOf(Todo, [{ id }], (todo) => todo?.title)}</h1>;
 * }
 * assert(Title.length === 1);
 * ```
 *
 * @param source An endpoint, an entity, a Query …
 * @param args Its arguments; with `null` as the first, nothing is read.
 * @param select Selects a part of the value. The function of the first rendering with these arguments is used.
 * @returns The signal, the same while source and arguments are the same.
 */
export const useSignalOf: UseSignalOf = (
  source: Value,
  args: Args,
  select: (value: Value) => Value = (value) => value,
) => {
  checks.given?.(source, "source", "useSignalOf");
  const controller = useController();
  return useMemo(() => {
    const copy = copyPlain(args);
    return computed(() => select(signalOf(controller, source, ...copy).value));
  }, [source, argsText(args)]);
};

/**
 * Returns a part of stored data. The component runs again only when the part is another value. It never fetches.
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
 *   static override key = "Todo";
 * }
 * const todos = new Query(new schema.All(Todo));
 * function Left() {
 *   return <b>{useSelect(todos, [], (all) => all?.filter((todo) => !todo.done).length ?? 0)} to do</b>;
 * }
 * assert(Left.length === 0);
 * ```
 *
 * @param source An endpoint, an entity, a Query …
 * @param args Its arguments; with `null` as the first, nothing is read.
 * @param select Selects the part.
 * @returns The result of `select`.
 */
export const useSelect: UseSelect = (source: Value, args: Args, select: (value: Value) => Value): Value => {
  checks.given?.(source, "source", "useSelect");
  const controller = useController();
  // A new signal at each rendering, because `select` is a new function and may use other props.
  return computed(() => select(signalOf(controller, source, ...args).value)).value;
};
