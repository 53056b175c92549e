import { NetworkError } from "../errors/network_error.ts";
import { ParseError } from "../errors/parse_error.ts";
import type { Value } from "../plain/value.ts";

/** Not `xml` anywhere in it: `application/vnd.openxmlformats-officedocument.…` is a zip file. */
const TEXT = /^\s*(text\b|[^;]*[/+.](x-)?(xml|html|javascript|www-form-urlencoded|yaml|csv)\b)/i;

/** What an endpoint says of the bodies of its answers. */
export interface Expected {
  readonly method: string;
  /** How it is read, whatever its type. */
  readonly content?: string | undefined;
  /** Only JSON will do. */
  readonly needsJson: boolean;
  /** Only JSON or nothing, or a word such as `OK`: of a mutation. */
  readonly isMutation: boolean;
}

/** The body of an ok answer: as the endpoint says, or by its content type. None is `null`. */
export async function readBody(response: Response, { method, content, needsJson, isMutation }: Expected): Promise<Value> {
  const { status, headers } = response, type = headers.get("content-type") ?? "", isJson = /json/i.test(type);
  if (content === "stream") return response.body ?? new Blob().stream();
  if (content === "blob" || content === "arrayBuffer") return await response[content]();
  if (status === 204 || status === 205 || /^head$/i.test(method)) return null;
  if (!content && !needsJson && !isJson && type && !TEXT.test(type)) return await response.blob();
  const text = await readText(response);
  if (content === "text" || (!content && !isJson && !needsJson)) return text;
  // Frameworks put their default type on what has no body.
  if (isMutation && !text.trim()) return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (isMutation && !isJson && !text.trimStart().startsWith("<")) return text;
    const about = [response.url, text.slice(0, 80), (cause as Error).message]; // of JSON.parse
    throw new ParseError(604, about, cause, { status, response });
  }
}

/** A body as text. */
export async function readText(response: Response): Promise<string> {
  try {
    // The standard drops a byte order mark; Deno keeps it where the body was made from a string.
    return (await response.text()).replace(/^\ufeff/, "");
  } catch (cause) {
    if ((cause as Error).name === "AbortError") throw cause; // whatever was thrown
    throw new NetworkError(601, ["", response.url], cause, { response });
  }
}
