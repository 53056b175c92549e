import type { Controller } from "../controller/controller.ts";
import { eachParent, EntityNode, type ViewNode } from "../denormalize/node.ts";
import type { AnySchema } from "../schemas/interface.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import { entriesHolding } from "../store/holders.ts";
import { References } from "../store/references.ts";
import { ResponseView } from "../store/response_view.ts";
import type { Store } from "../store/store.ts";
import type { Slot } from "../store/slot.ts";
import type { Table } from "../store/tables.ts";
import { nameOf } from "./_name_of.ts";

/** So many neighbours of one kind are named. */
const MOST = 24;

/** A record, a list that mutations keep, or an answer. */
export interface Thing {
  readonly kind: "record" | "list" | "answer";
  /** The key of its table, or of the request. */
  readonly key: string;
  /** `""`: an answer. */
  readonly pk: string;
  /** The member by which the one refers to the other; `""`: by none. */
  readonly by: string;
}

/** Tells it from the others. */
export function idOf({ kind, key, pk, by }: Thing): string {
  return [kind, key, pk, by].join("\0");
}

/** What people call it: `Film 5`, `GET /films`. */
export function titleOf(controller: Controller, { kind, key, pk }: Omit<Thing, "by">): string {
  const name = nameOf(controller, key);
  return kind === "answer" ? name : `${name} ${nameOf(controller, pk)}`;
}

/** What the records of a table are. */
export function kindOf({ store: { tables } }: Controller, key: string): "list" | "record" {
  return tables.lists.has(tables.byKey.get(key)!) ? "list" : "record";
}

/** Some things, and how many there are beside them. */
export interface Things {
  readonly things: readonly Thing[];
  readonly more: number;
}

/** What a record refers to, and who holds it. */
export interface Neighbours {
  readonly below: Things;
  /** Records and lists that refer to it, as far as somebody has read them, and the answers that hold it. */
  readonly above: Things;
}

/** The neighbours of a record in the graph. */
export function neighboursOf({ store }: Controller, table: Table, slot: Slot): Neighbours {
  const names = namesOf(store);
  return { below: some(belowOf(store, table, slot, names)), above: some(aboveOf(store, table, slot, names)) };
}

/** Each thing once. */
function some(found: Iterable<Thing | undefined>): Things {
  const each = new Map<string, Thing>();
  for (const thing of found) if (thing !== undefined) each.set(idOf(thing), thing);
  const all = [...each.values()];
  return { things: all.slice(0, MOST), more: Math.max(0, all.length - MOST) };
}

type Names = (slot: object, by?: string) => Thing | undefined;

/** What records are called, by their places. */
function namesOf({ tables }: Store): Names {
  const names = new Map<object, Thing>();
  for (const table of tables.byKey.values()) {
    const kind = tables.lists.has(table) ? "list" : "record";
    for (const [pk, slot] of table.slots) names.set(slot, { kind, key: table.key, pk, by: "" });
  }
  return (slot, by = "") => {
    const thing = names.get(slot);
    return thing && { ...thing, by };
  };
}

function* belowOf(store: Store, { plans }: Table, { rec }: Slot, names: Names): Iterable<Thing | undefined> {
  for (const plan of rec === undefined ? [] : plans) {
    for (const [name, slots] of referencesOf(store, plan, rec!)) for (const slot of slots) yield names(slot, name);
  }
}

/** What each member of a record refers to. */
function* referencesOf(
  store: Store,
  { fields: { links }, rows }: Plan,
  rec: EntityRecord,
): Iterable<[string, ReadonlySet<Slot>]> {
  if (rows !== undefined) {
    yield ["", new Direct(store).in([rows.item] as AnySchema, Object.values(rec.items ?? {}))];
    return;
  }
  for (const { name, schema } of links) {
    if (rec[name] !== undefined && rec[name] !== null) yield [name, new Direct(store).in(schema, rec[name])];
  }
}

/** What a value refers to itself. */
class Direct extends References {
  readonly #met = new Set<Slot>();

  in(schema: AnySchema, value: unknown): ReadonlySet<Slot> {
    this.value(schema, value);
    while (this.step());
    return this.#met;
  }

  protected override met(slot: Slot): void {
    this.#met.add(slot);
  }
}

function aboveOf(store: Store, table: Table, slot: Slot, names: Names): Iterable<Thing | undefined> {
  const found: (Thing | undefined)[] = [];
  const seen = new Set<ViewNode>();
  const stack: ViewNode[] = [];
  for (let { node } = slot; node !== undefined; node = node.sibling) stack.push(node);
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    eachParent(node, (parent) => {
      if (seen.has(parent)) return;
      seen.add(parent);
      if (!(parent instanceof EntityNode)) stack.push(parent);
      else if (parent.slot !== slot) found.push(names(parent.slot, memberOf(store, parent, slot)));
    });
  }
  const keys = new Set(entriesHolding(store, [slot], [], store.tables.lists.has(table)).map((entry) => entry.key));
  for (const view of seen) if (view instanceof ResponseView && view.isQuery) keys.add(view.key);
  for (const key of keys) found.push({ kind: "answer", key, pk: "", by: "" });
  return found;
}

/** By which member a record refers to another. */
function memberOf(store: Store, { plan, slot: { rec } }: EntityNode, slot: Slot): string {
  for (const [name, slots] of rec === undefined ? [] : referencesOf(store, plan, rec)) if (slots.has(slot)) return name;
  return "";
}
