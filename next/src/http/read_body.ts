import { NetworkError, ParseError } from "../errors/errors.ts";
import type { Value } from "../plain/value.ts";

/** What an endpoint says of the bodies of its answers. */
export interface Expected {
  /** How it is read, whatever its type: json, text, blob, arrayBuffer, stream. */
  readonly content?: string | undefined;
  /** Only JSON will do. */
  readonly needsJson: boolean;
  /** No body, or a word such as `OK`, will do, too: of a mutation. */
  readonly isMutation: boolean;
}

/** The body of an ok answer: as the endpoint says, or by its content type. None is `null`. */
export async function readBody(response: Response, { content, needsJson, isMutation }: Expected): Promise<Value> {
  const { status, headers, body } = response, type = headers.get("content-type") ?? "", isJson = /json/i.test(type);
  if (content === "stream") return body ?? new Blob().stream();
  if (content === "blob" || content === "arrayBuffer") return await whole(response, content);
  if (status === 204 || status === 205 || !body) return null;
  const isText = !type || /^text|[/+.](xml|html|javascript|x-www-form-urlencoded|yaml|csv)\b/i.test(type);
  if (!content && !needsJson && !isJson && !isText) return await whole(response, "blob");
  const text = await readText(response);
  if (content === "text" || (!content && !isJson && !needsJson)) return text;
  // Frameworks put their default type on what has no body.
  if (isMutation && !text.trim()) return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (isMutation && !isJson && !/^\s*</.test(text)) return text;
    const about = [response.url, text.slice(0, 80), (cause as Error).message]; // of JSON.parse
    throw new ParseError(604, about, cause, { status, response });
  }
}

/** A body as text. The standard drops a byte order mark; Deno keeps it where the body was made from a string. */
export const readText = async (response: Response): Promise<string> =>
  (await whole(response, "text")).replace(/^\ufeff/, "");

/** A body to its end. */
async function whole(response: Response, as: "text" | "blob" | "arrayBuffer"): Promise<Value> {
  try {
    return await response[as]();
  } catch (cause) {
    // An abort, or the end of the deadline.
    if (/^(Abort|Timeout)Error$/.test((cause as Error).name)) throw cause; // whatever was thrown
    throw new NetworkError(601, ["", response.url], cause, { response });
  }
}
