import { batch, signal } from "../deps/signals_core.ts";
import { isEnding } from "../errors/is_ending.ts";
import { attempt } from "../errors/report_error.ts";
import type { Patch } from "../store/patch.ts";
import type { Store } from "../store/store.ts";
import { asError } from "./_as_error.ts";
import type { Memory } from "./_internals.ts";

/** What is to be done when a call with arguments `A` has ended. */
export interface Sequel<T, A> {
  readonly onSuccess?: ((value: T, args: A) => unknown) | undefined;
  readonly onError?: ((error: Error, args: A) => unknown) | undefined;
}

/**
 * What one component knows of the calls that it makes: how the latest of them stands. Whoever reads a member while
 * rendering runs again when that member changes.
 */
export class CallState implements Memory {
  readonly #isPending = signal(false);
  readonly #error = signal<Error | undefined>(undefined);
  readonly #data = signal<unknown>(undefined);
  /** How many calls there were. */
  #calls = 0;
  /** What becomes of the first so many is of no interest here any more. */
  #forgotten = 0;
  #stop: (() => void) | undefined;
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
   * @param args What that is told of the call.
   * @returns Its outcome. A rejection that is shown, or that there is an `onError` for, need not be handled; one that
   *   nobody sees is reported by the platform.
   */
  run<T, A>(call: () => T | PromiseLike<T>, sequel: () => Sequel<T, A> = () => ({}), args?: A): Promise<T> {
    const turn = ++this.#calls;
    const isShown = () => turn === this.#calls && turn > this.#forgotten;
    const sequelNow = (): Sequel<T, A> => turn > this.#forgotten ? sequel() : {};
    const outcome: Promise<T> = (async () => await call())().then((value) => {
      if (isShown()) this.#set(false, undefined, value);
      attempt(() => sequelNow().onSuccess?.(value, args!));
      return value;
    }, (reason) => {
      const isOver = isEnding(reason);
      const onError = isOver ? undefined : sequelNow().onError;
      if (isOver || onError !== undefined || isShown() && this.#showsError) outcome.catch(() => {});
      if (isShown()) this.#set(false, isOver ? undefined : asError(reason), undefined);
      attempt(() => onError?.(asError(reason), args!));
      throw reason;
    });
    // The call itself may have emptied the store.
    if (isShown()) this.#set(true, undefined, undefined);
    return outcome;
  }

  /** As if nothing had been called: what is on its way goes on, and is not shown. */
  readonly reset = (): void => {
    this.#forgotten = Math.max(this.#forgotten, this.#calls);
    this.#set(false, undefined, undefined);
  };

  /** What was called is forgotten when the store is. */
  forgetWith(store: Store): void {
    if (this.#forgotten < Infinity) this.#stop ??= store.join(this);
  }

  /** What was known of another person is not shown to the next one. */
  committed({ reset }: Patch): void {
    if (reset) this.reset();
  }

  leave(): void {
    this.#forgotten = Infinity;
    this.#stop?.();
  }

  #set(isPending: boolean, error: Error | undefined, data: unknown): void {
    batch(() => {
      this.#isPending.value = isPending;
      this.#error.value = error;
      this.#data.value = data;
    });
  }
}
