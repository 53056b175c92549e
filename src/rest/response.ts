import { streamOfNoBody } from "../endpoint/no_body.ts";
import { isText, notJson, parseJson, readBody, type RequestLine } from "../http/read_body.ts";
import type { AnySchema } from "../schemas/interface.ts";
import type { ContentType } from "./rest_types.ts";

/** What is known about an answer before it is read. */
export interface Expected extends RequestLine {
  /** Where entities are in it. */
  readonly schema: AnySchema;
  /** Whether a function waits for it that makes of any text what the schema needs. */
  readonly processed: boolean;
  /** How it is to be read, whatever it says it is. */
  readonly content?: ContentType | undefined;
  /** Whether it answers a mutation, which may say nothing, or "OK". */
  readonly sideEffect: boolean;
}

/**
 * Reads an answer as it is to be read, or else by its content type.
 *
 * JSON is parsed. Where a schema waits for JSON, text without a type or of type `text/plain` is tried as JSON, and
 * everything else is refused. Without schema, or with a `process` of one's own, text is given as text and anything else
 * as a `Blob`. 204 and 205 are `null`; where a schema waits, an empty answer to a mutation is `""`, whatever it is said to be.
 *
 * @param response An ok answer, its body not read.
 * @param expected What is known about it.
 * @returns What it holds.
 * @throws {ParseError} If it is not what was expected.
 */
export async function readResponse(response: Response, expected: Expected): Promise<unknown> {
  const { content, schema, processed, sideEffect } = expected;
  // An answer without body is an empty text, blob or stream: the type says that there is one.
  if (content === "stream") return response.body ?? streamOfNoBody();
  if (content !== undefined && content !== "json") return await readBody(response, content, expected);
  if (hasNoBody(response, expected)) return null;
  if (isJson(response, expected)) return parseText(await readBody(response, "text", expected), response, expected);
  const type = response.headers.get("content-type") ?? "";
  const wantsJson = isNormalizable(schema);
  const isHtml = /html/i.test(type);
  const takesAll = !wantsJson || (processed && !isHtml);
  const kind = type === "" || isText(type) ? "text" : "blob";
  if (!takesAll && kind === "blob" && !sideEffect) throw notJson(undefined, response, expected);
  const body = await readBody(response, kind, expected);
  // Frameworks put their default type on what has no body.
  if (wantsJson && sideEffect && (typeof body === "string" ? body.trim() === "" : body.size === 0)) return "";
  if (takesAll) return body;
  if (typeof body !== "string" || isHtml) {
    throw notJson(typeof body === "string" ? body : undefined, response, expected);
  }
  try {
    return parseJson(body, response, expected);
  } catch (error) {
    // Servers say OK, or nothing; what that means for the record is for `readReply` to say.
    if (sideEffect && !body.trimStart().startsWith("<")) return body;
    throw error;
  }
}

/** Whether an answer is JSON by declaration, so that {@linkcode parseText} of its text is all that there is to be read. */
export function isJson(response: Response, expected: Expected): boolean {
  const { content = /json/i.test(response.headers.get("content-type") ?? "") ? "json" : undefined } = expected;
  return content === "json" && !hasNoBody(response, expected);
}

/**
 * Parses the text of an answer that is declared as JSON.
 *
 * @param text The text.
 * @param response What it is of, for errors.
 * @param expected What is known about it.
 * @returns What it holds; `""` for an empty answer to a mutation.
 * @throws {ParseError} If it is broken.
 */
export function parseText(text: string, response: Response, expected: Expected): unknown {
  return text === "" && expected.sideEffect ? text : parseJson(text, response, expected);
}

function hasNoBody({ status }: Response, { method }: Expected): boolean {
  return status === 204 || status === 205 || method === "HEAD";
}

/** Whether there is something in it that a response is normalized by. */
export function isNormalizable(schema: AnySchema): boolean {
  return (typeof schema === "object" && schema !== null) || typeof schema === "function";
}
