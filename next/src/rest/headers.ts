/** Headers as a plain object, which can be spread. One that is `undefined` is none. */
export function plainHeaders(headers: RequestInit["headers"] = {}): Record<string, string> {
  const entries = Symbol.iterator in headers ? new Headers(headers) : Object.entries(headers);
  return Object.fromEntries([...entries].filter(([, value]) => value !== undefined));
}

/** Headers with others over them, however the names are written. */
export function mergeHeaders(given: RequestInit["headers"], over: RequestInit["headers"]): Record<string, string> {
  const top = plainHeaders(over), names = Object.keys(top).map((name) => name.toLowerCase());
  const rest = Object.entries(plainHeaders(given)).filter(([name]) => !names.includes(name.toLowerCase()));
  return { ...Object.fromEntries(rest), ...top };
}
