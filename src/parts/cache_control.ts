import type { NetworkError } from "../errors/errors.ts";
import type { Step } from "./step.ts";

/**
 * Takes the lifetime of a read from the header `Cache-Control` of its response, at most a day; without that header
 * `dataExpiryLength` counts. Works for calls through a controller.
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
    const given = call.flight?.call.dataExpiryLength;
    const note = (response: Response | undefined): void => {
      if (call.flight) call.flight.call.dataExpiryLength = (response && freshnessOf(response.headers)) ?? given;
    };
    return {
      async fetchResponse(url, init) {
        try {
          const response = await call.fetchResponse(url, init);
          note(response);
          return response;
        } catch (error) {
          // A 304, which `conditional` turns into a response later, also has the header.
          const { status, response } = error as NetworkError; // other errors have neither
          if (status === 304) note(response);
          throw error;
        }
      },
    };
  };
}

/** The longest lifetime by a header, in ms. Servers do not expect a tab to stay open for days. */
const LONGEST = 864e5;
/** One directive: a name, and perhaps a value, plain or quoted (RFC 9111, 5.2). */
const DIRECTIVE = /([\w!#$%&'*+.^`|~-]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/g;

/**
 * How long a response is fresh by its headers, for a private cache (RFC 9111, 4.2 and 5.2.2).
 *
 * @param headers The headers of the response.
 * @returns The lifetime in ms, at most a day, less the time that the response spent in other caches (`Age`); 0 for
 * `no-store` and `no-cache`; `undefined` if the headers give none that can be read.
 */
function freshnessOf(headers: Headers): number | undefined {
  const found = new Map<string, string>();
  for (const [, name, quoted, token = ""] of (headers.get("cache-control") ?? "").matchAll(DIRECTIVE)) {
    found.set(name!.toLowerCase(), quoted ?? token);
  }
  // `no-cache="set-cookie"` is about that header only.
  if (found.has("no-store") || found.get("no-cache") === "") return 0;
  const age = found.get("max-age"), spent = headers.get("age") ?? "";
  if (!age || !/^\d+$/.test(age)) return;
  return Math.min(Math.max(+age - (/^\d+$/.test(spent) ? +spent : 0), 0) * 1e3, LONGEST);
}
