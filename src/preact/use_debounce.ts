import { type Signal, signal } from "../deps/signals_core.ts";
import { equal } from "../plain/equal.ts";
import { type Memory, useMemory } from "./_internals.ts";

class Debounce<T> implements Memory {
  readonly #rested: Signal<T>;
  #next: T;
  #timer: ReturnType<typeof setTimeout> | undefined;
  constructor(value: T) {
    this.#rested = signal(this.#next = value);
  }
  follow(value: T, ms: number): readonly [T, boolean] {
    if (!equal(value, this.#next)) {
      this.stop();
      this.#next = value;
      // A value that changed back to the current one needs no timer.
      if (!equal(value, this.#rested.peek())) this.#timer = setTimeout(() => this.#rest(), ms);
    }
    return [this.#rested.value, this.#timer !== undefined];
  }
  #rest(): void {
    this.#timer = undefined;
    this.#rested.value = this.#next;
  }
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/**
 * Returns a value only after it has not changed for some time, for example to search when typing pauses.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { useDebounce } from "@rejoin/data/preact";
 *
 * function Search({ text }: { text: string }) {
 *   const [q, isPending] = useDebounce(text, 300);
 *   return <search aria-busy={isPending}>{q}</search>;
 * }
 * assert(Search.length === 1);
 * ```
 *
 * @param value A value that changes often. Values are compared deeply.
 * @param ms How long it must stay the same, in ms.
 * @returns The last value that stayed the same for that time, and whether a newer one is waiting.
 */
export function useDebounce<T>(value: T, ms: number): readonly [value: T, isPending: boolean] {
  return useMemory(() => new Debounce(value)).follow(value, ms);
}
