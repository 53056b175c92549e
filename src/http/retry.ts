import { clock } from "../deps/clock.ts";
import { isInstance } from "../errors/is_instance.ts";
import { NetworkError } from "../errors/network_error.ts";
import type { Watch } from "./deadline.ts";
import { onAbort } from "../errors/on_abort.ts";
import { discard } from "./discard.ts";
import { isOneShot } from "./is_one_shot.ts";
import { retryAfter } from "./retry_after.ts";

/** How often a request is sent again that may be, unless its endpoint says otherwise. */
const DEFAULT_RETRIES = 2;

/** What the first wait takes at most, in ms; each further one takes up to twice as long. */
const FIRST_WAIT = 300;

/** Platforms count no longer delay (2³¹ − 1): a timer beyond it would never fire. */
const LONGEST_WAIT = 2_147_483_647;

/** Refusals that may pass by themselves: timeout, too many requests, and three ways in which a gateway has no server. */
const PASSING = new Set([408, 429, 502, 503, 504]);

/** One try at an exchange, in its two parts: a refusal is the server's word, what `read` throws is mostly the app's. */
export interface Attempt<T> {
  /** Sends the request. */
  send(): Promise<Response>;
  /** Reads the answer. */
  read(response: Response): Promise<T>;
}

/**
 * How often a request may be sent again. `GET` and `HEAD` change nothing on a server; any other method is sent again
 * only where an `Idempotency-Key` lets the server know it. A body that is a stream is gone after the first time.
 *
 * @param init What is sent.
 * @param retry What the endpoint says; `false` is 0. Left out, it is {@linkcode DEFAULT_RETRIES}, and 0 while a test
 * has its own clock in place: nobody may be there to end the wait.
 * @returns A number from 0; `Infinity` is as often as the deadline lets it.
 */
export function retriesOf(init: RequestInit, retry: number | false | undefined): number {
  const times = Number(retry ?? (clock.isReplaced ? 0 : DEFAULT_RETRIES));
  if (!(times > 0) || isOneShot(init.body)) return 0;
  const method = (init.method ?? "GET").toUpperCase();
  return method === "GET" || method === "HEAD" || hasIdempotencyKey(init.headers) ? times : 0;
}

function hasIdempotencyKey(headers: RequestInit["headers"]): boolean {
  try {
    return new Headers(headers ?? undefined).has("idempotency-key");
  } catch {
    // Headers that cannot be sent: the attempt itself says so.
    return false;
  }
}

/**
 * Tries an exchange until it succeeds, fails for good, or was retried as often as it may be: after a network failure,
 * also in the middle of the body, and after 408, 429, 502, 503, 504. It waits as long as `Retry-After` says, else up to
 * 300 ms, 600 ms, 1,200 ms, … A wait that would go beyond the deadline is not begun.
 *
 * @param attempt One try.
 * @param times How often it is repeated at most.
 * @param watch The watch over all attempts.
 * @returns What the first attempt gives that succeeds.
 * @throws What the last attempt threw; a NetworkError says how many there were.
 * @throws The reason of the watch's signal, if it aborts in a wait.
 */
export async function withRetries<T>(attempt: Attempt<T>, times: number, watch: Watch): Promise<T> {
  for (let attempts = 1;; attempts++) {
    watch.attempting();
    let response: Response | undefined;
    try {
      response = await attempt.send();
      return await attempt.read(response);
    } catch (error) {
      if (watch.signal.aborted) throw error;
      const passing = attempts <= times && mayPass(error, response !== undefined) ? error : undefined;
      // A refusal, too, is a sign of life.
      if (passing?.status !== undefined) watch.moved();
      const wait = passing && waitAfter(passing, attempts - 1);
      if (wait === undefined || wait >= watch.remaining() || wait > LONGEST_WAIT) {
        throw attempts > 1 ? counted(error, attempts) : error;
      }
      discard(passing?.response);
      await pause(wait, watch.signal);
    }
  }
}

/** Whether the same request may succeed a little later. */
function mayPass(error: unknown, isAnswered: boolean): error is NetworkError {
  if (!isInstance(error, NetworkError)) return false;
  return error.status === undefined || (!isAnswered && PASSING.has(error.status));
}

function waitAfter(error: NetworkError, earlierRetries: number): number {
  // A body that broke off has the headers of an answer that refused nothing.
  const asked = error.status === undefined || error.headers === undefined ? undefined : retryAfter(error.headers);
  // Full jitter: clients that failed together do not come back together.
  return asked ?? clock.random() * FIRST_WAIT * 2 ** earlierRetries;
}

/** An error of the app's own class is passed on as it is. */
function counted(error: unknown, attempts: number): unknown {
  return isInstance(error, NetworkError) && error.constructor === NetworkError ? error.afterAttempts(attempts) : error;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => {
      forget();
      stopTimer();
      reject(signal.reason);
    });
    const stopTimer = clock.setTimeout(() => {
      forget();
      resolve();
    }, ms);
  });
}
