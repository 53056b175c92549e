/**
 * The text under which an index keeps a value; `undefined` for what is in no index: nothing, and what holds others. What
 * a union keeps has that of its pk and its tag.
 */
export function indexKey(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "object") return String(value);
  const { id, schema } = value as { readonly id?: unknown; readonly schema?: unknown };
  return typeof id === "string" && typeof schema === "string" ? JSON.stringify([schema, id]) : undefined;
}

/** The texts under which an index keeps a record by a member: one, or those of a list, each once. */
export function indexKeys(value: unknown): readonly string[] {
  if (!Array.isArray(value)) {
    const key = indexKey(value);
    return key === undefined ? [] : [key];
  }
  return [...new Set(value.map(indexKey))].filter((key) => key !== undefined);
}
