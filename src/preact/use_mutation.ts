import { batch, type Signal, signal } from "../deps/signals_core.ts";
import type { RunEndpoint } from "../endpoint/endpoint_types.ts";
import { asError, checks, isEnding } from "../errors/mod.ts";
import type { Args, Value } from "../plain/value.ts";
import { type Memory, useMemory } from "./_internals.ts";
import type { UseLoading, UseMutation } from "./hook_types.ts";
import { useController } from "./use_controller.ts";

/** What follows when a call has ended. */
interface Sequel {
  readonly onSuccess?: ((data: Value, args: Value) => unknown) | undefined;
  readonly onError?: ((error: Value, args: Value) => unknown) | undefined;
}

/** What one component knows of the calls that it makes: how the latest stands. Who reads a member while rendering follows it. */
class Call implements Memory {
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

/** What a handler of events is given: with `onClick={mutate}` it would be the params. */
const isEvent = (value: Value): boolean => typeof value?.preventDefault == "function";

/**
 * A mutation, and how its latest call stands. A component runs again only for the members that it reads. When it goes, the
 * call goes on.
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
 * @param endpoint What to call; no read. It may be another one at each rendering.
 * @param options What follows: `onSuccess(data, args)`, `onError(error, args)`; not after a `reset`, and not when the
 *   component is gone.
 * @returns The same object and functions at each rendering: `mutate` for handlers; `mutateAsync`, which gives what
 *   `controller.fetch` gives; `reset`; and `isPending`, `error` and `data` of the latest call. An error that neither
 *   `error` nor `onError` shows is an unhandled rejection.
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
      endpoint: endpoint as RunEndpoint & Value, // of this rendering
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
 * Any async function, and how its latest call stands: for what is no endpoint, or several calls in a row.
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
 * @param run What to call; that of the last rendering is called.
 * @returns The function, the same one at each rendering; whether its latest call runs; what that failed with.
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
