import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import { needsJson } from "./response.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";

/**
 * Refuses to send what could not be answered: a mutation would be carried out, and its answer be unreadable. The types say
 * so, too.
 *
 * @throws {EndpointError} That says what to write.
 */
export function checkCall(endpoint: AnyRestEndpoint): void {
  const { content, name } = endpoint;
  const error = (code: number) => new EndpointError(name, said(code, { name, content }));
  if (content !== undefined && !/^(?:json|text|blob|arrayBuffer|stream)$/.test(content)) throw error(503);
  if (content !== undefined && content !== "json" && needsJson(endpoint) && !endpoint.hasProcess) throw error(504);
}
