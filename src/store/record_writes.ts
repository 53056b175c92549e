import { broughtBy, freshRecord, keepEqual, mergedRecord, mergeIfWanted, mergeRecords } from "../normalize/record.ts";
import type { Walk } from "../normalize/walk.ts";
import type { Amendment, ListEffect } from "../schemas/interface.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import { added, freshOf, NO_SLOTS, NONE, PatchRecords, published, withSlot } from "./patch_records.ts";
import type { TableChange } from "./table_change.ts";
import { isInstanceOf, Slot, type Stamp } from "./slot.ts";
import type { PatchTable, Table } from "./tables.ts";
import { foldLog, isLast, type LogWrite, mergeWrite, type RecordLog, type Version, withWrite } from "./record_log.ts";

/** How a patch writes records: over what is there, or at their sequence number among writes that are later. */
export abstract class RecordWrites extends PatchRecords {
  /** Changes of whole tables that rows of older requests have to undergo when they come. */
  tableChanges: readonly TableChange[] = NONE;
  /** The tables of these. */
  amended: readonly Table[] = NONE;
  /** Lists that may have changed in a way that only the server knows. */
  uncertain: ReadonlySet<Slot> = NO_SLOTS;
  /** Lists that something has joined or left at the sequence number of this patch, whatever later writes make of it. */
  judged: ReadonlySet<Slot> = NO_SLOTS;
  /** Lists that something has joined or left. */
  moved: ReadonlySet<Slot> = NO_SLOTS;
  /** Records that were deleted and of which nobody knew anything. */
  missed: readonly { readonly plan: Plan; readonly pk: string }[] = NONE;
  /** What was there before a record that this patch makes. */
  #absence: Version | undefined;

  /** An occurrence of a record, with what is written with it; and what of it is confirmed. */
  protected abstract meet(plan: Plan, pk: string, input: object): object;

  put(plan: Plan, pk: string, given: object, walk: Walk): void {
    const input = this.meet(plan, pk, given);
    const part = this.partOf(plan);
    const slot = published(part, pk);
    if (this.mayKeepLogs() && this.keepsLog(slot ?? part.fresh.get(pk))) {
      return this.#putInLog(part, slot, plan, pk, input, walk);
    }
    if (slot === undefined) {
      const fresh = part.fresh.get(pk);
      if (fresh === undefined) {
        const made = this.#make(part, plan, pk, input, walk);
        if (plan.rows !== undefined && this.store.tableChanges.length > 0) this.#undergo(part, made, pk);
      } else {
        fresh.rec = this.#merge(plan, fresh.rec, this.stamp, input, walk);
      }
      return;
    }
    const base = this.store.baseOf(slot);
    const note = slot.next;
    if (note !== undefined && note.patch === this) {
      const merged = this.#merge(plan, note.rec, this.stamp, input, walk);
      // Occurrences that differ from each other may amount to what is stored: then nothing has changed.
      note.rec = base === undefined || merged === note.rec ? merged : keepEqual(plan, base, merged);
      return;
    }
    if (isInstanceOf(plan, slot, input)) return;
    if (plan.hasShouldUpdate && base !== undefined) {
      const before: Version = { record: base, stamp: this.stampOf(slot) };
      const after = mergeWrite(before, { stamp: this.stamp, plan, incoming: freshRecord(walk, plan, input) });
      if (after !== before) this.stage(part, slot, plan, pk, after.record);
      return;
    }
    const rec = this.#merge(plan, base, slot.stamp, input, walk);
    this.stage(part, slot, plan, pk, rec, base);
    if (base === undefined && plan.rows !== undefined && this.store.tableChanges.length > 0) {
      this.#undergo(part, slot, pk);
    }
  }

  remove(plan: Plan, pk: string): void {
    const part = this.partOf(plan);
    const slot = published(part, pk);
    if (this.mayKeepLogs() && this.keepsLog(slot ?? part.fresh.get(pk))) {
      this.insert(part, slot, plan, pk, undefined);
    } else if (slot !== undefined) {
      this.stage(part, slot, plan, pk, undefined);
    } else if (part.fresh.has(pk)) {
      part.fresh.get(pk)!.rec = undefined;
      // Nobody knew it; who refers to it shall know that it is gone.
    } else freshOf(part).set(pk, new Slot(undefined, this.stamp));
    if (slot !== undefined && slot.rec === undefined) this.missed = added(this.missed, { plan, pk });
  }

  know(plan: Plan): void {
    const { table } = this.partOf(plan);
    if (!table.known && !this.known.includes(table)) this.known = [...this.known, table];
  }

  amend(plan: Plan, changeOf: Amendment["of"]): void {
    const part = this.partOf(plan);
    const change: TableChange = { stamp: this.stamp, table: part.table, changeOf };
    this.amended = added(this.amended, part.table);
    for (const [pk, slot] of [...this.eachSlot(plan)]) this.#amend(part, slot, pk, change);
    // Rows that an older request brings later have to be changed as well.
    if (this.oldest < this.stamp.seq) this.tableChanges = [...this.tableChanges, change];
  }

  /** A request is in flight that was sent before this one. */
  get hasOlder(): boolean {
    return this.oldest < this.stamp.seq;
  }

  #amend(part: PatchTable, slot: Slot, pk: string, { stamp, changeOf }: TableChange): void {
    const record = this.baseOf(slot);
    const { writes = NONE, isUncertain, isMoved } = (record && changeOf(record)) ?? NO_EFFECT;
    const before = published(part, pk);
    for (const { entity, incoming } of writes) {
      const plan = this.store.graph.planOf(entity);
      if (stamp !== this.stamp || this.keepsLog(before)) this.insert(part, before, plan, pk, incoming, stamp);
      else {
        const merged = mergeRecords(plan, this.baseOf(slot), incoming);
        if (before === undefined) slot.rec = merged;
        else this.stage(part, slot, plan, pk, merged);
      }
    }
    if (writes.length > 0) this.judged = withSlot(this.judged, slot);
    if (isUncertain) this.uncertain = withSlot(this.uncertain, slot);
    if (isMoved || this.baseOf(slot) !== record) this.moved = withSlot(this.moved, slot);
  }

  /** A record of which nobody knew. */
  #make(part: PatchTable, plan: Plan, pk: string, input: object, walk: Walk): Slot {
    // Before its members are walked: whoever meets the same pk below finds it.
    const made = new Slot(undefined, this.stamp);
    freshOf(part).set(pk, made);
    part.hasRecords = true;
    made.rec = freshRecord(walk, plan, input);
    return made;
  }

  #merge(plan: Plan, base: EntityRecord | undefined, stamp: Stamp, input: object, walk: Walk): EntityRecord {
    if (base === undefined) return freshRecord(walk, plan, input);
    return plan.mergesWhole
      ? mergeIfWanted(plan, base, freshRecord(walk, plan, input), stamp, this.stamp)
      : mergedRecord(walk, plan, base, input);
  }

  protected mayKeepLogs(): boolean {
    return this.oldest < this.stamp.seq || this.store.logs.size > 0 || this.logs.size > 0;
  }

  protected keepsLog(slot: Slot | undefined): boolean {
    return this.oldest < this.stamp.seq ||
      // Of this patch: a row that a later change was put upon already, and that the response names once more.
      (slot !== undefined && (this.store.logs.has(slot) || this.logs.has(slot)));
  }

  #putInLog(part: PatchTable, slot: Slot | undefined, plan: Plan, pk: string, input: object, walk: Walk): void {
    const known = slot ?? part.fresh.get(pk);
    if (known === undefined && plan.rows === undefined) {
      const made = this.#make(part, plan, pk, input, walk);
      const base = this.#absence ??= { record: undefined, stamp: this.stamp };
      this.ownLogs().set(made, { base, writes: [{ stamp: this.stamp, plan, incoming: made.rec }] });
      return;
    }
    const log = known === undefined ? undefined : this.logs.get(known);
    if (isInstanceOf(plan, slot, input)) return;
    // A record that repeats in a response is compared with what this response said of it before.
    const last = log?.writes.at(-1);
    if (last?.stamp === this.stamp && last.plan === plan && last.incoming !== undefined && !plan.mergesWhole) {
      const incoming = mergedRecord(walk, plan, last.incoming, input);
      if (incoming !== last.incoming) this.insert(part, slot, plan, pk, incoming);
      return;
    }
    const isRow = plan.rows !== undefined;
    const base = known === undefined ? undefined : this.baseOf(known);
    if (!isRow && !plan.mergesWhole && plan.keepsMembers && this.#comesLast(known, log)) {
      // Merged as it is walked, it is compared with what is there before anything of it is copied.
      const record = base === undefined ? freshRecord(walk, plan, input) : mergedRecord(walk, plan, base, input);
      const incoming = base === undefined ? record : broughtBy(walk, record, input);
      return this.insert(part, slot, plan, pk, incoming, this.stamp, { record, stamp: this.stamp });
    }
    this.insert(part, slot, plan, pk, freshRecord(walk, plan, input));
    const isNew = isRow && base === undefined;
    if (isNew && this.store.tableChanges.length > 0) this.#undergo(part, (slot ?? part.fresh.get(pk))!, pk);
  }

  /** Whether what this patch writes is later than all of a log; `own`: the one of this patch, if it has one. */
  #comesLast(slot: Slot | undefined, own: RecordLog | undefined): boolean {
    const log = own ?? (slot === undefined ? undefined : this.store.logs.get(slot));
    return log === undefined || isLast(log, this.stamp);
  }

  /** A row that comes late undergoes what has happened to its table since. */
  #undergo(part: PatchTable, slot: Slot, pk: string): void {
    for (const change of this.store.tableChanges) {
      if (change.table === part.table && change.stamp.seq > this.stamp.seq) this.#amend(part, slot, pk, change);
    }
  }

  /** Puts a write at its sequence number; `known`: what the record amounts to then, where that was found already. */
  protected insert(
    part: PatchTable,
    before: Slot | undefined,
    plan: Plan,
    pk: string,
    incoming: EntityRecord | undefined,
    at = this.stamp,
    known?: Version,
    without?: readonly string[],
  ): void {
    let slot = before ?? part.fresh.get(pk);
    if (slot === undefined) freshOf(part).set(pk, slot = new Slot(undefined, this.stamp));
    const present: Version = {
      record: this.baseOf(slot),
      stamp: slot.next?.patch === this ? this.stamp : slot.stamp,
    };
    const log = this.logOf(slot);
    const write: LogWrite = { stamp: at, plan, incoming, without };
    const longer = log === undefined
      ? { base: present, writes: [write] }
      : withWrite(log, write, (after, before) => this.store.sequence.hasBetween(after, before));
    this.ownLogs().set(slot, longer);
    const base = this.store.baseOf(slot);
    // What comes last is merged over what is there: records that repeat in a response would cost all their writes each time.
    const comesLast = log === undefined || isLast(log, at);
    const { record: merged, stamp } = known ??
      (comesLast ? mergeWrite({ record: present.record, stamp: this.stampOf(slot) }, write) : foldLog(longer));
    if (stamp.seq !== this.stampAfter(slot).seq) this.ownStamps().set(slot, stamp);
    else if (this.stamps.size > 0) this.ownStamps().delete(slot);
    // Merged over the very base, it has the parts of it already that are equal.
    const isOther = merged !== undefined && base !== undefined && !(comesLast && present.record === base);
    const rec = isOther ? keepEqual(plan, base, merged) : merged;
    if (before !== undefined) return this.stage(part, slot, plan, pk, rec);
    slot.rec = rec;
    if (rec !== undefined) part.hasRecords = true;
  }
}

const NO_EFFECT: ListEffect = /* @__PURE__ */ Object.freeze({});
