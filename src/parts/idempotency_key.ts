import { UsageError } from "../errors/errors.ts";
import type { Value } from "../plain/value.ts";
import type { Step } from "./step.ts";

/** Makes the key from the arguments of the call. */
type MakeKey = (...args: Value) => string; // each endpoint has its own arguments

const random: MakeKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Sends the header `Idempotency-Key` with every method but `GET` and `HEAD`, so that the server recognizes repeated
 * attempts. Mutations may then be retried like reads, as `retry` says. All attempts of a call have the same key. A key
 * that the app has set stays.
 *
 * @example
 * ```ts
 * import { idempotencyKey, RestEndpoint } from "@rejoin/data";
 * import { assertEquals } from "@std/assert";
 *
 * const order = new RestEndpoint({
 *   urlPrefix: "https://api.example.com",
 *   path: "/carts/:cart/order",
 *   method: "POST",
 *   use: [idempotencyKey(({ cart }: { cart: string }) => `cart ${cart}`)],
 *   fetchResponse: (_url, init) => Promise.resolve(Response.json(new Headers(init.headers).get("idempotency-key"))),
 * });
 * assertEquals(await order({ cart: "7" }, {}), "cart 7");
 * ```
 *
 * @param make Makes the key from the arguments of the call, for calls that the server should execute once together. By
 * default each call has a new random key.
 * @returns A step, for `use` of an endpoint, a class or a resource.
 * @throws {UsageError} A call rejects if `make` returns anything but text that a header can hold.
 */
export function idempotencyKey(make: MakeKey = random): Step {
  return (call, args) => ({
    isIdempotent: true,
    async getHeaders(given) {
      const headers = new Headers(await call.getHeaders(given));
      // Reads change nothing, and with this header a browser would have to ask another origin first (preflight).
      if (!/^(GET|HEAD)$/i.test(call.method) && !headers.has("idempotency-key")) {
        const key: unknown = make(...args);
        if (typeof key != "string" || !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(key)) {
          throw new UsageError(1001, [call.name, key]);
        }
        headers.set("Idempotency-Key", key);
      }
      return Object.fromEntries(headers);
    },
  });
}
