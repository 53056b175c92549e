import { freshnessOf } from "../cache_control.ts";
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
