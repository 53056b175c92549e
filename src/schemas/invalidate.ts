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
  Tagged,
} from "./interface.ts";
import { type AnyUnion, isUnion } from "./is_union.ts";
import type { UnionSchemaObject } from "./union.ts";

/** What an {@linkcode Invalidate} may be of. */
export type Invalidated = AnyEntity | UnionSchemaObject | readonly (AnyEntity | UnionSchemaObject)[];

/** The types of {@linkcode Invalidate}. */
export interface InvalidateTypes<S extends Invalidated> extends SchemaTypes {
  readonly data: Denormalize<S>;
  readonly nullable: DenormalizeNullable<S>;
  readonly normalized: Normalize<S>;
  readonly args: readonly [];
}

/**
 * The record that the value names is deleted: lists leave it out, objects that require it have no data, reads of it
 * fetch again. The value is an object with a pk, or a bare pk; of a union, an object with its tag; of an array, an array
 * of these. What is not mapped is in no table, and stays as it is.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, Entity, schema } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   static key = "Article";
 * }
 * const remove = new Endpoint(async (params: { id: string }) => await Promise.resolve(params), {
 *   name: "remove",
 *   schema: new schema.Invalidate(Article),
 *   sideEffect: true,
 * });
 * const controller = new Controller();
 * controller.set(Article, { id: "1" }, { id: "1" });
 * await controller.fetch(remove, { id: "1" });
 * assert(controller.get(Article, { id: "1" }) === undefined);
 * ```
 */
export class Invalidate<const S extends Invalidated> implements SchemaObject {
  declare readonly "~types": InvalidateTypes<S>;
  readonly #target: AnyEntity | AnyUnion | readonly [Invalidate<AnyEntity>];

  /**
   * One record, or each of a list.
   *
   * @param entity The entity whose record is deleted, a union of several, or an array of one of these.
   * @throws {SchemaError} If it is none of them.
   */
  constructor(entity: S) {
    const given: unknown = entity;
    if (Array.isArray(given) && given.length === 1 && !Array.isArray(given[0])) {
      this.#target = [new Invalidate(given[0])];
    } else if (isEntity(given) || isUnion(given)) this.#target = given;
    else throw new SchemaError(said(118, { given }));
  }

  /** Names it in messages. */
  get name(): string {
    const target = this.#target;
    if (isEntity(target)) return `Invalidate of "${target.key}"`;
    return `Invalidate of ${isList(target) ? `[${target[0].name}]` : (target as AnyUnion).name}`;
  }

  /** The entity whose record is deleted; `undefined` where it is of several. */
  get entity(): S extends AnyEntity ? S : AnyEntity | undefined {
    return (isEntity(this.#target) ? this.#target : undefined) as never;
  }

  /** What it is about, unless it is a list. */
  get subject(): AnySchema | undefined {
    return isList(this.#target) ? undefined : this.#target;
  }

  /** What it is made of. */
  get parts(): readonly unknown[] {
    return [this.#target];
  }

  /** There is nothing left to read. */
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

function isList(target: unknown): target is readonly [Invalidate<AnyEntity>] {
  return Array.isArray(target);
}
