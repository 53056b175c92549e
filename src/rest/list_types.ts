/**
 * The types of the verbs of a list endpoint. They are looked at only where one is used.
 *
 * @module
 */
import type { Get, Invalid } from "../endpoint/endpoint_types.ts";
import type { Collection } from "../collections/collection.ts";
import type { CollectionItem } from "../collections/collection_options.ts";
import type { CollectionChange } from "../collections/collection_change.ts";
import type { EntityInput } from "../schemas/infer.ts";
import type { AnyEntity, Schema, SchemaObject } from "../schemas/interface.ts";
import type { Query } from "../schemas/query.ts";
import type { AnySearch, Flat, PathValue } from "./path_types.ts";
import type { ListVerb } from "./list_verbs.ts";
import type { RestEndpoint } from "./rest_endpoint.ts";

/** What the first collection in a schema is of. */
// deno-lint-ignore no-explicit-any -- a collection found by any arguments
export type CollectionIn<S> = S extends Collection<infer C, any> ? C
  : S extends { readonly plain: infer M } ? CollectionIn<M>
  // deno-lint-ignore no-explicit-any -- a query of anything
  : S extends Query<infer Q, any, any> ? CollectionIn<Q>
  : S extends AnyEntity | SchemaObject | readonly unknown[] | ((...args: never) => unknown) ? never
  : S extends object ? { [K in keyof S]: CollectionIn<S[K]> }[keyof S]
  : never;

/** The endpoint of a verb of a list endpoint with `O`. */
// deno-lint-ignore no-explicit-any -- the guard for any gives any
export type ListVerbOf<O, V extends ListVerb> = 0 extends 1 & O ? any
  : CollectionIn<Get<O, "schema", undefined>> extends infer C
  // In place, not under a name: the compiler would say the name and not the sentence.
    ? [C] extends [never]
      ? Invalid<"its list does not grow by itself: make it with resource(), or give it a schema with a Collection">
    : RestEndpoint<VerbGenerics<O, C, V>>
  : never;

/** What a verb of a list of `C` is, for the type checker. */
export interface VerbGenerics<O, C, V> {
  /** That of the list; of `move`, where one record is. */
  readonly path: TextOr<V extends "move" ? Get<O, "movePath", undefined> : undefined, Get<O, "path", string>>;
  /** What is sent. */
  readonly method: V extends "remove" | "move" ? "PATCH" : "POST";
  /** The change of the list. */
  readonly schema: V extends "assign" ? CollectionChange<C, { readonly [name: string]: CollectionItem<C> }>
    : CollectionChange<C>;
  /** Those of the list; `move` has none. */
  readonly searchParams: [V, "movePath"] extends ["move", keyof O] ? undefined
    : Get<O, "searchParams", AnySearch | undefined>;
  /** An item; of `remove` and `move` parts of one; of `assign` items by name. */
  readonly body: VerbBody<O, C, V>;
}

/** The first where it is text, else the second. */
type TextOr<A, B> = A extends string ? A : B extends string ? B : string;
type VerbBody<O, C, V> = V extends "remove" | "move" ? Partial<ItemBody<O, C>>
  : V extends "assign" ? { readonly [name: string]: ItemBody<O, C> }
  : ItemBody<O, C>;
type ItemBody<O, C> = "body" extends keyof O ? O["body"] : EntityInput<CollectionItem<C>>;

/** The endpoint of the pages of a list with `O`. */
// deno-lint-ignore no-explicit-any -- the guard for any gives any
export type PageOf<O> = 0 extends 1 & O ? any
  : Get<O, "paginationField", undefined> extends infer F extends string
    ? RestEndpoint<PageGenerics<O, { [K in F]: PathValue }>>
  : Invalid<
    "nothing says which parameter names a page: give it a paginationField, or use paginated(removeCursor)"
  >;

/** What a page of a list with `O` is, for the type checker; `C` is what says which page. */
export interface PageGenerics<O, C> {
  /** That of the list. */
  readonly path: TextOr<Get<O, "path", string>, string>;
  /** That of the list. */
  readonly method: TextOr<Get<O, "method", undefined>, "GET">;
  /** That of the list. */
  readonly schema: SchemaOr<Get<O, "schema", undefined>>;
  /** Those of the list, and what says which page. */
  readonly searchParams: PageSearch<Get<O, "searchParams", undefined>, C>;
}

type SchemaOr<S> = S extends Schema ? S : undefined;
type PageSearch<Q, C> = string extends keyof NonNullable<Q> ? AnySearch & C : [Q] extends [undefined] ? C
: Flat<Omit<NonNullable<Q>, keyof C> & C>;
