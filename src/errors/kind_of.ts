/** What kind of value it is, with its article: `"null"`, `"an array"`, `"a string"`. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** What an object calls itself, also one of another window or of a polyfill: `"FormData"`, `"Object"`. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
