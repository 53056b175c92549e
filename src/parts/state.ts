import type { Controller } from "../controller/controller.ts";
import type { Part } from "../controller/part.ts";
import { UsageError } from "../errors/mod.ts";
import { copyPlain } from "../plain/copy_plain.ts";
import { equal, isPlain } from "../plain/equal.ts";
import { isObject } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";
import { Answer } from "../store/answers.ts";
import type { Node, Row, Table } from "../store/row.ts";
import { isEntity, type Schema } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

/**
 * A name, a value, and until when it is fresh, in ms since 1970. `"never"` stands for `Infinity`, which JSON has not.
 */
export type StateEntry = readonly [name: string, value: Value, expiresAt: number | "never"];

/** The data of a store, as plain data for JSON. */
export interface State {
  /** The records of each table by pk, in order of arrival, and the lists. */
  readonly tables: { readonly [key: string]: readonly StateEntry[] };
  /** The normalized replies by the keys of their calls. */
  readonly answers: readonly StateEntry[];
}

/**
 * Returns the whole store as plain data: records and answers, without pending changes and errors, and without the
 * members in `static redact` of the classes; these names count in records of all classes. A record or answer that lacks
 * such members counts as stale.
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
export function stateOf(controller: Controller): State {
  const { store } = controller ?? {};
  if (!store) throw new UsageError(1111, ["stateOf() or stateScript()", "a controller"]);
  const names = redactedNames(store), incomplete = new Set<Row | Table>();
  /** Whether the name of an answer or a list, which contains its arguments, has a temporary id or a secret in it. */
  const isPrivate = (name: string) =>
    /~\w{6}\.\d/.test(name) ||
    // In a search `where[email]=` and `email[]=` have encoded brackets.
    [...names].some((secret) => name.includes(`"${secret}":`) || name.replaceAll(/%5[BD]/g, "").includes(`${secret}=`));
  const entry = (name: string, value: Value, expiresAt: number): StateEntry => [
    name,
    // JSON has no bigint. The schema `BigInt` makes one of its text.
    isJson(value) ? value : copyPlain(value, (one) => typeof one == "bigint" ? `${one}` : one),
    expiresAt === Infinity ? "never" : expiresAt,
  ];
  const tables = Array.from(store.tables.values(), (table) => {
    const entries: StateEntry[] = [];
    for (const [pk, row] of table.rows) {
      // A row that had a temporary id is in the table under both pks.
      if (!row.rec || row.pk !== pk || (table.isList && isPrivate(pk))) continue;
      const rec = withoutMembers(row.rec, names), isWhole = rec === row.rec;
      if (!isWhole) incomplete.add(table).add(row);
      entries.push(entry(pk, rec, isWhole ? row.expiresAt : 0));
    }
    return [table.key, entries] as const; // a tuple for `fromEntries`
  });
  const answers: StateEntry[] = [];
  for (const answer of store.answers()) {
    const { key, kept, expiresAt, has, isInvalid, tables } = answer;
    if (!has || isInvalid || kept === undefined || !isJson(kept) || isPrivate(key)) continue;
    const value = withoutMembers(kept, names), nodes = new Set<Node>([answer]);
    let isWhole = value === kept && !tables.some((one) => incomplete.has(one));
    // The set grows while it is walked: all records that the answer reads, at any depth.
    for (const { row, kids } of incomplete.size ? nodes : []) {
      if (incomplete.has(row!)) isWhole = false;
      for (const kid of kids) nodes.add(kid);
    }
    answers.push(entry(key, value, isWhole ? expiresAt : 0));
  }
  // `hydrate` takes each table for known, so one of which nothing was ever written is left out.
  const known = tables.filter(([key, entries]) => entries[0] || store.table(key).isKnown);
  return { tables: Object.fromEntries(known), answers };
}

/**
 * A part that fills the store with the result of `stateOf`. These data count as older than every request. Of several
 * states, the data that stay fresh for longest win.
 *
 * @param state A state, as parsed from JSON. Entries of a wrong form are ignored, because the text is not trusted.
 * `null` is an empty state.
 */
export function hydrate(state: Partial<State> | null | undefined): Part {
  const { tables: given, answers } = Object(state), early = new Map<string, Answer>();
  return {
    install({ store }) {
      const tables = Object.keys(Object(given)).map((key) => store.table(key));
      for (const table of tables) {
        table.isKnown = true;
        for (const [pk, rec, expiresAt] of entriesOf(given[table.key])) {
          if (!isObject(rec) || (Array.isArray(rec) && !isListName(pk))) continue;
          const row = table.row(pk);
          if (!row.rec || row.expiresAt < expiresAt) {
            Object.assign(row, { rec, expiresAt, age: store.age });
          }
        }
      }
      // Only now, because "All" lists rows in order of arrival, and an owner may be in a later table.
      for (const { rows } of tables) for (const row of rows.values()) row.owner ??= ownerOf(row.pk, store);
      // The answers that no endpoint has read yet are in the store, too: they expire, age, and are in the next state.
      for (const [key, kept, expiresAt] of entriesOf(answers)) {
        early.set(
          key,
          Object.assign(new Answer(false, key, {}, [], tables), { has: true, kept, expiresAt, age: store.age }),
        );
      }
      store.scopes.set(early, { tables, answers: early });
    },
    // A state has no schemas, so the first schema that is read under a key is assumed to be that of the reply.
    answer(answer) {
      const { has, isInvalid, kept, expiresAt, expiredAt } = early.get(answer.key) ?? answer;
      if (!early.delete(answer.key) || !has || isInvalid || !fits(answer.schema, kept)) return;
      if (answer.has && answer.expiresAt >= expiresAt) return;
      Object.assign(answer, { has, kept, expiresAt, expiredAt });
      answer.pages.set("", kept);
    },
    // Without its schema, nothing tells what a mutation changes in an answer.
    commit({ edit, options: { flight } }) {
      if (edit && flight) { for (const answer of early.values()) answer.expiresAt = 0; }
    },
  };
}

/** The record around a list: the pk of such a list ends with the table and the pk of that record, as JSON. */
function ownerOf(name: string, store: Store): Row | undefined {
  const [, table, pk] = /\n\["([^"\\]+)","([^"\\]+)",/.exec(name) ?? [];
  return table && pk ? store.table(table).row(pk) : undefined;
}

/** Whether a name begins with the arguments of a list as JSON, or with an empty line if it has none. */
function isListName(name: string): boolean {
  try {
    return !!JSON.parse(name.split("\n")[0] || "1");
  } catch {
    return false;
  }
}

/** The entries that have the right form, with their times as numbers. */
function entriesOf(given: unknown): [string, Value, number][] {
  if (!Array.isArray(given)) return [];
  return given.filter((one) => Array.isArray(one) && typeof one[0] == "string").map(([name, value, until]) => [
    name,
    value,
    until === "never" ? Infinity : Number.isFinite(until) ? until : 0,
  ]);
}
/** Whether JSON keeps a value as it is. */
function isJson(value: Value): boolean {
  if (typeof value == "number") return Number.isFinite(value);
  if (typeof value == "bigint") return false;
  return !isObject(value) || (isPlain(value) && Object.values(value).every(isJson));
}
/** Whether a normalized reply can belong to a schema. It may not, if another version of the app wrote the state. */
function fits(schema: Schema, kept: Value): boolean {
  if (kept == null || schema === undefined) return true;
  if (isEntity(schema) || schema.verb) return typeof kept == "string";
  return Array.isArray(schema) === Array.isArray(kept) || !!schema.denormalize;
}

/** The members in `static redact` of all classes that a store has met. They must not leave the process. */
export function redactedNames(store: Store): ReadonlySet<string> {
  // With the classes inside of others, of which no record may have arrived yet. The set grows while it is walked.
  const found = new Set<Schema>(Array.from(store.plans.values(), ({ E }) => E));
  for (const one of found) {
    const inner = isEntity(one) ? one.schema ?? [] : isObject(one) ? one.denormalize ? one.parts ?? [] : one : [];
    for (const part of Object.values(inner)) found.add(part);
  }
  return new Set(Array.from(found, (one) => isEntity(one) && (one as Value).redact || []).flat());
}

/** A copy of a value without the members of these names, at any depth; the value itself if it has none of them. */
export function withoutMembers<T>(value: T, names: ReadonlySet<string>): T {
  const isRecord = isEntity(Object(value).constructor);
  if (!names.size || !(isPlain(value) || isRecord)) return value;
  const kept = Array.isArray(value) ? value.map((one) => withoutMembers(one, names)) : Object.fromEntries(
    // An instance comes without the objects inside, which may contain it. A plain value that is no array is an object.
    Object.entries(value as object).filter(([name, one]) => !names.has(name) && !(isRecord && isObject(one)))
      .map(([name, one]) => [name, withoutMembers(one, names)]),
  );
  return equal(kept, isRecord ? { ...value } : value) ? value : kept as T; // the same value with fewer members
}
