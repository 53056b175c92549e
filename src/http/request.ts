import { isInstance } from "../errors/is_instance.ts";
import { NetworkError } from "../errors/network_error.ts";
import type { Watch } from "./deadline.ts";
import { guardResponse, guardStream } from "./guard_stream.ts";
import { discard, ownMembers } from "./platform.ts";
import { retriesOf, waitAfter } from "./retries.ts";

/** The deadline of an exchange that names none, in ms. */
export const DEFAULT_DEADLINE = 30_000;

/** One request with its answer, under a deadline. */
export interface Exchange<T> {
  /** An absolute URL. */
  readonly url: string;
  /** Options for `fetch`, of which only own members count. */
  readonly init: RequestInit;
  /** The deadline that this is a part of. */
  readonly watch: Watch;
  /** Sends one attempt; rejects with what is not ok. */
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  /** Reads the answer. What it does with the body is under the deadline and the signals. */
  parseResponse(response: Response): Promise<T>;
}

/**
 * Sends a request and reads the answer; the watch bounds all of it. Where the body that is sent is `FormData`, a `Blob`
 * or a stream, and where `stream` is set, it counts from then on the time in which nothing moves, not the whole.
 *
 * It is sent again after a network failure, also in the middle of the body, and after 408, 429, 502, 503, 504. That
 * waits as long as `Retry-After` says, else up to 300 ms, 600 ms, 1,200 ms, … A wait that would go beyond the deadline is
 * not begun.
 *
 * @param exchange What is sent, and how its answer is read.
 * @param retry How often it is sent again at most after a failure that may pass; `false` is 0. Defaults to 2.
 * @param stream `parseResponse` gives the body as a stream, which stays under the deadline and the signals until it ends.
 * @returns What `parseResponse` gives, and the answer.
 * @throws {NetworkError} If the server refuses or no answer comes, and trying again did not help or is not allowed; it
 *   says how many attempts there were.
 * @throws The reason of a signal, untouched, and whatever the functions throw.
 */
export async function request<T>(
  exchange: Exchange<T>,
  retry?: number | false,
  stream = false,
): Promise<{ readonly value: T; readonly response: Response }> {
  const { url, watch } = exchange;
  const { signal } = watch;
  const init: RequestInit & { duplex?: "half" } = ownMembers(exchange.init);
  if (init.signal) watch.follow(init.signal);
  signal.throwIfAborted();
  init.signal = signal;
  const { body, method = "GET" } = init;
  const times = retriesOf(init, retry);
  const isStream = body instanceof ReadableStream;
  const countsSilence = stream || isStream || body instanceof Blob || body instanceof FormData;
  if (isStream) {
    // What is sent does not outlive the answer: nothing holds the watch for its sake.
    init.body = guardStream(body as ReadableStream<Uint8Array<ArrayBuffer>>, { ...watch, hold: () => () => {} });
    // Required by the Fetch standard for every stream that is sent; there is no other value yet.
    init.duplex ??= "half";
  }
  for (let attempts = 1;; attempts++) {
    watch.attempts++;
    if (countsSilence) watch.countSilence(uploadAllowance(body));
    // An override of fetchResponse may write into what it is given: that is for this attempt only.
    const sent = ownMembers(init);
    if (times > 0 && init.headers instanceof Headers) sent.headers = new Headers(init.headers);
    let response: Response | undefined;
    try {
      response = await exchange.fetchResponse(url, sent);
      signal.throwIfAborted();
      watch.moved();
      if (countsSilence) response = guardResponse(response, watch, { method, url });
      return { value: await exchange.parseResponse(response), response };
    } catch (error) {
      discard(response);
      if (signal.aborted || !isInstance(error, NetworkError)) throw error;
      const wait = attempts > times ? undefined : waitAfter(error, attempts, response !== undefined);
      // A refusal, too, is a sign of life.
      if (wait !== undefined && error.status !== undefined) watch.moved();
      if (wait !== undefined && wait < watch.remaining() && wait <= LONGEST_WAIT) {
        discard(error.response);
        await watch.pause(wait);
        continue;
      }
      // Not by assignment: the app may have frozen one of its own.
      Reflect.set(error, "attempts", attempts);
      throw error;
    }
  }
}

/** Platforms count no longer delay (2³¹ − 1): a timer beyond it would never fire. */
const LONGEST_WAIT = 2_147_483_647;

/** The slowest upload that is waited for, in bytes per second: that of a bad mobile connection. */
const SLOWEST_UPLOAD = 16_384;

/**
 * How long an upload may take before the first sign of life, in ms. No platform tells how far it is with FormData and
 * Blobs, so silence cannot be told from a slow upload: the time is reckoned from the size. A stream tells by being read.
 */
function uploadAllowance(body: unknown): number {
  const parts = body instanceof FormData ? [...body].flat() : body instanceof Blob ? [body] : [];
  const bytes = parts.reduce((sum, part) => sum + (typeof part === "string" ? part.length : part.size), 0);
  return bytes / SLOWEST_UPLOAD * 1_000;
}
