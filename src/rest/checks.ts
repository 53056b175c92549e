import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import { isProcessed, type Process } from "./expected.ts";
import { isNormalizable } from "./response.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";

const CONTENT: ReadonlySet<unknown> = new Set(["json", "text", "blob", "arrayBuffer", "stream", undefined]);

/**
 * Of how an endpoint is declared, before anything is sent: a mutation would otherwise be carried out, and its answer be
 * unreadable.
 *
 * @param endpoint What is called.
 * @param usual The `process` of all endpoints.
 * @throws {EndpointError} If its answers cannot be read, or it has an option that is an imported value now.
 */
export function checkCall(endpoint: AnyRestEndpoint, usual: Process): void {
  const { content, name, schema } = endpoint;
  if (!CONTENT.has(content)) throw new EndpointError(name, said(503, { name, content }));
  if (content !== undefined && content !== "json" && isNormalizable(schema) && !isProcessed(endpoint, usual)) {
    throw new EndpointError(name, said(504, { name, content }));
  }
  if (typeof endpoint.getMany === "object") throw new EndpointError(name, said(547, { name }));
  for (const option of ["conditional", "cacheControl", "ifMatch", "idempotencyKey"]) {
    // To send without what somebody relies on would lose data: an `ifMatch` that is none overwrites.
    if (endpoint[option as keyof AnyRestEndpoint]) throw new EndpointError(name, said(519, { name, option }));
  }
}
