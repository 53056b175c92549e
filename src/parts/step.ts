import type { Flight } from "../controller/part.ts";
import type { Args, Value } from "../plain/value.ts";

/** One call of an endpoint, as a step sees it: the endpoint's members, as changed by the later steps. */
export interface StepCall {
  readonly name: string;
  readonly method: string;
  readonly schema: Value;
  readonly sideEffect?: boolean | undefined;
  /** Whether it may be sent again although it has a side effect. */
  readonly isIdempotent?: boolean | undefined;
  readonly content?: string | undefined;
  /** The controller's request; `undefined` if the endpoint was called directly. */
  readonly flight?: Flight | undefined;
  /** Splits the arguments into parameters and body. */
  readArgs(args: Args): { readonly params: Value; readonly body?: Value };
  /** Returns the options of `fetch`, without the app's headers. */
  getRequestInit(body?: Value): RequestInit | Promise<RequestInit>;
  getHeaders(headers: HeadersInit | undefined): HeadersInit | undefined | Promise<HeadersInit | undefined>;
  /** Sends one attempt. It rejects if the status is not ok. */
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  parseResponse(response: Response): Promise<Value>;
  process(value: Value, ...args: Value[]): Value;
}

/**
 * A step of a request: it replaces members of the endpoint for one call. A new member may call the old one, in `call`,
 * which continues with the later steps. Pass it to the option `use` of an endpoint, a resource or a class of endpoints.
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
 * @param call The call, whose members continue with the next step.
 * @param args The arguments of the call.
 * @returns The members that replace those of `call`.
 */
export type Step = (call: StepCall, args: Args) => Partial<StepCall>;
