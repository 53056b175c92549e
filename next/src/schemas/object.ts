import type { Denormalize, DenormalizeNullable, Normalize, NullableMember, SchemaArgs } from "../store/infer.ts";
import { lookup } from "../store/lookup.ts";
import type { Reading } from "../store/reading.ts";
import type { Schema, SchemaObject, TypesOf } from "../store/schema.ts";
import type { Tables } from "../store/tables.ts";
import type { Walk } from "../store/walk.ts";
import type { Args, Value } from "../plain/value.ts";
import type { ObjectMembers } from "../store/schema_input.ts";

/** The types of {@linkcode ObjectSchema}. */
export type ObjectTypes<M extends ObjectMembers> = TypesOf<
  Denormalize<M>,
  Normalize<M>,
  SchemaArgs<M> extends readonly unknown[] ? SchemaArgs<M> : readonly [],
  NullableMember<M>,
  DenormalizeNullable<M>
>;

/**
 * `schema.Object`: as an object of schemas, for what a literal cannot be: declared in steps, so that it may contain itself.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Entity, normalize, schema } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   static key = "User";
 * }
 * const comment = new schema.Object({ author: User, text: "" });
 * comment.define({ replies: [comment] });
 * const { entities } = normalize(comment, { author: { id: "1" }, replies: [{ author: { id: "2" }, text: "Yes" }] });
 * assert(Object.keys(entities.User ?? {}).join() === "1,2");
 * ```
 */
export class ObjectSchema<const M extends ObjectMembers> implements SchemaObject {
  declare readonly "~types": ObjectTypes<M>;
  /** Names of members → schemas and literals. */
  readonly members: M;

  /** @param members Names of members → schemas and literals. */
  constructor(members: M) {
    this.members = { ...members };
  }
  /**
   * Adds members.
   *
   * @param members Names of members → schemas and literals.
   * @returns This schema, as the type checker sees it from now on.
   */
  define<const D extends ObjectMembers>(members: D): ObjectSchema<M & D> {
    Object.assign(this.members, members);
    return this as unknown as ObjectSchema<M & D>; // it has both now
  }
  get parts(): Schema[] {
    return Object.values(this.members);
  }
  /** What it reads as where a response lacks it. */
  get absent(): M {
    return this.members;
  }
  normalize(value: Value, parent: Value, key: Value, walk: Walk): Value {
    return walk.visit(this.members, value, parent, key);
  }
  denormalize(kept: Value, reading: Reading): Value {
    return reading.shape(this.members, kept);
  }
  queryKey(args: Args, tables: Tables): Value {
    return lookup(this.members, args, tables);
  }
}
