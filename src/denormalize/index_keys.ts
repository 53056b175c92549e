/** The text under which an index keeps a value; `undefined` for what is in no index: nothing, and what holds others. */
export function indexKey(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    default:
      return undefined;
  }
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
