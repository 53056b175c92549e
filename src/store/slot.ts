import type { EntityNode, RecordSlot } from "../denormalize/node.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";

/**
 * When a record or an answer came, and how long it is fresh. One object a write, shared by all records of it. The store
 * changes it for one purpose only: when the server says that the same answer still holds, all records of that write are
 * as young as the new reply, whatever their number.
 */
export interface Stamp {
  /** Where the write stands in the order of writes. */
  readonly seq: number;
  /** When it was stored; ms since 1970. */
  readonly fetchedAt: number;
  /** Until when it is fresh; ms since 1970, `Infinity` for ever. */
  readonly expiresAt: number;
  /** How far wall time was ahead of time that passes when it came; where it is never fresh, nobody need know. */
  readonly lead?: number | undefined;
  /** Nobody wrote the record, nor deleted it. */
  readonly isNever?: true;
}

/** Where one record is kept. Not a field more: each is paid for by every record. */
export class Slot implements RecordSlot {
  /** What readers see: the base, with the layers over it. `undefined`: unknown or deleted. */
  rec: EntityRecord | undefined;
  stamp: Stamp;
  /** What a patch wants to put here; counts only for that patch, so that an abandoned one needs no undoing. */
  next: Staged | undefined = undefined;
  node: EntityNode | undefined = undefined;

  constructor(rec: EntityRecord | undefined, stamp: Stamp) {
    this.rec = rec;
    this.stamp = stamp;
  }

  /** There was a record. */
  get isDeleted(): boolean {
    return this.rec === undefined && this.stamp.isNever === undefined;
  }
}

/** Whether an object is what readers of a record are given: a reference then, not data. */
export function isInstanceOf(plan: Plan, slot: RecordSlot | undefined, input: object): boolean {
  // Asked of all that is written: to look up a member costs a fraction of asking for the prototype. A class that makes
  // its instances itself may make those of a subclass.
  if (slot === undefined || (input.constructor !== plan.maker && !plan.hasCreate)) return false;
  for (let node = slot.node; node !== undefined; node = node.sibling) if (node.value === input) return true;
  return false;
}

/** The stamp of a record that nobody wrote. */
export const NEVER: Stamp = /* @__PURE__ */ Object.freeze<Stamp>({
  seq: 0,
  fetchedAt: 0,
  expiresAt: 0,
  isNever: true,
});

/** What a patch wants to put into a slot that is published already. */
export interface Staged {
  /** Whose wish it is. */
  readonly patch: object;
  readonly slot: Slot;
  readonly plan: Plan;
  readonly pk: string;
  /** The record without layers; `undefined`: deleted. */
  rec: EntityRecord | undefined;
}
