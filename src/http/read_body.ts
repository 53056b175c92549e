import { NetworkError } from "../errors/network_error.ts";
import { ParseError } from "../errors/parse_error.ts";
import { passesUntouched } from "./passes_untouched.ts";

/** Which request an answer belongs to, for the error. */
export interface RequestLine {
  /** The method as it was sent. */
  readonly method: string;
  /** The URL that was asked for. */
  readonly url: string;
}

/** The ways to read a body, and what each gives. */
export interface BodyKinds {
  /** Parsed JSON. */
  readonly json: unknown;
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
 * @throws {ParseError} If it is to be JSON and is not; an empty body is not.
 * @throws {NetworkError} If the connection breaks in the body.
 */
export async function readBody<K extends keyof BodyKinds>(
  response: Response,
  kind: K,
  request: RequestLine,
): Promise<BodyKinds[K]>;
export async function readBody(response: Response, kind: keyof BodyKinds, request: RequestLine): Promise<unknown> {
  const { method, url } = request;
  let body: string | Blob | ArrayBuffer;
  try {
    body = await response[kind === "json" ? "text" : kind]();
  } catch (cause) {
    if (passesUntouched(cause)) throw cause;
    throw new NetworkError({ method, url, headers: response.headers, response, cause });
  }
  if (typeof body !== "string") return body;
  const received = withoutMark(body);
  if (kind === "text") return received;
  try {
    return JSON.parse(received);
  } catch (cause) {
    const contentType = response.headers.get("content-type");
    throw new ParseError({ method, url, status: response.status, contentType, expected: "JSON", received, cause });
  }
}

const TEXT = /json|text|xml|javascript|urlencoded/i;

/**
 * Reads the body of an answer that is not ok, for its error. The answer itself can still be read.
 *
 * @param response The answer, its body not read.
 * @returns Parsed JSON, or the text; `undefined` if there is none, if it is binary, or if the connection breaks in it:
 * the status is what matters then.
 */
export async function readErrorBody(response: Response): Promise<unknown> {
  try {
    const copy = response.clone();
    const contentType = response.headers.get("content-type") ?? "";
    if (contentType !== "" && !TEXT.test(contentType)) {
      // A copy that is not read would keep the connection.
      await copy.arrayBuffer();
      return undefined;
    }
    const text = withoutMark(await copy.text());
    if (contentType === "" || /json/i.test(contentType)) {
      try {
        return JSON.parse(text);
      } catch {
        // Proxies label their HTML with the type of the API behind them.
      }
    }
    return text === "" ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The Fetch standard drops a byte order mark; Deno keeps it where the body was made from a string. */
function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}
