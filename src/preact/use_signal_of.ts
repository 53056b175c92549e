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
 * What is stored, as a signal: in JSX it changes its text or attribute by itself, and the component does not run. It never
 * asks the server.
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
 * @param args Its arguments; `null` as the first: nothing.
 * @param select What is taken of it; the function of the first rendering with these arguments.
 * @returns The signal, the same one while source and arguments are.
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
 * A part of what is stored: the component runs again only when the function gives another value. It never asks the server.
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
 * @param args Its arguments; `null` as the first: nothing.
 * @param select What is taken of it.
 * @returns What `select` gives.
 */
export const useSelect: UseSelect = (source: Value, args: Args, select: (value: Value) => Value): Value => {
  checks.given?.(source, "source", "useSelect");
  const controller = useController();
  // One for each rendering: the function is another one, and may use other props.
  return computed(() => select(signalOf(controller, source, ...args).value)).value;
};
