import { batch, type Signal, signal } from "../deps/signals_core.ts";
import { asError, isEnding } from "../errors/mod.ts";
import type { Args, Value } from "../plain/value.ts";
import type { Memory } from "./_internals.ts";

/** What follows when a call has ended. */
export interface Sequel {
  readonly onSuccess?: ((data: Value, args: Value) => unknown) | undefined;
  readonly onError?: ((error: Value, args: Value) => unknown) | undefined;
}

/** What one component knows of the calls that it makes: how the latest stands. Who reads a member while rendering follows it. */
export class Call implements Memory {
  readonly #isPending: Signal<boolean> = signal(false);
  readonly #error: Signal<Error | undefined> = signal<Error | undefined>(undefined);
  readonly #data: Signal<Value> = signal<Value>(undefined);
  #calls = 0;
  /** So many calls are of no interest any more. */
  #forgotten = 0;
  #showsError = false;

  get isPending(): boolean {
    return this.#isPending.value;
  }
  get error(): Error | undefined {
    this.#showsError = true;
    return this.#error.value;
  }
  get data(): Value {
    return this.#data.value;
  }
  /** Calls at once. What it rejects with must be handled where neither `error` nor `onError` shows it. */
  run(call: () => Promise<Value>, args: Args, sequel: () => Sequel): Promise<Value> {
    const turn = ++this.#calls, isFollowed = () => turn > this.#forgotten;
    const show = (...state: [boolean, Error?, Value?]): boolean => {
      const isShown = turn === this.#calls && isFollowed();
      if (isShown) this.#show(...state);
      return isShown;
    };
    const outcome = call().then((data) => {
      show(false, undefined, data);
      if (isFollowed()) attempt(() => sequel().onSuccess?.(data, args));
      return data;
    }, (reason) => {
      const isOver = isEnding(reason), onError = !isOver && isFollowed() && sequel().onError;
      if ((show(false, isOver ? undefined : asError(reason)) && this.#showsError) || isOver || onError) {
        outcome.catch(() => {});
      }
      if (onError) attempt(() => onError(asError(reason), args));
      throw reason;
    });
    show(true);
    return outcome;
  }
  /** As if nothing had been called: what is on its way goes on, and is not shown. */
  readonly reset = (): void => {
    this.#forgotten = Math.max(this.#forgotten, this.#calls);
    this.#show(false);
  };
  stop(): void {
    this.#forgotten = Infinity;
  }
  #show(isPending: boolean, error?: Error, data?: Value): void {
    batch(() => {
      this.#isPending.value = isPending;
      this.#error.value = error;
      this.#data.value = data;
    });
  }
}
/** What a callback of the app throws undoes nothing. */
function attempt(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    reportError(error);
  }
}
