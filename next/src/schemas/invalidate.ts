import { NormalizeError } from "../errors/errors.ts";
import type { Walk } from "../store/walk.ts";
import { type AnyEntity, type SchemaObject, type SchemaTypes } from "../store/schema.ts";
import { isObject } from "../plain/is_object.ts";
import { pkText } from "../plain/pk_text.ts";

interface InvalidateTypes<E extends AnyEntity> extends SchemaTypes {
  data: E["prototype"];
  nullable: E["prototype"] | undefined;
  normalized: string;
  args: [];
}

/** Deletes the record that a value names: an object with a pk, or the pk. */
export class Invalidate<E extends AnyEntity = any> implements SchemaObject {
  declare readonly "~types": InvalidateTypes<E>;
  readonly parts: E[];
  constructor(readonly entity: E) {
    this.parts = [entity];
  }
  normalize(value: any, parent: any, key: any, walk: Walk): string {
    const plan = walk.tables.plan(this.entity as any), { E } = plan, { args } = walk;
    const pk = pkText(isObject(value) ? E.pk(E.process(value, parent, key, args), parent, key, args) : value);
    if (pk === undefined) throw new NormalizeError(203, [E.key]);
    const row = plan.table.row(pk);
    walk.roots.push(row);
    walk.write(plan, row, null);
    return row.pk;
  }
  denormalize(kept: any): any {
    return kept;
  }
}
