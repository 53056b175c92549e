import { NetworkError, ParseError } from "../errors/errors.ts";
import type { Value } from "../plain/value.ts";

/**
 * Reads the body of a response: as `content` says, or else by its content type. Without a body, JSON and text are `null`.
 *
 * @param content `json`, `text`, `blob`, `arrayBuffer` or `stream`, whatever the content type is.
 * @param needsJson The body must be JSON, because the endpoint has a schema.
 * @param isMutation Where JSON is expected, no body or a word such as `OK` is accepted, too, but no page of HTML.
 * @throws {NetworkError} If the connection breaks while the body is read.
 * @throws {ParseError} If the body is not JSON, but must be.
 */
export async function readBody(
  response: Response,
  content: string | undefined,
  needsJson: boolean,
  isMutation: boolean,
): Promise<Value> {
  const { status, headers, body, url } = response,
    type = headers.get("content-type") ?? "",
    isJson = /json/i.test(type);
  const as = content ?? (isJson || needsJson ? "json" : /^(text|$)|[/+]xml/i.test(type) ? "text" : "blob");
  if (as === "stream") return body ?? new Blob().stream();
  const isText = /json|text/.test(as);
  if (isText && !body) return null;
  const whole = await (response as Value)[isText ? "text" : as]().catch((cause: unknown) => { // `as` names its method
    throw new NetworkError(601, ["", url], cause);
  });
  if (as !== "json") return whole;
  // Some frameworks send `application/json` with an empty body, because it is their default content type.
  if (isMutation && !whole.trim()) return null;
  try {
    return JSON.parse(whole);
  } catch (cause) {
    // A page of HTML does not come from the API, but from a proxy or a login page in front of it.
    if (isMutation && !isJson && !/^\s*</.test(whole)) return whole;
    const { message } = cause as Error; // of JSON.parse
    throw new ParseError(604, [url, whole.slice(0, 80), message], cause, { status, response });
  }
}
