import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import { needsJson } from "./response.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";

/**
 * Refuses options with which nothing must be sent: a mutation would be carried out, and its answer be unreadable, or an
 * edit of somebody else be overwritten. The types say so, too.
 *
 * @throws {EndpointError} That says what to write.
 */
export function checkCall(endpoint: AnyRestEndpoint): void {
  const { content, name } = endpoint;
  const error = (code: number, facts: object = {}) => new EndpointError(name, said(code, { name, content, ...facts }));
  if (content !== undefined && !/^(?:json|text|blob|arrayBuffer|stream)$/.test(content)) throw error(503);
  if (content !== undefined && content !== "json" && needsJson(endpoint) && !endpoint.hasProcess) throw error(504);
  if (typeof endpoint.getMany === "object") throw error(547);
  for (const option of ["conditional", "cacheControl", "ifMatch", "idempotencyKey"]) {
    if (endpoint[option as keyof AnyRestEndpoint]) throw error(519, { option });
  }
}
