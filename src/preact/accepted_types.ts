/**
 * The types of what hooks accept, with a sentence as the type of what they refuse. `E` is inferred from an argument
 * that fits, and gives arguments and data. `G` is inferred from any argument, and is checked. A type parameter of the
 * caller is accepted as if it fitted.
 *
 * @module
 */
import type { Invalid } from "../plain/value.ts";
import type { NullableArgs, Queryable } from "../store/infer.ts";
import type { AnyEndpoint, AnyReadable, ReadEndpoint } from "../endpoint/endpoint_types.ts";

/** Never accepts an argument; TypeScript only infers `G` from it. */
type Seen<G> = G extends never ? G : never;
type Mutating = AnyEndpoint & { readonly sideEffect: true };
type Kind<G> = [G] extends [ReadEndpoint] ? "read"
  : [G] extends [AnyEndpoint] ? "mutation"
  : [G] extends [AnyReadable] ? "query"
  : [G] extends [{ readonly prototype: object; readonly key: string }] ? "entity"
  : [G] extends [{ readonly get: AnyEndpoint }] ? "resource"
  : "other";

/** An endpoint that a hook may fetch. */
export type FetchedEndpoint<E, G> = [G] extends [ReadEndpoint] ? E : RefusedEndpoint<E, G, Kind<G>>;
type RefusedEndpoint<E, G, K> = [K] extends ["mutation"]
  ? Invalid<"a mutation is no read: write useMutation(endpoint), or controller.fetch(endpoint, …) in an event handler">
  : [K] extends ["query"] ? Invalid<"a Query has nothing to fetch: write useQuery(query, …)">
  : [K] extends ["entity"]
    ? Invalid<"an entity is no endpoint: write Resource.get, or useQuery(Entity, …) for what is stored">
  : [K] extends ["resource"] ? Invalid<"a resource is no endpoint: write Resource.get or Resource.getList">
  : E | Seen<G>;

/** An endpoint or a Query, which a hook reads from the store. */
export type StoredEndpoint<E, G> = [Kind<G>] extends ["query"] ? E : FetchedEndpoint<E, G>;
/** An endpoint, a Query, or a schema whose records arguments name. */
export type StoredSource<S, G> = [G] extends [Queryable] ? S : StoredEndpoint<S, G>;

/** A mutation, which a hook calls in an event handler. */
export type ChangingEndpoint<E, G> = [G] extends [Mutating] ? E : RefusedChange<E, G, ChangeKind<G>>;
type ChangeKind<G> = [G] extends [Mutating] ? "mutation" : Kind<G>;
type RefusedChange<E, G, K> = [K] extends ["read"] ? Invalid<
    "a read is no mutation: write useSuspense(endpoint, …), or controller.fetch(endpoint, …) in an event handler"
  >
  : [K] extends ["resource"] ? Invalid<"a resource is no endpoint: write Resource.create or Resource.update">
  : E | Seen<G>;

/** Whether the first argument may be `null`; `"maybe"` if the arguments are a type parameter of the caller. */
type HasNull<F> = [number] extends [F["length" & keyof F]] ? "maybe"
  : [0] extends [1 & F[0 & keyof F]] ? "no"
  : [null] extends [F[0 & keyof F]] ? "yes"
  : "no";
/** More arguments than any call has, so that TypeScript passes over this overload and does not print it in errors. */
type TooMany = [never, never, never, never, never, never, never, never, never];

/** The arguments `A` of a call with `F`, for the overload without `null`. */
export type ActiveArgs<A extends readonly unknown[], F> = [HasNull<F>] extends ["yes"] ? TooMany : A | Seen<F>;
/**
 * The arguments for the overload whose first may be `null`. It is the last overload, because TypeScript prints its
 * error if there are too few arguments.
 */
export type InactiveArgs<A extends readonly unknown[], F extends readonly unknown[]> = [HasNull<F>] extends ["no"]
  ? F["length"] extends A["length"] ? TooMany : A
  : NullableArgs<A> | Seen<F>;
