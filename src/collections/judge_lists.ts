import {
  type Amendment,
  type AnySchema,
  type ChangedRecord,
  isEntity,
  isSchemaObject,
  type ListEffect,
  type ListsBefore,
} from "../schemas/interface.ts";
import { mergeRecords } from "../normalize/record.ts";
import { type EntityRecord, type Plan, planOf } from "../schemas/plan.ts";
import type { Patch } from "../store/patch.ts";
import type { Store } from "../store/store.ts";
import type { Slot } from "../store/slot.ts";
import type { Table } from "../store/tables.ts";

/**
 * Adds to a patch what the records that it writes mean for lists: they join and leave, and what cannot be judged is noted.
 *
 * @param schema What was written along.
 * @param sent What was sent: a read may have brought it before, and then the write itself changes nothing.
 * @param unclaimed Lists of which nobody knows what they are of.
 */
export function judgeLists(
  store: Store,
  patch: Patch,
  schema: AnySchema,
  sent: unknown,
  unclaimed: readonly Slot[] | undefined,
): void {
  const { lists } = store.tables;
  const changes = changesOf(store, patch, schema, sent);
  if (changes.length === 0) return;
  if (unclaimed !== undefined) patch.uncertain = new Set(unclaimed);
  for (const table of [...lists]) {
    const plan = table.plans.find(({ rows }) => rows?.judge !== undefined);
    // A verb has said already what becomes of what it was given: what else it has changed can only be in doubt.
    const isAmended = patch.amended.includes(table);
    const own = isAmended ? changes.flatMap(alteredOnly) : changes;
    if (plan === undefined || own.length === 0) continue;
    const { item, judge } = plan.rows!;
    let records: readonly EntityRecord[] | undefined;
    const of = judge!(own, {
      ...!patch.hasOlder && argsOf(store, table),
      get records() {
        return records ??= recordsOf(store, table);
      },
      isOnly: ![...lists].some((other) => other !== table && other.plans[0]!.rows!.item === item),
      record: (entity, pk) => {
        const slot = store.tables.of(store.graph.planOf(entity)).slots.get(pk);
        return slot && store.baseOf(slot);
      },
    });
    if (of === undefined) continue;
    patch.amend(plan, isAmended ? (list) => inDoubtOnly(list, of) : of);
  }
}

function recordsOf(store: Store, table: Table): readonly EntityRecord[] {
  return Array.from(table.slots.values(), (slot) => store.baseOf(slot)).filter((record) => record !== undefined);
}

type KnownArgs = Required<Pick<ListsBefore, "args" | "unknown">>;

/** The arguments of the lists of a table: read again when a list has changed since. */
const known = new WeakMap<Table, KnownArgs & { readonly version: number }>();

function argsOf(store: Store, table: Table): KnownArgs {
  const before = known.get(table);
  if (before?.version === table.version) return before;
  const args = new Map<string, Set<string>>();
  const unknown = new Set<string>();
  for (const list of recordsOf(store, table)) {
    for (const [name, value] of Object.entries(list.args ?? {})) {
      const values = args.get(name);
      if (values === undefined) args.set(name, new Set([value]));
      else values.add(value);
    }
    for (const name of (list.unknown ?? []) as readonly string[]) unknown.add(name);
  }
  const after = { args, unknown, version: table.version };
  known.set(table, after);
  return after;
}

function inDoubtOnly(list: EntityRecord, changeOf: Amendment["of"]): ListEffect | undefined {
  const { writes = [], isUncertain, isMoved = false } = changeOf(list) ?? {};
  const isOther = writes.some(({ entity, incoming }) => mergeRecords(planOf(entity), list, incoming) !== list);
  return { isUncertain: isUncertain || isOther, isMoved };
}

function alteredOnly(change: ChangedRecord): readonly ChangedRecord[] {
  const { before, after } = change;
  if (before === undefined || before === after) return [];
  return [{ ...change, isSent: false, isChanged: (name) => after === undefined || before[name] !== after[name] }];
}

function changesOf(store: Store, patch: Patch, schema: AnySchema, sent: unknown): readonly ChangedRecord[] {
  const changes = new Map<string, ChangedRecord>();
  const add = ({ key, rows }: Plan, pk: string, before: EntityRecord | undefined, after: EntityRecord | undefined) => {
    if (rows !== undefined) return;
    const isSent = typeof sent === "object" && sent !== null;
    const isChanged = (name: string) =>
      before === undefined || before[name] !== after?.[name] || (isSent && Object.hasOwn(sent, name));
    changes.set(JSON.stringify([key, pk]), { key, pk, before, after, isChanged, isSent });
  };
  // At the sequence number of this write: what was written later does not say what this one has changed.
  for (const slot of patch.touched) {
    const { table: { plans: [plan] }, pk } = slot;
    if (plan === undefined || plan.rows !== undefined || patch.baseOf(slot) === store.baseOf(slot)) continue;
    add(plan, pk, patch.recordAt(plan, pk, true), patch.recordAt(plan, pk));
  }
  for (const { table: { plans: [plan] }, pk } of patch.missed) add(plan!, pk, undefined, undefined);
  // What it is about, also where it is written what is there already.
  const subject = isSchemaObject(schema) ? schema.subject : schema;
  const { result } = patch;
  if (isEntity(subject) && typeof result === "string" && !changes.has(JSON.stringify([subject.key, result]))) {
    const plan = store.graph.planOf(subject);
    const [before, after] = [patch.recordAt(plan, result, true), patch.recordAt(plan, result)];
    if (before !== undefined || after !== undefined) add(plan, result, before, after);
  }
  return [...changes.values()];
}
