/**
 * Texts that break libraries: names of what every object has, separators, strange characters; and what tells whether
 * something has reached a prototype.
 *
 * @module
 */
import * as fc from "fast-check";
import { flush } from "./clock.ts";

/** Names that mean something on a plain object, or on an entity. */
export const RESERVED: readonly string[] = [
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "toLocaleString",
    "valueOf",
    "hasOwnProperty",
    "isPrototypeOf",
  ],
  ...["propertyIsEnumerable", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "toJSON"],
  ...["then", "length", "name", "pk", "key", "schema", "process", "merge", "validate", "defaults", "label", "link"],
];

/** What an API uses on a good day. */
export const ORDINARY: readonly string[] = ["a", "b", "c", "1", "2", "10", "x:y", "x", "y", "A B", "ä"];

/** What some code escapes, folds or cuts. */
export const STRANGE: readonly string[] = [
  ...["\0", "\ud800", "\u2028", "😀", " ", "a\u0308", "-0", "1e3", "\\", '"', "]", "~1"],
];

/** Sixty percent ordinary, twenty reserved, twenty anything. Never empty. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...ORDINARY) },
  { weight: 2, arbitrary: fc.constantFrom(...RESERVED) },
  {
    weight: 2,
    arbitrary: fc.oneof(fc.constantFrom(...STRANGE), fc.string({ unit: "binary", minLength: 1, maxLength: 4 })),
  },
);

/** The same without fast-check, which does not run where the prototypes are frozen. */
export class Chance {
  #state: number;

  /** @param seed What it draws depends on nothing else. */
  constructor(seed: number) {
    this.#state = seed;
  }

  /** A whole number below another. */
  below(limit: number): number {
    const state = this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  /** One of a list. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** Several of something. */
  several<T>(max: number, make: () => T): T[] {
    return Array.from({ length: this.below(max + 1) }, make);
  }

  /** As {@linkcode text}. */
  text(): string {
    const kind = this.below(10);
    if (kind < 6) return this.pick(ORDINARY);
    if (kind < 8) return this.pick(RESERVED);
    if (this.below(2) === 0) return this.pick(STRANGE);
    return String.fromCharCode(1 + this.below(0xffff), 1 + this.below(0xff));
  }
}

/** An object as `JSON.parse` makes it: every name is its own member. */
export function objectOf(members: Iterable<readonly [string, unknown]>): { [name: string]: unknown } {
  return Object.fromEntries(members);
}

/**
 * A value as it comes back from JSON. V8 15.0 reads names with an escape (`"\u0000"`) as other names when it has met
 * objects of the same shape: then a clone.
 */
export function throughJson<T>(value: T): T {
  const text = JSON.stringify(value);
  const copy = JSON.parse(text);
  return JSON.stringify(copy) === text ? copy : structuredClone(value);
}

/** Own names and values of what everything inherits from. */
export function prototypes(): string {
  return [Object, Array, Function, Map, Set, WeakMap, String, Number, Promise, Date].map((type) => {
    const names = Reflect.ownKeys(type.prototype).map((name) => {
      const property = Object.getOwnPropertyDescriptor(type.prototype, name)!;
      return `${String(name)}:${typeof property.value}${typeof property.get}${typeof property.set}`;
    });
    return `${type.name} ${names.join()}`;
  }).join("\n");
}

/**
 * For a test file that is run by itself in another process: plays there, with the setter behind `__proto__` that browsers
 * have, and where the arguments say so with frozen prototypes.
 *
 * @param play Does some operations and throws where something differs; returns how many.
 */
export async function playAlone(play: (chance: Chance) => number): Promise<void> {
  const count = Number(Deno.args[0]);
  const seed = Number(Deno.env.get("REJOIN_SEED") ?? Math.trunc(Math.random() * 2 ** 31));
  if (Deno.args[1] === "frozen") {
    for (const type of [Object, Array, Function, String, Number, Boolean, Map, Set, WeakMap, Promise, Date]) {
      Object.freeze(type.prototype);
    }
  }
  if (Object.getOwnPropertyDescriptor(Object.prototype, "__proto__")?.set === undefined) throw new Error("no setter");
  if (Object.assign({}, JSON.parse('{"__proto__": {"seen": true}}')).seen !== true) {
    throw new Error("a setter that does nothing");
  }
  const before = prototypes();
  const chance = new Chance(seed);
  let done = 0;
  while (done < count) {
    done += play(chance);
    // Between two turns of the event loop nothing that was reached by a weak reference is collected.
    await flush();
  }
  if (prototypes() !== before) throw new Error("a prototype has changed");
  console.log(`${done} operations, seed ${seed}: no difference`);
}

/** How such a file may be run. */
export const ALONE: readonly (readonly [name: string, ...options: string[]])[] = [
  ["with the prototypes frozen", "frozen"],
  ["with the setter behind __proto__ that browsers have"],
];

/**
 * Runs a test file by itself. Deno has no setter behind `__proto__` unless it is told to be like browsers and Node.
 *
 * @param url The file.
 * @param count How many operations.
 * @param options Of {@linkcode ALONE}.
 * @returns What it printed.
 * @throws {Error} If something differed.
 */
export async function runAlone(url: string, count: number, options: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--unstable-unsafe-proto", new URL(url).pathname, String(count), ...options],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (code !== 0 || !/^\d+ operations, seed \d+: no difference$/m.test(out!)) throw new Error(`${out}\n${err}`);
  return out!.trim();
}
