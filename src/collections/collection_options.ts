import type { Denormalize } from "../schemas/infer.ts";
import type { Schema, SchemaObject, SchemaTypes } from "../schemas/interface.ts";

/**
 * Whether an item, as it is stored, belongs to a list with a value of an argument; the value is text, as the address has
 * it. `undefined`: nobody can say. Pure.
 */
// deno-lint-ignore no-explicit-any -- the app annotates what its API sends
export type ListFilter = (item: any, value: any) => boolean | undefined;

/** What a collection may be of: `[Article]`, `schema.Array`, `schema.Values`. */
export type CollectionSource = readonly Schema[] | SchemaObject;

/** The arguments by which a collection is found when nothing else is declared: those of a list endpoint. */
// deno-lint-ignore no-explicit-any -- any parameters: each list endpoint has its own
export type CollectionArgs = readonly [params?: { readonly [name: string]: any } | undefined];

/** One item of a collection, as a reader gets it. */
export type CollectionItem<S> = Denormalize<S> extends readonly (infer I)[] ? I
  : Denormalize<S> extends { readonly [name: string]: infer I } ? I
  : never;

/** The types of a `Collection`. */
export interface CollectionTypes<S, A extends readonly unknown[]> extends SchemaTypes {
  readonly data: Denormalize<S>;
  readonly nullable: Denormalize<S> | undefined;
  readonly member: Denormalize<S>;
  readonly normalized: string;
  readonly args: A;
}

/** Names, a pattern, or a function. */
export type ArgumentNames = readonly string[] | RegExp | ((name: string) => boolean);

/** Options of a `Collection`. */
export interface CollectionOptions<A extends readonly unknown[] = CollectionArgs> {
  /**
   * Which arguments of the call name the list; by default all members of the first one, or where that has none, as a
   * text, all arguments by their positions: `{ "#0": "5" }`. Numbers and their texts are the same, `undefined` is absent.
   */
  readonly argsKey?: ((...args: A) => { readonly [name: string]: unknown }) | undefined;
  /**
   * The same for a list that is a member of an entity: the arguments by which a list endpoint would find it. It gets the
   * entity as the server sent it, before `process`. Without it, and without `argsKey`, the list belongs to its entity
   * alone; so it does where all that it gives is `undefined`.
   */
  // deno-lint-ignore no-explicit-any -- the app annotates what its API sends
  readonly nestKey?: ((parent: any, key: string) => { readonly [name: string]: unknown }) | undefined;
  /**
   * Arguments that say how a list is shown and not what is in it: order, page, limit, cursor. Names, a pattern, or a
   * function; those that begin with `order` or `sort` are always among them.
   */
  readonly displayArgs?: ArgumentNames | undefined;
  /**
   * How items meet arguments that are not simply the member of the same name: `{ since: (film, value) => film.year >=
   * value }`. Each gets the item as it is stored and the argument as text.
   */
  readonly filters?: { readonly [argument: string]: ListFilter } | undefined;
  /**
   * What a list is answered is the first of its pages, also where no argument says so: what is created joins it, and it is
   * asked for again. `resource` says so where it has a `paginationField`.
   */
  readonly isPaged?: boolean | undefined;
  /** The older name of {@linkcode CollectionOptions.displayArgs}; in place of those that begin with `order` or `sort`. */
  readonly nonFilterArgumentKeys?: ArgumentNames | undefined;
  /** In place of the comparison of arguments: which lists (by their arguments, as text) a change is for. */
  readonly createCollectionFilter?:
    | ((...args: A) => (listArgs: { readonly [name: string]: string }) => boolean)
    | undefined;
  /**
   * Of a page: the arguments of the list that it continues. What it brings joins the list, at the place at which the page
   * was first asked for.
   */
  readonly pageOf?: ((...args: A) => readonly unknown[]) | undefined;
  /** Sets lists of the same entity apart that are found by the same arguments: those of another path. */
  readonly key?: string | undefined;
}

/** What options, and members of classes, say of how arguments are meant. */
export const SAYS = ["displayArgs", "nonFilterArgumentKeys", "filters", "createCollectionFilter"] as const;

/** What an option says, to tell it from others; of functions by name, their names. */
export function textOfOption(option: unknown): string {
  const isByName = option instanceof Object && Object.getPrototypeOf(option) === Object.prototype;
  return String(isByName ? Object.keys(option) : option);
}

/** Whether a name is among some. */
export function isNamed(names: ArgumentNames, name: string): boolean {
  if (typeof names === "function") return names(name);
  return names instanceof RegExp ? name.search(names) >= 0 : names.includes(name);
}
