import type { CallContext, CallReply } from "../endpoint/interface.ts";
import { isTemporaryId } from "../endpoint/temporary_id.ts";
import { check } from "../errors/checks.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { OvertakenError } from "../errors/overtaken_error.ts";
import { said } from "../errors/texts.ts";
import { withDeadline } from "../http/deadline.ts";
import { DEFAULT_DEADLINE, request } from "../http/request.ts";
import type { checkCall } from "./check_call.ts";
import { resolveUrl } from "./origin.ts";
import type { PathTemplate } from "./path_template.ts";
import { plainHeaders, toHeaders, upperMethod } from "./request.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";
import type { StepCall, StepReply } from "./steps/step.ts";

/**
 * What a controller says of a call, where the endpoint says nothing. As options, so that whatever is made of the endpoint
 * on the way has it, too: a batch, what a `fetch` of the app's own asks.
 */
export function optionsIn({ defaults, signal }: CallContext, endpoint: AnyRestEndpoint): object {
  const { deadline = defaults.deadline, retry = defaults.retry } = endpoint;
  return { deadline, retry, signal };
}

/**
 * One call of an endpoint, all of it under one deadline: by itself, or together with others of this tick.
 *
 * @param endpoint Whose call it is.
 * @param args The arguments of the call.
 * @param template The path of the endpoint.
 * @param original What endpoints that differ by their `signal` alone have in common.
 * @param context What the controller knows of earlier replies; `undefined`: the endpoint was called by itself.
 * @throws {EndpointError} Before anything is sent, if a parameter of the path is the name of a record that the server was
 *   to create.
 */
export async function exchange(
  endpoint: AnyRestEndpoint,
  args: readonly unknown[],
  template: PathTemplate,
  original: object,
  context: CallContext | undefined,
): Promise<CallReply> {
  const { params, body } = endpoint.readArgs(args);
  check<typeof checkCall>("call", endpoint);
  // What the store has named itself it has put in place before: what is left is of a page that was reloaded since, or of
  // another store.
  for (const name of template.names) {
    if ([params[name]].flat().some(isTemporaryId)) {
      throw new EndpointError(endpoint.name, said(505, { endpoint: endpoint.name, name }));
    }
  }
  const { deadline = DEFAULT_DEADLINE, signal, getMany } = endpoint;
  const url = resolveUrl(endpoint.url(params, body), endpoint);
  const method = upperMethod(endpoint);
  return await withDeadline((watch) => {
    /** From the request to what `process` makes of its answer. */
    const alone = async (): Promise<CallReply> => {
      const given: RequestInit = await endpoint.getRequestInit(body);
      const init = { ...given, headers: toHeaders(await endpoint.getHeaders(plainHeaders(given.headers))) };
      const send = async (call: StepCall): Promise<StepReply> => {
        // Headers may have been waited for, and who is logged in now is another.
        if (context?.isOver) throw new OvertakenError(endpoint.name, "reset");
        return await request(call, endpoint.retry, endpoint.content === "stream");
      };
      const run = (endpoint.use ?? []).reduceRight<typeof send>((next, step) => (call) => step(call, next), send);
      const { response: _response, ...reply } = await run({
        endpoint,
        args,
        body,
        method: init.method ?? method,
        url,
        init,
        context,
        watch,
        fetchResponse: (url, init) => endpoint.fetchResponse(url, init),
        parseResponse: (response) => endpoint.parseResponse(response),
      });
      return reply.renewal ? reply : { ...reply, value: await endpoint.process(reply.value, ...args) };
    };
    if (getMany === undefined || context === undefined) return alone();
    const { signal } = watch;
    return getMany(
      { endpoint, original, idName: [...template.names].at(-1), params, args, url, context, signal },
      alone,
    );
  }, { method, url, deadline, signal });
}
