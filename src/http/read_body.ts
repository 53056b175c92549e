import { NetworkError, ParseError } from "../errors/errors.ts";
import type { Value } from "../plain/value.ts";

/**
 * The body of an ok answer: as `content` says, or by its content type. None is `null`.
 *
 * @param content How it is read, whatever its type: json, text, blob, arrayBuffer, stream.
 * @param needsJson Only JSON will do.
 * @param isMutation No body, or a word such as `OK`, will do, too; a page of HTML will not.
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
  // Frameworks put their default type on what has no body.
  if (isMutation && !whole.trim()) return null;
  try {
    return JSON.parse(whole);
  } catch (cause) {
    // A page is no word of the API: something in front of it has answered.
    if (isMutation && !isJson && !/^\s*</.test(whole)) return whole;
    const about = [url, whole.slice(0, 80), (cause as Error).message]; // of JSON.parse
    throw new ParseError(604, about, cause, { status, response });
  }
}
