import type { Flight } from "../controller/part.ts";
import type { Args, Value } from "../plain/value.ts";

/** One call of an endpoint, as steps see it: the endpoint, with what the steps after this one make of it. */
export interface StepCall {
  readonly name: string;
  readonly method: string;
  readonly schema: Value;
  readonly sideEffect?: boolean | undefined;
  /** `true`: it may be sent again, though it has a side effect. */
  readonly isIdempotent?: boolean | undefined;
  readonly content?: string | undefined;
  /** The request of the controller; `undefined`: the endpoint was called by itself. */
  readonly flight?: Flight | undefined;
  /** Says which argument is what. */
  readArgs(args: Args): { readonly params: Value; readonly body?: Value };
  /** The options of `fetch` without headers of the app. */
  getRequestInit(body?: Value): RequestInit | Promise<RequestInit>;
  getHeaders(headers: HeadersInit | undefined): HeadersInit | undefined | Promise<HeadersInit | undefined>;
  /** One attempt. It rejects with what is not ok. */
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  parseResponse(response: Response): Promise<Value>;
  process(value: Value, ...args: Value[]): Value;
}

/**
 * A step of a request: members of the endpoint that are others for one call. Each may call the one of `call`, which is that
 * of the steps after this one. Give it to the option `use` of an endpoint, a resource or a class of endpoints.
 *
 * @example
 * ```ts
 * import { RestEndpoint, type Step } from "@rejoin/data";
 * import { assertEquals } from "@std/assert";
 *
 * const traced: Step = (call) => ({
 *   getHeaders: async (headers) => ({ ...await call.getHeaders(headers), traceparent: "00-1" }),
 * });
 * const getRates = new RestEndpoint({
 *   urlPrefix: "https://api.example.com",
 *   path: "/rates",
 *   use: [traced],
 *   fetchResponse: (_url, init) => Promise.resolve(Response.json(new Headers(init.headers).get("traceparent"))),
 * });
 * assertEquals(await getRates(), "00-1");
 * ```
 *
 * @param call The call, which goes on with the next step.
 * @param args The arguments of the call.
 * @returns The members that take the place of those of `call`.
 */
export type Step = (call: StepCall, args: Args) => Partial<StepCall>;
