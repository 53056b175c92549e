import type { StorePart } from "../store/answers.ts";
import type { Commit } from "../store/commit.ts";
import { mark, type Node, type Row, viewOf } from "../store/row.ts";
import type { Plan } from "../store/plan.ts";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import { equal } from "../plain/equal.ts";
import { isObject } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";

/** The rows that refer to one name. Readers hold the node; the index does not, so that it keeps nothing alive. */
interface Group {
  readonly rows: Set<Row>;
  node?: WeakRef<Node>;
}

/** The rows of a table by what a member refers to: built by one look at all of them, kept by the commits of its store. */
export class MemberIndex implements StorePart {
  /** Where each row stands, and when it arrived. */
  readonly #places = new Map<Row, { readonly names: readonly string[]; readonly at: number }>();
  readonly #groups = new Map<string, Group>();
  #arrived = 0;
  #age: number | undefined;
  /** Turns dirty when the table becomes known. */
  readonly known: Node = viewOf(undefined, undefined);

  constructor(readonly plan: Plan, readonly member: string, readonly store: Tables & Partial<Store>) {
    const { table } = plan;
    table.alls.set(this, this.known);
    store.parts?.push(this);
    for (const pk in table.seeds) table.row(pk);
    this.#put(table.rows.values(), []);
  }
  /** The node of the rows that refer to a name, in order of arrival. */
  node(name: string): Node {
    const group = this.#group(name), at = (row: Row) => this.#places.get(row)!.at;
    let node = group.node?.deref();
    if (!node) group.node = new WeakRef(node = viewOf([this.plan.E], undefined));
    node.kept ??= [...group.rows].sort((a, b) => at(a) - at(b)).map(({ pk }) => pk);
    return node;
  }
  #group(name: string): Group {
    let group = this.#groups.get(name);
    if (!group) this.#groups.set(name, group = { rows: new Set() });
    return group;
  }
  /** The rows that a commit has changed stand where they belong now. */
  commit({ touched, layer, told }: Commit): void {
    const { age } = this.store;
    if (age !== this.#age) {
      // After a pass of `memory`: rows that it has removed go, and names that nothing has or reads.
      this.#age = age;
      this.#put(this.#places.keys(), told);
      for (const [name, { rows, node }] of this.#groups) if (!rows.size && !node?.deref()) this.#groups.delete(name);
    }
    this.#put(touched, told);
    this.#put(layer?.patches.keys() ?? [], told);
  }
  reset(): void {
    this.#put(this.#places.keys(), []);
  }
  #put(rows: Iterable<Row>, told: Node[]): void {
    const { store, plan: { table }, member } = this;
    for (const row of rows) {
      if (row.table !== table) continue;
      const place = this.#places.get(row), before = place?.names ?? [];
      const rec: Value = table.rows.get(row.pk) === row ? store.shown(row) : undefined;
      const names = rec ? namesOf(rec[member]) : [];
      if (!equal(names, before)) {
        for (const name of before) this.#change(name, told).delete(row);
        for (const name of names) this.#change(name, told).add(row);
      } else if (!rec === !place) continue;
      if (rec) this.#places.set(row, { names, at: place?.at ?? ++this.#arrived });
      else this.#places.delete(row);
    }
  }
  /** The rows of a name, which change. */
  #change(name: string, told: Node[]): Set<Row> {
    const { rows, node: held } = this.#group(name), node = held?.deref();
    if (node) {
      node.kept = undefined;
      mark(node, told);
    }
    return rows;
  }
}

/** What a member refers to, each once: pks, references of a union, plain keys. */
function namesOf(value: Value): readonly string[] {
  if (!Array.isArray(value)) return value == null ? [] : [nameOf(value)];
  return [...new Set(value.filter((one) => one != null).map(nameOf))];
}

/** What a reference is called: of a union with its tag. */
export const nameOf = (kept: Value): string => isObject(kept) ? `${kept.schema}\n${kept.id}` : `${kept}`;
