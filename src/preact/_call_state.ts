import { batch, signal } from "../deps/signals_core.ts";
import { isEnding } from "../errors/is_ending.ts";
import { attempt } from "../errors/report_error.ts";
import type { Patch } from "../store/patch.ts";
import { asError } from "./_as_error.ts";
import type { Memory } from "./_internals.ts";

/** What is to be done when a call has ended. */
export interface Sequel<T> {
  readonly onSuccess?: ((value: T) => unknown) | undefined;
  readonly onError?: ((error: Error) => unknown) | undefined;
}

const NO_SEQUEL: Sequel<unknown> = /* @__PURE__ */ Object.freeze({});

/**
 * What one component knows of the calls that it makes: how the latest of them stands. Whoever reads a member while
 * rendering runs again when that member changes.
 */
export class CallState implements Memory {
  readonly #isPending = signal(false);
  readonly #error = signal<Error | undefined>(undefined);
  readonly #data = signal<unknown>(undefined);
  #latest: symbol | undefined;
  /** What was called before the last reset is of no interest here any more. */
  #resets = 0;
  #isGone = false;
  /** Somebody has looked for an error, and so shows it. */
  #showsError = false;

  /** The latest call has not settled. */
  get isPending(): boolean {
    return this.#isPending.value;
  }

  /** What the latest call failed with. */
  get error(): Error | undefined {
    this.#showsError = true;
    return this.#error.value;
  }

  /** What the latest call has given. */
  get data(): unknown {
    return this.#data.value;
  }

  /**
   * Calls a function, and shows how that ends, unless there is a later call by then, or a reset, or nobody to show it to.
   *
   * @param call What is called, at once.
   * @param sequel What to do then, asked for when it has ended; not after a reset, and not when the component is gone.
   * @returns Its outcome. A rejection that is shown, or that there is an `onError` for, need not be handled; one that
   *   nobody sees is reported by the platform.
   */
  run<T>(call: () => T | PromiseLike<T>, sequel: () => Sequel<T> = () => NO_SEQUEL): Promise<T> {
    const turn = Symbol();
    const resets = this.#resets;
    const isShown = () => this.#latest === turn && !this.#isGone;
    const sequelNow = () => this.#resets === resets && !this.#isGone ? sequel() : NO_SEQUEL;
    const outcome: Promise<T> = (async () => await call())().then((value) => {
      if (isShown()) this.#set(false, undefined, value);
      attempt(() => sequelNow().onSuccess?.(value));
      return value;
    }, (reason) => {
      const isWanted = isEnding(reason);
      const { onError } = isWanted ? NO_SEQUEL : sequelNow();
      if (isWanted || onError !== undefined || isShown() && this.#showsError) outcome.catch(() => {});
      if (isShown()) this.#set(false, isWanted ? undefined : asError(reason), undefined);
      attempt(() => onError?.(asError(reason)));
      throw reason;
    });
    this.#latest = turn;
    this.#set(true, undefined, undefined);
    return outcome;
  }

  /** As if nothing had been called: what is on its way goes on, and is not shown. */
  reset(): void {
    this.#latest = undefined;
    this.#resets++;
    this.#set(false, undefined, undefined);
  }

  /** What was known of another person is not shown to the next one. */
  committed({ reset }: Patch): void {
    if (reset) this.reset();
  }

  leave(): void {
    this.#isGone = true;
  }

  #set(isPending: boolean, error: Error | undefined, data: unknown): void {
    batch(() => {
      this.#isPending.value = isPending;
      this.#error.value = error;
      this.#data.value = data;
    });
  }
}
