import { deepEqual } from "../normalize/deep_equal.ts";
import type { AnySchema, SchemaObject } from "../schemas/interface.ts";
import { isEntity, isSchemaObject } from "../schemas/interface.ts";
import type { Stamp } from "./slot.ts";
import type { AnyEndpoint, ErrorPolicy } from "../endpoint/interface.ts";

/**
 * What decides the form of an answer. Two endpoints with the same key share an entry, and a request in flight, only
 * when all of it is the same.
 */
export interface Shape {
  readonly schema: AnySchema;
  readonly process?: unknown;
  readonly parseResponse?: unknown;
  readonly content?: unknown;
}

/**
 * What the store knows of one key: replaced as a whole, never changed. When it expires, the answer, or the error, keeps the
 * key from being fetched again no more.
 */
export interface Entry extends Stamp {
  readonly key: string;
  /** `undefined` for an entry that came from hydrated data: the first endpoint with the key that reads it takes it. */
  readonly shape: Shape | undefined;
  /** What it was asked with; `undefined` for hydrated data. */
  readonly args: readonly unknown[] | undefined;
  /** Whether there is an answer; it may be `undefined`. */
  readonly hasResult: boolean;
  /** What remains of the response: pks in its original shape. */
  readonly result?: unknown;
  readonly error?: unknown;
  readonly errorPolicy?: ErrorPolicy | undefined;
  /** Where the error stands in the order of writes. */
  readonly errorSeq: number;
  /** Invalidated: there is no answer, and what records say is not shown in its place, unless it is newer than a failure. */
  readonly isInvalid: boolean;
  /** The sequence number of the last `invalidate` or `expire`: replies of requests that started before leave the entry stale. */
  readonly staleSeq: number;
  /** The sequence number of the last `update` by another endpoint: it is not in replies of requests that started before. */
  readonly updateSeq: number;
  /** When the answer came, by the count of events. */
  readonly at: number;
  /** Counts stale marks and invalidations: whoever is mounted and sees another count fetches. */
  readonly mark: number;
  /** Of a list that was continued: its pages, the first of them its own; `result` is what they amount to. */
  readonly pages?: readonly Page[] | undefined;
  /** What the reply asked to remember beside the answer; never described or dehydrated. */
  readonly memo?: unknown;
}

/** One page of the answer of a list. */
export interface Page {
  /** Names the page; "": the first, which is the answer of the list itself. */
  readonly key: string;
  /** The key of its own answer; "": nobody knows, or that of the list. */
  readonly own: string;
  /** Where its first request stood in the order of writes: pages stand in that order, whatever the order of replies. */
  readonly order: number;
  /** Where its present answer stands. */
  readonly seq: number;
  /** When that came, by the count of events. */
  readonly at: number;
  /** What remained of its answer. */
  readonly result: unknown;
  /** Until when the answer is fresh; ms since 1970. */
  readonly expiresAt: number;
  /** The arguments that the list does not have: a cursor, a number, an offset. */
  readonly cursor: readonly string[];
  /** It begins after so many rows: what is inserted or deleted before it moves its rows. */
  readonly isCounted: boolean;
  /** Rows have come to it or left it since, as what other pages were answered says. */
  readonly isStale: boolean;
}

/** What a read of an endpoint amounts to. A new object means: something that a reader sees is different. */
export interface Answer {
  readonly data: unknown;
  /** There is something to show: data, or an answer that is empty by right. */
  readonly hasData: boolean;
  /** What the server last failed with, if nothing better came since. */
  readonly error: unknown;
  /** Counts stale marks and invalidations. */
  readonly mark: number;
}

/** What decides the form of an endpoint's answers, without the endpoint. */
export function shapeOf(endpoint: Shape): Shape {
  const { schema, process, parseResponse, content } = endpoint;
  return { schema, process, parseResponse, content };
}

/** An entry without an answer. */
export function emptyEntry(key: string, shape: Shape | undefined, args: Entry["args"]): Entry {
  return {
    key,
    shape,
    args,
    hasResult: false,
    seq: 0,
    fetchedAt: 0,
    expiresAt: 0,
    errorSeq: 0,
    isInvalid: false,
    staleSeq: 0,
    updateSeq: 0,
    at: 0,
    mark: 0,
  };
}

/** Whether there is neither an answer nor an error. */
export function isBare({ hasResult, error }: Entry): boolean {
  return !hasResult && error === undefined;
}

/**
 * What remains of an entry whose answer nobody needs: that it must not be shown, or is old. `undefined` where nobody has
 * said so since the answer came. An error is none of it: it tells of one attempt, and goes with the answer.
 */
export function bareMark({ key, shape, args, isInvalid, seq, staleSeq, mark }: Entry): Entry | undefined {
  if (!isInvalid && staleSeq <= seq) return undefined;
  return { ...emptyEntry(key, shape, args), isInvalid, staleSeq, mark };
}

/** Whether two endpoints give answers of the same form. */
export function isSameShape(a: Shape, b: Shape): boolean {
  return a === b ||
    (a.process === b.process && a.parseResponse === b.parseResponse && a.content === b.content &&
      isSameSchema(a.schema, b.schema));
}

function isSameSchema(a: unknown, b: unknown, above: readonly unknown[] = []): boolean {
  // A declaration may contain itself: what is being compared already is not compared again.
  if (a === b || above.includes(a)) return true;
  const [left, right] = [membersOf(a), membersOf(b)];
  return left !== undefined && left.length === right?.length &&
    left.every((member, at) => isSameSchema(member, right[at], [...above, a]));
}

/** What a schema is made of; `undefined`: it is the same as itself only. */
function membersOf(schema: unknown): readonly unknown[] | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  if (Array.isArray(schema)) return [Array, ...schema];
  if (!isSchemaObject(schema)) {
    return [
      Object,
      ...Object.entries(schema).sort(([one], [other]) => one < other ? -1 : 1).flat(),
    ];
  }
  // Schema objects are the same when they are made alike: of the same class, of the same parts, or of one same entity.
  const { constructor, entity, parts } = schema as SchemaObject & { readonly entity?: unknown };
  const isOfEntity = String(Object.keys(schema)) === "entity" && isEntity(entity);
  return parts !== undefined ? [constructor, ...parts] : isOfEntity ? [constructor, entity] : undefined;
}

/**
 * The entries of a store. Rarely do two shapes share a key, so the second and further ones hang on the first.
 */
export class Entries {
  readonly #byKey = new Map<string, Entry[]>();

  /** The entry of an endpoint's key and shape. */
  get(key: string, shape: Shape): Entry | undefined {
    return this.#byKey.get(key)?.find((entry) => entry.shape === undefined || isSameShape(entry.shape, shape));
  }

  /** The same, as what is to take its place begins: it has the shape, and is empty where there is none. */
  present(key: string, shape: Shape, args: Entry["args"]): Entry {
    const entry = this.get(key, shape);
    return entry?.shape !== undefined ? entry : { ...entry ?? emptyEntry(key, undefined, args), shape: shapeOf(shape) };
  }

  /** The same for who reads it: an entry that came hydrated is his from now on, and nobody's with another shape. */
  claim(key: string, shape: Shape, args: Entry["args"]): Entry | undefined {
    const entry = this.get(key, shape);
    if (entry === undefined || entry.shape !== undefined) return entry;
    // What a state names as the answer may be no list.
    if (Array.isArray(shape.schema) && !Array.isArray(entry.result ?? [])) return undefined;
    const claimed = { ...entry, shape: shapeOf(shape), args };
    this.set(claimed);
    return claimed;
  }

  /** Puts an entry where its predecessor was. */
  set(entry: Entry): void {
    const entries = this.#byKey.get(entry.key) ?? [];
    const at = entries.findIndex((other) =>
      other.shape === undefined || (entry.shape !== undefined && isSameShape(other.shape, entry.shape))
    );
    entries[at < 0 ? entries.length : at] = entry;
    this.#byKey.set(entry.key, entries);
  }

  /** The entries of a key, one for each shape. */
  of(key: string): readonly Entry[] {
    return this.#byKey.get(key) ?? [];
  }

  /** Every entry. */
  *all(): Iterable<Entry> {
    for (const entries of this.#byKey.values()) yield* entries;
  }

  /** Every key. */
  keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  /** Forgets a key. */
  delete(key: string): void {
    this.#byKey.delete(key);
  }

  /** Forgets everything. */
  clear(): void {
    this.#byKey.clear();
  }
}

/** The kept result itself where the new one is equal to it: equal identity means that nobody is told. */
export function keepResult(before: Entry, result: unknown): unknown {
  return before.hasResult && deepEqual(before.result, result) ? before.result : result;
}

/**
 * What the `update` of an endpoint makes of other answers. One that nobody has asked for, or that was invalidated, stays as
 * it is: nothing is known of the rest of it.
 *
 * @param endpoint Whose answer it is.
 * @param result What remains of that.
 * @param args The arguments of the call.
 * @param entriesOf The answers of a key.
 * @param resultOf What remains of one of these.
 * @returns New results by answer.
 */
export function updatesOf(
  endpoint: AnyEndpoint,
  result: unknown,
  args: readonly unknown[],
  entriesOf: (key: string) => readonly Entry[],
  resultOf: (entry: Entry) => unknown,
): Map<Entry, unknown> {
  const results = new Map<Entry, unknown>();
  const updates = endpoint.update?.(result, ...args) ?? {};
  for (const key of Object.keys(updates)) {
    for (const entry of entriesOf(key)) {
      if (entry.hasResult) results.set(entry, updates[key]!(resultOf(entry)));
    }
  }
  return results;
}
