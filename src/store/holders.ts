import { eachParent, EntityNode, type ViewNode } from "../denormalize/node.ts";
import { isEntity } from "../schemas/interface.ts";
import type { Plan } from "../schemas/plan.ts";
import type { Entry } from "./entry.ts";
import type { Patch } from "./patch.ts";
import { References } from "./references.ts";
import { contradicts, ResponseView } from "./response_view.ts";
import type { Store } from "./store.ts";
import type { Slot } from "./slot.ts";

/**
 * The entries whose answers hold one of some records, or are made of one of some views. Reads without an entry of their
 * own, inferred from a record, get one that is empty, so that it can be marked.
 *
 * @param isLists The records are lists.
 */
export function entriesHolding(
  store: Store,
  slots: Iterable<Slot>,
  views: readonly ViewNode[] = [],
  isLists = false,
): Entry[] {
  const wanted = new Set(slots);
  const entries = new Set<Entry>();
  for (const view of answersAbove(wanted, views)) {
    const { entry } = view;
    if (view.isQuery) continue;
    if (entry === undefined) entries.add(view.emptyEntry());
    else if (view.isRead || !entry.hasResult) entries.add(entry);
  }
  // Those that nobody has read are followed to what they name, all of them, and from there back.
  const search = new Search(store, isLists);
  for (const entry of store.entries.all()) {
    if (!entry.hasResult || isRead(store, entry)) continue;
    // No endpoint has claimed it yet, so nobody knows what it names.
    if (entry.shape === undefined) entries.add(entry);
    else search.entry(entry);
    while (search.step());
  }
  for (const entry of search.entriesOf(wanted)) entries.add(entry);
  return [...entries];
}

/** The views of answers that are made of some records or views; `isDirect`: not by way of another record. */
function* answersAbove(slots: Iterable<Slot>, views: Iterable<ViewNode>, isDirect = false): Iterable<ResponseView> {
  const above = new Set(views);
  for (let { node } of slots) for (; node !== undefined; node = node.sibling) above.add(node);
  // What is added while it is walked is walked, too.
  for (const node of above) {
    if (node instanceof ResponseView) yield node;
    eachParent(node, (parent) => {
      if (!isDirect || !(parent instanceof EntityNode)) above.add(parent);
    });
  }
}

/**
 * The answers that hold, not inside another record, one that a patch changes, and whose arguments say from then on
 * something else of it than it says itself: the server would not give it there any more.
 */
export function entriesLosing(store: Store, patch: Patch): Entry[] {
  const entries: Entry[] = [];
  for (const slot of patch.touched) {
    const before = store.baseOf(slot);
    const rec = patch.baseOf(slot);
    if (rec === before) continue;
    for (const { args, entry } of answersAbove([slot], [], true)) {
      if (entry && contradicts(args, rec) && !contradicts(args, before)) entries.push(entry);
    }
  }
  return entries;
}

/** Whether the arguments of an answer say something else of a record since a write that is later than the answer. */
export function isOvertaken(patch: Patch, args: readonly unknown[]): boolean {
  return patch.logs.size > 0 &&
    patch.touched.some((slot) =>
      contradicts(args, patch.baseOf(slot)) && !contradicts(args, patch.recordAt(slot.table.plans[0]!, slot.pk))
    );
}

/**
 * What is marked stale, and what it joins or leaves in the same commit: lists, the views of whole tables, and records that
 * may refer to it from now on.
 */
export function whereShown(store: Store, patch: Patch): [slots: Slot[], views: ViewNode[]] {
  const lists = [...patch.lists?.judged ?? [], ...ownersIn(store, patch)];
  const grown = new Set(patch.touched.filter(({ rec }) => rec === undefined).map(({ table }) => table.key));
  return [[...patch.stale.keys(), ...lists], [...grown].flatMap((key) => [...store.graph.wholes(key)])];
}

/** The records of a patch that may refer to others than before. */
export function ownersIn(store: Store, patch: Patch): Slot[] {
  return patch.touched.filter((slot) =>
    slot.table.plans.some(({ fields, rows }) => fields.nests || rows !== undefined) &&
    store.baseOf(slot) !== undefined && patch.baseOf(slot) !== store.baseOf(slot)
  );
}

/** Whether somebody has read an entry as it is now: then a view tells what the answer is made of. */
function isRead({ responsesByKey }: Store, entry: Entry): boolean {
  return responsesByKey.get(entry.key)?.some((view) =>
    view.entry === entry && view.isRead && view.shown === undefined
  ) ??
    false;
}

/** Remembers of each thing that it comes to who has named it. */
class Search extends References {
  readonly #isLists: boolean;
  readonly #namedBy = new Map<object, object[]>();
  readonly #entries = new Set<object>();

  constructor(store: Store, isLists: boolean) {
    super(store);
    this.#isLists = isLists;
  }

  override entry(entry: Entry): void {
    this.#entries.add(entry);
    super.entry(entry);
  }

  /** The entries that came to one of some records. */
  entriesOf(slots: Iterable<Slot>): Entry[] {
    const entries: Entry[] = [];
    const seen = new Set<object>(slots);
    for (const met of seen) {
      for (const owner of this.#namedBy.get(met) ?? []) {
        if (seen.has(owner)) continue;
        seen.add(owner);
        if (this.#entries.has(owner)) entries.push(owner as Entry);
      }
    }
    return entries;
  }

  protected override met(slot: Slot): void {
    const { plans } = slot.table;
    if (!this.#isNew(slot) || slot.rec === undefined) return;
    const item = this.#isLists ? plans[0]?.rows?.item : undefined;
    // What it is of holds no lists in turn: to look into thousands of them would only take time.
    if (!isEntity(item) || this.store.tables.fieldsOf(this.store.graph.planOf(item)).nests) {
      this.record(slot, plans, slot.rec);
    }
  }

  protected override unsaved(plan: Plan, value: object): void {
    if (this.#isNew(value)) super.unsaved(plan, value);
  }

  #isNew(met: object): boolean {
    const owners = this.#namedBy.get(met);
    if (owners === undefined) this.#namedBy.set(met, [this.owner]);
    else owners.push(this.owner);
    return owners === undefined;
  }
}
