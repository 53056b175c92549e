import type { CallContext, CallReply } from "../endpoint/interface.ts";
import { isTemporaryId } from "../endpoint/temporary_id.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { OvertakenError } from "../errors/overtaken_error.ts";
import { said } from "../errors/texts.ts";
import { withDeadline } from "../http/deadline.ts";
import { DEFAULT_DEADLINE, request } from "../http/request.ts";
import { resolveUrl } from "./origin.ts";
import type { Params, PathTemplate } from "./path_template.ts";
import { plainHeaders, toHeaders, upperMethod } from "./request.ts";
import { needsJson } from "./response.ts";
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
 * @throws {EndpointError} Before anything is sent, if the answer could not be read, or a parameter of the path is the
 *   name of a record that the server was to create.
 */
export async function exchange(
  endpoint: AnyRestEndpoint,
  args: readonly unknown[],
  { template, original, context }: ExchangeDetails,
): Promise<CallReply> {
  const { params, body } = endpoint.readArgs(args);
  refuse(endpoint, template, params);
  const { deadline = DEFAULT_DEADLINE, signal, getMany } = endpoint;
  const url = resolveUrl(endpoint.url(params, body), endpoint);
  return await withDeadline((watch) => {
    const alone = () => runSteps(endpoint, args, { url, body, context, watch });
    if (getMany === undefined || context === undefined) return alone();
    const { signal } = watch;
    return getMany({ endpoint, original, idName: template.lastName, params, args, url, context, signal }, alone);
  }, { method: upperMethod(endpoint), url, deadline, signal, handsOut: endpoint.content === "stream" });
}

const CONTENT: ReadonlySet<unknown> = /* @__PURE__ */ new Set([
  "json",
  "text",
  "blob",
  "arrayBuffer",
  "stream",
  undefined,
]);

/** What must not be sent: a mutation would be carried out, and its answer be unreadable, or be about something else. */
function refuse(endpoint: AnyRestEndpoint, { names }: PathTemplate, params: Params): void {
  const { content, name } = endpoint;
  const error = (code: number, facts: object = {}) => new EndpointError(name, said(code, { name, content, ...facts }));
  if (!CONTENT.has(content)) throw error(503);
  if (content !== undefined && content !== "json" && needsJson(endpoint) && !endpoint.hasProcess) throw error(504);
  if (typeof endpoint.getMany === "object") throw error(547);
  for (const option of ["conditional", "cacheControl", "ifMatch", "idempotencyKey"]) {
    // To send without what somebody relies on would lose data: an `ifMatch` that is none overwrites.
    if (endpoint[option as keyof AnyRestEndpoint]) throw error(519, { option });
  }
  // What the store has named itself it has put in place before: what is left is of a page that was reloaded since, or of
  // another store.
  for (const parameter of names) {
    if ([params[parameter]].flat().some(isTemporaryId)) throw error(505, { endpoint: name, name: parameter });
  }
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
