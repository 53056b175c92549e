import type { CallContext, CallReply } from "../../endpoint/interface.ts";
import type { Exchange } from "../../http/request.ts";
import type { AnyRestEndpoint } from "../rest_types.ts";

/** One exchange with the server, as steps see it. A step that changes it gives a copy to the next one. */
export interface StepCall extends Exchange<unknown> {
  /** Whose call it is. */
  readonly endpoint: AnyRestEndpoint;
  /** The arguments of the call. */
  readonly args: readonly unknown[];
  /** What is sent, before it was encoded. */
  readonly body: unknown;
  /** The method, as it is sent. */
  readonly method: string;
  /** Options for `fetch`. A step may put headers in. */
  readonly init: RequestInit & { readonly headers: Headers };
  /** What the controller knows of earlier replies; `undefined`: the endpoint was called by itself. */
  readonly context: CallContext | undefined;
}

/**
 * What an exchange gives. `value` is what was read, before `process` of the endpoint. A `read` of a step's own is called
 * when the exchange is over: what is left of the deadline then was `call.watch.remaining()`.
 */
export interface StepReply extends CallReply {
  /** The answer, its body read; `undefined`: a step made the reply without one. */
  readonly response?: Response | undefined;
}

/**
 * A step of the way from a request to its reply: it may change the call, go on once, several times or not at all, and
 * change the reply. All attempts (`retry`) are one exchange, and the deadline is over all steps.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { RestEndpoint } from "@rejoin/data";
 * import type { Step } from "@rejoin/data/extend";
 *
 * const took: number[] = [];
 * const timing: Step = async (call, next) => {
 *   const start = Date.now();
 *   const reply = await next(call);
 *   took.push(Date.now() - start);
 *   return reply;
 * };
 * const ping = new RestEndpoint({
 *   urlPrefix: "https://api.example.com",
 *   path: "/ping",
 *   use: [timing],
 *   fetchResponse: () => Promise.resolve(Response.json("pong")),
 * });
 * assertEquals(await ping(), "pong");
 * assertEquals(took.length, 1);
 * ```
 *
 * @param call The exchange.
 * @param next The steps after this one, then the request itself.
 */
export type Step = (call: StepCall, next: (call: StepCall) => Promise<StepReply>) => Promise<StepReply>;
