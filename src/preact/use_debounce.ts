import { clock } from "../deps/clock.ts";
import type { Component } from "../deps/preact.ts";
import { deepEqual } from "../normalize/deep_equal.ts";
import { type Memory, useMemory } from "./_internals.ts";

/**
 * A value that follows another one when that has rested for a while: for what is asked of a server while somebody types.
 *
 * @param value What changes. Equal objects and arrays count as the same.
 * @param ms How long it has to rest, in ms; changes within that time are one.
 * @returns The value as it was when it last rested, at first as it is given, and whether it is still to follow. The
 *   component runs once more when it does, and never for a value that it has already.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { useDebounce } from "@rejoin/data/preact";
 * import { useState } from "preact/hooks";
 *
 * function Search() {
 *   const [typed, setTyped] = useState("");
 *   const [text, isPending] = useDebounce(typed, 300);
 *   return (
 *     <label>
 *       <input value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
 *       {isPending ? "…" : `results for ${text}`}
 *     </label>
 *   );
 * }
 * assert(Search.length === 0);
 * ```
 */
export function useDebounce<T>(value: T, ms: number): readonly [value: T, isPending: boolean] {
  return useMemory((component) => new Debounce(component, value)).follow(value, ms);
}

/** What one component waits for to rest. */
class Debounce<T> implements Memory {
  readonly #component: Component;
  #rested: T;
  #next: T;
  #stopTimer: (() => void) | undefined;

  constructor(component: Component, value: T) {
    this.#component = component;
    this.#rested = this.#next = value;
  }

  follow(value: T, ms: number): readonly [T, boolean] {
    if (!deepEqual(value, this.#next)) {
      this.leave();
      this.#next = value;
      // Back to where it was: there is nothing to wait for.
      if (!deepEqual(value, this.#rested)) this.#stopTimer = clock.setTimeout(() => this.#rest(), ms);
    }
    return [this.#rested, this.#stopTimer !== undefined];
  }

  #rest(): void {
    this.#stopTimer = undefined;
    this.#rested = this.#next;
    this.#component.forceUpdate();
  }

  leave(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
  }
}
