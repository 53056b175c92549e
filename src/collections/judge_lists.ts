import { madeIn } from "../schemas/once_for.ts";
import { recordsNamed } from "../schemas/subjects.ts";
import { type Amendment, type AnyEntity, type AnySchema, isEntity, type StoredMembers } from "../schemas/interface.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import type { Patch } from "../store/patch.ts";
import type { Slot } from "../store/slot.ts";
import type { Store } from "../store/store.ts";
import type { Table } from "../store/tables.ts";
import type { CollectionRecord } from "./collection_items.ts";
import {
  ask,
  effectsOf,
  isOrder,
  type KnownList,
  membershipIn,
  type MembershipRules,
  together,
  UNCERTAIN,
  UNTOUCHED,
  type Verdict,
} from "./collection_membership.ts";

/** A record that a mutation, or `set`, has written. */
interface Change {
  readonly slot: Slot;
  /** As it was; `undefined`: nobody knows. */
  readonly before: StoredMembers | undefined;
  /** As it is; `undefined`: deleted. */
  readonly after: StoredMembers | undefined;
  /** What was sent: a read may have brought it before, and then the write itself changes nothing. */
  readonly sent: object | undefined;
  /** Nobody named it before: a read that brought it may have been answered after it was made. */
  readonly isMade: boolean;
}

/**
 * Adds to a patch what the records that it writes mean for lists: they join and leave, and what cannot be judged is noted.
 *
 * @param schema What was written along.
 * @param sent What was sent.
 * @param named The records that the call named; `undefined`: whatever was written.
 */
export function* judgeLists(
  store: Store,
  patch: Patch,
  amended: ReadonlySet<Table>,
  schema: AnySchema,
  sent: unknown,
  named: ReadonlySet<Slot> | undefined,
): Iterable<readonly [plan: Plan, amendment: Amendment]> {
  const { lists } = store.tables;
  const changes = changesOf(store, patch, schema, sent, named);
  if (changes.length === 0) return;
  for (const table of [...lists]) {
    const plan = table.plans.find(({ rows }) => rows?.rules.size);
    if (plan === undefined) continue;
    const rules = together(plan.rows!.rules);
    // A verb has said already what becomes of what it was given: what else it has changed can only be in doubt.
    const isAmended = amended.has(table);
    const own = (isAmended ? changes.filter(({ before, after }) => before !== undefined && before !== after) : changes)
      .map((one) => ({ ...one, sent: isAmended ? undefined : one.sent, kept: keptAs(rules.item, one.slot) }))
      .filter(({ kept }) => kept !== undefined);
    if (own.length === 0) continue;
    const { args, unknown } = argsOf(store, table);
    // Where older answers may bring others, each list is looked at.
    const items = patch.hasOlder ? own : own.filter((one) => isConcerned(rules, args, unknown, one));
    if (items.length === 0) continue;
    const isOnly = ![...lists].some((other) => other !== table && other.plans[0]!.rows!.item === rules.item);
    const membership = membershipIn(rules, {
      records: () => recordsOf(store, table),
      unknown,
      record: (entity, pk) => {
        const slot = store.tables.of(store.graph.planOf(entity)).slots.get(pk);
        return slot && store.baseOf(slot);
      },
    });
    const verdictOf = (list: KnownList, item: Change & { readonly kept: unknown }): Verdict => {
      // In no list of this address: those of another may have the same arguments.
      const verdict = judge(rules, list, item, () => membership.isHeld(item.kept), isOnly);
      if (!isAmended) return verdict;
      const { isIn, isUncertain } = verdict;
      return {
        ...verdict,
        isIn: undefined,
        isUncertain: isUncertain || (isIn !== undefined && isIn !== list.isThere(item.kept)),
      };
    };
    yield [plan, () => effectsOf(rules, membership, items, verdictOf)];
  }
}

/** What a change of one record means for one list. */
function judge(
  { filterOf, isByCall, isList }: MembershipRules,
  list: KnownList,
  given: Change & { readonly kept: unknown },
  isHeld: () => boolean,
  isOnly: boolean,
): Verdict {
  const { filters, isPart } = list;
  const change = given.isMade && !list.isThere(given.kept) ? { ...given, before: undefined } : given;
  const { before, after, sent, kept } = change;
  if (isByCall) return Object.keys(list.args).length === 0 ? UNTOUCHED : UNCERTAIN;
  const present = after ?? before;
  const match = list.match(present, (name) => present?.[name]);
  if (after === undefined) {
    // Whoever is at another place of it moves up.
    return match === "no" ? UNTOUCHED : { isUncertain: match !== "yes" || isPart, isMoved: true };
  }
  if (match === "unknown") return UNCERTAIN;
  const isMember = (name: string) => isChanged(change, name);
  const isTouched = filters.some(([name, wanted]) => {
    const filter = filterOf(name);
    return isMember(name) || (filter && (sent || ask(filter, before, wanted) !== ask(filter, after, wanted)));
  });
  if (match !== "yes") return isTouched ? { isIn: false, isUncertain: match === "guess" || isPart } : UNTOUCHED;
  const isReordered = isOrder(list.display, after, isMember);
  if (!isTouched) return { isUncertain: isReordered || (before === undefined && !list.isThere(kept)) };
  const isKnown = list.isThere(kept) || isHeld();
  return list.joins(kept, after, isReordered || !isKnown, isList && (isKnown || isOnly));
}

/** Whether a change may mean anything for any list: most edits are of members that no argument names. */
function isConcerned(
  { filterOf, isByCall, isDisplay }: MembershipRules,
  args: KnownArgs["args"],
  unknown: ReadonlySet<string>,
  change: Change,
) {
  const { before, after, isMade } = change;
  if (isMade || before === undefined || after === undefined || isByCall) return true;
  const isMember = (name: string) => isChanged(change, name);
  return [...args].some(([name, values]) =>
    isDisplay(name)
      ? [...values].some((value) => isOrder([[name, value]], after, isMember))
      : filterOf(name) || isMember(name) || after[name] === undefined || unknown.has(name)
  );
}

/** Whether a member may be another than the server had when lists were read. */
function isChanged({ before, after, sent }: Change, name: string): boolean {
  return before === undefined || before[name] !== after?.[name] || (sent !== undefined && Object.hasOwn(sent, name));
}

/** What refers to a record in a list of items; `undefined` where none can. */
function keptAs(item: AnySchema, { pk, table: { key } }: Slot): unknown {
  if (isEntity(item)) return item.key === key ? pk : undefined;
  const { mapping = {} } = item as { readonly mapping?: { readonly [tag: string]: AnyEntity } };
  const tag = Object.keys(mapping).find((each) => mapping[each]!.key === key);
  return tag === undefined ? undefined : { id: pk, schema: tag };
}

function recordsOf(store: Store, table: Table): readonly EntityRecord[] {
  return Array.from(table.slots.values(), (slot) => store.baseOf(slot)).filter((record) => record !== undefined);
}

/** The arguments that the lists of a table have, with their values, and those that are shown to be no comparison. */
interface KnownArgs {
  readonly args: ReadonlyMap<string, ReadonlySet<string>>;
  readonly unknown: ReadonlySet<string>;
}

/** Read again when a list has changed since. */
const known = new WeakMap<Table, KnownArgs & { readonly version: number }>();

function argsOf(store: Store, table: Table): KnownArgs {
  const { version } = table;
  const last = known.get(table);
  if (last?.version === version) return last;
  const args = new Map<string, Set<string>>();
  const unknown = new Set<string>();
  for (const list of recordsOf(store, table) as readonly CollectionRecord[]) {
    for (const name in list.args) madeIn(args, name, () => new Set<string>()).add(list.args[name]!);
    for (const name of list.unknown ?? []) unknown.add(name);
  }
  const next = { args, unknown, version };
  known.set(table, next);
  return next;
}

/** What a patch has changed, at its sequence number: what was written later does not say what this one has. */
function changesOf(
  store: Store,
  patch: Patch,
  schema: AnySchema,
  given: unknown,
  named: ReadonlySet<Slot> | undefined,
): readonly Change[] {
  const { result, touched } = patch;
  const sent = Object(given) === given ? given as object : undefined;
  // Also what was deleted of which nobody knew.
  const slots = new Set(touched.filter((slot) => slot.next === null || patch.baseOf(slot) !== store.baseOf(slot)));
  const made = new Set<Slot>();
  // What it is about, also where it is written what is there already.
  for (const [entity, pk] of recordsNamed(schema, result)) {
    const plan = store.graph.planOf(entity);
    const slot = patch.find(plan, pk);
    if (!slot || !(patch.recordAt(plan, pk) ?? patch.recordAt(plan, pk, true))) continue;
    slots.add(slot);
    if (named !== undefined && !named.has(slot)) made.add(slot);
  }
  return [...slots].flatMap((slot) => {
    const { pk, table: { plans: [plan] } } = slot;
    if (plan === undefined || plan.rows !== undefined) return [];
    const after = patch.recordAt(plan, pk);
    return [{
      slot,
      before: patch.recordAt(plan, pk, true),
      after,
      sent,
      isMade: after !== undefined && made.has(slot),
    }];
  });
}
