/**
 * What may be read, and a sentence for what may not. `E` is what fits, and gives arguments and answer; `G` is what was
 * given, of which `E` knows nothing more where it does not fit. A type parameter is taken for what it is to be.
 *
 * @module
 */
import type { Invalid } from "../plain/value.ts";
import type { NullableArgs, Queryable } from "../store/infer.ts";
import type { AnyEndpoint, AnyReadable, ReadEndpoint } from "../endpoint/endpoint_types.ts";

/** Where a type is inferred from, and nothing accepted. */
type Seen<G> = G extends never ? G : never;
type Mutating = AnyEndpoint & { readonly sideEffect: true };
type Kind<G> = [G] extends [ReadEndpoint] ? "read"
  : [G] extends [AnyEndpoint] ? "mutation"
  : [G] extends [AnyReadable] ? "query"
  : [G] extends [{ readonly prototype: object; readonly key: string }] ? "entity"
  : [G] extends [{ readonly get: AnyEndpoint }] ? "resource"
  : "other";

/** An endpoint that a hook fetches. */
export type FetchedEndpoint<E, G> = [G] extends [ReadEndpoint] ? E : RefusedEndpoint<E, G, Kind<G>>;
type RefusedEndpoint<E, G, K> = [K] extends ["mutation"]
  ? Invalid<"a mutation is no read: write useMutation(endpoint), or controller.fetch(endpoint, …) in an event handler">
  : [K] extends ["query"] ? Invalid<"a Query has nothing to fetch: write useQuery(query, …)">
  : [K] extends ["entity"]
    ? Invalid<"an entity is no endpoint: write Resource.get, or useQuery(Entity, …) for what is stored">
  : [K] extends ["resource"] ? Invalid<"a resource is no endpoint: write Resource.get or Resource.getList">
  : E | Seen<G>;

/** What a hook reads of the store: an endpoint, or a Query. */
export type StoredEndpoint<E, G> = [Kind<G>] extends ["query"] ? E : FetchedEndpoint<E, G>;
/** The same, or a schema that arguments name. */
export type StoredSource<S, G> = [G] extends [Queryable] ? S : StoredEndpoint<S, G>;

/** An endpoint that a hook calls in an event handler. */
export type ChangingEndpoint<E, G> = [G] extends [Mutating] ? E : RefusedChange<E, G, ChangeKind<G>>;
type ChangeKind<G> = [G] extends [Mutating] ? "mutation" : Kind<G>;
type RefusedChange<E, G, K> = [K] extends ["read"] ? Invalid<
    "a read is no mutation: write useSuspense(endpoint, …), or controller.fetch(endpoint, …) in an event handler"
  >
  : [K] extends ["resource"] ? Invalid<"a resource is no endpoint: write Resource.create or Resource.update">
  : E | Seen<G>;

/** Whether the first of some arguments may be `null`; of arguments that are a type parameter it is not known. */
type HasNull<F> = [number] extends [F["length" & keyof F]] ? "maybe"
  : [0] extends [1 & F[0 & keyof F]] ? "no"
  : [null] extends [F[0 & keyof F]] ? "yes"
  : "no";
/** More arguments than any call has: the overload that takes them is passed over, and no part of an error. */
type TooMany = [never, never, never, never, never, never, never, never, never];

/** The arguments `A` of a call with `F`, for the overload where none is `null`. */
export type ActiveArgs<A extends readonly unknown[], F> = [HasNull<F>] extends ["yes"] ? TooMany : A | Seen<F>;
/** For the overload where the first may be `null`. It is asked last: what it says of too few arguments is printed. */
export type InactiveArgs<A extends readonly unknown[], F extends readonly unknown[]> = [HasNull<F>] extends ["no"]
  ? F["length"] extends A["length"] ? TooMany : A
  : NullableArgs<A> | Seen<F>;
