import type { AnyEndpoint } from "../endpoint/interface.ts";
import type { StoreAction } from "../store/reducers/mod.ts";

/** A request is wanted. Middleware may answer it itself, delay it, or let it through to the network. */
export interface FetchAction {
  /** Tells it from the actions that change the store. */
  readonly type: "fetch";
  /** What to call. */
  readonly endpoint: AnyEndpoint;
  /** Its arguments. */
  readonly args: readonly unknown[];
  /** What `endpoint.key(...args)` gave. */
  readonly key: string;
}

/**
 * Somebody shows an endpoint and wants its answer kept up to date. The manager that sees to it does not pass the action
 * on. Nothing is stored.
 */
export interface SubscribeAction {
  /** Tells it from the others. */
  readonly type: "subscribe";
  /** What is shown. */
  readonly endpoint: AnyEndpoint;
  /** Its arguments. */
  readonly args: readonly unknown[];
  /** What `endpoint.key(...args)` gave. */
  readonly key: string;
}

/** Somebody who subscribed needs it no more: once for each `subscribe`, with the same endpoint, arguments and key. */
export interface UnsubscribeAction extends Omit<SubscribeAction, "type"> {
  /** Tells it from the others. */
  readonly type: "unsubscribe";
}

/** What nobody has needed for long is collected: `onCommit` tells of it, without anybody having sent it. */
export interface CollectAction {
  /** Tells it from the others. */
  readonly type: "collect";
  /** Where it stands in the order of writes. */
  readonly seq: number;
  /** When; ms since 1970. */
  readonly date: number;
}

/** Everything that goes through the middleware. */
export type Action = StoreAction | FetchAction | SubscribeAction | UnsubscribeAction | CollectAction;

/**
 * Handles an action: for `fetch` it returns a promise of the result, for others nothing, and the store has changed when
 * it returns.
 */
export type Dispatch = (action: Action) => unknown;
