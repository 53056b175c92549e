import { check } from "../errors/checks.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { type Said, said } from "../errors/texts.ts";
import { newToken } from "../endpoint/temporary_id.ts";
import type { RecordSource } from "../denormalize/node.ts";
import { keyIsDefault } from "../normalize/key_is_default.ts";
import type { Aliases } from "../parts/temporary_ids/aliases.ts";
import type { RowsDeclaration, SchemaObject } from "../schemas/interface.ts";
import type { Fields, Plan } from "../schemas/plan.ts";
import type { lookAtFamily } from "./family.ts";
import type { warnOfOlderStatics } from "./older_statics.ts";
import { Slot, Table } from "./slot.ts";
export type { Table } from "./slot.ts";

/** Whose tables they are. */
interface Host {
  readonly covered: ReadonlyMap<Slot, unknown>;
  warnOnce(about: string, message: Said): void;
}

/** The tables of a store. */
export class Tables implements RecordSource {
  /** What all temporary ids of this store begin with; "" until there is one. */
  idToken = "";
  /** How many there were. */
  idCount = 0;
  /** What becomes of them; without it, they are shown and nothing else. */
  aliases: Aliases | undefined;
  /** What a patch means for lists; without it, for none. */
  openLists: RowsDeclaration["openLists"] | undefined;
  readonly byKey: Map<string, Table> = new Map();
  /** Those of lists. */
  readonly lists: Set<Table> = new Set();
  /** The same by the id of a plan: a lookup by name for each occurrence would show. */
  readonly #byPlan: (Table | undefined)[] = [];
  /** Of classes that share their key, by the same. */
  readonly #fields: (Fields | undefined)[] = [];
  readonly #store: Host;

  constructor(store: Host) {
    this.#store = store;
  }

  /**
   * The table of a class.
   *
   * @throws {SchemaError} If the class cannot share the table with those that reached it before.
   */
  of(plan: Plan): Table {
    const table = this.#byPlan[plan.id];
    return table ?? this.#register(plan);
  }

  slot(plan: Plan, pk: string): Slot {
    // Asked of every reference: one look into the table is all that most of them cost.
    const table = this.of(plan);
    let slot = this.find(table, pk);
    if (slot === undefined) table.slots.set(pk, slot = new Slot(table, pk));
    return slot;
  }

  /** The slot of a table, where there is one. A reader may know it by the name that it had before the server named it. */
  find({ slots }: Table, pk: string): Slot | undefined {
    return slots.get(pk) ?? (this.aliases && slots.get(this.aliases.pkOf(pk) ?? pk));
  }

  /** The members of a class, and those that only others of its key declare: as this store has met them. */
  fieldsOf(plan: Plan): Fields {
    this.of(plan);
    return this.#fields[plan.id] ?? plan.fields;
  }

  /** Another temporary id. */
  newId(): string {
    return `${this.idToken ||= newToken()}${++this.idCount}`;
  }

  /** Whether a text, such as a request key, has a temporary id in it. */
  hasId(text: string): boolean {
    return this.idToken !== "" && text.includes(this.idToken);
  }

  /** It can be read as a whole: also where only a layer shows a record of it, and as long as it does. */
  isKnown(table: Table): boolean {
    return table.known ||
      [...this.#store.covered.keys()].some((slot) => slot.table === table && slot.rec !== undefined);
  }

  slots(plan: Plan): Iterable<Slot> | undefined {
    const table = this.of(plan);
    return this.isKnown(table) ? table.slots.values() : undefined;
  }

  /** The table of a key, made when it is not there: for hydrated data, whose classes are not known yet. */
  named(key: string): Table {
    let table = this.byKey.get(key);
    if (table === undefined) this.byKey.set(key, table = new Table(key));
    return table;
  }

  #register(plan: Plan): Table {
    const table = this.named(plan.key);
    // Nobody reads by the class of a change, and an app may make one with each call: it is not remembered.
    if (plan.rows?.amends && table.plans.some(({ rows }) => rows !== undefined)) return table;
    for (const other of [...table.plans]) {
      const found = check<typeof lookAtFamily>("family", other, plan);
      if (found === "reloaded") table.plans.splice(table.plans.indexOf(other), 1);
      else if (keyIsDefault(plan.entity) && keyIsDefault(other.entity)) {
        throw new SchemaError(said(302, { one: other.entity.name, other: plan.entity.name, key: plan.key }));
      } else if (found !== undefined) throw new SchemaError(found);
    }
    for (const other of table.plans) {
      this.#learn(plan, other);
      this.#learn(other, plan);
    }
    check<typeof warnOfOlderStatics>("statics", plan.entity, (about, message) => this.#store.warnOnce(about, message));
    table.plans.push(plan);
    if (plan.rows !== undefined) {
      this.lists.add(table);
      this.openLists = plan.rows.openLists;
      this.aliases ??= plan.rows.openAliases(this);
    }
    return this.#byPlan[plan.id] = table;
  }

  /**
   * What only another class of the key declares is written as that one says: the reply to an edit of a summary may be the
   * whole detail.
   */
  #learn(plan: Plan, { fields: { all, nests, areKept } }: Plan): void {
    const own = this.#fields[plan.id] ?? plan.fields;
    const others = all.filter(({ name }) => !plan.fields.byName.has(name));
    // What is kept of a list is the key of its record: it is nothing to be shown, or sent back.
    const lists = others.filter(({ schema }) => (schema as SchemaObject).isCollection).map(({ name }) => name);
    this.#fields[plan.id] = {
      ...own,
      byName: new Map([...own.byName, ...others.map((field) => [field.name, field] as const)]),
      nests: own.nests || nests,
      areKept: own.areKept && areKept,
      hidden: [...own.hidden ?? [], ...lists],
    };
  }
}
