import { type Watch, withDeadline } from "./deadline.ts";
import { discard } from "./discard.ts";
import { fetchResponse as fetchOnce } from "./fetch_response.ts";
import { guardResponse, guardStream } from "./guard_stream.ts";
import { ownMembers } from "./own_members.ts";
import { retriesOf, withRetries } from "./retry.ts";

/** The deadline of an exchange that names none, in ms. */
export const DEFAULT_DEADLINE = 30_000;

/** How an exchange runs. */
export interface RequestOptions<T> {
  /** The method, for errors that come before the init is known. Defaults to that of the init. */
  readonly method?: string | undefined;
  /** Aborts the exchange, as the `signal` of the init does. */
  readonly signal?: AbortSignal | null | undefined;
  /**
   * How long the exchange may take, all attempts and the body included, in ms; `Infinity` for no bound. Where the body that is sent is
   * `FormData`, a `Blob` or a stream, and where `stream` is set, it bounds the time in which nothing moves, not the
   * whole. Defaults to 30,000.
   */
  readonly deadline?: number | undefined;
  /** `parseResponse` gives the body as a stream, which stays under the deadline and the signals until it ends. */
  readonly stream?: boolean | undefined;
  /**
   * How often the request is sent again at most after a failure that may pass: {@linkcode withRetries} says which.
   * `false` is 0. Defaults to 2; to 0 while a test has its own clock in place.
   */
  readonly retry?: number | false | undefined;
  /** Sends the request. Defaults to {@linkcode fetchOnce | fetchResponse} of this folder. */
  fetchResponse?(url: string, init: RequestInit): Promise<Response>;
  /** Reads the answer. What it does with the body is under the deadline and the signals. */
  parseResponse(response: Response): Promise<T>;
}

/**
 * One exchange: the request is sent, again where that may help, and the answer read, all of it under one deadline and
 * the caller's signals.
 *
 * The promise always settles, whatever `fetch`, the functions and the body do; when it has settled (and, with `stream`,
 * when the stream has ended) no timer and no listener remains. An answer that comes late is dropped.
 *
 * @param url An absolute URL.
 * @param init Options for `fetch`, of which only own members count, or a function that makes them and is under the
 * deadline, too.
 * @param options How the exchange runs.
 * @returns What `parseResponse` gives.
 * @throws {TimeoutError} If the deadline passes.
 * @throws {NetworkError} If the server refuses or no answer comes, and trying again did not help or is not allowed.
 * @throws The reason of a signal, untouched, and whatever the functions throw.
 */
export function request<T>(
  url: string,
  init: RequestInit | (() => RequestInit | Promise<RequestInit>),
  options: RequestOptions<T>,
): Promise<T> {
  const own = ownMembers(options);
  const { deadline = DEFAULT_DEADLINE, stream: handsOut = false, signal, method } = own;
  const line = { method: method ?? (typeof init === "function" ? "GET" : ownMembers(init).method ?? "GET"), url };
  const prepare = typeof init === "function" ? init : () => init;
  return withDeadline((watch) => exchange(url, prepare, own, watch), { ...line, deadline, handsOut, signal });
}

async function exchange<T>(
  url: string,
  prepare: () => RequestInit | Promise<RequestInit>,
  options: RequestOptions<T>,
  watch: Watch,
): Promise<T> {
  const init: RequestInit & { duplex?: "half" } = ownMembers(await prepare());
  if (init.signal) watch.follow(init.signal);
  watch.signal.throwIfAborted();
  init.signal = watch.signal;
  const guarded = options.stream || isLarge(init.body);
  const line = { method: init.method ?? "GET", url };
  const times = retriesOf(init, options.retry);
  if (init.body instanceof ReadableStream) {
    const { signal, waiting } = watch;
    // The libraries of Deno and of browsers disagree on the buffer that a chunk is a view of.
    const body = init.body as ReadableStream<Uint8Array<ArrayBuffer>>;
    // What is sent does not outlive the answer: nothing holds the watch for its sake.
    init.body = guardStream(body, { signal, waiting: waiting.bind(watch), hold: () => () => {} });
    // Required by the Fetch standard for every stream that is sent; there is no other value yet.
    init.duplex ??= "half";
  }
  const send = async (): Promise<Response> => {
    if (guarded) watch.countSilence(uploadAllowance(init.body));
    // An override of fetchResponse may write into what it is given: that is for this attempt only.
    const sent = ownMembers(init);
    if (times > 0 && init.headers instanceof Headers) sent.headers = new Headers(init.headers);
    const answer = await (options.fetchResponse ? options.fetchResponse(url, sent) : fetchOnce(url, sent));
    if (watch.signal.aborted) {
      discard(answer);
      throw watch.signal.reason;
    }
    watch.moved();
    return guarded ? guardResponse(answer, watch, line) : answer;
  };
  const read = async (response: Response): Promise<T> => {
    try {
      return await options.parseResponse(response);
    } catch (error) {
      discard(response);
      throw error;
    }
  };
  return await withRetries({ send, read }, times, watch);
}

function isLarge(body: unknown): boolean {
  return body instanceof ReadableStream || body instanceof Blob || body instanceof FormData;
}

/** The slowest upload that is waited for, in bytes per second: that of a bad mobile connection. */
const SLOWEST_UPLOAD = 16_384;

/**
 * How long an upload may take before the first sign of life, in ms. No platform tells how far it is with FormData and
 * Blobs, so silence cannot be told from a slow upload: the time is reckoned from the size. A stream tells by being read.
 */
function uploadAllowance(body: unknown): number {
  let bytes = 0;
  if (body instanceof Blob) bytes = body.size;
  else if (body instanceof FormData) {
    for (const [name, value] of body) bytes += name.length + (typeof value === "string" ? value.length : value.size);
  }
  return bytes / SLOWEST_UPLOAD * 1_000;
}
