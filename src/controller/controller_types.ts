import type { AnyEndpoint, AnyReadable, Policy } from "../endpoint/endpoint_types.ts";
import type { Invalid } from "../plain/value.ts";
import type { DenormalizeNullable, EntityInput, Queryable } from "../store/infer.ts";
import type { Part } from "./part.ts";

/** What `new Controller` takes. */
export interface ControllerOptions {
  /** Parts: `memory()`, `hydrate(…)`, a log … Each request passes them in this order. */
  readonly use?: readonly Part[] | undefined;
  /** How long data are fresh, the deadline, and so on, for endpoints that do not have these options themselves. */
  readonly defaults?: Policy | undefined;
}

/** Whether the data of a read may be shown. */
export enum ExpiryStatus {
  /** There are no data, or they were invalidated. */
  Invalid = 1,
  /** The data are stale, and the endpoint has `invalidIfStale`. */
  InvalidIfStale = 2,
  /** There are data to show, fresh or stale. */
  Valid = 3,
}

/** The arguments of an endpoint. */
export type ArgsOf<E extends AnyReadable> = E["~types"]["args"];
/** What a reader of an endpoint gets: its data, denormalized. */
export type DataOf<E extends AnyEndpoint> = E["~types"]["data"];
/** The arguments of a call, and one more value at the end. If all arguments are optional, the value may stand alone. */
export type WithLast<A extends readonly unknown[], Last> =
  | [...args: A, last: Last]
  | (A extends readonly [] ? never : [] extends A ? [last: Last] : never);

/** What `controller.getResponse` gives. */
export interface ResponseState<D> {
  /** The data, denormalized; `undefined` if there are none. */
  readonly data: D;
  /** The time until which the data are fresh, in ms since 1970; 0 if they were marked stale. */
  readonly expiresAt: number;
  /** Whether the data may be shown. */
  readonly expiryStatus: ExpiryStatus;
}

/** What `controller.set` takes as the value for a schema: some members of an entity. */
export type SetValue<S> = S extends { readonly prototype: infer E } ? EntityInput<E> : unknown;
/** Gets the present data, and returns the value to write; `undefined` writes nothing. */
export type Updater<S> = (present: DenormalizeNullable<S>) => SetValue<S> | undefined;

/** A schema that can be read by arguments alone. Anything else is refused with a sentence. */
export type NamedSchema<S, G> = [G] extends [Queryable] ? S : RefusedSchema<S, G, QueryKind<G>>;
type RefusedSchema<S, G, K> = [K] extends ["endpoint"]
  ? Invalid<"an endpoint is no schema: write controller.getResponse(endpoint, …), in a component useCache(endpoint, …)">
  : [K] extends ["resource"] ? Invalid<"a resource is no schema: write its entity">
  : [K] extends ["no pk"] ? Invalid<"the entity has no id: write pk() { return this.… }">
  // `G` is named here so that the compiler infers it from the argument; the second branch is always `never`.
  : S | (G extends never ? G : never);
type QueryKind<G> = [G] extends [Queryable] ? "schema"
  : [G] extends [AnyReadable] ? "endpoint"
  : [G] extends [{ readonly get: AnyEndpoint }] ? "resource"
  : [G] extends [{ readonly prototype: { pk(...args: never): unknown } }] ? "no pk"
  : "other";
