import { batch, computed, type ReadonlySignal, signal } from "../deps/signals_core.ts";
import { type Node, watch } from "../store/node.ts";
import type { Store } from "../store/store.ts";

/** Moves with each commit: what nobody watches is read again after it. */
const commits = /* @__PURE__ */ signal(0);
const inBatch = (tell: () => void): void =>
  batch(() => {
    commits.value = commits.peek() + 1;
    tell();
  });

/**
 * A signal of what is read of a node. It watches the store only while somebody watches it.
 * @param find The node: of a record that `memory` removed meanwhile it is another one.
 * @param left Nobody watches it any more.
 * @param told Runs after each commit that may have given its node another value or state.
 */
export function stored<N extends Node, T>(
  store: Store,
  find: () => N,
  read: (node: N) => T,
  left: (node: N) => void,
  told?: () => void,
): ReadonlySignal<T> {
  store.batch = inBatch;
  let node: N, stop: (() => void) | undefined;
  const own = signal(0),
    move = () => {
      own.value = own.peek() + 1;
      told?.();
    };
  return computed(() => {
    void (stop ? own : commits).value;
    return read(stop ? node : find());
  }, {
    watched() {
      stop = watch(node = find(), move);
    },
    unwatched() {
      stop!();
      stop = undefined;
      own.value = own.peek() + 1;
      left(node);
    },
  });
}
