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
import { isMembers } from "./definition.ts";
import {
  type AnyUnion,
  isUnion,
  Union,
  type UnionAttribute,
  type UnionMapping,
  type UnionSchemaObject,
} from "./union.ts";

/** What an {@linkcode Invalidate} may be of. */
export type Invalidated = AnyEntity | UnionSchemaObject | readonly (AnyEntity | UnionSchemaObject)[];

/** The types of {@linkcode Invalidate}. */
export interface InvalidateTypes<S extends Invalidated> extends SchemaTypes {
  readonly data: Denormalize<S>;
  readonly nullable: DenormalizeNullable<S>;
  readonly normalized: Normalize<S>;
  readonly args: readonly [];
}

/** What {@linkcode Invalidate} makes. */
export interface Invalidate<S extends Invalidated> extends SchemaObject {
  readonly "~types": InvalidateTypes<S>;
  /** Names it in messages. */
  readonly name: string;
  /** The entity whose record is deleted; `undefined` where it is of several. */
  readonly entity: S extends AnyEntity ? S : AnyEntity | undefined;
  /** There is nothing left to read. */
  readonly answersGiven: true;
}

/** How an {@linkcode Invalidate} is made. */
export interface InvalidateConstructor {
  /**
   * One record, or each of a list.
   *
   * @param entity The entity whose record is deleted, a union of several, or an array of one of these.
   * @throws {SchemaError} If it is none of them.
   */
  new <const S extends Invalidated>(entity: S): Invalidate<S>;
  /**
   * A record of one of several entities.
   *
   * @param mapping Tags → entities.
   * @param attribute The name of the member that has the tag, or `(value, parent, key) => tag`.
   */
  new <const M extends UnionMapping, const A extends UnionAttribute>(mapping: M, attribute: A): Invalidate<Union<M, A>>;
  /** What `instanceof` looks for. */
  // deno-lint-ignore no-explicit-any -- of whatever entities
  readonly prototype: Invalidate<any>;
}

class InvalidateSchema implements Invalidate<Invalidated> {
  declare readonly "~types": InvalidateTypes<Invalidated>;
  readonly #target: AnyEntity | AnyUnion | readonly [InvalidateSchema];

  constructor(given: unknown, attribute?: UnionAttribute) {
    if (attribute !== undefined && !isMembers(given)) throw wrong(given);
    const target = attribute === undefined ? given : new Union(given as UnionMapping, attribute);
    if (Array.isArray(target)) {
      if (target.length !== 1 || Array.isArray(target[0])) throw wrong(given);
      this.#target = [new InvalidateSchema(target[0])];
    } else if (isEntity(target) || isUnion(target)) this.#target = target;
    else throw wrong(given);
  }

  get name(): string {
    const target = this.#target;
    if (isEntity(target)) return `Invalidate of "${target.key}"`;
    return `Invalidate of ${isList(target) ? `[${target[0].name}]` : (target as AnyUnion).name}`;
  }

  get entity(): AnyEntity | undefined {
    return isEntity(this.#target) ? this.#target : undefined;
  }

  get subject(): AnyEntity | undefined {
    return this.entity;
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
    const tag = typeof value === "object" && value !== null && !Array.isArray(value)
      ? union.tagOf(value, parent, key)
      : undefined;
    if (tag === undefined) {
      throw walk.fail(this, said(119, { value }), value, parent, key);
    }
    const entity = union.entityOf(tag);
    // It is in no table.
    if (entity === undefined) return value;
    return { id: walk.invalidate(entity, value, parent, key), schema: tag };
  }

  /** The record, while something still holds it. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    return walk.visit(this.#target as AnySchema, normalized);
  }
}

function isList(target: unknown): target is readonly [InvalidateSchema] {
  return Array.isArray(target);
}

function wrong(given: unknown): SchemaError {
  return new SchemaError(said(118, { given }));
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
export const Invalidate: InvalidateConstructor = InvalidateSchema as unknown as InvalidateConstructor;
