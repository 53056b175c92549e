import { randomText } from "../../endpoint/random_text.ts";
import { EndpointError } from "../../errors/endpoint_error.ts";
import { said } from "../../errors/texts.ts";
import type { Step } from "./step.ts";

/**
 * Sends the header `Idempotency-Key` with every method but `GET` and `HEAD`, by which the server knows an attempt for a
 * repetition: so mutations are sent again, too, as `retry` says. All attempts at a call carry the same. One that is there
 * already stays.
 *
 * @param make Makes the key from the arguments of the call, where two calls are to be one. Left out, it is a new random
 *   text for each call.
 * @returns A step, for `use` of an endpoint, a class or a resource. Calls reject with an {@linkcode EndpointError} where
 *   `make` gives anything but text that a header can hold.
 */
// deno-lint-ignore no-explicit-any -- each endpoint has arguments of its own
export function idempotencyKey(make: (...args: any) => string = () => randomText(16)): Step {
  return async (call, next) => {
    const { args, endpoint: { name }, init: { headers }, method } = call;
    // It would cost a browser a second request to another origin, and reads change nothing.
    if (!/^(?:GET|HEAD)$/i.test(method) && !headers.has("idempotency-key")) {
      const key: unknown = make(...args);
      if (typeof key !== "string" || !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(key)) {
        throw new EndpointError(name, said(521, { name, key }));
      }
      headers.set("Idempotency-Key", key);
    }
    return await next(call);
  };
}
