import type { AnyEndpoint, AnyReadable, Policy } from "../endpoint/endpoint_types.ts";
import type { Invalid } from "../plain/value.ts";
import type { DenormalizeNullable, EntityInput, Queryable } from "../store/infer.ts";
import type { Part } from "./part.ts";

/** How a `Controller` is made. */
export interface ControllerOptions {
  /** Features: memory, a state to begin with, a log …; the first is asked first. */
  readonly use?: readonly Part[] | undefined;
  /** For endpoints without these options. */
  readonly defaults?: Policy | undefined;
}

/** How a read stands. */
export enum ExpiryStatus {
  /** Nothing to show. */
  Invalid = 1,
  /** Stale, and the endpoint shows no stale data. */
  InvalidIfStale = 2,
  /** There is something to show, fresh or stale. */
  Valid = 3,
}

/** The arguments of an endpoint. */
export type ArgsOf<E extends AnyReadable> = E["~types"]["args"];
/** What a call of an endpoint gives. */
export type DataOf<E extends AnyEndpoint> = E["~types"]["data"];
/** The arguments of a call and one value more; where all of them are optional, the value alone does as well. */
export type WithLast<A extends readonly unknown[], Last> =
  | [...args: A, last: Last]
  | (A extends readonly [] ? never : [] extends A ? [last: Last] : never);

/** What `controller.getResponse` gives. */
export interface ResponseState<D> {
  /** What there is to show; `undefined`: nothing. */
  readonly data: D;
  /** Until when it is fresh: ms since 1970; 0: it is stale. */
  readonly expiresAt: number;
  /** Whether it may be shown. */
  readonly expiryStatus: ExpiryStatus;
}

/** What may be written for a schema. */
export type SetValue<S> = S extends { readonly prototype: infer E } ? EntityInput<E> : unknown;
/** Makes the value to be written of the present one; `undefined` writes nothing. */
export type Updater<S> = (present: DenormalizeNullable<S>) => SetValue<S> | undefined;

/** A schema that arguments name. */
export type NamedSchema<S, G> = [G] extends [Queryable] ? S : RefusedSchema<S, G, QueryKind<G>>;
type RefusedSchema<S, G, K> = [K] extends ["endpoint"]
  ? Invalid<"an endpoint is no schema: write controller.getResponse(endpoint, …), in a component useCache(endpoint, …)">
  : [K] extends ["resource"] ? Invalid<"a resource is no schema: write its entity">
  : [K] extends ["no pk"] ? Invalid<"the entity has no id: write pk() { return this.… }">
  // Where a type is inferred from, and nothing accepted.
  : S | (G extends never ? G : never);
type QueryKind<G> = [G] extends [Queryable] ? "schema"
  : [G] extends [AnyReadable] ? "endpoint"
  : [G] extends [{ readonly get: AnyEndpoint }] ? "resource"
  : [G] extends [{ readonly prototype: { pk(...args: never): unknown } }] ? "no pk"
  : "other";
