import { Graph } from "../../denormalize/graph.ts";
import type { RecordSlot, RecordSource } from "../../denormalize/node.ts";
import type { AnyReadable } from "../../endpoint/interface.ts";
import { copyArgs } from "../../endpoint/copy_plain.ts";
import type { Fields, Plan } from "../../schemas/plan.ts";
import { Entries, type Entry, isSameShape } from "../../store/entry.ts";
import { ResponseView } from "../../store/response_view.ts";
import { shownOf } from "../../store/response_view.ts";
import type { Store, StorePart } from "../../store/store.ts";
import { NEVER, type Slot, type Stamp } from "../../store/slot.ts";
import { partOf } from "../part_of.ts";

/** One record as it was. */
interface MomentSlot extends RecordSlot {
  readonly stamp: Stamp;
}

/** One table as it was. */
interface MomentTable {
  readonly isKnown: boolean;
  readonly slots: Map<string, MomentSlot>;
}

/**
 * Everything that a store shows at one moment. It is taken for nothing: what is there is copied when the store is about
 * to change, and only if somebody still has it.
 */
export class Moment implements RecordSource {
  readonly graph: Graph;
  readonly #store: Store;
  /** By key. While the store is as it was, only what was read; afterwards all of it. */
  #tables = new Map<string, MomentTable>();
  /** `undefined` while the store is as it was. */
  #entries: Entries | undefined;
  #results: Store["overlay"]["results"] | undefined;
  readonly #views = new Map<string, ResponseView[]>();

  private constructor(store: Store) {
    this.#store = store;
    this.graph = new Graph(this, store.strict);
    this.graph.keep = copyArgs;
  }

  /** The present moment of a store; the same one until the next commit. */
  static of(store: Store): Moment {
    const present = partOf(store, Present);
    let moment = present.moment?.deref();
    if (moment === undefined) present.moment = new WeakRef(moment = new Moment(store));
    return moment;
  }

  fieldsOf(plan: Plan): Fields {
    return this.#store.tables.fieldsOf(plan);
  }

  /** The store is about to change: what it shows now is copied. */
  keep(): void {
    const tables = new Map<string, MomentTable>();
    for (const [key, table] of this.#store.tables.byKey) {
      const seen = this.#tables.get(key)?.slots;
      const kept = new Map<string, MomentSlot>();
      for (const [pk, slot] of table.slots) kept.set(pk, seen?.get(pk) ?? copyOf(pk, slot));
      tables.set(key, { isKnown: this.#store.tables.isKnown(table), slots: kept });
    }
    this.#tables = tables;
    this.#results = this.#store.overlay.results;
    this.#entries = new Entries();
    for (const entry of this.#store.entries.all()) this.#entries.set(entry);
  }

  /** What a read of an endpoint amounts to; the same view for the same key and shape. */
  response(endpoint: AnyReadable, args: readonly unknown[], key: string): ResponseView {
    const views = this.#views.get(key) ?? [];
    this.#views.set(key, views);
    let view = views.find((candidate) => isSameShape(candidate.endpoint, endpoint));
    if (view === undefined) {
      const entry = this.#entryOf(endpoint, key);
      views.push(view = new ResponseView(endpoint, copyArgs(args), key, entry));
      view.shown = shownOf(this.#results ?? this.#store.overlay.results, entry);
    }
    return view;
  }

  slot(plan: Plan, pk: string): MomentSlot {
    const { tables } = this.#store;
    const isPresent = this.#entries === undefined;
    const table = this.#table(plan);
    let slot = table.slots.get(pk);
    if (slot === undefined) {
      const named = tables.aliases?.pkOf(pk);
      // A reader that knows it by the name it had before the server named it.
      if (named !== undefined && named !== pk && tables.of(plan).slots.get(pk) === undefined) {
        return this.slot(plan, named);
      }
      const present = isPresent ? tables.of(plan).slots.get(pk) : undefined;
      table.slots.set(pk, slot = copyOf(pk, present));
    }
    return slot;
  }

  slots(plan: Plan): Iterable<MomentSlot> | undefined {
    if (this.#entries !== undefined) {
      const { isKnown, slots } = this.#table(plan);
      return isKnown ? slots.values() : undefined;
    }
    const slots = this.#store.tables.slots(plan);
    return slots && Array.from(slots, ({ pk }) => this.slot(plan, pk));
  }

  #table(plan: Plan): MomentTable {
    let table = this.#tables.get(plan.key);
    if (table === undefined) this.#tables.set(plan.key, table = { isKnown: false, slots: new Map() });
    return table;
  }

  #entryOf(endpoint: AnyReadable, key: string): Entry | undefined {
    return (this.#entries ?? this.#store.entries).get(key, endpoint);
  }
}

/** What somebody may still read as it is now, although it changes; not held for its sake. */
class Present implements StorePart {
  moment: WeakRef<Moment> | undefined;

  changing(): void {
    this.moment?.deref()?.keep();
    this.moment = undefined;
  }
}

function copyOf(pk: string, slot: Slot | undefined): MomentSlot {
  // A renewed answer changes the stamp itself.
  return {
    pk,
    rec: slot?.rec,
    isDeleted: slot !== undefined && slot.isDeleted,
    stamp: { ...(slot?.stamp ?? NEVER) },
    node: undefined,
  };
}
