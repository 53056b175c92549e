import type { EntityRecord, Plan } from "../schemas/plan.ts";
import { isMet } from "../schemas/containers.ts";
import { indexKeys } from "./index_keys.ts";
import { makeDirty, type RecordSlot, type RecordSource, type ViewNode } from "./node.ts";

/** A view of the records that have one value. */
interface Bucket extends ViewNode {
  /** `undefined`: to be looked for. */
  content: unknown;
}

/** The value that every record of a table has. */
export const WHOLE = "";

/**
 * The records of a table by the value of one member, as readers see them, in order of arrival. It is made by looking at
 * all of them when it is asked, and again where one that was there has another value.
 */
export class TableIndex {
  readonly #source: RecordSource;
  readonly #plan: Plan;
  readonly #member: string | undefined;
  /** Where they are, by value; `undefined`: to be looked for. */
  found: Map<string, RecordSlot[]> | undefined;
  /** How much may be looked at before it is looked for again: as much as there was then. */
  #room = 0;
  readonly #views = new Map<string, Set<Bucket>>();

  /** @param member `undefined`: all have the same value, {@linkcode WHOLE}. */
  constructor(source: RecordSource, plan: Plan, member: string | undefined) {
    this.#source = source;
    this.#plan = plan;
    this.#member = member;
  }

  /** Where those are that have a value; `undefined` while the table is not known. */
  slots(value: string): readonly RecordSlot[] | undefined {
    const all = this.#source.slots(this.#plan);
    if (all === undefined) return undefined;
    if (this.#member === undefined) return [...all];
    if (this.found === undefined) {
      this.found = new Map();
      this.#room = 0;
      for (const slot of all) {
        this.#room++;
        for (const key of indexKeys(this.#valueIn(slot.rec))) add(this.found, key, slot);
      }
    }
    return [...this.found.get(value) ?? []];
  }

  /** The views that somebody has. */
  get views(): readonly Bucket[] {
    return [...this.#views.values()].flatMap((views) => [...views]);
  }

  /** From now on the view is made dirty when other records have the value. */
  observe(value: string, view: Bucket): void {
    isMet(this.#views, value, view);
  }

  /** The view need not be made dirty any more. */
  forget(value: string, view: Bucket): void {
    const views = this.#views.get(value);
    if (views?.delete(view) && views.size === 0) this.#views.delete(value);
  }

  /** A record was replaced or went; `arrives`: it is the last of its table from now on. */
  changed(slot: RecordSlot, before: EntityRecord | undefined, arrives: boolean, turned: ViewNode[]): void {
    const one = this.#valueIn(before);
    const two = this.#valueIn(slot.rec);
    if (one === two) return;
    const left = indexKeys(one);
    const joined = indexKeys(two);
    for (const key of left) {
      if (joined.includes(key)) continue;
      this.#leave(key, slot);
      this.#turn(key, turned);
    }
    for (const key of joined) {
      if (left.includes(key)) continue;
      // Where it stands among those that are there already, only the table tells.
      if (!arrives) this.found = undefined;
      else if (this.found !== undefined) add(this.found, key, slot);
      this.#turn(key, turned);
    }
  }

  /** The records are others, or in another order, or the table became known, or is not any more. */
  restart(turned: ViewNode[]): void {
    this.found = undefined;
    for (const key of this.#views.keys()) this.#turn(key, turned);
  }

  #leave(key: string, slot: RecordSlot): void {
    const slots = this.found?.get(key);
    if (slots === undefined) return;
    this.#room -= slots.length;
    // Each of many that leave would look at all that are left: another look at the table costs no more.
    if (this.#room < 0) this.found = undefined;
    else if (slots.length > 1) this.found!.set(key, slots.filter((other) => other !== slot));
    else this.found!.delete(key);
  }

  #turn(key: string, turned: ViewNode[]): void {
    for (const view of this.#views.get(key) ?? []) {
      view.content = undefined;
      makeDirty(view, turned);
    }
  }

  #valueIn(rec: EntityRecord | undefined): unknown {
    return this.#member === undefined ? rec && WHOLE : rec?.[this.#member];
  }
}

function add(found: Map<string, RecordSlot[]>, key: string, slot: RecordSlot): void {
  const slots = found.get(key);
  if (slots === undefined) found.set(key, [slot]);
  else slots.push(slot);
}
