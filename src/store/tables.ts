import { checks } from "../errors/mod.ts";
import type { EntityClass } from "./schema.ts";
import { Plan } from "./plan.ts";
import { type Node, type Row, Table } from "./row.ts";
import { own } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";

/** Plain records by table and pk: what `normalize` gives. */
export interface PlainEntities {
  readonly [key: string]: { readonly [pk: string]: Value };
}

/** The tables of all classes. */
export class Tables {
  readonly tables: Map<string, Table> = new Map();
  readonly plans: Map<unknown, Plan> = new Map();
  /** An idle reading, kept so that its arrays are used again. */
  declare reading: { run(node: Node): Value } | undefined;
  declare seeds: PlainEntities;
  constructor(seeds: PlainEntities = {}) {
    this.seeds = seeds;
  }

  table(key: string): Table {
    let table = this.tables.get(key);
    if (!table) this.tables.set(key, table = new Table(key, own(this.seeds, key)));
    return table;
  }
  plan(E: EntityClass): Plan {
    let plan = this.plans.get(E);
    if (!plan) {
      checks.table?.(E, this.plans.values());
      this.plans.set(E, plan = new Plan(E, this.table(E.key)));
    }
    return plan;
  }
  /** The record of a row, as readers see it. */
  shown(row: Row): Value {
    return row.rec;
  }
}
