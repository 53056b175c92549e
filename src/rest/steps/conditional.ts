import { withDeadline } from "../../http/deadline.ts";
import { ConditionalRead, isWithinOrigin } from "../conditional_read.ts";
import { isJson } from "../response.ts";
import { expectedOf } from "../expected.ts";
import { RestEndpoint } from "../rest_endpoint.ts";
import type { Step } from "./step.ts";

/** How reads are asked for again. */
export interface ConditionalOptions {
  /**
   * `true`: the server is asked with `If-None-Match` also from a page of another origin, where each request then costs a
   * preflight. Defaults to `false`.
   */
  readonly crossOrigin?: boolean | undefined;
}

/**
 * Remembers the answers of reads, so that an equal one is neither sent (304) nor read again. It works for calls of a
 * controller.
 *
 * @param options Where the server is asked.
 * @returns A step, for `use` of an endpoint, a class or a resource.
 */
export function conditional({ crossOrigin = false }: ConditionalOptions = {}): Step {
  return async (call, next) => {
    const { endpoint, context, method, url, args, watch } = call;
    if (context === undefined || endpoint.sideEffect) return await next(call);
    const read = new ConditionalRead(context.memo);
    if (crossOrigin || isWithinOrigin(url)) read.ask(method, call.init, context.isCurrent);
    const reply = await next({
      ...call,
      fetchResponse: (url, init) => read.send(() => call.fetchResponse(url, init)),
      parseResponse(response) {
        const expected = expectedOf(endpoint, response, RestEndpoint.prototype.process);
        // The text of an answer is ours to compare only where nobody else reads it.
        const isOurs = endpoint.parseResponse === RestEndpoint.prototype.parseResponse && isJson(response, expected);
        return read.read(response, url, expected, isOurs ? undefined : () => call.parseResponse(response));
      },
    });
    const { memo, text } = read;
    if (!read.isUnchanged) return { ...reply, memo };
    const unchanged = { ...reply, memo, value: undefined, unchanged: true };
    if (text === undefined) return unchanged;
    // What is left of the time of the call: this is a part of it.
    const rest = { method, url, deadline: watch.remaining(), signal: endpoint.signal };
    const process = async () => await endpoint.process(JSON.parse(text), ...args);
    return { ...unchanged, read: () => withDeadline(process, rest) };
  };
}
