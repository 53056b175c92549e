import { madeIn } from "./once_for.ts";
import { isRecursive } from "./recursive.ts";

/** How deep containers may nest in each other before they are filled from a list instead of by recursion. */
const MAX_RECURSION = 200;

/** A walk that hands out containers and fills them: depth costs no stack, and a value that contains itself ends. */
export class Containers {
  /** How many are being filled, one in the other. */
  depth = 0;
  /** Those that were handed out empty: how to fill them. */
  readonly unfilled: (() => void)[] = [];
  #made: Map<object, Map<object, object>> | undefined;

  /**
   * Fills a container: at once, or later where they nest deeply. What a value of a declaration that contains itself became
   * is given again.
   *
   * @param schema Whose container it is.
   * @param value What it is made of.
   * @param container A new one.
   * @param mayRecur Whether the value may contain itself.
   * @returns The container; one that was made of this value before.
   */
  fill<C extends object>(
    schema: object,
    value: object,
    container: C,
    fill: (container: C) => void,
    mayRecur: boolean = isRecursive(schema),
  ): C {
    if (mayRecur) {
      const known = madeIn<object, Map<object, object>>(this.#made ??= new Map(), schema, () => new Map());
      const before = known.get(value);
      if (before !== undefined) return before as C;
      known.set(value, container);
    }
    if (this.depth > MAX_RECURSION) this.unfilled.push(() => fill(container));
    else {
      this.depth++;
      try {
        fill(container);
      } finally {
        this.depth--;
      }
    }
    return container;
  }

  /** What was made is not given again. */
  forget(): void {
    this.#made = undefined;
  }

  /** Fills what waits, but the first of it. */
  complete(from: number): void {
    while (this.unfilled.length > from) this.unfilled.pop()!();
  }
}

/** Whether a value was met as this before; from now on it was. */
export function isMet<K, V>(met: Map<K, Set<V>>, as: K, value: V): boolean {
  const values = met.get(as);
  if (values?.has(value)) return true;
  if (values === undefined) met.set(as, new Set([value]));
  else values.add(value);
  return false;
}
