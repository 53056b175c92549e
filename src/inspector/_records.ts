import type { Controller } from "../controller/controller.ts";
import { clock } from "../deps/clock.ts";
import { historyOf } from "../parts/explain/history.ts";
import { redactedInAll } from "../parts/secrets/redacted_by.ts";
import { freshUntil, setBack } from "../store/freshness.ts";
import type { Entry } from "../store/entry.ts";
import type { ResponseView } from "../store/response_view.ts";
import type { Slot, Stamp } from "../store/slot.ts";
import type { Table } from "../store/tables.ts";
import { countWatchers } from "../store/watch.ts";
import { nameOf, SHAPE } from "./_name_of.ts";
import { ageText, counted, expiryText, textOf, timeText } from "./_text.ts";

/** How usable something is, in a word. */
export type Freshness = "fresh" | "stale" | "invalid" | "deleted" | "failed" | "missing" | "pending";

/** One line of a table. */
export interface Line {
  /** Tells it from the others of its table. */
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  readonly about: string;
  readonly freshness: Freshness;
  readonly age: string;
  readonly expires: string;
}

/** Some lines, and how many there are in all. */
export interface Lines {
  readonly lines: readonly Line[];
  readonly count: number;
}

/** A table and how many records it has. */
export interface TableNote {
  readonly key: string;
  readonly count: number;
  /** Its records are lists that mutations keep. */
  readonly isList: boolean;
}

/** The tables of a store, those of lists last. */
export function tablesOf({ store: { tables } }: Controller): TableNote[] {
  const notes: TableNote[] = [];
  for (const table of tables.byKey.values()) {
    let count = 0;
    for (const { rec } of table.slots.values()) if (rec !== undefined) count++;
    notes.push({ key: table.key, count, isList: tables.lists.has(table) });
  }
  return notes.sort((a, b) => Number(a.isList) - Number(b.isList));
}

/**
 * The records of a table.
 *
 * @param wanted What their pk or their members contain; `""`: anything.
 * @param most So many lines are made.
 */
export function recordLines(controller: Controller, key: string, wanted: string, most: number): Lines {
  const { store } = controller;
  const secrets = redactedInAll(store);
  const lines: Line[] = [];
  let count = 0;
  for (const [pk, slot] of store.tables.byKey.get(key)?.slots ?? []) {
    if (slot.rec === undefined && !slot.isDeleted) continue;
    if (!matches(pk, slot.rec, wanted)) continue;
    if (count++ >= most) continue;
    const { stamp, rec } = slot;
    lines.push({
      id: pk,
      name: nameOf(controller, pk),
      about: rec === undefined ? "" : textOf(rec, 120, secrets),
      freshness: store.covered.has(slot) ? "pending" : slot.isDeleted ? "deleted" : freshnessOf(freshUntil(stamp)),
      age: ageText(arrivalOf(stamp)),
      expires: expiryText(freshUntil(stamp)),
    });
  }
  return { lines, count };
}

/** The records that a state of the past has of a table. */
export function pastLines(
  controller: Controller,
  records: { readonly [pk: string]: unknown },
  wanted: string,
  most: number,
): Lines {
  const secrets = redactedInAll(controller.store);
  const pks = Object.keys(records).filter((pk) => matches(pk, records[pk], wanted));
  const about = (id: string) => textOf(records[id], 120, secrets);
  const name = (id: string) => nameOf(controller, id);
  const line = (id: string): Line => ({
    id,
    name: name(id),
    about: about(id),
    freshness: "fresh",
    age: "",
    expires: "",
  });
  return { lines: pks.slice(0, most).map(line), count: pks.length };
}

/** An answer or a query, as it is kept; it may be one that nobody has read. */
export interface AnswerNote {
  /** The key; of a second shape of it, with its number. */
  readonly id: string;
  readonly key: string;
  readonly entry: Entry | undefined;
  readonly view: ResponseView | undefined;
}

/** What is known by the keys of requests. */
export function* answersOf({ store }: Controller): Iterable<AnswerNote> {
  for (const key of new Set([...store.entries.keys(), ...store.responsesByKey.keys()])) {
    const views = store.responsesByKey.get(key) ?? [];
    const unread = store.entries.of(key).filter((entry) => !views.some((view) => view.entry === entry));
    const notes = [
      ...views.map((view) => ({ entry: view.entry, view })),
      ...unread.map((entry) => ({ entry, view: undefined })),
    ];
    for (const [at, note] of notes.entries()) yield { id: at === 0 ? key : `${key}${SHAPE}${at + 1}`, key, ...note };
  }
}

/** The same as lines. */
export function answerLines(controller: Controller, wanted: string, most: number): Lines {
  const lines: Line[] = [];
  let count = 0;
  for (const { id, key, entry, view } of answersOf(controller)) {
    if (wanted !== "" && !contains(key, wanted)) continue;
    if (count++ >= most) continue;
    const expiresAt = view?.expiresAt() ?? (entry === undefined ? 0 : freshUntil(entry));
    const readers = view === undefined ? 0 : countWatchers(view);
    lines.push({
      id,
      name: nameOf(controller, id),
      about: readers === 0 ? "" : `read by ${readers}`,
      freshness: controller.isReading(key)
        ? "pending"
        : entry?.isInvalid
        ? "invalid"
        : entry?.error !== undefined
        ? "failed"
        : entry?.hasResult || view?.isQuery || expiresAt > 0
        ? freshnessOf(expiresAt)
        : "missing",
      age: ageText(entry?.hasResult ? arrivalOf(entry) : undefined),
      expires: expiryText(expiresAt),
    });
  }
  return { lines, count };
}

/** Why a record is as it is, in words. */
export function recordInWords(controller: Controller, table: Table, pk: string): string {
  const slot = table.slots.get(pk);
  const name = `${nameOf(controller, table.key)} "${nameOf(controller, pk)}"`;
  if (slot === undefined) return `${name} is not here.`;
  const { store } = controller;
  const { stamp } = slot;
  const isPending = store.covered.has(slot);
  if (stamp.isNever) return isPending ? `${name} is shown by a pending mutation only.` : `${name} was never here.`;
  const because = historyOf(controller)?.at(stamp.seq);
  const cause = because === undefined ? "" : ` (${because.type}${because.name ? ` of "${because.name}"` : ""})`;
  const came = `${timeText(arrivalOf(stamp)!)}${cause}`;
  const words = [store.baseOf(slot) === undefined ? `${name} was deleted at ${came}.` : `${name} came at ${came}.`];
  const expiresAt = freshUntil(stamp);
  if (store.baseOf(slot) !== undefined) words.push(`It is ${freshnessOf(expiresAt)}: ${whenFresh(expiresAt)}.`);
  if (isPending) words.push("A pending mutation lies over it: what is shown goes if the server refuses.");
  const writes = store.logs.get(slot)?.writes.length ?? 0;
  if (writes > 0) words.push(`It keeps ${counted(writes, "write")}, for an older request is still in flight.`);
  return words.join(" ");
}

function whenFresh(expiresAt: number): string {
  if (expiresAt === 0) return "it was marked stale, and whoever shows it asks again";
  return expiresAt === Infinity ? "it does not expire" : `it expires ${expiryText(expiresAt)}`;
}

function freshnessOf(expiresAt: number): Freshness {
  return clock.now() < expiresAt ? "fresh" : "stale";
}

/** When something came, by the wall clock as it is now. */
function arrivalOf(stamp: Pick<Stamp, "fetchedAt" | "lead">): number | undefined {
  return stamp.fetchedAt === 0 ? undefined : stamp.fetchedAt + setBack(stamp);
}

/** Whether a pk, or a text or number of a record or an answer, contains what is wanted. */
function matches(pk: string, value: unknown, wanted: string): boolean {
  if (wanted === "" || contains(pk, wanted)) return true;
  // Not as it is shown: to write ten thousand records out takes longer than a frame.
  return Object.values(value ?? {}).some((member) =>
    (typeof member === "string" || typeof member === "number") && contains(String(member), wanted)
  );
}

function contains(text: string, wanted: string): boolean {
  return text.toLowerCase().includes(wanted.toLowerCase());
}

/** The slot of a record; `undefined`: nobody knows it. */
export function slotOf({ store }: Controller, key: string, pk: string): Slot | undefined {
  return store.tables.byKey.get(key)?.slots.get(pk);
}
