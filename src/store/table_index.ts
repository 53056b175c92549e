import { makeDirty, type RecordSlot, type ViewNode } from "../denormalize/node.ts";
import type { RecordIndex, TableNode } from "../denormalize/list_node.ts";
import { indexKeys } from "../denormalize/index_keys.ts";
import type { EntityRecord } from "../schemas/plan.ts";

/** One record of the table, as the index knows it. */
interface Member {
  readonly slot: RecordSlot;
  readonly pk: string;
  /** Counts arrivals: the order of the table. */
  readonly rank: number;
}

/**
 * The records of a table by the value of one member, as readers see them: layers included. Made when it is first asked,
 * then kept by change. Derived: it is never part of the state.
 */
export class TableIndex implements RecordIndex {
  readonly #table: { readonly slots: ReadonlyMap<string, RecordSlot> };
  readonly #member: string;
  /** Some of what it knows has left the table, and is not cleared up yet. */
  hasGone = false;
  #members: Map<RecordSlot, Member> | undefined;
  #buckets = new Map<string, Member[]>();
  #ranks = 0;
  readonly #views = new Map<string, Set<TableNode>>();

  constructor(table: { readonly slots: ReadonlyMap<string, RecordSlot> }, member: string) {
    this.#table = table;
    this.#member = member;
  }

  slots(value: string): readonly RecordSlot[] {
    return this.#bucket(value).map(({ slot }) => slot);
  }

  pks(value: string): string[] {
    return this.#bucket(value).map(({ pk }) => pk);
  }

  observe(value: string, view: TableNode): void {
    const views = this.#views.get(value);
    if (views === undefined) this.#views.set(value, new Set([view]));
    else views.add(view);
  }

  forget(value: string, view: TableNode): void {
    const views = this.#views.get(value);
    if (views?.delete(view) && views.size === 0) this.#views.delete(value);
  }

  /** A record was replaced; with `undefined` for one that is not there. */
  changed(
    slot: RecordSlot,
    before: EntityRecord | undefined,
    after: EntityRecord | undefined,
    turned: ViewNode[],
  ): void {
    if (this.#members === undefined) return;
    const one = before?.[this.#member];
    const two = after?.[this.#member];
    if (one === two) return;
    const member = this.#members.get(slot);
    // It arrives with this commit: see `arrived`.
    if (member === undefined) return;
    const old = indexKeys(one);
    const now = indexKeys(two);
    for (const key of old) if (!now.includes(key)) this.#remove(key, member, turned);
    for (const key of now) if (!old.includes(key)) this.#insert(key, member, turned);
  }

  /** A record joined the table, behind all others. */
  arrived(slot: RecordSlot, pk: string, turned: ViewNode[]): void {
    const members = this.#members;
    if (members === undefined) return;
    const keys = indexKeys(slot.rec?.[this.#member]);
    const before = members.get(slot);
    if (before !== undefined) { for (const key of keys) this.#remove(key, before, turned); }
    const member: Member = { slot, pk, rank: this.#ranks++ };
    members.set(slot, member);
    for (const key of keys) this.#insert(key, member, turned);
  }

  /** Somebody has a bucket. */
  get isObserved(): boolean {
    return this.#views.size > 0;
  }

  /** Records are collected: nobody who sees a bucket sees them. */
  collected(slots: readonly RecordSlot[]): void {
    const gone = new Map<string, Set<Member>>();
    for (const slot of slots) {
      const member = this.#members?.get(slot);
      if (member === undefined) continue;
      this.#members!.delete(slot);
      for (const key of indexKeys(slot.rec?.[this.#member])) {
        const those = gone.get(key);
        if (those === undefined) gone.set(key, new Set([member]));
        else those.add(member);
      }
    }
    for (const [key, those] of gone) {
      if (those.size > 1) {
        const left = this.#buckets.get(key)!.filter((member) => !those.has(member));
        if (left.length > 0) this.#buckets.set(key, left);
        else this.#buckets.delete(key);
      } else for (const member of those) this.#remove(key, member, []);
    }
  }

  /** Forgets everything where nobody has a bucket: it is built again when somebody asks. */
  tidy(): void {
    if (!this.isObserved) this.restart([]);
  }

  /** The table was filled or emptied as a whole: it is looked through again when somebody asks. */
  restart(turned: ViewNode[]): void {
    this.#members = undefined;
    this.#buckets = new Map();
    this.turnAll(turned);
  }

  /** The table became known, or is not any more: every reading of it is another. */
  turnAll(turned: ViewNode[]): void {
    for (const key of this.#views.keys()) this.#turn(key, turned);
  }

  #bucket(value: string): readonly Member[] {
    if (this.#members === undefined) this.#build();
    const bucket = this.#buckets.get(value) ?? [];
    return this.hasGone ? bucket.filter(({ pk, slot }) => this.#table.slots.get(pk) === slot) : bucket;
  }

  #build(): void {
    const members = this.#members = new Map<RecordSlot, Member>();
    for (const [pk, slot] of this.#table.slots) {
      const member: Member = { slot, pk, rank: this.#ranks++ };
      members.set(slot, member);
      for (const key of indexKeys(slot.rec?.[this.#member])) {
        const bucket = this.#buckets.get(key);
        if (bucket === undefined) this.#buckets.set(key, [member]);
        else bucket.push(member);
      }
    }
  }

  #insert(key: string, member: Member, turned: ViewNode[]): void {
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) this.#buckets.set(key, bucket = []);
    const at = positionOf(bucket, member.rank);
    if (bucket[at] === member) return;
    bucket.splice(at, 0, member);
    this.#turn(key, turned);
  }

  #remove(key: string, member: Member, turned: ViewNode[]): void {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return;
    const at = positionOf(bucket, member.rank);
    if (bucket[at] !== member) return;
    bucket.splice(at, 1);
    if (bucket.length === 0) this.#buckets.delete(key);
    this.#turn(key, turned);
  }

  #turn(key: string, turned: ViewNode[]): void {
    for (const view of this.#views.get(key) ?? []) {
      view.restart();
      makeDirty(view, turned);
    }
  }
}

/** The first position whose rank is not smaller. */
function positionOf(bucket: readonly Member[], rank: number): number {
  const last = bucket.at(-1);
  if (last === undefined || last.rank < rank) return bucket.length;
  let low = 0;
  let high = bucket.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bucket[middle]!.rank < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}
