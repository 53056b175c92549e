import { followByHand } from "../../http/redirect.ts";
import type { Step } from "./step.ts";

/**
 * Follows redirects on server runtimes, twenty at most, by the rules of the Fetch standard; without it they are refused
 * there. Headers that the app has set, and credentials, do not reach another origin: only those that describe the body,
 * `Accept`, `Accept-Language` and `Idempotency-Key` go along. In browsers, which hide where a redirect leads, it changes
 * nothing.
 *
 * @returns A step, for `use` of an endpoint, a class or a resource.
 */
export function followRedirects(): Step {
  return (call, next) => {
    const init = { ...call.init, follow: followByHand };
    return next({ ...call, init });
  };
}
