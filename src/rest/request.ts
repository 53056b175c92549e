import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import type { Owner } from "./origin.ts";
import type { AnyRestEndpoint, RestInit } from "./rest_types.ts";

/** A body as `fetch` takes it, and the content type that `fetch` would not know by itself. */
export interface EncodedBody {
  /** `undefined`: no body. */
  readonly body: RequestInit["body"] | undefined;
  /** `undefined`: `fetch` sets it, or there is no body. */
  readonly contentType: string | undefined;
}

const NO_BODY: EncodedBody = { body: undefined, contentType: undefined };

// By name, not by instanceof: a body may come from another window or from a polyfill.
const NATIVE_BODIES = new Set(["FormData", "Blob", "File", "URLSearchParams", "ReadableStream", "ArrayBuffer"]);

/**
 * The body of a request: `FormData`, `Blob`, `URLSearchParams`, strings, bytes and streams as they are, everything else
 * as JSON. `undefined` and `null` mean: no body.
 *
 * @param body What the call was given.
 * @param owner Who sends, for errors.
 * @returns The body and its content type.
 * @throws {EndpointError} If it is neither of these and cannot be written as JSON.
 */
export function encodeBody(body: unknown, owner: Owner): EncodedBody {
  if (body === undefined || body === null) return NO_BODY;
  if (typeof body === "string" || ArrayBuffer.isView(body) || isNativeBody(body)) {
    return { body: body as NonNullable<RequestInit["body"]>, contentType: undefined };
  }
  let json: string | undefined;
  let cause: unknown;
  try {
    json = JSON.stringify(body);
  } catch (error) {
    cause = error;
  }
  if (json !== undefined) return { body: json, contentType: "application/json" };
  const { name } = owner;
  throw new EndpointError(name, said(508, { name, body, cause }), cause === undefined ? undefined : { cause });
}

function isNativeBody(body: unknown): boolean {
  return typeof body === "object" && NATIVE_BODIES.has(Object.prototype.toString.call(body).slice(8, -1));
}

/**
 * Headers as a plain object, so that `{ ...headers, authorization }` keeps them.
 *
 * @param headers Headers in any form.
 * @returns Their own members; the names as they were written.
 */
export function plainHeaders(headers: RequestInit["headers"] | null): Record<string, string> {
  if (headers === undefined || headers === null) return {};
  if (Symbol.iterator in headers) return Object.fromEntries(headers as Iterable<[string, string]>);
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
  const plain = plainHeaders(headers);
  for (const name of Object.keys(plain)) if (plain[name] !== undefined) sent.set(name, plain[name]);
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
  const encoded = encodeBody(body, endpoint);
  const headers = plainHeaders(endpoint.requestInit?.headers);
  if (encoded.contentType !== undefined && !hasHeader(headers, "content-type")) {
    headers["Content-Type"] = encoded.contentType;
  }
  const init: RestInit = {
    ...endpoint.requestInit,
    method: upperMethod(endpoint as { readonly method?: unknown }),
    headers,
  };
  if (encoded.body !== undefined) init.body = encoded.body;
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
