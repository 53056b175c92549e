import { define } from "../normalize/record.ts";
import { type AnyEntity, type AnySchema, isEntity, isSchemaObject, type SchemaObject } from "../schemas/interface.ts";
import { pick, plainOf } from "../schemas/subjects.ts";
import type { EntityRecord } from "../schemas/plan.ts";
import type { Patch } from "./patch.ts";
import type { Contents } from "./contents.ts";

/** Reads the rows of a list that is continued: what names each, in order. */
export interface PageRows {
  /**
   * Those of an answer as it was, without those that are deleted by now.
   *
   * @param result What remained of it.
   * @param page Of this page only, as it was answered: with what is deleted, and with what has left the list since.
   */
  before(result: unknown, page?: string): ReadonlySet<string>;
  /** The same of an answer as it is going to be. */
  after(result: unknown, page?: string): ReadonlySet<string>;
  /** The names of the pages that a list keeps, beside the answers that it was made of. */
  kept(result: unknown): readonly string[] | undefined;
}

type FindRecord = (entity: AnyEntity, pk: string) => EntityRecord | undefined;

/**
 * Reads the rows of the answers of one endpoint.
 *
 * @param store The answers as they were.
 * @param patch The answers as they are going to be.
 * @param schema Where rows are in them.
 */
export function pageRows(store: Contents, patch: Patch, schema: AnySchema): PageRows {
  const findBefore: FindRecord = (entity, pk) => store.recordOf(entity, pk);
  const findAfter: FindRecord = (entity, pk) => patch.recordOf(store.graph.planOf(entity), pk);
  const read = (find: FindRecord) => (result: unknown, page?: string) => {
    const names = new Set<string>();
    for (const { item, items, pages } of listsIn(schema, result, find)) {
      const own = page === undefined || pages === undefined ? items : pages.find(({ key }) => key === page)?.items;
      for (const kept of Object.values(own ?? {})) {
        const picked = pick(item, kept);
        if (picked === undefined) continue;
        const [entity, reference] = picked;
        if (page !== undefined || typeof reference === "object" || findAfter(entity, String(reference)) !== undefined) {
          names.add(JSON.stringify([entity.key, reference]));
        }
      }
    }
    return names;
  };
  return {
    before: read(findBefore),
    after: read(findAfter),
    kept(result) {
      for (const { pages } of listsIn(schema, result, findBefore)) if (pages) return pages.map(({ key }) => key);
    },
  };
}

/** What a list in an answer is of. */
interface ListSchema {
  readonly item: AnySchema;
  /** In a row, and not under names. */
  readonly isList?: boolean;
  /** Of a collection: the class of its records. */
  readonly rows?: AnyEntity;
}

/** A list in an answer. */
interface ListIn {
  readonly item: AnySchema;
  readonly items?: object | undefined;
  readonly pages?: readonly { readonly key: string; readonly items: object }[] | undefined;
}

function listsIn(schema: AnySchema, result: unknown, find: FindRecord): readonly ListIn[] {
  const lists: ListIn[] = [];
  joinLists(schema, [result], ({ item, rows }, [own]) => {
    if (rows === undefined) lists.push({ item, items: own as object });
    else if (typeof own === "string") lists.push({ ...find(rows, own), item });
  });
  return lists;
}

/**
 * Answers of one form made into one: as the last, but for what their lists are joined to. Along the declaration only, and
 * where that contains itself, once.
 *
 * @param join Is given a list's schema, and what the answers have there.
 */
export function joinLists(
  given: AnySchema,
  results: readonly unknown[],
  join: (list: ListSchema, results: readonly unknown[]) => unknown,
  above: readonly unknown[] = [],
): unknown {
  const schema = plainOf(given);
  const last = results.at(-1);
  if (isEntity(schema) || typeof schema !== "object" || schema === null || above.includes(schema)) return last;
  if (Array.isArray(schema)) return join({ item: schema[0], isList: true }, results);
  const path = [...above, schema];
  if (isSchemaObject(schema)) {
    const { isCollection, items, schema: inner } = schema as SchemaObject & { readonly schema?: AnySchema };
    const list = isCollection ? schema as unknown as ListSchema : items;
    if (list !== undefined) return join(list, results);
    return inner === undefined ? last : joinLists(inner, results, join, path);
  }
  if (!isNamed(last)) return last;
  const joined: Record<string, unknown> = { ...last };
  for (const [name, member] of Object.entries(schema as { readonly [member: string]: AnySchema })) {
    const parts = results.filter(isNamed).filter((one) => Object.hasOwn(one, name)).map((one) => one[name]);
    if (parts.length === 0 || !(Object.hasOwn(last, name) || parts.some(Array.isArray))) continue;
    define(joined, name, joinLists(member, parts, join, path));
  }
  return joined;
}

/** An object of members, or of items by name. */
export function isNamed(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
