import { withDeadline } from "../../src/http/deadline.ts";
import { fetchResponse } from "../../src/http/fetch_response.ts";
import { type BodyKinds, parseJson, readBody, type RequestLine } from "../../src/http/read_body.ts";
import { DEFAULT_DEADLINE, type Exchange, request as send } from "../../src/http/request.ts";

/** How an exchange runs, and how long. */
export interface RequestOptions<T>
  extends Partial<Pick<Exchange<T>, "fetchResponse">>, Pick<Exchange<T>, "parseResponse"> {
  readonly stream?: boolean | undefined;
  readonly retry?: number | false | undefined;
  /** The method, for errors that come before the init is known. Defaults to that of the init. */
  readonly method?: string | undefined;
  /** Aborts the exchange, as the `signal` of the init does. */
  readonly signal?: AbortSignal | null | undefined;
  /** As of a RestEndpoint, in ms. */
  readonly deadline?: number | undefined;
}

/** One exchange under a deadline of its own, as a RestEndpoint makes it: also the making of the init is under it. */
export function request<T>(
  url: string,
  init: RequestInit | (() => RequestInit | Promise<RequestInit>),
  options: RequestOptions<T>,
): Promise<T> {
  const own: RequestOptions<T> = Object.assign(Object.create(null), options);
  const { deadline = DEFAULT_DEADLINE, signal } = own;
  const declared = typeof init === "function" ? undefined : Object.assign(Object.create(null), init).method;
  const exchange = { method: own.method ?? declared ?? "GET", url, deadline, signal };
  return withDeadline(async (watch) => {
    const sent = withHeaders(await (typeof init === "function" ? init() : init));
    const parts = { url, init: sent, watch, fetchResponse, ...own };
    return (await send(parts, own.retry, own.stream)).value;
  }, exchange);
}

/** Headers as an endpoint gives them; those that cannot be sent stay as they are. */
function withHeaders(init: RequestInit): RequestInit {
  const own: RequestInit = Object.assign(Object.create(null), init);
  try {
    if (own.headers) own.headers = new Headers(own.headers);
  } catch {
    // the attempt itself says so
  }
  return own;
}

/** What a body holds, as it is read or parsed. */
export interface ReadKinds extends BodyKinds {
  readonly json: unknown;
}

/** Reads a body, and parses it where it is to be JSON. */
export async function readAs<K extends keyof ReadKinds>(
  response: Response,
  kind: K,
  line: RequestLine,
): Promise<ReadKinds[K]> {
  if (kind !== "json") return await readBody(response, kind as keyof BodyKinds, line) as ReadKinds[K];
  return parseJson(await readBody(response, "text", line), response, line) as ReadKinds[K];
}
