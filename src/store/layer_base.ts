import type { EntityRecord, Plan } from "../schemas/plan.ts";
import type { Entry } from "./entry.ts";
import type { RecordLog } from "./record_log.ts";
import type { Slot, Stamp } from "./slot.ts";

/** What a patch lets its layers see. */
export interface LayerBase {
  /** The slot of a record, in the patch or in the store; made when it is unknown. */
  slot(plan: Plan, pk: string): Slot;
  /** Every slot of a table and its pk, in order of arrival. */
  eachSlot(plan: Plan): Iterable<readonly [pk: string, slot: Slot]>;
  /** Whether reads of the whole table give an array, layers not counted. */
  isKnown(plan: Plan): boolean;
  /** The record without any layer. */
  baseOf(slot: Slot): EntityRecord | undefined;
  /** Of a record that is not there: whether it was. */
  isDeleted(slot: Slot): boolean;
  /** When it came. */
  stampOf(slot: Slot): Stamp;
  /** The writes of a record that are later than the oldest request in flight. */
  logOf(slot: Slot): RecordLog | undefined;
  /** A temporary name that nobody has. */
  newId(): string;
  /** A value with the server's pks in place of temporary names. */
  withPks<T>(value: T): T;
  /** The temporary names in a value that have no pk. */
  unnamedIn(value: unknown): ReadonlySet<string>;
  /** The answers of a key, one for each shape. */
  entriesOf(key: string): readonly Entry[];
}
