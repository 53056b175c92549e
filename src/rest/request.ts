import { EndpointError } from "../errors/endpoint_error.ts";
import { tagOf } from "../errors/kind_of.ts";
import { said } from "../errors/texts.ts";
import type { Owner } from "./origin.ts";
import type { AnyRestEndpoint, RestInit } from "./rest_types.ts";

/** Whether `fetch` sends it as it is. */
function isNative(body: unknown): body is NonNullable<RequestInit["body"]> {
  return typeof body === "string" || ArrayBuffer.isView(body) ||
    (typeof body === "object" &&
      /^(?:FormData|Blob|File|URLSearchParams|ReadableStream|ArrayBuffer)$/.test(tagOf(body)));
}

function toJson(body: unknown, { name }: Owner): string {
  let cause: unknown;
  try {
    const json = JSON.stringify(body) as string | undefined;
    if (json !== undefined) return json;
  } catch (error) {
    cause = error;
  }
  throw new EndpointError(name, said(508, { name, body, cause }), cause === undefined ? undefined : { cause });
}

/**
 * Headers as a plain object, so that `{ ...headers, authorization }` keeps them.
 *
 * @param headers Headers in any form.
 * @returns Of an object its own members, the names as they were written; of pairs, the names in small letters.
 */
export function plainHeaders(headers: RequestInit["headers"] | null): Record<string, string> {
  if (headers === undefined || headers === null) return {};
  // What is in pairs more than once has all of its values.
  if (Symbol.iterator in headers) return Object.fromEntries(new Headers(headers));
  return { ...headers as Record<string, string> };
}

/**
 * Whether a header is among others, however it is written.
 *
 * @param headers The headers.
 * @param name The name, in small letters.
 */
export function hasHeader(headers: Readonly<Record<string, string>>, name: string): boolean {
  return Object.keys(headers).some((header) => header.toLowerCase() === name);
}

/**
 * Headers as they are sent.
 *
 * @param headers Headers in any form. Of an object, members that are `undefined` are left out.
 * @returns The headers, under names of one spelling.
 */
export function toHeaders(headers: RequestInit["headers"] | null): Headers {
  const sent = new Headers();
  for (const [name, value] of Object.entries(plainHeaders(headers))) if (value !== undefined) sent.set(name, value);
  return sent;
}

/**
 * Options for `fetch` as an endpoint declares them: its `requestInit`, method, signal, and the body with its type.
 *
 * @param endpoint Who sends.
 * @param body What the call was given.
 * @throws {EndpointError} If the body cannot be sent.
 */
export function initOf(endpoint: AnyRestEndpoint, body: unknown): RestInit {
  const headers = plainHeaders(endpoint.requestInit?.headers);
  const method = upperMethod(endpoint as { readonly method?: unknown });
  const init: RestInit = { ...endpoint.requestInit, method, headers };
  if (body !== undefined && body !== null) {
    const isSentAsIs = isNative(body);
    init.body = isSentAsIs ? body : toJson(body, endpoint);
    if (!isSentAsIs && !hasHeader(headers, "content-type")) headers["Content-Type"] = "application/json";
  }
  if (endpoint.signal) init.signal = init.signal ? AbortSignal.any([init.signal, endpoint.signal]) : endpoint.signal;
  return init;
}

/**
 * The method of a request, as it is sent.
 *
 * @param endpoint What has it.
 */
export function upperMethod({ method }: { readonly method?: unknown }): string {
  return method === "GET" ? method : String(method).toUpperCase();
}

/** Whether a method, in capitals, changes nothing. */
export function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
