import { isRecursive } from "./recursive.ts";

/** How deep containers may nest in each other before they are filled from a list instead of by recursion. */
const MAX_RECURSION = 200;

/** The containers that a walk hands out and fills: depth costs no stack, and a value that contains itself ends. */
export class Containers {
  /** How many are being filled, one in the other. */
  depth = 0;
  /** Those that were handed out empty: how to fill them. */
  readonly unfilled: (() => void)[] = [];
  #made: Map<object, Map<object, object>> | undefined;

  /** What a value of a declaration that contains itself became before; `made` if it is met for the first time. */
  met(schema: object, value: object, made: object): object | undefined {
    return isRecursive(schema) ? this.first(schema, value, made) : undefined;
  }

  /** What a value became before; from now on, if it is met for the first time, `made`. */
  first(schema: object, value: object, made: object): object | undefined {
    this.#made ??= new Map();
    let known = this.#made.get(schema);
    if (known === undefined) this.#made.set(schema, known = new Map());
    const before = known.get(value);
    if (before === undefined) known.set(value, made);
    return before;
  }

  /** Fills one: at once, or later where they nest deeply. */
  fill(fill: () => void): void {
    if (this.depth > MAX_RECURSION) {
      this.unfilled.push(fill);
      return;
    }
    this.depth++;
    try {
      fill();
    } finally {
      this.depth--;
    }
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
