import { NetworkError, TimeoutError } from "../errors/errors.ts";
import type { Value } from "../plain/value.ts";

/** The members of an endpoint that decide how its requests are sent. */
export interface Requesting {
  readonly method?: string | undefined;
  /** `true`: a failed request is not sent again. */
  readonly sideEffect?: boolean | undefined;
  /** `true`: a failed request may be sent again, though it has a side effect. */
  readonly isIdempotent?: boolean | undefined;
  readonly content?: string | undefined;
  readonly retry?: number | false | undefined;
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  parseResponse(response: Response): Promise<Value>;
}

/** Whether a body is a form or a blob. */
export const isUpload = (body: unknown): boolean => body instanceof Blob || body instanceof FormData;

/**
 * Runs a call under a deadline: the promise settles then at the latest, even if `work` never does.
 *
 * @param work Gets `exchange`, which sends a request and reads the response. It sends a failed read again.
 * @throws {TimeoutError} At the deadline.
 */
export async function withDeadline<T>(
  { deadline: ms = 3e4, signal: own, method }: Requesting,
  url: string,
  work: (exchange: (endpoint: Requesting, init: RequestInit) => Promise<Value>) => Promise<T>,
): Promise<T> {
  const over = new AbortController(), ended = AbortSignal.any([over.signal, own ?? over.signal]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const restart = (time = ms) => {
    stop();
    // A timer of more than 24 days would fire at once.
    timer = setTimeout(() => over.abort(new TimeoutError(603, [method, url, ms])), Math.min(time, 2e9));
  };
  /** Passes a stream on. The deadline starts anew at each chunk; `rest` is called when a chunk has come. */
  const guard = (stream: ReadableStream<Uint8Array>, rest: () => void) => {
    const reader = stream.getReader();
    ended.addEventListener("abort", () => reader.cancel(ended.reason).catch(() => {}));
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        restart();
        // Deno forgets the signal of a collected Response, and Chromium rejects with another error than its reason.
        const { done, value } = await orAbort(ended, () => reader.read()).finally(rest);
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    }, { highWaterMark: 0 });
  };
  restart();
  return await orAbort(ended, () =>
    work(async (endpoint, init) => {
      const { content = "text", retry = 2, sideEffect, isIdempotent } = endpoint, { body, method } = init;
      const signal = AbortSignal.any([ended, init.signal ?? ended]), isStream = body instanceof ReadableStream;
      const sent: RequestInit = { ...init, signal, ...isStream && { body: guard(body, restart), duplex: "half" } };
      // `fetch` does not report the progress of a form or a blob, so the upload gets ten times as long.
      const time = isUpload(body) ? ms * 10 : ms;
      if (time > ms) restart(time);
      // With `content: "stream"` a GET has `sideEffect`, so that calls do not share it; it may still be sent again.
      const isSafe = !sideEffect || isIdempotent || method === "GET";
      for (let left = isSafe && !isStream ? +retry : 0;; left--) {
        try {
          let response = await endpoint.fetchResponse(url, sent);
          if (response.body && !/json|text/.test(content)) {
            // The deadline is off while the app does not read: it may take its time between two chunks.
            response = new Response(guard(response.body, stop), response);
          }
          return await endpoint.parseResponse(response);
        } catch (error) {
          signal.throwIfAborted();
          // Written so that it also throws if `left` is NaN.
          if (!(left > 0) || !(error instanceof NetworkError)) throw error;
          // A request without response is sent again like one with 503.
          const { status = 503, response } = error, asked = response?.headers.get("retry-after") ?? "";
          // `Retry-After` is seconds, or a date; "0" parses as a date long past. Without it the wait is random, so that
          // clients that failed together do not all come back at once.
          const wait = parseFloat(asked) * 1e3 || Date.parse(asked) - Date.now() || Math.random() * 600;
          if (![408, 429, 502, 503, 504].includes(status) || wait >= ms) throw error;
          // A body that broke off has stopped the deadline.
          if (!/json|text/.test(content)) restart(time);
          await orAbort(signal, () => new Promise((go) => setTimeout(go, Math.max(0, wait))));
        }
      }
    })).finally(stop);
}

/** Settles like the promise of `work`, but rejects when the signal is aborted, even if `work` ignores the signal. */
export function orAbort<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop);
    Promise.resolve(work()).then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/**
 * Sends a request once.
 *
 * @throws {NetworkError} If no response comes, or its `ok` is false.
 */
export async function send(url: string, init: RequestInit): Promise<Response> {
  const about = [init.method, url],
    response = await fetch(url, init).catch((cause) => {
      throw new NetworkError(601, about, cause);
    });
  if (response.ok) return response;
  // The content type of an error may be wrong: proxies send HTML with that of the API. So JSON is tried first.
  const body = await response.clone().json().catch(() => response.clone().text()).catch(() => undefined);
  const { status } = response;
  throw new NetworkError(602, [...about, status], undefined, { status, response, body });
}
