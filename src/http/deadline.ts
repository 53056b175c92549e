import { clock, type TimerHandle } from "../deps/clock.ts";
import { TimeoutError } from "../errors/timeout_error.ts";

/** What bounds an exchange. */
export interface DeadlineOptions {
  /** The method of the request, for the error. */
  readonly method: string;
  /** The URL of the request, for the error. */
  readonly url: string;
  /** How long the whole exchange may take, body included, in ms; `Infinity` for no bound. */
  readonly deadline: number;
  /** The result is a stream that goes on after it was handed out; {@linkcode Watch.hold} says when it has ended. */
  readonly handsOut?: boolean | undefined;
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
  /** The request is about to be sent, for the first time or again: the TimeoutError counts it. */
  attempting(): void;
  /** How long it is until the deadline passes, if nothing moves, in ms. */
  remaining(): number;
  /** What the exchange ends with in place of a TimeoutError, from now on. */
  otherwise(error: Error): void;
  /** Something moved: silence is counted anew. */
  moved(): void;
  /** Somebody waits for a chunk: silence counts, also in a stream that was handed out, until the returned function is called. */
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
  if (options.signal?.aborted) return Promise.reject(options.signal.reason);
  return new Promise((resolve, reject) => {
    const watch = new Watched(options, reject);
    start(run, watch).then(
      (value) => {
        watch.settled();
        resolve(value);
      },
      (error) => {
        watch.release();
        reject(error);
      },
    );
  });
}

// Turns a synchronous throw into a rejection.
async function start<T>(run: (watch: Watch) => Promise<T>, watch: Watch): Promise<T> {
  return await run(watch);
}

class Watched implements Watch {
  readonly #options: DeadlineOptions;
  readonly #reject: (reason: unknown) => void;
  readonly #controller = new AbortController();
  // Callers' signals are relayed and not combined by AbortSignal.any: so they can be let go at a known moment.
  readonly #followed = new Map<AbortSignal, () => void>();
  #counted: "total" | "silence" = "total";
  #timer: TimerHandle | undefined;
  #endsAt = Infinity;
  #attempts = 0;
  #otherwise: Error | undefined;
  #handedOut = false;
  #released = false;
  #streams = 0;
  #waits = 0;

  constructor(options: DeadlineOptions, reject: (reason: unknown) => void) {
    this.#options = options;
    this.#reject = reject;
    if (options.signal) this.follow(options.signal);
    this.#arm(options.deadline);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  follow(signal: AbortSignal): void {
    if (this.#released || this.#followed.has(signal)) return;
    if (signal.aborted) return this.#giveUp(signal.reason);
    const aborted = (): void => this.#giveUp(signal.reason);
    this.#followed.set(signal, aborted);
    signal.addEventListener("abort", aborted);
  }

  countSilence(allowance: number): void {
    if (this.#released) return;
    this.#counted = "silence";
    this.#arm(this.#options.deadline + allowance);
  }

  attempting(): void {
    this.#attempts++;
  }

  remaining(): number {
    return this.#endsAt - clock.monotonic();
  }

  otherwise(error: Error): void {
    this.#otherwise = error;
  }

  moved(): void {
    if (this.#released || this.#counted === "total") return;
    // A stream that was handed out may rest as long as its reader likes.
    if (this.#handedOut && this.#waits === 0) this.#disarm();
    else this.#arm(this.#options.deadline);
  }

  waiting(): () => void {
    this.#waits++;
    if (this.#handedOut) this.moved();
    return once(() => {
      this.#waits--;
      this.moved();
    });
  }

  hold(): () => void {
    this.#streams++;
    return once(() => {
      this.#streams--;
      if (this.#handedOut && this.#streams === 0) this.release();
    });
  }

  settled(): void {
    if (this.#released) return;
    if (!this.#options.handsOut || this.#streams === 0) return this.release();
    this.#handedOut = true;
    this.moved();
  }

  release(): void {
    this.#released = true;
    this.#disarm();
    for (const [signal, aborted] of this.#followed) signal.removeEventListener("abort", aborted);
    this.#followed.clear();
  }

  #giveUp(reason: unknown): void {
    this.release();
    // First the caller, then the exchange: nothing that the exchange answers to its abort can come before.
    this.#reject(reason);
    this.#controller.abort(reason);
  }

  #arm(ms: number): void {
    this.#disarm();
    if (ms === Infinity) return;
    this.#endsAt = clock.monotonic() + ms;
    this.#timer = clock.setTimeout(() => {
      const { method, url, deadline } = this.#options;
      this.#giveUp(this.#otherwise ?? new TimeoutError(method, url, deadline, this.#counted, this.#attempts));
    }, ms);
  }

  #disarm(): void {
    if (this.#timer !== undefined) clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#endsAt = Infinity;
  }
}

function once(fn: () => void): () => void {
  let called = false;
  return () => {
    if (called) return;
    called = true;
    fn();
  };
}
