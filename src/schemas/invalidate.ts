import type { AnyEntity, SchemaObject } from "./interface.ts";
import { check } from "../errors/checks.ts";
import type { CheckDefinition } from "./declared.ts";
import { type Invalidated, InvalidateSchema, type InvalidateTypes } from "./invalidate_schema.ts";
import { Union } from "./union.ts";
import type { UnionAttribute, UnionMapping } from "./union_types.ts";

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

/** The same class for who makes it and for `instanceof`, which takes mappings as well. */
function withMappings(): InvalidateConstructor {
  function Invalidate(given: unknown, attribute?: UnionAttribute): InvalidateSchema {
    check<CheckDefinition>("definition", "Invalidate", given, attribute);
    const target = attribute === undefined ? given : new Union(given as UnionMapping, attribute);
    return Reflect.construct(InvalidateSchema, [target], new.target as unknown as typeof InvalidateSchema);
  }
  Invalidate.prototype = InvalidateSchema.prototype;
  return Invalidate as unknown as InvalidateConstructor;
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
export const Invalidate: InvalidateConstructor = /* @__PURE__ */ withMappings();
