import type { NetworkError } from "../errors/errors.ts";
import type { Answer } from "../store/answers.ts";
import type { Step } from "./step.ts";

/** Options of {@linkcode conditional}. */
export interface ConditionalOptions {
  /**
   * Whether requests to other origins are conditional, too. Then their servers must list `If-None-Match` in
   * `Access-Control-Allow-Headers` and `ETag` in `Access-Control-Expose-Headers`. Defaults to `false`.
   */
  readonly crossOrigin?: boolean | undefined;
}

/** The last response to a read. */
interface Kept {
  readonly condition: readonly [name: string, value: string];
  readonly headers: Headers;
  readonly body: ArrayBuffer;
}

/** Headers that make a request conditional or partial. If the app sets one, this step does nothing. */
const OWN = ["if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range", "range"];

/**
 * Makes reads conditional: the body of the last response to each `GET` or `HEAD` is kept with its `ETag` (else its
 * `Last-Modified`), and a 304 gives that body again. The result is always that of the full response and counts as newly
 * fetched; records that are equal keep their objects, so no component runs again. Works for calls through a controller.
 *
 * @example
 * ```ts
 * import { conditional, Controller, RestEndpoint } from "@rejoin/data";
 * import { assertEquals } from "@std/assert";
 *
 * const getRates = new RestEndpoint({
 *   urlPrefix: "https://api.example.com",
 *   path: "/rates",
 *   use: [conditional()],
 *   fetchResponse: (_url, init) => {
 *     const isKnown = new Headers(init.headers).get("if-none-match") === '"7"';
 *     if (isKnown) return Promise.reject(Object.assign(new Error(), { status: 304 }));
 *     return Promise.resolve(Response.json({ usd: 1.08 }, { headers: { etag: '"7"' } }));
 *   },
 * });
 * const controller = new Controller();
 * await controller.fetch(getRates);
 * assertEquals(await controller.fetch(getRates), { usd: 1.08 });
 * ```
 *
 * @param options Whether requests to other origins are conditional, too.
 * @returns A step, for `use` of an endpoint, a class or a resource.
 */
export function conditional({ crossOrigin = false }: ConditionalOptions = {}): Step {
  // Responses are kept per answer, and an answer belongs to one store, so no user gets the response of another.
  const memory = new WeakMap<Answer, Kept>();
  return (call) => ({
    async fetchResponse(url, init) {
      const answer = call.flight?.answer, headers = new Headers(init.headers);
      if (
        !answer || init.cache || call.content === "stream" || !/^(GET|HEAD)$/i.test(init.method ?? "GET") ||
        OWN.some((name) => headers.has(name))
      ) return await call.fetchResponse(url, init);
      const { location } = globalThis,
        isOwn = crossOrigin || !location || new URL(url, location.href).origin === location.origin,
        // After a reset the answer has no data, and a 304 must not bring them back.
        kept = isOwn && answer.has ? memory.get(answer) : undefined;
      // A request of the user before a reset may end after it, and must bring nothing of that user back.
      const { store } = call.flight!.host, { resets } = store;
      memory.delete(answer);
      if (kept) headers.set(...kept.condition);
      try {
        const response = await call.fetchResponse(url, { ...init, headers }), condition = conditionOf(response);
        if (condition && isOwn) {
          // If the body breaks off, `parseResponse` says so.
          const { headers } = response, body = await response.clone().arrayBuffer().catch(() => undefined);
          if (body && resets === store.resets) memory.set(answer, { condition, headers, body });
        }
        return response;
      } catch (error) {
        if (!kept || resets !== store.resets) throw error;
        memory.set(answer, kept);
        const { status, response } = error as NetworkError; // other errors have neither
        if (status !== 304) throw error;
        const all = new Headers(kept.headers);
        response?.headers.forEach((value, name) => name.startsWith("content-") || all.set(name, value));
        return new Response(kept.body, { headers: all });
      }
    },
  });
}

/** The header that asks whether a response is still valid; `undefined` if the response has nothing to compare. */
function conditionOf({ headers, redirected, status }: Response): Kept["condition"] | undefined {
  const tag = headers.get("etag"), changed = headers.get("last-modified");
  if (redirected || status !== 200) return;
  if (tag) return ["If-None-Match", tag];
  // `Last-Modified` counts whole seconds. A response sent within that second may lack a later change of the same
  // second.
  const isOver = changed && Date.parse(headers.get("date") ?? "") - Date.parse(changed) >= 1e3;
  if (isOver) return ["If-Modified-Since", changed];
}
