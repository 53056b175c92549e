import type { Watch } from "./deadline.ts";
import { discard } from "./discard.ts";
import { fetchResponse as fetchOnce } from "./fetch_response.ts";
import { guardResponse, guardStream } from "./guard_stream.ts";
import { ownMembers } from "./own_members.ts";
import { retriesOf, withRetries } from "./retry.ts";

/** The deadline of an exchange that names none, in ms. */
export const DEFAULT_DEADLINE = 30_000;

/** How a request is sent and read. */
export interface RequestOptions<T> {
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
 * Sends a request, again where that may help, and reads the answer; the watch bounds all of it. Where the body that is
 * sent is `FormData`, a `Blob` or a stream, and where `stream` is set, it counts from then on the time in which nothing
 * moves, not the whole.
 *
 * @param url An absolute URL.
 * @param given Options for `fetch`, of which only own members count.
 * @param options How it is sent and read.
 * @param watch Of the deadline that this is a part of.
 * @returns What `parseResponse` gives.
 * @throws {NetworkError} If the server refuses or no answer comes, and trying again did not help or is not allowed.
 * @throws The reason of a signal, untouched, and whatever the functions throw.
 */
export async function request<T>(
  url: string,
  given: RequestInit,
  options: RequestOptions<T>,
  watch: Watch,
): Promise<T> {
  const init: RequestInit & { duplex?: "half" } = ownMembers(given);
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
