import { NetworkError } from "../errors/network_error.ts";
import { ParseError } from "../errors/parse_error.ts";
import { discard, passesUntouched } from "./platform.ts";

/** Which request an answer belongs to, for the error. */
export interface RequestLine {
  /** The method as it was sent. */
  readonly method: string;
  /** The URL that was asked for. */
  readonly url: string;
}

/** The ways to read a body, and what each gives. */
export interface BodyKinds {
  /** UTF-8 text, without byte order mark. */
  readonly text: string;
  /** Bytes with their content type. */
  readonly blob: Blob;
  /** Bytes. */
  readonly arrayBuffer: ArrayBuffer;
}

/**
 * Reads the body of an ok answer.
 *
 * @param response The answer, its body not read.
 * @param kind How to read it.
 * @param request Which request it answers.
 * @returns What the body holds.
 * @throws {NetworkError} If the connection breaks in the body.
 */
export async function readBody<K extends keyof BodyKinds>(
  response: Response,
  kind: K,
  request: RequestLine,
): Promise<BodyKinds[K]>;
export async function readBody(response: Response, kind: keyof BodyKinds, request: RequestLine): Promise<unknown> {
  try {
    const body = await response[kind]();
    // The Fetch standard drops a byte order mark; Deno keeps it where the body was made from a string.
    return typeof body === "string" ? body.replace(/^\ufeff/, "") : body;
  } catch (cause) {
    if (passesUntouched(cause)) throw cause;
    throw new NetworkError({ ...request, headers: response.headers, response, cause });
  }
}

/**
 * Parses the text of an answer.
 *
 * @throws {ParseError} If it is no JSON.
 */
export function parseJson(text: string, response: Response, request: RequestLine): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notJson(text, response, request, { cause });
  }
}

/** The error of an answer that is no JSON; `received` is its text, where it has one. */
export function notJson(
  received: string | undefined,
  { status, headers }: Response,
  { method, url }: RequestLine,
  options: ErrorOptions = {},
): ParseError {
  const contentType = headers.get("content-type");
  return new ParseError({ ...options, method, url, status, contentType, expected: "JSON", received });
}

/** Not `xml` anywhere in it: `application/vnd.openxmlformats-officedocument.…` is a zip file. */
const TEXT = /^(?:text(?:\/|$)|[^;]*[/+.](?:x-)?(?:xml|html|javascript|ecmascript|www-form-urlencoded|yaml|csv)\b)/i;

/**
 * Whether a body is text, as its content type says. JSON is not asked for here.
 *
 * @param contentType The header of the answer.
 */
export function isText(contentType: string): boolean {
  return TEXT.test(contentType.trim());
}

/** The longest body of an error, in characters: it is kept as long as the error is. */
const LONGEST = 1_000_000;

/**
 * Reads the body of an answer that is not ok, for its error. A text can still be read from the answer itself. What is
 * binary, and what is longer than a message, is let go: it may be of any size, and would be kept as long as the error is.
 *
 * @param response The answer, its body not read.
 * @returns Parsed JSON, or the text; `undefined` if there is none, if it is binary or longer than 1 MB, or if the
 * connection breaks in it: the status is what matters then.
 */
export async function readErrorBody(response: Response): Promise<unknown> {
  try {
    const contentType = response.headers.get("content-type") ?? "";
    const isJson = contentType === "" || /json/i.test(contentType);
    const text = isJson || isText(contentType) ? await readShort(response.clone()) : undefined;
    if (text === undefined) return void discard(response);
    try {
      if (isJson) return JSON.parse(text);
    } catch {
      // Proxies label their HTML with the type of the API behind them.
    }
    return text || undefined;
  } catch {
    return undefined;
  }
}

/** A body as text, without byte order mark; `undefined` where it is too long. */
async function readShort({ body }: Response): Promise<string | undefined> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; text.length <= LONGEST;) {
    const { value } = await reader?.read() ?? {};
    if (value === undefined) return text;
    text += value;
  }
  reader!.cancel().catch(() => {});
}
