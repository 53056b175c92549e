import { signal } from "../deps/signals_core.ts";
import { isEnding } from "../errors/errors.ts";
import { useMemory } from "./_internals.ts";
import type { MutationOptions, UseLoading, UseMutation } from "./hook_types.ts";
import { useController } from "./use_controller.ts";

/** The latest call of a function, as a component shows it. */
class Call {
  readonly state = signal<{ isPending?: boolean; error?: any; data?: any }>({ isPending: false });
  run!: (...args: any[]) => Promise<any>;
  options: MutationOptions = {};
  #latest = 0;
  #isGone = false;
  /** Whether the component shows errors, so that they need not be reported. */
  isErrorRead = false;

  readonly mutateAsync = (...args: any[]): Promise<any> => {
    const call = ++this.#latest, promise = this.run(...args);
    this.#show(call, { isPending: true, error: undefined });
    promise.then(
      (data) => {
        this.#show(call, { isPending: false, data });
        if (call && !this.#isGone) this.options.onSuccess?.(data, args);
      },
      (error) => {
        const isShown = this.#show(call, { isPending: false, error: isEnding(error) ? undefined : error });
        if (isEnding(error)) return;
        if (!this.#isGone && this.options.onError) this.options.onError(error, args);
        else if (!isShown || !this.isErrorRead) throw error;
      },
    );
    return promise;
  };
  readonly mutate = (...args: any[]): void => {
    this.mutateAsync(...args).catch(() => {});
  };
  readonly reset = (): void => {
    this.#show(++this.#latest, { isPending: false, error: undefined, data: undefined });
  };
  #show(call: number, state: typeof this.state.value): boolean {
    if (call !== this.#latest || this.#isGone) return false;
    this.state.value = { ...this.state.peek(), ...state };
    return true;
  }
  stop(): void {
    this.#isGone = true;
  }
}

/** A function that saves, and how its latest call stands. */
export const useMutation: UseMutation = ((endpoint: any, options: MutationOptions = {}): any => {
  const controller = useController(), call = useMemory(() => new Call());
  call.run = (...args) => controller.fetch(endpoint, ...args);
  call.options = options;
  const { mutate, mutateAsync, reset } = call, { isPending, data, error } = call.state.value;
  return {
    mutate,
    mutateAsync,
    reset,
    isPending,
    data,
    get error() {
      call.isErrorRead = true;
      return error;
    },
  };
}) as never;

/** The same for any function: `[run, isLoading, error]`. */
export const useLoading: UseLoading = ((run: any): any => {
  const call = useMemory(() => new Call()), { isPending, error } = call.state.value;
  call.run = async (...args) => await run(...args);
  call.isErrorRead = true;
  return [call.mutateAsync, isPending, error];
}) as never;
