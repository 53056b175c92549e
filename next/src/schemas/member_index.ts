import type { Commit } from "../store/commit.ts";
import { mark, type Node, viewOf } from "../store/node.ts";
import type { Plan } from "../store/plan.ts";
import type { Store } from "../store/store.ts";
import type { StorePart } from "../store/answers.ts";
import type { Row } from "../store/row.ts";
import type { Tables } from "../store/tables.ts";
import { isObject } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";

/**
 * The rows of a table by what a member refers to: built by one look at all of them, kept by the commits of its store.
 * Readers hold the nodes; the index does not, so that it keeps nothing alive.
 */
export class MemberIndex implements StorePart {
  /** Where each row stands, and when it arrived. */
  readonly #places = new Map<Row, { readonly names: readonly string[]; readonly at: number }>();
  readonly #rows = new Map<string, Set<Row>>();
  readonly #nodes = new Map<string, WeakRef<Node>>();
  #isBuilt = false;
  #arrived = 0;
  #age: number | undefined;
  readonly #store: Partial<Store> & Tables;

  /** Turns dirty when the table becomes known. */
  readonly known: Node = viewOf(undefined, undefined);

  constructor(readonly plan: Plan, readonly member: string, tables: Tables) {
    plan.table.alls.set(this, this.known);
    this.#store = tables;
    this.#store.parts?.push(this);
  }
  /** The node of the rows that refer to a name, in order of arrival. */
  node(name: string): Node {
    this.#build();
    let node = this.#nodes.get(name)?.deref();
    if (!node) this.#nodes.set(name, new WeakRef(node = viewOf([this.plan.E], undefined)));
    node.kept ??= Array.from(this.#rows.get(name) ?? []).sort((a, b) => this.#at(a) - this.#at(b)).map(({ pk }) => pk);
    return node;
  }
  #at(row: Row): number {
    return this.#places.get(row)!.at;
  }
  #build(): void {
    if (this.#isBuilt) return;
    this.#isBuilt = true;
    const { table } = this.plan;
    for (const pk in table.seeds) table.row(pk);
    for (const row of table.rows.values()) this.#put(row, []);
  }
  /** The rows that a commit has changed stand where they belong now. */
  commit({ touched, layer, told }: Commit): void {
    if (!this.#isBuilt) return;
    this.#sweep();
    for (const row of touched) this.#put(row, told);
    for (const row of layer?.patches.keys() ?? []) this.#put(row, told);
  }
  reset(): void {
    this.#places.clear();
    this.#rows.clear();
    for (const ref of this.#nodes.values()) {
      const node = ref.deref();
      if (node) this.#turn(node, []);
    }
  }
  #turn(node: Node, told: Node[]): void {
    node.kept = undefined;
    mark(node, told);
  }
  #put(row: Row, told: Node[]): void {
    if (row.table !== this.plan.table) return;
    const place = this.#places.get(row), rec: Value = this.#store.shown(row), before = place?.names ?? [];
    const names = rec ? namesOf(rec[this.member]) : [];
    if (names.length !== before.length || names.some((name, at) => name !== before[at])) {
      for (const name of before) this.#tell(name, told).delete(row);
      for (const name of names) this.#tell(name, told).add(row);
    } else if (!rec === !place) return;
    if (rec) this.#places.set(row, { names, at: place?.at ?? ++this.#arrived });
    else this.#places.delete(row);
  }
  /** The rows of a name, which change. */
  #tell(name: string, told: Node[]): Set<Row> {
    const node = this.#nodes.get(name)?.deref();
    if (node) this.#turn(node, told);
    let rows = this.#rows.get(name);
    if (!rows) this.#rows.set(name, rows = new Set());
    return rows;
  }
  /** After a pass of `memory`: rows that it has removed, names without rows, nodes that nothing reads any more. */
  #sweep(): void {
    const { age } = this.#store, { rows } = this.plan.table;
    if (age === this.#age) return;
    this.#age = age;
    for (const [row, { names }] of this.#places) {
      if (rows.get(row.pk) === row) continue;
      this.#places.delete(row);
      for (const name of names) this.#rows.get(name)?.delete(row);
    }
    for (const [name, rows] of this.#rows) if (!rows.size) this.#rows.delete(name);
    for (const [name, ref] of this.#nodes) if (!ref.deref()) this.#nodes.delete(name);
  }
}

/** What a member refers to, each once: pks, references of a union, plain keys. */
function namesOf(value: Value): readonly string[] {
  if (!Array.isArray(value)) return value == null ? [] : [nameOf(value)];
  return [...new Set(value.filter((one) => one != null).map(nameOf))];
}

/** What a reference is called: of a union with its tag. */
export const nameOf = (kept: Value): string => isObject(kept) ? `${kept.schema}\n${kept.id}` : `${kept}`;
