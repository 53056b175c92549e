import type { CallContext, CallReply } from "../endpoint/interface.ts";
import { OvertakenError } from "../errors/overtaken_error.ts";
import { withDeadline } from "../http/deadline.ts";
import { DEFAULT_DEADLINE, request } from "../http/request.ts";
import { refuseUnnamed } from "./call_parts.ts";
import { resolveUrl } from "./origin.ts";
import type { PathTemplate } from "./path_template.ts";
import { plainHeaders, toHeaders, upperMethod } from "./request.ts";
import type { AnyRestEndpoint, RestInit } from "./rest_types.ts";
import type { StepCall, StepReply } from "./steps/step.ts";

/** How a call is made, and by whom. */
export interface ExchangeDetails {
  /** The path of the endpoint. */
  readonly template: PathTemplate;
  /** What endpoints that differ by their `signal` alone have in common. */
  readonly original: object;
  /** What the controller knows of earlier replies; `undefined`: the endpoint was called by itself. */
  readonly context: CallContext | undefined;
}

/**
 * One call of an endpoint, all of it under one deadline: by itself, or together with others of this tick.
 *
 * @param endpoint Whose call it is.
 * @param args The arguments of the call.
 * @param details How, and by whom.
 */
export async function exchange(
  endpoint: AnyRestEndpoint,
  args: readonly unknown[],
  { template, original, context }: ExchangeDetails,
): Promise<CallReply> {
  const { params, body } = endpoint.readArgs(args);
  refuseUnnamed(endpoint.name, template.names, params);
  const { deadline = DEFAULT_DEADLINE, signal, getMany } = endpoint;
  const url = resolveUrl(endpoint.url(params, body), endpoint);
  return await withDeadline((watch) => {
    const alone = () => runSteps(endpoint, args, { url, body, context, watch });
    if (getMany === undefined || context === undefined) return alone();
    const { signal } = watch;
    return getMany({ endpoint, original, idName: template.lastName, params, args, url, context, signal }, alone);
  }, { method: upperMethod(endpoint), url, deadline, signal, handsOut: endpoint.content === "stream" });
}

/** From the request to what `process` makes of its answer. Without context it knows of no earlier exchange. */
async function runSteps(
  endpoint: AnyRestEndpoint,
  args: readonly unknown[],
  { url, body, context, watch }: Pick<StepCall, "url" | "body" | "context" | "watch">,
): Promise<CallReply> {
  const { then: _, ...given } = await endpoint.getRequestInit(body) as RestInit;
  const headers = toHeaders(await endpoint.getHeaders(plainHeaders(given.headers)));
  const init = { ...given, headers };
  const method = init.method ?? upperMethod(endpoint);
  const send = async (call: StepCall): Promise<StepReply> => {
    // Headers may have been waited for, and who is logged in now is another.
    if (context?.isOver) throw new OvertakenError(endpoint.name, "reset");
    let response: Response | undefined;
    const value = await request(call.url, call.init, {
      retry: endpoint.retry,
      stream: endpoint.content === "stream",
      fetchResponse: call.fetchResponse,
      parseResponse: (answer) => call.parseResponse(response = answer),
    }, call.watch);
    return { value, response };
  };
  const run = (endpoint.use ?? []).reduceRight<typeof send>((next, step) => (call) => step(call, next), send);
  const { response: _response, ...reply } = await run({
    endpoint,
    args,
    body,
    method,
    url,
    init,
    context,
    watch,
    fetchResponse: (url, init) => endpoint.fetchResponse(url, init),
    parseResponse: (response) => endpoint.parseResponse(response),
  });
  return reply.unchanged ? reply : { ...reply, value: await endpoint.process(reply.value, ...args) };
}
