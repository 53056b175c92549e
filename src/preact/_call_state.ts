import { batch, signal } from "../deps/signals_core.ts";
import { isEnding } from "../errors/is_ending.ts";
import { asError } from "./_as_error.ts";
import type { Memory } from "./_internals.ts";

/**
 * What one component knows of the calls that it makes: how the latest of them stands. Whoever reads a member while
 * rendering runs again when that member changes.
 */
export class CallState implements Memory {
  readonly #isPending = signal(false);
  readonly #error = signal<Error | undefined>(undefined);
  readonly #data = signal<unknown>(undefined);
  #latest: symbol | undefined;
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
   * @returns Its outcome. A rejection that is shown need not be handled; one that nobody sees is reported by the platform.
   */
  run<T>(call: () => T | PromiseLike<T>): Promise<T> {
    const turn = Symbol();
    const isShown = () => this.#latest === turn && !this.#isGone;
    const outcome: Promise<T> = (async () => await call())().then((value) => {
      if (isShown()) this.#set(false, undefined, value);
      return value;
    }, (reason) => {
      const isWanted = isEnding(reason);
      if (isWanted || isShown() && this.#showsError) outcome.catch(() => {});
      if (isShown()) this.#set(false, isWanted ? undefined : asError(reason), undefined);
      throw reason;
    });
    this.#latest = turn;
    this.#set(true, undefined, undefined);
    return outcome;
  }

  /** As if nothing had been called: what is on its way goes on, and is not shown. */
  reset(): void {
    this.#latest = undefined;
    this.#set(false, undefined, undefined);
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
