import { batch, type Signal, signal } from "../deps/signals_core.ts";
import type { RunEndpoint } from "../endpoint/endpoint_types.ts";
import { asError, checks, isEnding } from "../errors/mod.ts";
import type { Args, Value } from "../plain/value.ts";
import { type Memory, useMemory } from "./_internals.ts";
import type { UseLoading, UseMutation } from "./hook_types.ts";
import { useController } from "./use_controller.ts";

/** The callbacks after a call. */
interface Sequel {
  readonly onSuccess?: ((data: Value, args: Value) => unknown) | undefined;
  readonly onError?: ((error: Value, args: Value) => unknown) | undefined;
}

/**
 * The state of the latest call of one component. The component renders again only for members that it read while
 * rendering.
 */
class Call implements Memory {
  readonly #isPending: Signal<boolean> = signal(false);
  readonly #error: Signal<Error | undefined> = signal<Error | undefined>(undefined);
  readonly #data: Signal<Value> = signal<Value>(undefined);
  #calls = 0;
  /** Calls up to this number came before a reset, and are not shown. */
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
  /** Starts the call at once. A failure counts as handled if `error` or `onError` shows it, or if it is an ending. */
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
  /** Clears the state. A call in flight continues, but is not shown. */
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
/** Reports an error of an app's callback, so that it does not change the outcome of the call. */
function attempt(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    // Node has no `reportError`.
    (globalThis.reportError ?? console.error)(error);
  }
}

/** With `onClick={mutate}` the first argument is an event, which must not become the params. */
const isEvent = (value: Value): boolean => typeof value?.preventDefault == "function";

/**
 * Returns a mutation and the state of its latest call. A component renders again only for the members that it reads.
 * When it is unmounted, the call continues.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Entity, resource } from "@rejoin/data";
 * import { useMutation } from "@rejoin/data/preact";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static override key = "Article";
 * }
 * const ArticleResource = resource({ path: "/articles/:id", schema: Article });
 *
 * function Publish({ title }: { title: string }) {
 *   const { mutate, isPending, error } = useMutation(ArticleResource.create);
 *   if (error) return <p role="alert">{error.message}</p>;
 *   return <button type="button" disabled={isPending} onClick={() => mutate({ title })}>Publish</button>;
 * }
 * assert(Publish.length === 1);
 * ```
 *
 * @param endpoint The endpoint to call; no read. It may differ at each rendering.
 * @param options `onSuccess(data, args)` and `onError(error, args)`. They are not called after a `reset`, or when the
 * component is unmounted.
 * @returns An object with functions, the same at each rendering: `mutate` for event handlers; `mutateAsync`, which
 * returns the promise of `controller.fetch`; `reset`; and `isPending`, `error` and `data` of the latest call. An error
 * that neither `error` nor `onError` shows is an unhandled rejection.
 */
export const useMutation: UseMutation = (endpoint: Value, options: Sequel = {}): Value => {
  checks.given?.(endpoint, "changing", "useMutation");
  const controller = useController();
  const own = useMemory(() => {
    const call = new Call();
    const mutateAsync = (...given: Value[]): Promise<Value> => {
      const args = isEvent(given[0]) ? [] : given;
      return call.run(() => controller.fetch(own.endpoint, ...args), args, () => own.options);
    };
    return {
      endpoint: endpoint as RunEndpoint & Value, // replaced at each rendering
      options,
      mutation: {
        mutateAsync,
        mutate: (...args: Value[]): void => void mutateAsync(...args),
        reset: call.reset,
        get isPending() {
          return call.isPending;
        },
        get error() {
          return call.error;
        },
        get data() {
          return call.data;
        },
      },
      stop: () => call.stop(),
    };
  });
  own.endpoint = endpoint;
  own.options = options;
  return own.mutation;
};

/**
 * Calls any async function and returns the state of its latest call, for code that is no endpoint or makes several
 * calls.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { useLoading } from "@rejoin/data/preact";
 *
 * function Copy({ text }: { text: string }) {
 *   const [copy, isLoading, error] = useLoading(() => navigator.clipboard.writeText(text));
 *   return <button type="button" disabled={isLoading} onClick={copy}>{error?.message ?? "Copy"}</button>;
 * }
 * assert(Copy.length === 1);
 * ```
 *
 * @param run The function to call. The one of the last rendering is called.
 * @returns A function that calls it, the same at each rendering; whether its latest call runs; and the error of that
 * call.
 */
export const useLoading: UseLoading = (run: Value): Value => {
  const own = useMemory(() => {
    const call = new Call(),
      loading = [(...args: Value[]) => call.run(async () => await own.run(...args), args, () => ({}))];
    Object.defineProperties(loading, { 1: { get: () => call.isPending }, 2: { get: () => call.error } });
    return { run, loading, stop: () => call.stop() };
  });
  own.run = run;
  return own.loading;
};
