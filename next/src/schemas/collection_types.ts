import type { Denormalize } from "../store/infer.ts";
import type { SchemaObject, TypesOf } from "../store/schema.ts";
import type { Args, Value } from "../plain/value.ts";
import type { SchemaInput } from "../store/schema_input.ts";

/** Whether a stored item belongs to a list with a value (a text) of an argument; `undefined`: only the server knows. Pure. */
export type ListFilter = (item: Value, value: Value) => boolean | undefined;

/** What a collection may be of: `[Article]`, `schema.Array`, `schema.Values`. */
export type CollectionSource = readonly SchemaInput[] | SchemaObject;

/** The arguments by which a collection is found when nothing else is declared. */
export type CollectionArgs = readonly [params?: { readonly [name: string]: Value } | undefined];

/** One item of a collection, as a reader gets it. */
export type CollectionItem<S> = Denormalize<S> extends readonly (infer I)[] ? I
  : Denormalize<S> extends { readonly [name: string]: infer I } ? I
  : never;

/** The types of a `Collection`. */
export type CollectionTypes<S, A extends Args> = TypesOf<Denormalize<S>, string, A, Denormalize<S>>;

/** Names of arguments. */
export type ArgumentNames = readonly string[];

/** Which lists a change is for, by their arguments, as text. */
export type ListTest<A extends Args> = (...args: A) => (listArgs: { readonly [name: string]: string }) => boolean;

/** Options of a `Collection`. */
export interface CollectionOptions<A extends Args = CollectionArgs> {
  /** Sets lists of one entity apart that have the same arguments: those of another path. */
  readonly key?: string | undefined;
  /** Which arguments of the call name the list. By default all members of the first one. */
  readonly argsKey?: ((...args: A) => { readonly [name: string]: unknown }) | undefined;
  /** The arguments of a list that is a member of an entity; without it the list belongs to its entity alone. */
  readonly nestKey?: ((parent: Value, key: string) => { readonly [name: string]: unknown }) | undefined;
  /** Arguments that say which part of a list is shown, or how: what is created joins no list that has one. */
  readonly displayArgs?: ArgumentNames | undefined;
  /** For arguments that are not simply a member of their name: `{ since: (film, value) => film.year >= value }`. */
  readonly filters?: { readonly [argument: string]: ListFilter } | undefined;
  /** In place of the comparison of arguments: which lists a change is for. */
  readonly createCollectionFilter?: ListTest<A> | undefined;
}

/** How items that come meet those that are there: references (pks), in order or by name. Pure. */
export type MergeItems = (existing: Value, incoming: Value) => Value;

/** The types of a `CollectionChange`. */
export type CollectionChangeTypes<D> = TypesOf<D, Value, Args>;
