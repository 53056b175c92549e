import type { NetworkError } from "../errors/errors.ts";
import type { Step } from "./step.ts";

/**
 * Where `Cache-Control` says how long the answer to a read is fresh, it counts more than `dataExpiryLength`; at most a
 * day. Works for calls through a controller.
 *
 * @example
 * ```ts
 * import { cacheControl, Controller, RestEndpoint } from "@rejoin/data";
 * import { assert } from "@std/assert";
 *
 * const getRates = new RestEndpoint({
 *   urlPrefix: "https://api.example.com",
 *   path: "/rates",
 *   use: [cacheControl()],
 *   fetchResponse: () => Promise.resolve(Response.json({ usd: 1.08 }, { headers: { "cache-control": "max-age=5" } })),
 * });
 * const controller = new Controller();
 * await controller.fetch(getRates);
 * assert(controller.getResponse(getRates).expiresAt < Date.now() + 6_000);
 * ```
 *
 * @returns A step, for `use` of an endpoint, a class or a resource.
 */
export function cacheControl(): Step {
  return (call) => {
    const note = (response: Response | undefined): void => {
      const ms = response && freshnessOf(response.headers);
      if (ms !== undefined && call.flight) call.flight.call.dataExpiryLength = ms;
    };
    return {
      async fetchResponse(url, init) {
        try {
          const response = await call.fetchResponse(url, init);
          note(response);
          return response;
        } catch (error) {
          // A 304 says it, too: see `conditional`.
          note((error as NetworkError).response); // what else is thrown has none
          throw error;
        }
      },
    };
  };
}

/** Longer than a day no answer is fresh by its header alone, in ms: a tab stays open longer than a server means. */
const LONGEST = 864e5;
/** One directive: a token, and perhaps a token or a quoted text (RFC 9111, 5.2). */
const DIRECTIVE = /([\w!#$%&'*+.^`|~-]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/g;

/**
 * How long the headers of an answer let it be fresh, for a cache of one user (RFC 9111, 4.2 and 5.2.2).
 *
 * @param headers The headers of the answer.
 * @returns ms, at most a day; 0 for `no-store` and `no-cache`; what the answer has spent in other caches (`Age`) is taken
 * off. `undefined` if they do not say, or not in a form that can be read.
 */
function freshnessOf(headers: Headers): number | undefined {
  const found = new Map<string, string>();
  for (const [, name, quoted, token = ""] of (headers.get("cache-control") ?? "").matchAll(DIRECTIVE)) {
    found.set(name!.toLowerCase(), quoted ?? token);
  }
  // `no-cache="set-cookie"` speaks of that header only.
  if (found.has("no-store") || found.get("no-cache") === "") return 0;
  const age = found.get("max-age"), spent = headers.get("age") ?? "";
  if (!age || !/^\d+$/.test(age)) return;
  return Math.min(Math.max(+age - (/^\d+$/.test(spent) ? +spent : 0), 0) * 1e3, LONGEST);
}
