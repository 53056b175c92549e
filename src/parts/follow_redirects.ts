import { NetworkError } from "../errors/errors.ts";
import type { Step } from "./step.ts";

/** As many as the Fetch standard allows. */
const MOST = 20;
/** They describe the body: where it goes they go, and with it they are dropped. */
const OF_BODY = ["content-encoding", "content-language", "content-location", "content-type"];
/** What else another origin may see. The key names the call, so that the other origin, too, does it once. */
const KEPT = ["accept", "accept-language", "idempotency-key"];

/**
 * Follows redirects by hand on server runtimes, twenty at most, by the rules of the Fetch standard. `fetch` itself
 * protects `Authorization` and cookies; here no header that the app has set reaches another origin, but those that
 * describe the body, `Accept`, `Accept-Language` and `Idempotency-Key`. In browsers, which hide where a redirect leads, it
 * changes nothing.
 *
 * @example
 * ```ts
 * import { followRedirects, RestEndpoint } from "@rejoin/data";
 *
 * export const getReport = new RestEndpoint({
 *   urlPrefix: "https://api.example.com",
 *   path: "/reports/:id",
 *   getHeaders: (headers) => ({ ...headers, "access-token": "secret" }),
 *   use: [followRedirects()],
 * });
 * ```
 *
 * @returns A step, for `use` of an endpoint, a class or a resource.
 */
export function followRedirects(): Step {
  return (call) => ({
    async fetchResponse(url, init) {
      if ((init.redirect ?? "follow") !== "follow" || !showsRedirects()) return await call.fetchResponse(url, init);
      for (let left = MOST;; left--) {
        try {
          return await call.fetchResponse(url, { ...init, redirect: "manual" });
        } catch (error) {
          const next = left && error instanceof NetworkError && nextHop(error, url, init);
          if (!next) throw error;
          [url, init] = next;
        }
      }
    },
  });
}

/** Where an answer leads, and what is sent there; `undefined` if it is no redirect, or one that cannot be followed. */
function nextHop(
  { status, response }: NetworkError,
  url: string,
  init: RequestInit,
): [string, RequestInit] | undefined {
  const location = response?.headers.get("location");
  if (!location || ![301, 302, 303, 307, 308].includes(status!)) return;
  const from = new URL(url), to = URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (!to || !/^https?:$/.test(to.protocol) || to.username || to.password) return;
  to.hash ||= from.hash;
  let { body, ...next } = init;
  const method = (init.method ?? "GET").toUpperCase(), headers = new Headers(init.headers);
  if (status === 303 ? !/^(GET|HEAD)$/.test(method) : status! < 303 && method === "POST") {
    next.method = "GET";
    body = null;
    for (const name of OF_BODY) headers.delete(name);
  } else if (body instanceof ReadableStream) return;
  if (to.origin !== from.origin) {
    for (const name of [...headers.keys()]) if (![...OF_BODY, ...KEPT].includes(name)) headers.delete(name);
    next.credentials = "omit";
  }
  return [to.href, { ...next, headers, ...body != null && { body } }];
}

/**
 * Whether this platform shows where a redirect leads. Browsers hide it, and keep scripts from setting `Cookie`; server
 * runtimes do neither. To find out by a redirect itself would cost a second request, which a POST must not be.
 */
const showsRedirects = (): boolean =>
  new Request("http://localhost/", { headers: { cookie: "a=b" } }).headers.has("cookie");
