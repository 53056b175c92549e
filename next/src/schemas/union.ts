import type { Reading } from "../store/reading.ts";
import type { Tables } from "../store/tables.ts";
import type { Walk } from "../store/walk.ts";
import type { Denormalize } from "../store/infer.ts";
import { type AnyEntity, type SchemaObject, type SchemaTypes } from "../store/schema.ts";
import { isObject } from "../plain/is_object.ts";

export interface Mapping {
  readonly [tag: string]: AnyEntity;
}
/** Where the tag of a value is: the name of a member, or a function. */
export type Attribute = string | ((value: any, parent: any, key: any) => any);

interface UnionTypes<M> extends SchemaTypes {
  data: Denormalize<M[keyof M]>;
  nullable: Denormalize<M[keyof M]> | undefined;
  normalized: any;
  args: readonly [args: any];
}

/** One of several entities, told apart by a tag. Kept as its pk and tag; what has another tag stays as it is. */
export class Union<M extends Mapping = any> implements SchemaObject {
  declare readonly "~types": UnionTypes<M>;
  readonly mapping: M;
  constructor(mapping: M, readonly attribute: Attribute) {
    this.mapping = { ...mapping };
  }
  /** Further tags. */
  define(mapping: Mapping): void {
    Object.assign(this.mapping, mapping);
  }
  get parts(): AnyEntity[] {
    return Object.values(this.mapping);
  }
  #tag(value: any, parent?: any, key?: any): string | undefined {
    const { attribute, mapping } = this, isTagged = isObject(value);
    const tag = isTagged && (typeof attribute == "function" ? attribute(value, parent, key) : value[attribute]);
    return isTagged && Object.hasOwn(mapping, tag) ? tag : undefined;
  }
  normalize(value: any, parent: any, key: any, walk: Walk): any {
    const tag = this.#tag(value, parent, key);
    return tag === undefined ? value : reference(walk.visit(this.mapping[tag], value, parent, key), tag);
  }
  denormalize(kept: any, reading: Reading): any {
    const { mapping } = this;
    return kept.id !== undefined && Object.hasOwn(mapping, kept.schema)
      ? reading.shape(mapping[kept.schema], kept.id)
      : kept;
  }
  queryKey(args: readonly any[], tables: Tables): any {
    const tag = this.#tag(args[0]);
    return tag === undefined ? undefined : reference((this.mapping[tag] as any).queryKey(args, tables), tag);
  }
}
const reference = (id: any, schema: string): any => id === undefined ? undefined : { id, schema };

/** The schema of one item: as it is given, or (with an attribute) a union of what it maps. */
export const itemOf = (schema: any, attribute?: Attribute): any => attribute ? new Union(schema, attribute) : schema;
