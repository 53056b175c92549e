import { checks, NormalizeError } from "../errors/mod.ts";
import { isEntity, type Schema, type SchemaWalk } from "./schema.ts";
import { defined, isObject, pkText } from "../plain/is_object.ts";
import type { Plan } from "./plan.ts";
import type { Row, Table } from "./row.ts";
import type { Args, Value } from "../plain/value.ts";
import type { Tables } from "./tables.ts";

/**
 * Normalizes a value. The new record of each row waits in `row.next`, so that an error on the way changes nothing.
 * `normalize` needs this class only; the store writes by `Commit`, which also knows time and layers.
 */
export class Walk implements SchemaWalk {
  /** Rows whose `next` is set. */
  readonly touched: Row[] = [];
  /** Rows of records that stand in the value outside of any other record. */
  readonly roots: Row[] = [];
  /** Tables of entities of which the value has an empty list. */
  readonly empty: Table[] = [];
  /** The pk of the record that the request is about, for a reply without a pk. */
  subject: string | undefined;
  /** The row whose members are being normalized. */
  owner: Row | undefined;
  /**
   * Triples of plan, row and input, up to `#end`: a queue in place of recursion, so that deep values do not overflow
   * the stack. Parents come first.
   */
  #todo: Value[] = [];
  #end = 0;
  /** By class, the inputs that were queued, so that a cycle ends. */
  #seen: Map<Plan, Set<unknown>> | undefined;

  constructor(readonly tables: Tables, readonly args: Args) {}

  /** The normalized form of a value. */
  visit(schema: Schema, value: Value, parent: Value = value, key?: Value): Value {
    if (value == null) return value;
    if (typeof schema == "function") {
      if (isEntity(schema)) return this.entity(this.tables.plan(schema), value, parent, key);
      return value instanceof Date ? value.toJSON() : value;
    }
    if (!isObject(schema)) return value;
    if (schema.normalize) return schema.normalize(value, parent, key, this);
    const isArray = Array.isArray(value);
    if (!isObject(value) || isArray !== Array.isArray(schema)) throw this.misfit(schema, value, key);
    if (isArray) {
      const [item] = schema;
      if (!value.length && isEntity(item)) this.empty.push(this.tables.table(item.key));
      const list = value.slice();
      for (let at = 0; at < list.length; at++) list[at] = this.visit(item, value[at], parent, key);
      return defined(list);
    }
    const result = { ...value };
    for (const name in schema) {
      if (Object.hasOwn(value, name)) result[name] = this.visit(schema[name], value[name], value, name);
    }
    return result;
  }
  /** Normalizes a record and gives its pk; a record without a pk is returned normalized. */
  entity(plan: Plan, value: Value, parent: Value, key: Value): Value {
    // In a record, what is no pk stays in place: it names no record, so it reads as absent.
    if (!isObject(value)) return pkText(value) ?? (this.owner ? value : undefined);
    const { E } = plan, input = E.process(value, parent, key, this.args);
    if (input === undefined) return;
    if (!isObject(input) || Array.isArray(input)) throw this.misfit(E, input, key);
    const pk = pkText(E.pk(input, parent, key, this.args)) ?? (this.owner ? undefined : this.subject);
    checks.received?.(E, input, pk);
    if (pk === undefined) return this.fresh(plan, input);
    const row = plan.table.row(pk);
    if (!this.owner) this.#run(plan, row, input);
    // A record without fields that have schemas cannot start a cycle.
    else if (!plan.fields.length || this.#isNew(plan, value)) {
      this.#todo[this.#end++] = plan;
      this.#todo[this.#end++] = row;
      this.#todo[this.#end++] = input;
    }
    return row.pk;
  }
  #isNew(plan: Plan, value: Value): boolean {
    const all = this.#seen ??= new Map();
    let seen = all.get(plan);
    if (!seen) all.set(plan, seen = new Set());
    return seen.size < seen.add(value).size;
  }
  /** The error for a value whose form differs from its schema. */
  misfit(schema: Schema, value: Value, key: Value): NormalizeError {
    const { owner } = this;
    return new NormalizeError(201, [key, owner && `${owner.table.key} ${owner.pk}`, { schema, value }]);
  }
  #run(plan: Plan, row: Row, input: Value): void {
    const todo = this.#todo;
    this.roots.push(row);
    this.#put(plan, row, input);
    for (let at = 0; at < this.#end;) this.#put(todo[at++], todo[at++], todo[at++]);
    this.#end = 0;
    this.owner = undefined;
  }
  #put(plan: Plan, row: Row, input: Value): void {
    const base = this.touch(row);
    // An instance that was read from this store is already up to date, or inside of another one just a reference.
    for (let { node } = row; node; node = node.next!) {
      if (node.value === input && (this.owner ? row.rec : !node.isDirty)) return;
    }
    this.owner = row;
    if (!base || plan.isExact || this.isOrdered(row)) this.write(plan, row, this.fresh(plan, input));
    else row.next = plan.overlay(base, input, this);
  }
  /** Lets a row take part in the commit, and gives its record so far. */
  touch(row: Row): Value {
    if (row.next === undefined) {
      row.next = row.rec ?? null;
      this.touched.push(row);
    }
    return row.next;
  }
  /** Whether the order of writes matters for a row, so that `write` needs the whole normalized record. */
  isOrdered(_row: Row): boolean {
    return false;
  }
  /** Writes one normalized record; `null` deletes. */
  write(plan: Plan, row: Row, incoming: Value): void {
    row.next = plan.merge(this.touch(row), incoming, row, this);
  }
  /** A normalized copy of a record, without the members that are `undefined`. */
  fresh(plan: Plan, input: Value): Value {
    const record = { ...input };
    for (const { name, schema } of plan.fields) {
      if (record[name] !== undefined) record[name] = this.visit(schema, record[name], input, name);
    }
    for (const name in record) if (record[name] === undefined) delete record[name];
    return record;
  }
}
