import { eachParent, EntityNode, type ViewNode } from "../../denormalize/node.ts";
import type { PlainPatch } from "../../store/plain_patch.ts";
import type { Store } from "../../store/store.ts";
import { NEVER, type Slot } from "../../store/slot.ts";
import type { Table } from "../../store/tables.ts";
import { forgetView, remove } from "./drop.ts";
import { inSteps } from "./steps.ts";

/** One table with its slots as they are, and as they are to be. */
class Copy {
  readonly table: Table;
  readonly from: Map<string, Slot>;
  readonly to = new Map<string, Slot>();
  /** How many of those that stay are records, and of those that go. */
  kept = 0;
  gone = 0;
  readonly #rest: Iterator<[string, Slot]>;
  #done = 0;

  constructor(table: Table) {
    this.table = table;
    this.from = table.slots;
    this.#rest = table.slots.entries();
  }

  /** Takes the next slot; whether there is one. What joins the table meanwhile comes at the end. */
  take(stays: (slot: Slot) => boolean): boolean {
    // The iterator never comes to its end: it would not see what joins later.
    if (this.#done === this.from.size) return false;
    const [pk, slot] = this.#rest.next().value as [string, Slot];
    // A slot that was taken when it waited for its record comes again: the record has arrived, behind all others.
    if (!this.to.delete(pk)) this.#done++;
    const isRecord = slot.rec !== undefined;
    if (stays(slot)) {
      this.to.set(pk, slot);
      if (isRecord) this.kept++;
    } else if (isRecord) this.gone++;
    return true;
  }

  /** Whether it has all of the table. */
  get isWhole(): boolean {
    return this.table.slots === this.from && this.#done === this.from.size;
  }

  /** The slots that go. */
  *left(): Iterable<readonly [pk: string, slot: Slot]> {
    for (const pair of this.from) if (this.to.get(pair[0]) !== pair[1]) yield pair;
  }
}

/**
 * The sweep phase. What stays is copied, some at a time; then each table gets its copy, all of them in one moment, for a
 * record without what it refers to is never to be seen. What is gone is cleared up afterwards, some at a time.
 */
export class Sweep {
  readonly #store: Store;
  readonly #stride: number;
  readonly #stays: (slot: Slot) => boolean;
  #copies: readonly Copy[] = [];

  /**
   * @param store Whose slots.
   * @param stride So many are looked at in one step.
   * @param stays Whether a slot stays.
   */
  constructor(store: Store, stride: number, stays: (slot: Slot) => boolean) {
    this.#store = store;
    this.#stride = stride;
    this.#stays = stays;
  }

  /** Copies every table. */
  *copy(): Generator<undefined, void, undefined> {
    const copies = this.#copies = [...this.#store.tables.byKey.values()].map((table) => new Copy(table));
    let count = 0;
    for (const copy of copies) while (copy.take(this.#stays)) if (++count % this.#stride === 0) yield;
  }

  /** Takes what has joined since; whether the copies have everything. */
  finish(): boolean {
    for (const copy of this.#copies) while (copy.take(this.#stays));
    return this.#copies.length === this.#store.tables.byKey.size && this.#copies.every(({ isWhole }) => isWhole);
  }

  /**
   * From now on what goes is gone. It tells no reader, for none sees any of it.
   *
   * @param views The views that stay.
   */
  flip(views: ReadonlySet<ViewNode>): void {
    // A table of which nothing goes keeps its slots: what joins it from now on is not to be cleared up.
    const copies = this.#copies = this.#copies.filter(({ from, to }) => from.size !== to.size);
    const flip = () => copies.forEach((copy) => letGo(this.#store, copy, views));
    if (copies.every(({ gone }) => gone === 0)) return flip();
    const records: PlainPatch["records"][number][] = [];
    if (this.#store.parts.some(({ released }) => released !== undefined)) {
      for (const copy of copies) {
        const { table: { key } } = copy;
        for (const [pk, { rec: before }] of copy.left()) {
          if (before !== undefined) records.push({ key, pk, before, after: undefined });
        }
      }
    }
    remove(this.#store, flip, { records });
  }

  /** Clears up what is gone: whoever still holds a view of it finds that nothing is there. */
  *clear(): Generator<undefined, void, undefined> {
    const { broken } = this.#store;
    for (const copy of this.#copies) {
      const indexes = [...copy.table.indexes?.values() ?? []];
      yield* inSteps(copy.left(), this.#stride, ([, slot]) => {
        for (const index of indexes) index.collected([slot]);
        let { node } = slot;
        slot.rec = slot.next = slot.node = undefined;
        slot.stamp = NEVER;
        for (; node !== undefined; node = node.sibling) {
          // Without a watcher there is nobody to be told.
          broken.delete(node);
          eachParent(node, referAnew);
          forgetView(node);
          node.built = node.turned = undefined;
        }
      });
      for (const index of indexes) index.hasGone = false;
    }
    this.#copies = [];
  }
}

/** If it refers to the same again by then, there will be another slot. */
function referAnew(parent: ViewNode): void {
  if (parent instanceof EntityNode) parent.built = undefined;
}

function letGo(store: Store, { table, to, kept, gone }: Copy, views: ReadonlySet<ViewNode>): void {
  table.slots = to;
  for (const index of table.indexes?.values() ?? []) {
    index.hasGone = true;
    // One that nobody has a bucket of is built again, of what is left.
    index.tidy();
  }
  if (gone === 0) return;
  table.version++;
  // What was there is not known any more; that there is nothing, nobody has said.
  if (table.known && !table.isShown && kept === 0 && !isSeen(store, table, views)) table.known = false;
}

/** Whether somebody sees a table that has no record left. */
function isSeen({ graph }: Store, { indexes, key }: Table, views: ReadonlySet<ViewNode>): boolean {
  for (const view of graph.allViews()) if (views.has(view) && view.plan.key === key) return true;
  for (const index of indexes?.values() ?? []) if (index.isObserved) return true;
  return false;
}
