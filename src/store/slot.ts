import type { EntityNode, RecordSlot } from "../denormalize/node.ts";
import type { Amendment, EntityMeta } from "../schemas/interface.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";

/**
 * When a record or an answer came, and how long it is fresh. One object a write, shared by all records of it. The store
 * changes it for one purpose only: when the server says that the same answer still holds, all records of that write are
 * as young as the new reply, whatever their number.
 */
export interface Stamp extends EntityMeta {
  /** How far wall time was ahead of time that passes when it came; where it is never fresh, nobody need know. */
  readonly lead?: number | undefined;
  /** Nobody wrote the record, nor deleted it. */
  readonly isNever?: true;
}

/** The stamp of a record that nobody wrote. */
export const NEVER: Stamp = /* @__PURE__ */ Object.freeze<Stamp>({
  seq: 0,
  fetchedAt: 0,
  expiresAt: 0,
  isNever: true,
});

/** All records of one key, in order of arrival. */
export class Table {
  readonly key: string;
  /** A `Map`, not an object: insertion order holds for integer-like pks, and every name is an ordinary one. */
  slots: Map<string, Slot> = new Map();
  /** It has had a record, or an `All` was written: reads of the whole table give an array. */
  known = false;
  /** An answer of it was stored, or a mutation is about it: what nobody knows of its records can be asked for. */
  isAsked = false;
  /**
   * Another number after every commit that added, replaced or removed a base record of it, made it known, or marked one
   * of its records stale: who has seen this one has seen all of it. What layers show does not count.
   */
  version = 0;
  /** The classes that reached it. */
  readonly plans: Plan[] = [];

  constructor(key: string) {
    this.key = key;
  }
}

/**
 * A change of all rows of a table that match: an item was added to the lists it belongs to. It is remembered while older
 * requests are in flight, for a list that one of them brings was made before it and has to undergo it, too.
 */
export interface TableChange {
  /** Where it stands in the order of writes. */
  readonly stamp: Stamp;
  readonly table: Table;
  readonly changeOf: ReturnType<Amendment>;
}

/** Where one record is kept. Not a field more: each is paid for by every record. */
export class Slot implements RecordSlot {
  /** What readers see: the base, with the layers over it. `undefined`: unknown or deleted. */
  rec: EntityRecord | undefined;
  stamp: Stamp;
  /** The base as the patch that is being computed leaves it; `null`: none. `undefined` between two patches. */
  next: EntityRecord | null | undefined = undefined;
  node: EntityNode | undefined = undefined;
  readonly table: Table;
  readonly pk: string;

  constructor(table: Table, pk: string, rec?: EntityRecord, stamp: Stamp = NEVER) {
    this.rec = rec;
    this.stamp = stamp;
    this.table = table;
    this.pk = pk;
  }

  /** There was a record. */
  get isDeleted(): boolean {
    return this.rec === undefined && this.stamp.isNever === undefined;
  }
}

/** Whether an object is what readers of a record are given, by this class or another of its key: a reference, not data. */
export function isInstanceOf(plan: Plan, slot: RecordSlot | undefined, input: object): boolean {
  // Asked of all that is written: to look up a member costs a fraction of asking for the prototype. A class that makes
  // its instances itself may make plain objects.
  if (slot === undefined || (input.constructor === Object && !plan.hasCreate)) return false;
  for (let node = slot.node; node !== undefined; node = node.sibling) if (node.value === input) return true;
  return false;
}
