import { type Node, viewOf } from "../store/node.ts";
import { defined } from "../plain/defined.ts";
import type { Plan } from "../store/plan.ts";
import type { Reading } from "../store/reading.ts";
import type { Tables } from "../store/tables.ts";
import type { Walk } from "../store/walk.ts";
import type { Denormalize } from "../store/infer.ts";
import { type AnyEntity, isEntity, type Schema, type SchemaObject, type SchemaTypes } from "../store/schema.ts";
import { type Attribute, itemOf, type Mapping } from "./union.ts";

interface AllTypes<S> extends SchemaTypes {
  data: (S extends AnyEntity ? S["prototype"] : Denormalize<S[keyof S]>)[];
  nullable: this["data"] | undefined;
  normalized: string;
  args: readonly any[];
}

/** Every record of a table in order of arrival; `undefined` until something of it was written. */
export class All<S = any> implements SchemaObject {
  declare readonly "~types": AllTypes<S>;
  readonly parts: Schema[];
  constructor(readonly schema: S, attribute?: Attribute) {
    this.parts = [itemOf(schema, attribute)];
  }
  define(mapping: Mapping): void {
    this.parts[0].define(mapping);
  }
  queryKey(): string {
    return "";
  }
  normalize(value: any, parent: any, key: any, walk: Walk): string {
    walk.visit(this.parts, value, parent, key);
    return "";
  }
  denormalize(_kept: any, reading: Reading): any {
    const [item] = this.parts, { tables } = reading;
    const lists = defined((isEntity(item) ? [item] : item.parts).map((E: any) => {
      const plan = tables.plan(E), rows = reading.read(allOf(plan, tables));
      return rows.length || plan.table.isKnown ? rows : undefined;
    }));
    return lists[1] ? lists.flat() : lists[0];
  }
}

/** The node of all rows of a table as one class reads them. */
function allOf({ table, E }: Plan, tables: Tables): Node {
  let node = table.alls.get(E);
  if (!node) {
    table.alls.set(E, node = viewOf([E], undefined));
    for (const pk in table.seeds) table.row(pk);
  }
  if (!node.kept) {
    node.kept = [];
    // A row that had a temporary id stands under both pks.
    for (const [pk, row] of table.rows) if (row.pk === pk && tables.shown(row)) node.kept.push(pk);
  }
  return node;
}
