/**
 * What happened → what it does to the store. One action a file.
 *
 * @module
 */
import type { Patch, Placed } from "../patch.ts";
import type { Store } from "../store.ts";
import { type MarkAction, reduceMark } from "./mark.ts";
import { type AbandonAction, type OptimisticAction, reduceAbandon, reduceOptimistic } from "./optimistic.ts";
import type { AnswerAction } from "./next_entry.ts";
import { reduceReset, type ResetAction } from "./reset.ts";
import { reduceSet, type SetAction } from "./set.ts";
import { reduceSetError, type SetErrorAction } from "./set_error.ts";
import { reduceSetResponse, type SetResponseAction } from "./set_response.ts";

/** The server said that a read has the answer that is there: nothing is written, and it is young again. */
export interface RenewAction extends AnswerAction {
  /** Tells it from the others. */
  readonly type: "renew";
  /** Computes it; whoever remembers answers brings how. */
  reduce(store: Store, action: RenewAction): Patch;
}

/** What a part does to the store: it brings how. */
export interface ReplaceAction extends Placed {
  /** Tells it from the others. */
  readonly type: "replace";
  /** What takes the place of everything. */
  readonly state: unknown;
  /** Computes it; `action` is this one, as it came to the store. */
  reduce(store: Store, action: ReplaceAction): Patch;
}

/** Everything that changes the store. */
export type StoreAction =
  | AbandonAction
  | MarkAction
  | OptimisticAction
  | RenewAction
  | ReplaceAction
  | ResetAction
  | SetAction
  | SetErrorAction
  | SetResponseAction;

/**
 * Computes what an action does. Pure: the store is only read.
 *
 * @throws What user code throws, and typed errors for values that do not fit; then nothing has happened.
 */
export function reduce(store: Store, action: StoreAction): Patch {
  const { reduce = REDUCERS[action.type as keyof typeof REDUCERS] } = action as Partial<ReplaceAction>;
  return reduce(store, action as never);
}

const REDUCERS = {
  abandon: reduceAbandon,
  expire: reduceMark,
  invalidate: reduceMark,
  optimistic: reduceOptimistic,
  reset: reduceReset,
  set: reduceSet,
  setError: reduceSetError,
  setResponse: reduceSetResponse,
};
