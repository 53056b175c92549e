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
import { Tagged } from "./subjects.ts";
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
  readonly #target: AnyEntity | AnyUnion | readonly [InvalidateSchema];

  constructor(given: unknown) {
    if (Array.isArray(given)) {
      if (given.length !== 1 || Array.isArray(given[0])) throw cannotInvalidate(given);
      this.#target = [new InvalidateSchema(given[0])];
    } else if (isEntity(given) || isUnion(given)) this.#target = given;
    else throw cannotInvalidate(given);
  }

  get name(): string {
    const target = this.#target;
    if (isEntity(target)) return `Invalidate of "${target.key}"`;
    return `Invalidate of ${isList(target) ? `[${target[0].name}]` : (target as AnyUnion).name}`;
  }

  get entity(): AnyEntity | undefined {
    return isEntity(this.#target) ? this.#target : undefined;
  }

  get subject(): AnySchema | undefined {
    return isList(this.#target) ? undefined : this.#target;
  }

  get parts(): readonly unknown[] {
    return [this.#target];
  }

  get answersGiven(): true {
    return true;
  }

  /** Deletes the record; what is kept is what refers to it. */
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    const target = this.#target;
    if (isEntity(target)) return walk.invalidate(target, value, parent, key);
    if (isList(target)) return walk.visit(target as AnySchema, value, parent, key);
    const union = target as AnyUnion;
    const of = value instanceof Tagged ? value.value : value;
    const tag = value instanceof Tagged
      ? value.tag
      : typeof value === "object" && value !== null && !Array.isArray(value)
      ? union.tagOf(value, parent, key)
      : undefined;
    if (tag === undefined) {
      throw walk.fail(this, said(119, { value }), value, parent, key);
    }
    const entity = union.entityOf(tag);
    // It is in no table.
    if (entity === undefined) return value;
    return { id: walk.invalidate(entity, of, parent, key), schema: tag };
  }

  /** The record, while something still holds it. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    return walk.visit(this.#target as AnySchema, normalized);
  }
}

function isList(target: unknown): target is readonly [InvalidateSchema] {
  return Array.isArray(target);
}

/** Refuses what has no record. */
export function cannotInvalidate(given: unknown): SchemaError {
  return new SchemaError(said(118, { given }));
}
