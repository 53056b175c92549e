import { NetworkError } from "../errors/errors.ts";
import type { Step } from "./step.ts";

/** The limit of the Fetch standard. */
const MOST = 20;
/** Headers that describe the body. Another origin gets them with the body; they are dropped when the body is. */
const OF_BODY = ["content-encoding", "content-language", "content-location", "content-type"];
/**
 * Other headers that another origin gets. The idempotency key is one, so that this origin, too, runs the call only
 * once.
 */
const KEPT = ["accept", "accept-language", "idempotency-key"];

/**
 * Follows redirects on server runtimes itself, at most twenty, by the rules of the Fetch standard. The platform's
 * `fetch` keeps only `Authorization` and cookies from another origin; this step keeps all headers of the app from it,
 * except those that describe the body, `Accept`, `Accept-Language` and `Idempotency-Key`. It changes nothing in
 * browsers, which hide the target of a redirect.
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
          const response = await call.fetchResponse(url, { ...init, redirect: "manual" });
          // `conditional` keeps no response of another URL.
          return left < MOST ? Object.defineProperty(response, "redirected", { value: true }) : response;
        } catch (error) {
          const next = left && error instanceof NetworkError && nextHop(error, url, init);
          if (!next) throw error;
          [url, init] = next;
        }
      }
    },
  });
}

/**
 * The URL and options of the next request; `undefined` if the response is no redirect, or one that cannot be followed.
 */
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
 * Whether this platform shows the target of a redirect. Browsers hide it, and they forbid the header `Cookie`; server
 * runtimes do neither, so that header tells them apart. A request as a test could execute a POST twice.
 */
const showsRedirects = (): boolean =>
  new Request("http://localhost/", { headers: { cookie: "a=b" } }).headers.has("cookie");
