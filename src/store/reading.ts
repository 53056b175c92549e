import { isEntity, type Schema } from "./schema.ts";
import { defined, isObject, own } from "../plain/is_object.ts";
import { equal } from "../plain/equal.ts";
import { firstPks, link, type Node, Row, type RowReader, viewOf } from "./row.ts";
import type { Plan } from "./plan.ts";
import type { Value } from "../plain/value.ts";
import type { Tables } from "./tables.ts";

/** The current value of a node: a dirty node is read again first. */
export function readNode(tables: Tables, node: Node): Value {
  return node.isDirty ? (tables.reading ?? new Reading(tables)).run(node) : node.value;
}

/**
 * One reading: a queue of the nodes that are read again, in place of recursion, so that deep values do not overflow the
 * stack. An instance is created before its members are filled in, so that cycles end.
 */
export class Reading {
  /** The node whose members are being read. */
  node!: Node;
  #queue: Node[] = [];
  #end = 0;
  /** The kids of that node that were found so far. */
  #found: Node[] = [];
  /** The index of the next kid. */
  at = 0;

  constructor(readonly tables: Tables) {}

  run(root: Node): Value {
    const { tables } = this, queue = this.#queue;
    // A reading that starts inside of this one (by a getter, say) needs another instance.
    tables.reading = undefined;
    this.#end = 0;
    try {
      this.#enter(root);
      for (let at = 0; at < this.#end; at++) this.#fill(queue[at]!);
    } catch (error) {
      for (const node of queue.slice(0, this.#end)) {
        node.isDirty = true;
        // A half-made value must not be reused by the next reading.
        node.turned = node.value = undefined;
      }
      throw error;
    }
    tables.reading = this;
    return root.value;
  }
  /** The value of a node; its members may be filled in later. */
  #enter(node: Node): Value {
    if (node.isDirty) {
      node.isDirty = false;
      this.#queue[this.#end++] = node;
      const { plan, row, value, kept } = node;
      if (node.turned) node.value = value.slice();
      if (plan) {
        const rec = node.kept = this.tables.shown(row!);
        if (plan.items) {
          if (!node.turned) node.value = rec ? Array.isArray(rec) ? [] : {} : undefined;
        } else {
          if (value) node.memo = { value, kept };
          node.value = rec ? plan.E.createIfValid(rec) : undefined;
          if (row!.temporaryPk && node.value) firstPks.set(node.value, row!.temporaryPk);
        }
      }
    }
    return node.value;
  }
  #fill(node: Node): void {
    const { plan, kids } = node;
    this.node = node;
    this.at = 0;
    if (plan && !plan.items) this.#fillInstance(node, plan);
    else if (this.#fillView(node)) return;
    const found = this.#found, end = this.at;
    let at = 0;
    while (at < end && found[at] === kids[at]) at++;
    if (at === kids.length && at === end) return;
    node.kids = found.slice(0, end);
    for (; at < end; at++) if (found[at] !== kids[at]) link(found[at]!, node, at);
  }
  #fillInstance(node: Node, plan: RowReader): void {
    const { value, memo, kept: rec } = node;
    node.memo = undefined;
    if (value === undefined) return;
    for (const { name, schema } of plan.fields) {
      const kept = rec[name];
      // A member that only the prototype has, such as a getter, is not written to the instance.
      if (kept == null || !Object.hasOwn(value, name)) continue;
      const read = this.shape(schema, kept, memo?.value[name], memo?.kept[name]);
      value[name] = read === undefined ? plan.E.defaults[name] : read;
    }
  }
  /** Returns `true` if only the items that turned dirty were read again, so that all edges stay. */
  #fillView(node: Node): boolean {
    const { plan, kept, memo, turned, kids, value } = node, schema = plan ? plan.items : node.schema;
    if (turned) {
      node.turned = [];
      if (turned.every((index) => (value[index] = this.#enter(kids[index]!)) !== undefined)) return true;
    }
    const made = this.shape(schema, kept, value, memo);
    node.memo = kept;
    if (!plan) node.value = made;
    else if (value) {
      // The list or object was created before its items, because an item may embed it.
      if (!Array.isArray(value)) Object.assign(value, made);
      else for (let at = value.length = 0; at < made.length; at++) value[at] = made[at];
    }
    const isRows = kept && Array.isArray(schema) && isEntity(schema[0]);
    node.turned = isRows && made.length === kept.length && made.length === this.at ? [] : undefined;
    return false;
  }

  /** Reads an entity as a part of the current node. `reference`: a pk, or a record that has none. */
  kid(plan: Plan, reference: Value): Value {
    const at = this.at++, old = this.node.kids[at];
    return this.#enter(
      this.#found[at] = !isObject(reference)
        ? plan.node(plan.table.row(reference))
        : old?.row?.rec === reference
        ? old!
        : plan.node(new Row(reference, plan.table, "")),
    );
  }
  /** Reads another node as a part of the current one. */
  read(node: Node): Value {
    this.#found[this.at++] = node;
    return readNode(this.tables, node);
  }
  /**
   * Denormalizes a value. `old` was made from `of`: a function schema gives the same object again for the same input.
   */
  shape(schema: Schema, kept: Value, old?: Value, of?: Value): Value {
    if (kept == null) return kept;
    const { tables } = this;
    if (typeof schema == "function") {
      if (isEntity(schema)) return this.kid(tables.plan(schema), kept);
      return old !== undefined && of === kept ? old : schema === Date ? new Date(kept) : schema(kept);
    }
    if (!isObject(schema)) return kept;
    if (schema.denormalize) return schema.denormalize(kept, this);
    if (!isObject(kept)) return kept;
    if (Array.isArray(schema)) {
      const list = kept.slice();
      for (let at = 0; at < list.length; at++) list[at] = this.shape(schema[0], kept[at], old?.[at], of?.[at]);
      return defined(list);
    }
    const result = { ...kept };
    for (const name in schema) {
      const one = own(kept, name);
      result[name] = one === undefined ? absent(schema[name]) : this.shape(schema[name], one, old?.[name], of?.[name]);
    }
    return result;
  }
}

/** Reads a normalized value as a part of the current node. The view is reused while the value is equal. */
export function readView(reading: Reading, schema: Schema, kept: Value): Node {
  const { at, node: { args, kids } } = reading, old = kids[at];
  const view = old && old.schema === schema && equal(old.kept, kept) ? old : viewOf(schema, kept, args);
  reading.read(view);
  return view;
}

/** The value of a member that the record lacks. A schema that names itself as its absent value ends the recursion. */
function absent(schema: Schema, outer?: Schema): Value {
  if (typeof schema == "function") return;
  if (!isObject(schema)) return schema;
  if (schema.denormalize) return schema === outer ? undefined : absent(schema.absent, schema);
  if (Array.isArray(schema)) return [];
  return Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, absent(part, outer)]));
}
