import { clock } from "../deps/clock.ts";
import { isInstance } from "../errors/is_instance.ts";
import { NetworkError } from "../errors/network_error.ts";
import { onAbort } from "../errors/on_abort.ts";
import type { Watch } from "./deadline.ts";
import { fetchResponse as fetchOnce } from "./fetch_response.ts";
import { guardResponse, guardStream } from "./guard_stream.ts";
import { discard, isOneShot, ownMembers } from "./platform.ts";
import { retryAfter } from "./retry_after.ts";

/** The deadline of an exchange that names none, in ms. */
export const DEFAULT_DEADLINE = 30_000;

/** How a request is sent and read. */
export interface RequestOptions<T> {
  /** `parseResponse` gives the body as a stream, which stays under the deadline and the signals until it ends. */
  readonly stream?: boolean | undefined;
  /**
   * How often the request is sent again at most after a failure that may pass; `false` is 0. Defaults to 2; to 0 while a
   * test has its own clock in place: nobody may be there to end the wait.
   */
  readonly retry?: number | false | undefined;
  /** Sends the request. Defaults to {@linkcode fetchOnce | fetchResponse} of this folder. */
  fetchResponse?(url: string, init: RequestInit): Promise<Response>;
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
 * @param url An absolute URL.
 * @param given Options for `fetch`, of which only own members count.
 * @param options How it is sent and read.
 * @param watch Of the deadline that this is a part of.
 * @returns What `parseResponse` gives.
 * @throws {NetworkError} If the server refuses or no answer comes, and trying again did not help or is not allowed; it
 *   says how many attempts there were.
 * @throws The reason of a signal, untouched, and whatever the functions throw.
 */
export async function request<T>(
  url: string,
  given: RequestInit,
  options: RequestOptions<T>,
  watch: Watch,
): Promise<T> {
  const { signal } = watch;
  const init: RequestInit & { duplex?: "half" } = ownMembers(given);
  if (init.signal) watch.follow(init.signal);
  signal.throwIfAborted();
  init.signal = signal;
  const { body, method = "GET" } = init;
  const times = retriesOf(init, options.retry);
  const isStream = body instanceof ReadableStream;
  const countsSilence = options.stream || isStream || body instanceof Blob || body instanceof FormData;
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
      response = await (options.fetchResponse ? options.fetchResponse(url, sent) : fetchOnce(url, sent));
      signal.throwIfAborted();
      watch.moved();
      if (countsSilence) response = guardResponse(response, watch, { method, url });
      return await options.parseResponse(response);
    } catch (error) {
      discard(response);
      if (signal.aborted) throw error;
      if (!isInstance(error, NetworkError)) throw error;
      if (attempts <= times && mayPass(error, response !== undefined)) {
        // A refusal, too, is a sign of life.
        if (error.status !== undefined) watch.moved();
        const wait = waitAfter(error, attempts);
        if (wait < watch.remaining() && wait <= LONGEST_WAIT) {
          discard(error.response);
          await pause(wait, signal);
          continue;
        }
      }
      // Not by assignment: the app may have frozen one of its own.
      Reflect.set(error, "attempts", attempts);
      throw error;
    }
  }
}

/** How often a request is sent again that may be, unless its endpoint says otherwise. */
const DEFAULT_RETRIES = 2;

/** What the first wait takes at most, in ms; each further one takes up to twice as long. */
const FIRST_WAIT = 300;

/** Platforms count no longer delay (2³¹ − 1): a timer beyond it would never fire. */
const LONGEST_WAIT = 2_147_483_647;

/** The slowest upload that is waited for, in bytes per second: that of a bad mobile connection. */
const SLOWEST_UPLOAD = 16_384;

/**
 * How often a request may be sent again. `GET` and `HEAD` change nothing on a server; any other method is sent again
 * only where an `Idempotency-Key` lets the server know it. A body that is a stream is gone after the first time.
 */
function retriesOf({ body, method = "GET", headers }: RequestInit, retry: number | false | undefined): number {
  const times = Number(retry ?? (clock.isReplaced ? 0 : DEFAULT_RETRIES));
  const isKnown = headers instanceof Headers && headers.has("idempotency-key");
  return times > 0 && !isOneShot(body) && (isKnown || /^(?:get|head)$/i.test(method)) ? times : 0;
}

/** Whether the same request may succeed a little later: what an answer's reading throws by a status is the app's. */
function mayPass({ status }: NetworkError, isAnswered: boolean): boolean {
  return status === undefined || (!isAnswered && [408, 429, 502, 503, 504].includes(status));
}

function waitAfter({ status, headers }: NetworkError, attempts: number): number {
  // A body that broke off has the headers of an answer that refused nothing.
  const asked = status === undefined || headers === undefined ? undefined : retryAfter(headers);
  // Full jitter: clients that failed together do not come back together.
  return asked ?? clock.random() * FIRST_WAIT * 2 ** (attempts - 1);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      forget();
      stopTimer();
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const forget = onAbort(signal, end);
    const stopTimer = clock.setTimeout(end, ms);
  });
}

/**
 * How long an upload may take before the first sign of life, in ms. No platform tells how far it is with FormData and
 * Blobs, so silence cannot be told from a slow upload: the time is reckoned from the size. A stream tells by being read.
 */
function uploadAllowance(body: unknown): number {
  const parts = body instanceof FormData ? [...body].flat() : body instanceof Blob ? [body] : [];
  const bytes = parts.reduce((sum, part) => sum + (typeof part === "string" ? part.length : part.size), 0);
  return bytes / SLOWEST_UPLOAD * 1_000;
}
