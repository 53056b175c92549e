import { streamOfNoBody } from "../endpoint/no_body.ts";
import { isText, notJson, parseJson, readBody, type RequestLine } from "../http/read_body.ts";
import { upperMethod } from "./request.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";

/**
 * Reads an answer as it is to be read, or else by its content type.
 *
 * JSON is parsed. Where a schema waits for JSON, text without a type or of type `text/plain` is tried as JSON, and
 * everything else is refused. Without schema, or with a `process` of one's own, text is given as text and anything else
 * as a `Blob`. 204 and 205 are `null`; where a schema waits, an empty answer to a mutation is `""`, whatever it is said to be.
 *
 * @param endpoint Who reads it.
 * @param response An ok answer, its body not read.
 * @returns What it holds.
 * @throws {ParseError} If it is not what was expected.
 */
export async function readResponse(endpoint: AnyRestEndpoint, response: Response): Promise<unknown> {
  const { content, sideEffect } = endpoint;
  const line = lineOf(endpoint, response);
  // An answer without body is an empty text, blob or stream: the type says that there is one.
  if (content === "stream") return response.body ?? streamOfNoBody();
  if (content !== undefined && content !== "json") return await readBody(response, content, line);
  if (hasNoBody(endpoint, response)) return null;
  if (isJson(endpoint, response)) return parseText(endpoint, response, await readBody(response, "text", line));
  const type = response.headers.get("content-type") ?? "";
  const wantsJson = needsJson(endpoint);
  const isHtml = /html/i.test(type);
  const takesAll = !wantsJson || (endpoint.hasProcess && !isHtml);
  const kind = type === "" || isText(type) ? "text" : "blob";
  if (!takesAll && kind === "blob" && !sideEffect) throw notJson(undefined, response, line);
  const body = await readBody(response, kind, line);
  const text = typeof body === "string" ? body : undefined;
  // Frameworks put their default type on what has no body.
  if (wantsJson && sideEffect && (text?.trim() === "" || (body as Blob).size === 0)) return "";
  if (takesAll) return body;
  if (text === undefined || isHtml) throw notJson(text, response, line);
  try {
    return parseJson(text, response, line);
  } catch (error) {
    // Servers say OK, or nothing; what that means for the record is for `readReply` to say.
    if (sideEffect && !text.trimStart().startsWith("<")) return text;
    throw error;
  }
}

/** Which request an answer belongs to, for errors. */
export function lineOf(endpoint: AnyRestEndpoint, { url }: Response): RequestLine {
  return { method: upperMethod(endpoint), url: url || endpoint.name };
}

/** Whether an answer is JSON by declaration, so that {@linkcode parseText} of its text is all that there is to be read. */
export function isJson(endpoint: AnyRestEndpoint, response: Response): boolean {
  const { content = /json/i.test(response.headers.get("content-type") ?? "") ? "json" : undefined } = endpoint;
  return content === "json" && !hasNoBody(endpoint, response);
}

/**
 * Parses the text of an answer that is declared as JSON.
 *
 * @returns What it holds; `""` for an empty answer to a mutation.
 * @throws {ParseError} If it is broken.
 */
export function parseText(endpoint: AnyRestEndpoint, response: Response, text: string): unknown {
  return text.trim() === "" && endpoint.sideEffect ? "" : parseJson(text, response, lineOf(endpoint, response));
}

function hasNoBody(endpoint: AnyRestEndpoint, { status }: Response): boolean {
  return status === 204 || status === 205 || upperMethod(endpoint) === "HEAD";
}

/** Whether there is something in the schema of an endpoint that an answer is normalized by. */
export function needsJson({ schema }: AnyRestEndpoint): boolean {
  return Object(schema) === schema;
}
