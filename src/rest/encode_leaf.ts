/**
 * What is no object as it stands in a URL: texts, finite numbers, booleans and bigints.
 *
 * @param value Any value.
 * @returns Its encoded text; `undefined` if it has none: it is something else, or holds half of a surrogate pair.
 */
export function encodeLeaf(value: unknown): string | undefined {
  if (typeof value !== "string") {
    return Number.isFinite(value) || /^(?:boolean|bigint)$/.test(typeof value) ? encodeLeaf(String(value)) : undefined;
  }
  // To encode costs as much as all the rest of a URL.
  if (/^[\w-]*$/.test(value)) return value;
  return value.isWellFormed() ? encodeURIComponent(value) : undefined;
}
