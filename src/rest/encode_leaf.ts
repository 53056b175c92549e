/**
 * What is no object as it stands in a URL: texts, finite numbers, booleans and bigints.
 *
 * @param value Any value.
 * @returns Its encoded text; `undefined` if it has none: it is something else, or holds half of a surrogate pair.
 */
export function encodeLeaf(value: unknown): string | undefined {
  if (Number.isSafeInteger(value)) return `${value}`;
  if (typeof value === "string" && isPlain(value)) return value;
  if (!Number.isFinite(value) && !/^(?:string|boolean|bigint)$/.test(typeof value)) return undefined;
  try {
    return encodeURIComponent(value as string);
  } catch {
    return undefined;
  }
}

/** Whether a text is the same in a URL. A loop, for to encode costs as much as all the rest of a URL. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
    if (!isLetter && !(code >= 48 && code <= 57) && code !== 45 && code !== 95) return false;
  }
  return true;
}
