/**
 * The text under which an index keeps a value; `undefined` for what is in no index: nothing, and what holds others. What
 * a union keeps has that of its pk and its tag.
 */
export function indexKey(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    case "object":
      return value === null ? undefined : referenceKey(value);
    default:
      return undefined;
  }
}

function referenceKey({ id, schema }: { readonly id?: unknown; readonly schema?: unknown }): string | undefined {
  return typeof id === "string" && typeof schema === "string" ? JSON.stringify([schema, id]) : undefined;
}

/** The texts under which an index keeps a record by a member: one, or those of a list, each once. */
export function indexKeys(value: unknown): readonly string[] {
  if (!Array.isArray(value)) {
    const key = indexKey(value);
    return key === undefined ? NO_KEYS : [key];
  }
  const keys = new Set<string>();
  for (const item of value) {
    const key = indexKey(item);
    if (key !== undefined) keys.add(key);
  }
  return [...keys];
}

const NO_KEYS: readonly string[] = /* @__PURE__ */ Object.freeze([]);
