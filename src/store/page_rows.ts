import { type AnyEntity, type AnySchema, isEntity, isSchemaObject } from "../schemas/interface.ts";
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

/** A list in an answer. */
interface ListIn {
  readonly item: AnySchema;
  readonly items?: object | undefined;
  readonly pages?: readonly { readonly key: string; readonly items: object }[] | undefined;
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
  const planOf = (entity: AnyEntity) => store.graph.planOf(entity);
  const findBefore: FindRecord = (rows, pk) => {
    const slot = store.tables.of(planOf(rows)).slots.get(pk);
    return slot && store.baseOf(slot);
  };
  const findAfter: FindRecord = (rows, pk) => patch.recordOf(planOf(rows), pk);
  const read = (find: FindRecord) => (result: unknown, page?: string) => {
    const rows = new Set<string>();
    for (const { item, items, pages } of listsIn(schema, result, find)) {
      const own = page === undefined || pages === undefined ? items : pages.find(({ key }) => key === page)?.items;
      for (const kept of Object.values(own ?? {})) {
        const picked = pick(item, kept);
        if (picked === undefined) continue;
        const [entity, reference] = picked;
        if (page !== undefined || typeof reference === "object" || findAfter(entity, String(reference)) !== undefined) {
          rows.add(JSON.stringify([entity.key, reference]));
        }
      }
    }
    return rows;
  };
  return {
    before: read(findBefore),
    after: read(findAfter),
    kept(result) {
      for (const { pages } of listsIn(schema, result, findBefore)) if (pages) return pages.map(({ key }) => key);
    },
  };
}

/** The lists of an answer. Along the declaration only, and where that contains itself, once. */
function* listsIn(
  given: AnySchema,
  result: unknown,
  find: FindRecord,
  above: readonly unknown[] = [],
): Iterable<ListIn> {
  const schema = plainOf(given);
  if (isEntity(schema) || typeof schema !== "object" || schema === null || result === undefined) return;
  if (above.includes(schema)) return;
  const path = [...above, schema];
  if (isSchemaObject(schema) && schema.isCollection) {
    const { item, rows } = schema as { readonly item?: AnySchema; readonly rows?: AnyEntity };
    yield { ...(typeof result === "string" ? find(rows!, result) : undefined), item };
    return;
  }
  const item = Array.isArray(schema) ? schema[0] as AnySchema : isSchemaObject(schema) ? schema.items?.item : undefined;
  if (item !== undefined) yield { item, items: result ?? {} };
  else if (isSchemaObject(schema)) {
    const { schema: inner } = schema as { readonly schema?: AnySchema };
    if (inner !== undefined) yield* listsIn(inner, result, find, path);
  } else if (typeof result === "object" && result !== null && !Array.isArray(result)) {
    for (const [name, member] of Object.entries(schema)) {
      if (Object.hasOwn(result, name)) {
        yield* listsIn(member as AnySchema, (result as { readonly [name: string]: unknown })[name], find, path);
      }
    }
  }
}
