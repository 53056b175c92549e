import { NormalizeError } from "../errors/errors.ts";
import type { Reading } from "../store/reading.ts";
import type { Walk } from "../store/walk.ts";
import type { Denormalize } from "../store/infer.ts";
import { isObject } from "../plain/is_object.ts";
import { type Schema, type SchemaObject, type SchemaTypes } from "../store/schema.ts";
import { type Attribute, itemOf, type Mapping } from "./union.ts";

interface ValuesTypes<S> extends SchemaTypes {
  data: { [name: string]: Denormalize<S> };
  nullable: { [name: string]: Denormalize<S> } | undefined;
  normalized: { [name: string]: any };
  args: [];
}

/** An object whose members are all of one schema. */
export class Values<S = any> implements SchemaObject {
  declare readonly "~types": ValuesTypes<S>;
  readonly item: Schema;
  readonly parts: Schema[];
  constructor(readonly schema: S, attribute?: Attribute) {
    this.parts = [this.item = itemOf(schema, attribute)];
  }
  define(mapping: Mapping): void {
    this.item.define(mapping);
  }
  normalize(value: any, _parent: any, key: any, walk: Walk): any {
    if (!isObject(value) || Array.isArray(value)) throw new NormalizeError(201, [key]);
    return mapValues(value, (one, name) => walk.visit(this.item, one, value, name));
  }
  denormalize(kept: any, reading: Reading): any {
    return mapValues(kept, (one) => reading.shape(this.item, one));
  }
}

const mapValues = (value: any, map: (one: any, name: string) => any): any =>
  Object.fromEntries(
    Object.keys(value).map((name) => [name, map(value[name], name)]).filter(([, one]) => one !== undefined),
  );

interface ArrayTypes<S> extends SchemaTypes {
  data: Denormalize<S>[];
  nullable: Denormalize<S>[] | undefined;
  normalized: any[];
  args: [];
}

/** `schema.Array`: as `[schema]`; with an attribute its items are told apart by a tag. */
export class ArraySchema<S = any> implements SchemaObject {
  declare readonly "~types": ArrayTypes<S>;
  readonly parts: Schema[];
  constructor(readonly schema: S, attribute?: Attribute) {
    this.parts = [itemOf(schema, attribute)];
  }
  define(mapping: Mapping): void {
    this.parts[0].define(mapping);
  }
  normalize(value: any, parent: any, key: any, walk: Walk): any {
    return walk.visit(this.parts, value, parent, key);
  }
  denormalize(kept: any, reading: Reading): any {
    return reading.shape(this.parts, kept);
  }
}

interface ObjectTypes<S> extends SchemaTypes {
  data: Denormalize<S>;
  nullable: Denormalize<S> | undefined;
  normalized: any;
  args: [];
}

/** `schema.Object`: as an object of schemas, which may be extended later. */
export class ObjectSchema<S extends object = any> implements SchemaObject {
  declare readonly "~types": ObjectTypes<S>;
  readonly members: S;
  constructor(members: S) {
    this.members = { ...members };
  }
  get parts(): Schema[] {
    return Object.values(this.members);
  }
  define(members: object): void {
    Object.assign(this.members, members);
  }
  normalize(value: any, parent: any, key: any, walk: Walk): any {
    return walk.visit(this.members, value, parent, key);
  }
  denormalize(kept: any, reading: Reading): any {
    return reading.shape(this.members, kept);
  }
}
