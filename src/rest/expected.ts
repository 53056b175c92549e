import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import type { AnySchema } from "../schemas/interface.ts";
import { upperMethod } from "./request.ts";
import { type Expected, isNormalizable } from "./response.ts";
import type { AnyRestEndpoint, ContentType } from "./rest_types.ts";

/** What answers are made of where an endpoint has no `process` of its own. */
type Process = AnyRestEndpoint["process"];

const CONTENT: ReadonlySet<unknown> = new Set(["json", "text", "blob", "arrayBuffer", "stream", undefined]);

/**
 * Before anything is sent: a mutation would otherwise be carried out, and its answer be unreadable.
 *
 * @param endpoint What is called.
 * @param usual The `process` of all endpoints.
 * @throws {EndpointError} If its answers cannot be read, or it has an option that is an imported value now.
 */
export function checkCall(endpoint: AnyRestEndpoint, usual: Process): void {
  const { name } = endpoint;
  checkContent(endpoint, usual);
  if (typeof endpoint.getMany === "object") throw new EndpointError(name, said(547, { name }));
  for (const option of ["conditional", "cacheControl", "ifMatch"]) {
    // To send without what somebody relies on would lose data: an `ifMatch` that is none overwrites.
    if (endpoint[option as keyof AnyRestEndpoint]) throw new EndpointError(name, said(519, { name, option }));
  }
}

function checkContent(endpoint: AnyRestEndpoint, usual: Process): void {
  const { content, name } = endpoint;
  if (!CONTENT.has(content)) throw new EndpointError(name, said(503, { name, content }));
  if (content === undefined || content === "json" || !isNormalizable(endpoint.schema) || isProcessed(endpoint, usual)) {
    return;
  }
  throw new EndpointError(name, said(504, { name, content }));
}

/**
 * What is known of an answer before it is read.
 *
 * @param endpoint Who reads it.
 * @param response The answer.
 * @param usual The `process` of all endpoints.
 */
export function expectedOf(endpoint: AnyRestEndpoint, response: Response, usual: Process): Expected {
  return {
    method: upperMethod(endpoint),
    url: response.url || endpoint.name,
    schema: endpoint.schema as AnySchema,
    processed: isProcessed(endpoint, usual),
    content: endpoint.content as ContentType | undefined,
    sideEffect: Boolean(endpoint.sideEffect),
  };
}

function isProcessed({ process }: AnyRestEndpoint, usual: Process): boolean {
  const { of = process } = process as { readonly of?: unknown };
  return of !== usual;
}
