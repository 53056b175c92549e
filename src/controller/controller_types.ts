import type { Denormalize, EntityInput } from "../schemas/infer.ts";
import type { AnyEntity } from "../schemas/interface.ts";
import type { ExpiryStatus } from "../store/freshness.ts";

/** What `controller.getResponse` gives. */
export interface ResponseState<T> {
  /** What there is to show; `undefined` when there is nothing. */
  readonly data: T;
  /** Whether it may be shown. */
  readonly expiryStatus: ExpiryStatus;
  /** Until when it is fresh; ms since 1970. */
  readonly expiresAt: number;
}

/** What `controller.getResponseMeta` gives. */
export interface ResponseMeta<T> extends ResponseState<T> {
  /** When it was stored, in ms since 1970; `undefined`: it was not. */
  readonly fetchedAt: number | undefined;
  /** What it last failed with, also where a reader is not shown it. */
  readonly error: unknown;
  /** A request for it is in flight. */
  readonly isInFlight: boolean;
}

/** What a request was answered with elsewhere; see `controller.resolve`. */
export type Reply<A> =
  | { readonly args: A; readonly response: unknown; readonly error?: never }
  | { readonly args: A; readonly error: unknown; readonly response?: never };

/** Arguments of a call and one value more; where all of them are optional, the value alone does as well. */
export type WithLast<A extends readonly unknown[]> =
  | [...args: A, last: unknown]
  | (A extends readonly [] ? never : [] extends A ? [last: unknown] : never);

/** What may be written for a schema. */
export type SetValue<S> = S extends AnyEntity ? EntityInput<S["prototype"]> : unknown;

/** A function that makes the value to be written; `undefined` writes nothing. */
export type Updater<S> = (present: Denormalize<S> | undefined) => SetValue<S> | undefined;
