import { NetworkError, TimeoutError } from "../errors/errors.ts";
import type { Value } from "../plain/value.ts";

/** What an endpoint says of its requests. */
export interface Requesting {
  readonly method?: string | undefined;
  /** `true`: it is not sent again. */
  readonly sideEffect?: boolean | undefined;
  /** `true`: it may be sent again all the same. */
  readonly isIdempotent?: boolean | undefined;
  readonly content?: string | undefined;
  readonly retry?: number | false | undefined;
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  parseResponse(response: Response): Promise<Value>;
}

/**
 * Runs a call under a deadline: it settles then at the latest, whatever the work does.
 *
 * @param work Gets `exchange`, which sends a request and reads its answer. What changes nothing on the server is tried
 * again.
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
    // A timer of more than 24 days would run out at once.
    timer = setTimeout(() => over.abort(new TimeoutError(603, [method, url, ms])), Math.min(time, 2e9));
  };
  /** The same stream: the time begins anew for each chunk. */
  const guard = (stream: ReadableStream<Uint8Array>, rest: () => void) => {
    const reader = stream.getReader();
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        restart();
        const { done, value } = await reader.read().finally(rest);
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
      // Nothing tells how far `fetch` is with a form or a blob.
      if (body instanceof Blob || body instanceof FormData) restart(ms * 10);
      // A stream of an answer is read once, so that its endpoint says it has a side effect.
      const isSafe = !sideEffect || isIdempotent || method === "GET";
      for (let left = isSafe && !isStream ? +retry : 0;; left--) {
        try {
          let response = await endpoint.fetchResponse(url, sent);
          if (response.body && !/json|text/.test(content)) {
            // While no chunk is asked for the time stands still.
            response = new Response(guard(response.body, stop), response);
          }
          return await endpoint.parseResponse(response);
        } catch (error) {
          signal.throwIfAborted();
          // What is no number tries nothing again.
          if (!(left > 0) || !(error instanceof NetworkError)) throw error;
          // No reply is as good as 503.
          const { status = 503, response } = error, asked = response?.headers.get("retry-after") ?? "";
          // In seconds, or a date; "0" reads as a date long past. Without a wish of the server, a random time: clients that
          // failed together do not come back together.
          const wait = parseFloat(asked) * 1e3 || Date.parse(asked) - Date.now() || Math.random() * 600;
          if (![408, 429, 502, 503, 504].includes(status) || wait >= ms) throw error;
          await new Promise((go) => setTimeout(go, Math.max(0, wait)));
        }
      }
    })).finally(stop);
}

/** What a promise settles with; it rejects at an abort, though the work may not listen to the signal. */
export function orAbort<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop);
    work().then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** One attempt. Rejects with what is not ok. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  const about = [init.method, url],
    response = await fetch(url, init).catch((cause) => {
      throw new NetworkError(601, about, cause);
    });
  if (response.ok) return response;
  // Proxies label their HTML with the type of the API behind them.
  const body = await response.clone().json().catch(() => response.clone().text()).catch(() => undefined);
  const { status } = response;
  throw new NetworkError(602, [...about, status], undefined, { status, response, body });
}
