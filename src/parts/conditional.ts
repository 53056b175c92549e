import type { NetworkError } from "../errors/errors.ts";
import type { Answer } from "../store/answers.ts";
import type { Step } from "./step.ts";

/** How {@linkcode conditional} works. */
export interface ConditionalOptions {
  /**
   * Also asks other origins than that of the page with a condition: then the server must list `If-None-Match` in
   * `Access-Control-Allow-Headers` and `ETag` in `Access-Control-Expose-Headers`. Defaults to `false`.
   */
  readonly crossOrigin?: boolean | undefined;
}

/** What is kept of the last answer to a read. */
interface Kept {
  readonly condition: readonly [name: string, value: string];
  readonly headers: Headers;
  readonly body: ArrayBuffer;
}

/** What means that the app asks in a way of its own. */
const OWN = ["if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range", "range"];

/**
 * Asks the server only for a changed answer: the bytes of the last answer to each `GET` or `HEAD` are kept beside its
 * `ETag` (else its `Last-Modified`), and a 304 is answered with them. So the result is always that of the full answer, in
 * the order of this request; equal records keep their objects, and no component runs. Works for calls through a
 * controller.
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
 * @param options Whether other origins are asked so.
 * @returns A step, for `use` of an endpoint, a class or a resource.
 */
export function conditional({ crossOrigin = false }: ConditionalOptions = {}): Step {
  // An answer belongs to one store: what one person was told is not told to another one.
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
        // After a reset nothing is known.
        kept = isOwn && answer.has ? memory.get(answer) : undefined;
      memory.delete(answer);
      if (kept) headers.set(...kept.condition);
      try {
        const response = await call.fetchResponse(url, { ...init, headers }), condition = conditionOf(response);
        if (condition && isOwn) {
          const { headers } = response, body = await response.clone().arrayBuffer();
          memory.set(answer, { condition, headers, body });
        }
        return response;
      } catch (error) {
        if (!kept) throw error;
        memory.set(answer, kept);
        const { status, response } = error as NetworkError; // what else is thrown has neither
        if (status !== 304) throw error;
        const all = new Headers(kept.headers);
        response?.headers.forEach((value, name) => all.set(name, value));
        return new Response(kept.body, { headers: all });
      }
    },
  });
}

/** How to ask whether an answer is still right; `undefined`: the server would not know. */
function conditionOf({ headers, redirected, status }: Response): Kept["condition"] | undefined {
  const tag = headers.get("etag"), changed = headers.get("last-modified");
  if (redirected || status !== 200) return;
  if (tag) return ["If-None-Match", tag];
  // A second that was not over when it was sent may have brought more changes.
  const isOver = changed && Date.parse(headers.get("date") ?? "") - Date.parse(changed) >= 1e3;
  if (isOver) return ["If-Modified-Since", changed];
}
