import { check } from "../errors/checks.ts";
import { said } from "../errors/texts.ts";
import type { CheckDefinition } from "./declared.ts";
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
import type { AnyUnion } from "./is_union.ts";
import { nameOf } from "./subjects.ts";
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
  readonly parts: readonly [AnySchema];
  readonly answersGiven = true;

  constructor(given: AnySchema) {
    check<CheckDefinition>("definition", "Invalidate", given);
    this.parts = [Array.isArray(given) ? [new InvalidateSchema(given[0])] : given];
    this.subject = Array.isArray(given) ? undefined : given;
    this.entity = isEntity(given) ? given : undefined;
  }

  get name(): string {
    return `Invalidate of ${nameOf(this.parts[0])}`;
  }

  /** Deletes the record; what is kept is what refers to it. */
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    const { entity, parts: [target], subject } = this;
    if (entity !== undefined) return walk.invalidate(entity, value, parent, key);
    if (subject === undefined) return walk.visit(target, value, parent, key);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const taken = isObject ? (subject as AnyUnion).take(value, parent, key) : undefined;
    if (taken?.tag === undefined) throw walk.fail(this, said(119, { value }), value, parent, key);
    const { item, tag } = taken;
    // Without an entity it is in no table.
    return taken.entity === undefined ? value : { id: walk.invalidate(taken.entity, item, parent, key), schema: tag };
  }

  /** The record, while something still holds it. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    return walk.visit(this.parts[0], normalized);
  }
}
