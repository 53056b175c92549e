/** Headers as a plain object, which can be spread. */
export function plainHeaders(headers: RequestInit["headers"]): Record<string, string> {
  const isPlain = headers && !(Symbol.iterator in headers);
  return isPlain ? headers as Record<string, string> : Object.fromEntries(new Headers(headers)); // the third form
}

/** Headers with others over them, however the names are written. */
export function mergeHeaders(given: RequestInit["headers"], over: RequestInit["headers"]): Record<string, string> {
  const top = plainHeaders(over), names = Object.keys(top).map((name) => name.toLowerCase());
  const rest = Object.entries(plainHeaders(given)).filter(([name]) => !names.includes(name.toLowerCase()));
  return { ...Object.fromEntries(rest), ...top };
}
