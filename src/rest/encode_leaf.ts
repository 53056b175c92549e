/**
 * What is no object as it stands in a URL: texts, finite numbers, booleans and bigints.
 *
 * @param value Any value.
 * @returns Its encoded text; `undefined` if it has none: it is something else, or holds half of a surrogate pair.
 */
export function encodeLeaf(value: unknown): string | undefined {
  if (!Number.isFinite(value) && !/^(?:string|boolean|bigint)$/.test(typeof value)) return undefined;
  const text = String(value);
  // To encode costs as much as all the rest of a URL.
  if (/^[\w-]*$/.test(text)) return text;
  return text.isWellFormed() ? encodeURIComponent(text) : undefined;
}
