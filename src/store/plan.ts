import { alwaysUpdate, type EntityClass, isEntity, mergeMembers, type Schema, type SchemaWalk } from "./schema.ts";
import { equal } from "../plain/equal.ts";
import type { Value } from "../plain/value.ts";
import { type Field, Node, type Row, type RowReader, type Table } from "./row.ts";

/** An entity class (or a `Collection`, whose rows are lists), compiled once for a set of tables. */
export class Plan implements RowReader {
  declare readonly fields: readonly Field[];
  declare readonly items: Schema;
  /** The class has its own `merge`, so records are merged as wholes, one after another. */
  declare readonly isExact: boolean;

  declare readonly E: EntityClass;
  declare readonly table: Table;
  constructor(E: EntityClass, table: Table) {
    this.E = E;
    this.table = table;
    this.items = isEntity(E as Schema) ? undefined : (E as EntityClass).schema;
    table.isList ||= !!this.items;
    this.isExact = !this.items && (E.merge !== mergeMembers || E.shouldUpdate !== alwaysUpdate);
    this.fields = Object.entries(E.schema ?? {}).map(([name, schema]) => ({ name, schema }));
  }
  /** The node of a row for this class. */
  node(row: Row): Node {
    let { node } = row;
    while (node && node.plan !== this) node = node.next;
    return node ?? (row.node = new Node(this, row, row.node));
  }
  /** Merges a newer normalized record into `base`; gives `base` itself if nothing changed. */
  merge(base: Value, incoming: Value, before: unknown, meta: unknown): Value {
    if (!base || !incoming) return incoming;
    if (this.items) return equal(base, incoming) ? base : incoming;
    if (!this.isExact) return this.overlay(base, incoming);
    if (!this.E.shouldUpdate(before, meta, base, incoming)) return base;
    const merged = { ...this.E.merge(base, incoming) };
    for (const { name, schema } of this.fields) {
      // A `merge` that concatenates lists of entities may repeat a pk: each is kept once.
      if (isEntity(schema[0]) && merged[name]) merged[name] = [...new Set(merged[name])];
    }
    for (const name in merged) if (equal(merged[name], base[name])) merged[name] = base[name];
    return equal(merged, base) ? base : merged;
  }
  /** `base` with the changed members of `input`. With a walk, `input` is not normalized yet, and the walk does that. */
  overlay(base: Value, input: Value, walk?: SchemaWalk): Value {
    let next = base;
    for (const name in input) {
      const before = base[name];
      let value = input[name];
      if (value === before || value === undefined) continue;
      if (walk) {
        for (const field of this.fields) if (field.name === name) value = walk.visit(field.schema, value, input, name);
      }
      if (value === undefined || equal(value, before)) continue;
      if (next === base) next = { ...base };
      // Assigning to a missing `__proto__` would change the prototype.
      if (Object.hasOwn(next, name)) next[name] = value;
      else next = { ...next, [name]: value };
    }
    return next;
  }
}
