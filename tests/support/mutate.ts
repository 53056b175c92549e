/**
 * Right answers made wrong: nodes that are missing, twice, elsewhere, or of another kind.
 *
 * @module
 */
import * as fc from "fast-check";

/** Everything that can be put in the place of something. */
const FOREIGN: readonly unknown[] = [
  ...[null, undefined, true, false, 0, -0, 1, NaN, 1e400, "", "text", "<html>", "__proto__", [], {}, [[]], [null]],
  ...[{ error: "boom" }, { id: {} }, { url: [] }, { url: "" }, { length: -1 }, { toString: null }, { then: 1 }],
  JSON.parse(`{"__proto__": {"url": "polluted"}, "constructor": {"prototype": {"url": "polluted"}}}`),
];

/** One change of one node of an answer. */
export interface Mutation {
  readonly at: number;
  readonly kind: "delete" | "replace" | "duplicate" | "retype" | "move";
  readonly by: number;
}

/** A few changes. */
export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    at: fc.nat(2_000),
    kind: fc.constantFrom<Mutation["kind"]>("delete", "replace", "duplicate", "retype", "move"),
    by: fc.nat(2_000),
  }),
  { minLength: 1, maxLength: 4 },
);

/** A copy of an answer with some of its nodes changed. */
export function mutate(answer: unknown, mutations: readonly Mutation[]): unknown {
  const root = { answer: structuredClone(answer) };
  for (const { at, kind, by } of mutations) {
    const places: (readonly [Record<string, unknown>, string])[] = [];
    const stack: object[] = [root];
    const seen = new Set<object>();
    while (stack.length > 0) {
      const object = stack.pop()! as Record<string, unknown>;
      if (seen.has(object)) continue;
      seen.add(object);
      for (const name of Object.keys(object)) {
        places.push([object, name]);
        const below = object[name];
        if (typeof below === "object" && below !== null) stack.push(below);
      }
    }
    if (places.length === 0) break;
    const [object, name] = places[at % places.length]!;
    const value = object[name];
    const [other, otherName] = places[by % places.length]!;
    const foreign = FOREIGN[by % FOREIGN.length];
    if (kind === "delete") {
      if (Array.isArray(object)) object.splice(Number(name), 1);
      else delete object[name];
    } else if (kind === "replace") object[name] = foreign;
    else if (kind === "duplicate") {
      if (Array.isArray(object)) object.push(value);
      else object[`${name} again`] = value;
    } else if (kind === "move") object[name] = other[otherName];
    else {
      object[name] = Array.isArray(value)
        ? { ...value }
        : typeof value === "object" && value !== null
        ? Object.values(value)
        : typeof value === "string"
        ? Number(value)
        : String(value);
    }
  }
  return root.answer;
}
