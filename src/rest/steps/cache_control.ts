import type { Step } from "./step.ts";

/**
 * Where `Cache-Control` says how long the answer to a read is fresh, it counts more than `dataExpiryLength`; at most a
 * day.
 *
 * @returns A step, for `use` of an endpoint, a class or a resource.
 */
export function cacheControl(): Step {
  return async (call, next) => {
    const reply = await next(call);
    const { response } = reply;
    if (response === undefined || call.endpoint.sideEffect) return reply;
    return { ...reply, dataExpiryLength: freshnessOf(response.headers) };
  };
}

/** Longer than a day no answer is fresh by its header alone, in ms: a tab stays open longer than a server means. */
const LONGEST = 86_400_000;

/**
 * How long the headers of an answer let it be fresh, for a cache of one user (RFC 9111, 4.2 and 5.2.2).
 *
 * @param headers The headers of the answer.
 * @returns ms, at most a day; 0 for `no-store` and `no-cache`; what the answer has spent in other caches (`Age`) is
 * taken off. `undefined` if they do not say, or not in a form that can be read.
 */
export function freshnessOf(headers: Headers): number | undefined {
  const control = headers.get("cache-control") ?? "";
  // `no-cache="set-cookie"` speaks of that header only.
  if (/(?:^|,)\s*no-(?:store|cache)\s*(?:,|$)/i.test(control)) return 0;
  const seconds = /(?:^|,)\s*max-age\s*=\s*"?(\d+)"?\s*(?:,|$)/i.exec(control)?.[1];
  if (seconds === undefined) return undefined;
  const age = /^\d+$/.exec(headers.get("age") ?? "")?.[0] ?? 0;
  return Math.min(Math.max(Number(seconds) - Number(age), 0) * 1_000, LONGEST);
}
