import { entriesHolding, whereShown } from "./holders.ts";
import type { Patch } from "./patch.ts";
import type { StoreAction } from "./reducers/mod.ts";
import { reduceSet, type SetAction, writeValue } from "./reducers/set.ts";
import type { Store, StorePart } from "./store.ts";

/**
 * What a function writes, before it returns, was said by a stream. What those do who are told of it was not.
 *
 * @param store What it writes into.
 * @param run What the app does about a message.
 * @returns What that gives.
 */
export function hear<T>(store: Store, run: () => T): T {
  let isOn = true;
  // Before all others that stand there: they are to see it as what it is.
  const part = {
    perform(action: StoreAction, next: (action: StoreAction) => unknown): unknown {
      if (!isOn) return next(action);
      isOn = false;
      try {
        return next(heard(store, action));
      } finally {
        isOn = true;
      }
    },
  };
  store.parts = [part as StorePart, ...store.parts];
  try {
    return run();
  } finally {
    store.parts = store.parts.filter((other) => other !== part);
  }
}

/**
 * Where what a stream says now stands: while mutations are in flight, as a read that starts now. The server may have said
 * it before it applied them, and it may be an echo of the first of two.
 */
function heard({ sequence }: Store, action: StoreAction): StoreAction {
  if (action.type !== "set" && (action.type !== "setResponse" || action.ticket !== undefined)) return action;
  const oldest = sequence.oldestMutation();
  if (oldest === undefined) return { ...action, heard: {} };
  const seq = sequence.before(oldest);
  if (action.type === "setResponse") return { ...action, heard: { mark }, seq };
  return { ...action, heard: {}, reduce: (store: Store, action: SetAction) => reduceHeard(store, action, seq) };
}

function reduceHeard(store: Store, action: SetAction, seq: number): Patch {
  const patch = writeValue(store, action, seq);
  // What only the stream knows keeps the order of arrival: nobody could be asked which came first.
  if ([...patch.tables].some(({ isAsked }) => isAsked)) {
    mark(store, patch);
    return patch.seal();
  }
  patch.drop();
  return reduceSet(store, action);
}

/**
 * What a stream said while mutations were in flight overlaps with them. Where something that counts as later lies over it
 * already, nobody knows which came first: that is stale, and is asked for when the mutations have settled.
 */
function mark(store: Store, patch: Patch): void {
  const { seq } = patch.stamp;
  const mark = patch.mark = store.sequence.take();
  patch.overlaps = true;
  for (const slot of patch.touched) if (slot.stamp.seq > seq) patch.markStale(slot);
  patch.keepMarks();
  if (patch.stale.size > 0) patch.expire(entriesHolding(store, ...whereShown(store, patch)), mark, true);
}
