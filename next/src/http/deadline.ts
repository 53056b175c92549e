import { TimeoutError } from "../errors/errors.ts";

/** The time that a request has: for all of it, or, where a stream is read, for each chunk. */
export interface Deadline {
  /** Aborts when the time is over, or when the caller aborts. */
  readonly signal: AbortSignal;
  /** ms that it has. */
  readonly ms: number;
  /** Begins the time anew. */
  restart(ms?: number): void;
  /** The same stream: the time begins anew for each chunk, and rests while none is asked for. */
  guard(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>;
}

/** Runs a call under a deadline. It settles then at the latest, whatever the work does. */
export async function withDeadline<T>(
  { deadline: ms = 3e4, signal: own }: {
    readonly deadline?: number | undefined;
    readonly signal?: AbortSignal | undefined;
  },
  about: readonly string[],
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const over = new AbortController(), signal = own ? AbortSignal.any([own, over.signal]) : over.signal;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const restart = (time = ms) => {
    stop();
    // A timer of more than 24 days would run out at once.
    timer = setTimeout(() => over.abort(new TimeoutError(603, [...about, ms])), Math.min(time, 2e9));
  };
  const guard = (stream: ReadableStream<Uint8Array>) => {
    const reader = stream.getReader();
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        restart();
        const { done, value } = await reader.read().finally(stop);
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    }, { highWaterMark: 0 });
  };
  restart();
  return await orAbort(signal, () => work({ signal, ms, restart, guard })).finally(stop);
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
