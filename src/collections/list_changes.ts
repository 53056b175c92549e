import { UNCERTAIN } from "./collection_membership.ts";
import { judgeLists } from "./judge_lists.ts";
import { mergeRecords } from "../normalize/record.ts";
import { isMembers } from "../schemas/declared.ts";
import type { Amendment, AnySchema, ListEffect } from "../schemas/interface.ts";
import type { Plan } from "../schemas/plan.ts";
import type { Contents } from "../store/contents.ts";
import type { Entry } from "../store/entry.ts";
import { entriesHolding } from "../store/holders.ts";
import type { Patch } from "../store/patch.ts";
import { isLast } from "../store/record_log.ts";
import { added, NO_ENTRIES, NO_ITEMS, NONE, withEntry, withItem } from "../store/shared_empty.ts";
import type { Slot, Table, TableChange } from "../store/slot.ts";
import type { Store } from "../store/store.ts";

/**
 * What a patch means for the lists of collections: they undergo changes of their whole table, and what only the server
 * knows of them is in doubt. It comes with collections.
 */
export class ListChanges {
  /** Lists that something has joined or left at the sequence number of the patch, whatever later writes make of it. */
  judged: ReadonlySet<Slot> = NO_ITEMS;
  /** Those that verbs have changed. */
  #amended: ReadonlySet<Table> = NO_ITEMS;
  /** Lists that something has joined or left. */
  #moved: ReadonlySet<Slot> = NO_ITEMS;
  /** Lists that may have changed in a way that only the server knows, and at which sequence number. */
  #uncertain: ReadonlyMap<Slot, number> = NO_ENTRIES;
  /** Changes of whole tables that rows of older requests have to undergo when they come. */
  #later: readonly TableChange[] = NONE;
  readonly #patch: Patch;

  constructor(patch: Patch) {
    this.#patch = patch;
  }

  /**
   * Adds to the patch what the records that it writes mean for lists.
   *
   * @param schema What was written along.
   * @param sent What was sent: a read may have brought it before, and then the write itself changes nothing.
   * @param named The records that the call named; `undefined`: whatever was written.
   */
  judge(store: Store, schema: AnySchema, sent: unknown, named?: ReadonlySet<Slot>): void {
    const amendments = judgeLists(store, this.#patch, this.#amended, schema, sent, named);
    for (const [plan, amendment] of amendments) this.amend(plan, amendment);
  }

  /** All lists of a table undergo a change, and those that an older request brings later. */
  amend(plan: Plan, amendment: Amendment): void {
    const patch = this.#patch;
    const { hasOlder, stamp } = patch;
    const table = patch.store.tables.of(plan);
    const slots = [...table.slots.values()];
    const changeOf = amendment(slots.map((slot) => patch.baseOf(slot)).filter((record) => record !== undefined));
    const change: TableChange = { stamp, table, changeOf };
    this.#amended = withItem(this.#amended, table);
    for (const slot of slots) this.#amend(slot, change);
    if (hasOlder) this.#later = added(this.#later, change);
  }

  /** A list that comes late undergoes what has happened to its table since. */
  arrive(slot: Slot): void {
    const { stamp, store } = this.#patch;
    for (const change of store.tableChanges) {
      if (change.table === slot.table && change.stamp.seq > stamp.seq) this.#amend(slot, change);
    }
  }

  /** Only the server knows what a list is from a sequence number on. */
  doubt(slot: Slot, seq: number = this.#patch.stamp.seq): void {
    this.#uncertain = withEntry(this.#uncertain, slot, Math.max(seq, this.#uncertain.get(slot) ?? 0));
  }

  /** The same of lists that an older request brings later. */
  doubtLater(table: Table, seq: number): void {
    const { oldest, stamp } = this.#patch;
    const change: TableChange = { stamp: { ...stamp, seq }, table, changeOf: () => UNCERTAIN };
    if (oldest < seq) this.#later = added(this.#later, change);
  }

  /** Whether lists of an answer that comes late have undergone what only the server can judge. */
  get isInDoubt(): boolean {
    const patch = this.#patch;
    const { marks, tables } = patch.store;
    if (this.#uncertain.size > 0 || (this.#moved.size > 0 && hasOthers(patch.result))) return true;
    const isLate = (slot: Slot) => {
      const log = patch.logOf(slot);
      return log !== undefined && !isLast(log, patch.stamp);
    };
    // Where a record is marked stale that joined or left, nobody knows whether it did, or what it is.
    return marks.size > 0 &&
      (this.judged.size > 0 || patch.touched.some((slot) => tables.lists.has(slot.table) && isLate(slot)));
  }

  /** Marks stale what is in doubt. Gives the answers that hold a list which may have changed in a way that only the server knows. */
  settle(store: Store, mark: number): ReadonlySet<Entry> {
    this.mark(mark);
    const inDoubt = this.#uncertain.size === 0 ? [] : entriesHolding(store, this.#uncertain.keys(), [], true);
    // What stands beside the list in the answer, such as a total, is that of the list as it was.
    const around = this.#moved.size === 0
      ? []
      : entriesHolding(store, this.#moved, [], true).filter(({ result }) => hasOthers(result));
    return new Set([...inDoubt, ...around]);
  }

  /**
   * For who infers an answer from them: lists are no younger for what joins or leaves them, and old where only the server
   * knows.
   */
  mark(mark: number): void {
    for (const slot of this.judged) if (slot.stamp.expiresAt === 0) this.#patch.markStale(slot, mark);
    for (const [slot, seq] of this.#uncertain) this.#patch.markStale(slot, Math.max(seq, mark));
  }

  /** The patch is committed. */
  commit(store: Contents): void {
    if (this.#later.length === 0) return;
    store.tableChanges = [...store.tableChanges, ...this.#later].sort((a, b) => a.stamp.seq - b.stamp.seq);
  }

  #amend(slot: Slot, { stamp, changeOf }: TableChange): void {
    const patch = this.#patch;
    const record = patch.baseOf(slot);
    const { writes = NONE, isUncertain, isMoved }: ListEffect = (record && changeOf(record)) ?? {};
    for (const { entity, incoming } of writes) {
      const plan = patch.store.graph.planOf(entity);
      if (stamp !== patch.stamp || patch.keepsLog(slot)) patch.insert(slot, plan, incoming, stamp);
      else patch.stage(slot, mergeRecords(plan, patch.baseOf(slot), incoming));
    }
    if (writes.length > 0) this.judged = withItem(this.judged, slot);
    if (isUncertain) this.doubt(slot, stamp.seq);
    if (isMoved || patch.baseOf(slot) !== record) this.#moved = withItem(this.#moved, slot);
  }
}

function hasOthers(result: unknown): boolean {
  return isMembers(result) && Object.keys(result).length > 1;
}
