import { clock } from "../deps/clock.ts";
import { onAbort } from "../errors/on_abort.ts";
import { TimeoutError } from "../errors/timeout_error.ts";
import type { RequestLine } from "./read_body.ts";

/** What bounds an exchange. */
export interface DeadlineOptions extends RequestLine {
  /** How long the whole exchange may take, body included, in ms; `Infinity` for no bound. */
  readonly deadline: number;
  /** The caller's signal. */
  readonly signal?: AbortSignal | null | undefined;
}

/** What an exchange under a deadline tells its watch, and learns from it. */
export interface Watch {
  /** Aborts when a caller aborts (with the caller's reason) and when the deadline passes (with the TimeoutError). */
  readonly signal: AbortSignal;
  /** Ends the exchange when this signal aborts, too. */
  follow(signal: AbortSignal): void;
  /**
   * From now on the deadline bounds the time in which nothing moves, not the whole.
   *
   * @param allowance Silence that is allowed before the first sign of life, beyond the deadline, in ms.
   */
  countSilence(allowance: number): void;
  /** How often the request was sent: the TimeoutError says so. */
  attempts: number;
  /** Waits for a time, in ms. Where the exchange ends first, it never goes on. */
  pause(ms: number): Promise<void>;
  /** How long it is until the deadline passes, if nothing moves, in ms. */
  remaining(): number;
  /** What the exchange ends with in place of a TimeoutError. */
  ending?: Error;
  /** Something moved: silence is counted anew. */
  moved(): void;
  /** Somebody waits for a chunk: silence counts, also in a stream that was handed out, until the returned function is called, once. */
  waiting(): () => void;
  /** A stream goes on after the result was handed out, until the returned function is called. */
  hold(): () => void;
}

/**
 * Runs an exchange under a deadline and the caller's signal.
 *
 * The promise always settles, also when `run` ignores its signal, throws synchronously or never ends. Once it has
 * settled (and, where a stream was handed out, once that has ended) no timer and no listener remains.
 *
 * @param run The exchange. What it gives after the deadline or an abort is dropped.
 * @param options Deadline and signal.
 * @returns What `run` resolves with.
 * @throws {TimeoutError} If the deadline passes first.
 * @throws The caller's `signal.reason`, untouched, if the caller aborts first; `run` is not called then if it has
 * aborted already.
 */
export function withDeadline<T>(run: (watch: Watch) => Promise<T>, options: DeadlineOptions): Promise<T> {
  const { method, url, deadline, signal } = options;
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const abort = new AbortController();
    /** What lets go of the signals of callers, and ends pauses: neither listener nor timer stays when all is over. */
    const stops: (() => void)[] = [];
    /** What has not ended yet: the exchange, and streams, which may go on after the result is handed out. */
    let holds = 1;
    /** For how much of it somebody waits: a stream that was handed out may rest as long as its reader likes. */
    let waits = 1;
    let isReleased = false;
    let counted: "total" | "silence" = "total";
    let stopTimer: (() => void) | undefined;
    let endsAt = Infinity;

    const arm = (ms: number): void => {
      stopTimer?.();
      endsAt = clock.monotonic() + ms;
      if (ms === Infinity) return;
      stopTimer = clock.setTimeout(() => {
        giveUp(watch.ending ?? new TimeoutError(method, url, deadline, counted, watch.attempts));
      }, ms);
    };
    const release = (): void => {
      isReleased = true;
      arm(Infinity);
      for (const stop of stops) stop();
    };
    const giveUp = (reason: unknown): void => {
      release();
      // First the caller, then the exchange: nothing that the exchange answers to its abort can come before.
      reject(reason);
      abort.abort(reason);
    };

    const watch: Watch = {
      signal: abort.signal,
      follow(signal) {
        if (isReleased) return;
        if (signal.aborted) return giveUp(signal.reason);
        // Relayed and not combined by AbortSignal.any: so it can be let go at a known moment.
        stops.push(onAbort(signal, () => giveUp(signal.reason)));
      },
      countSilence(allowance) {
        if (isReleased) return;
        counted = "silence";
        arm(deadline + allowance);
      },
      attempts: 0,
      pause: (ms) => new Promise((resolve) => stops.push(clock.setTimeout(resolve, ms))),
      remaining: () => endsAt - clock.monotonic(),
      moved() {
        if (!isReleased && counted === "silence") arm(waits === 0 ? Infinity : deadline);
      },
      waiting() {
        waits++;
        watch.moved();
        return () => {
          waits--;
          watch.moved();
        };
      },
      hold() {
        holds++;
        return () => {
          if (--holds === 0) release();
        };
      },
    };

    if (signal) watch.follow(signal);
    arm(deadline);
    // A synchronous throw is a rejection, too.
    new Promise<T>((started) => started(run(watch))).then(
      (value) => {
        waits--;
        watch.moved();
        if (--holds === 0) release();
        resolve(value);
      },
      (error) => {
        release();
        reject(error);
      },
    );
  });
}
