import type { Controller } from "../controller/controller.ts";
import type { Part } from "../controller/part.ts";
import { equal, isPlain } from "../plain/equal.ts";
import { isObject } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";
import type { Table } from "../store/row.ts";
import { isEntity, type Schema } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

/** Name, value, and until when it is fresh: ms since 1970, or `"never"` for what is never stale, as JSON has no `Infinity`. */
export type StateEntry = readonly [name: string, value: Value, expiresAt: number | "never"];

/** A store as plain data, for JSON. */
export interface State {
  /** The records of each table by pk, in order of arrival; and the lists. */
  readonly tables: { readonly [key: string]: readonly StateEntry[] };
  /** The normalized replies by key. */
  readonly answers: readonly StateEntry[];
}

/**
 * The whole store as plain data: records and answers, without what is pending or failed, and without the members in
 * `static redact` of its classes. What lacks one is stale.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, hydrate, stateOf } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const there = new Controller();
 * there.set(Article, "5", { title: "Hello" });
 * const text = JSON.stringify(stateOf(there));
 * const here = new Controller({ use: [hydrate(JSON.parse(text))] });
 * assert(here.get(Article, "5")?.title === "Hello");
 * ```
 */
export function stateOf({ store }: Controller): State {
  const names = redactedNames(store), incomplete = new Set<Table>();
  /** Names of answers and lists hold arguments. */
  const isPrivate = (name: string) =>
    /~\w{6}\.\d/.test(name) ||
    [...names].some((secret) => name.includes(`"${secret}":`) || name.includes(`${secret}=`));
  const entry = (name: string, value: Value, expiresAt: number): StateEntry => [
    name,
    value,
    expiresAt === Infinity ? "never" : expiresAt,
  ];
  const tables = Array.from(store.tables.values(), (table) => {
    const entries: StateEntry[] = [];
    for (const [pk, row] of table.rows) {
      // A row that had a temporary id stands under both pks.
      if (!row.rec || row.pk !== pk || (table.isList && isPrivate(pk))) continue;
      const rec = withoutMembers(row.rec, names), isWhole = rec === row.rec;
      if (!isWhole) incomplete.add(table);
      entries.push(entry(pk, rec, isWhole ? row.expiresAt : 0));
    }
    return [table.key, entries] as const; // a pair
  });
  const answers: StateEntry[] = [];
  for (const { key, kept, expiresAt, has, isInvalid, tables } of store.answers()) {
    if (!has || isInvalid || (isObject(kept) && !isPlain(kept)) || isPrivate(key)) continue;
    const value = withoutMembers(kept, names), isWhole = value === kept && !tables.some((one) => incomplete.has(one));
    answers.push(entry(key, value, isWhole ? expiresAt : 0));
  }
  return { tables: Object.fromEntries(tables), answers };
}

/**
 * A part: the store begins with what `stateOf` gave elsewhere. It is older than all that is asked for. Of several states
 * what is fresh for longer stays.
 *
 * @param state As JSON brings it. Nothing of it is trusted: what has another form is left out. `null`: nothing.
 */
export function hydrate(state: Partial<State> | null | undefined): Part {
  const { tables, answers } = Object(state), early = new Map(entriesOf(answers).map((entry) => [entry[0], entry]));
  return {
    install({ store }) {
      for (const key of Object.keys(Object(tables))) {
        const table = store.table(key);
        table.isKnown = true;
        for (const [pk, rec, expiresAt] of entriesOf(tables[key])) {
          const row = table.row(pk);
          if (isObject(rec) && (!row.rec || row.expiresAt < expiresAt)) {
            Object.assign(row, { rec, expiresAt, age: store.age });
          }
        }
      }
    },
    // The first schema that is read by a key is taken for that of the reply.
    answer(answer) {
      const [, kept, expiresAt] = early.get(answer.key) ?? [];
      if (!early.delete(answer.key) || !fits(answer.schema, kept)) return;
      if (answer.has && answer.expiresAt >= expiresAt!) return;
      Object.assign(answer, { has: true, kept, expiresAt });
      answer.pages.set("", kept);
    },
    reset: () => early.clear(),
  };
}

/** What has the form of entries, with times as numbers. */
function entriesOf(given: unknown): [string, Value, number][] {
  if (!Array.isArray(given)) return [];
  return given.filter((one) => Array.isArray(one) && typeof one[0] == "string").map(([name, value, until]) => [
    name,
    value,
    until === "never" ? Infinity : Number.isFinite(until) ? until : 0,
  ]);
}
/** Whether a normalized reply may be one of a schema: the app may be another than the one that wrote it. */
function fits(schema: Schema, kept: Value): boolean {
  if (kept == null || schema === undefined) return true;
  if (isEntity(schema) || schema.verb) return typeof kept == "string";
  return Array.isArray(schema) === Array.isArray(kept) || !!schema.denormalize;
}

/** The members that never leave the process: those in `static redact` of the classes that a store has met. */
export function redactedNames(store: Store): ReadonlySet<string> {
  const classes = Array.from(store.plans.values(), ({ E }) => E as { readonly redact?: readonly string[] }); // the store does not know of secrets
  return new Set(classes.flatMap(({ redact = [] }) => redact));
}

/** A value without members of these names, at any depth; itself where it has none. */
export function withoutMembers<T>(value: T, names: ReadonlySet<string>): T {
  if (!names.size || !isPlain(value)) return value;
  const kept = Array.isArray(value) ? value.map((one) => withoutMembers(one, names)) : Object.fromEntries(
    Object.entries(value as object).filter(([name]) => !names.has(name)) // isPlain says so
      .map(([name, one]) => [name, withoutMembers(one, names)]),
  );
  return equal(kept, value) ? value : kept as T; // of the same form
}
