/**
 * How long a server asks to wait, in ms: its `Retry-After` in seconds, fractions too, or as a date of HTTP, which is
 * compared with the server's own clock. `undefined`: it asks nothing.
 */
export function retryAfter(headers: Headers): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1e3;
  const until = httpDate(text);
  return until && Math.max(0, until - (httpDate(headers.get("date")) ?? Date.now()));
}

/** `Date.parse` alone reads much that is no date of HTTP. */
function httpDate(text: string | null): number | undefined {
  return text && /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(text) ? Date.parse(text) || undefined : undefined;
}
