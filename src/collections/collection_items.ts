import { NormalizeError } from "../errors/normalize_error.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { deepEqual } from "../normalize/deep_equal.ts";
import {
  type AnySchema,
  isSchemaObject,
  type NormalizeWalk,
  type RecordOwner,
  type StoredMembers,
} from "../schemas/interface.ts";
import { onceFor } from "../schemas/once_for.ts";
import type { CollectionSource } from "./collection_options.ts";
import { isItem, pick } from "../schemas/subjects.ts";

/** What refers to each item: pks in order, or by name. */
export type Items = readonly unknown[] | { readonly [name: string]: unknown };

/** One list (or object of items) as it is stored: its items, and the arguments that it is found by. */
export interface CollectionRecord extends StoredMembers {
  /** What refers to each item: pks in order, or by name. */
  readonly items: Items;
  /** The arguments, as text; `undefined` where an entity keeps the list for itself. */
  readonly args?: { readonly [name: string]: string } | undefined;
  /** The arguments that its own answer showed to be no comparison with the member of their name: a search. */
  readonly unknown?: readonly string[] | undefined;
  /** It comes in pages, also where no argument says so. */
  readonly isPaged?: boolean | undefined;
  /** Of a list that was continued: what each page brought, in the order in which pages were first asked for. */
  readonly pages?: readonly RowsPage[] | undefined;
}

/** What one page of a list brought. */
export interface RowsPage {
  /** Names the request; `""`: the list itself. */
  readonly key: string;
  /** What refers to each item. */
  readonly items: Items;
}

/** Names one member of one entity; `undefined` where there is none, or the entity has no pk. */
export function ownerKey(owner: RecordOwner | undefined): string | undefined {
  return owner === undefined || owner.pk === ""
    ? undefined
    : JSON.stringify([owner.entity.key, owner.pk, owner.member]);
}

/** By response: lists that it named, and the one member that each belongs to: none of them, or several, is `undefined`. */
const named = /* @__PURE__ */ onceFor<{ list: StoredMembers; owner: string | undefined }>();

/**
 * Two lists of one response that the same arguments name would be one: nobody could tell which. A record that is there
 * again may say something else of its own list.
 *
 * @throws {NormalizeError} If another list of this response has the same name.
 */
export function nameOnce(key: string, pk: string, list: StoredMembers, walk: NormalizeWalk): void {
  const owner = ownerKey(walk.owner);
  const first = named(walk, JSON.stringify([key, pk]), () => ({ list, owner }));
  if (owner !== undefined && owner === first.owner) first.list = list;
  else if (deepEqual(first.list, list)) {
    if (first.list !== list) first.owner = undefined;
  } else throw new NormalizeError(`"${key}"`, "", said(203, { pk, owner: walk.owner }));
}

/** What a collection is of: its items, and whether they stand in a row or under names. */
export function partsOf(schema: CollectionSource): { readonly item: AnySchema; readonly isList: boolean } {
  const items = Array.isArray(schema)
    ? { item: schema[0] as AnySchema, isList: true }
    : isSchemaObject(schema) && !schema.isCollection
    ? schema.items
    : undefined;
  if (items !== undefined && isItem(items.item)) return items;
  throw new SchemaError(said(134, { given: schema }));
}

/** Names the record that an item refers to; `undefined` where it is data: `null`, what is not mapped, not saved yet. */
export function referenceOf(item: AnySchema, kept: unknown): string | undefined {
  const [entity, pk] = pick(item, kept) ?? [];
  if (typeof pk !== "string" || pk === "") return undefined;
  return entity === item ? pk : JSON.stringify([entity!.key, pk]);
}

/** Tells one item from another; what refers to no record is only itself. */
export function identityIn(item: AnySchema): (kept: unknown) => unknown {
  return (kept) => referenceOf(item, kept) ?? kept;
}

/** Those of the second whose record is not in the first, each once. */
export function missingIn(existing: readonly unknown[], incoming: Items, item: AnySchema): readonly unknown[] {
  const coming: readonly unknown[] = Object.values(incoming);
  // A set of those that come: there are few of them, and they may come to a list of many.
  const missing = new Set(coming.map((kept) => referenceOf(item, kept)));
  for (const kept of existing) missing.delete(referenceOf(item, kept));
  return coming.filter((kept) => {
    const reference = referenceOf(item, kept);
    return reference === undefined || missing.delete(reference);
  });
}
