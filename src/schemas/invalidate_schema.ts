import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import type { Denormalize, DenormalizeNullable, Normalize } from "./infer.ts";
import {
  type AnyEntity,
  type AnySchema,
  type DenormalizeWalk,
  isEntity,
  type NormalizeWalk,
  type SchemaObject,
  type SchemaTypes,
} from "./interface.ts";
import { type AnyUnion, isUnion } from "./is_union.ts";
import type { UnionSchemaObject } from "./union_types.ts";

/** What an `Invalidate` may be of. */
export type Invalidated = AnyEntity | UnionSchemaObject | readonly (AnyEntity | UnionSchemaObject)[];

/** The types of `Invalidate`. */
export interface InvalidateTypes<S extends Invalidated> extends SchemaTypes {
  readonly data: Denormalize<S>;
  readonly nullable: DenormalizeNullable<S>;
  readonly normalized: Normalize<S>;
  readonly args: readonly [];
}

/** An `Invalidate` of what is given as it is. Resources have no other, and need no unions for it. */
export class InvalidateSchema implements SchemaObject {
  declare readonly "~types": InvalidateTypes<Invalidated>;
  readonly entity: AnyEntity | undefined;
  readonly subject: AnySchema | undefined;
  readonly parts: readonly [AnyEntity | AnyUnion | readonly [InvalidateSchema]];
  readonly answersGiven = true;

  constructor(given: unknown) {
    const item: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
    if (!isEntity(item) && !isUnion(item)) throw cannotInvalidate(given);
    const isList = item !== given;
    this.parts = [isList ? [new InvalidateSchema(item)] : item];
    this.subject = isList ? undefined : item;
    this.entity = isEntity(this.subject) ? this.subject : undefined;
  }

  get name(): string {
    const [target] = this.parts;
    return `Invalidate of ${
      isEntity(target) ? `"${target.key}"` : isList(target) ? `[${target[0].name}]` : (target as AnyUnion).name
    }`;
  }

  /** Deletes the record; what is kept is what refers to it. */
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    const [target] = this.parts;
    if (isEntity(target)) return walk.invalidate(target, value, parent, key);
    if (isList(target)) return walk.visit(target as AnySchema, value, parent, key);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const taken = isObject ? (target as AnyUnion).take(value, parent, key) : undefined;
    if (taken?.tag === undefined) throw walk.fail(this, said(119, { value }), value, parent, key);
    const { entity, item, tag } = taken;
    // Without an entity it is in no table.
    return entity === undefined ? value : { id: walk.invalidate(entity, item, parent, key), schema: tag };
  }

  /** The record, while something still holds it. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    return walk.visit(this.parts[0] as AnySchema, normalized);
  }
}

function isList(target: unknown): target is readonly [InvalidateSchema] {
  return Array.isArray(target);
}

/** Refuses what has no record. */
export function cannotInvalidate(given: unknown): SchemaError {
  return new SchemaError(said(118, { given }));
}
