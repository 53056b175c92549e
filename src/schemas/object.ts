import { Declared } from "./declared.ts";
import type { Denormalize, DenormalizeNullable, Normalize, NullableMember, SchemaArgs } from "./infer.ts";
import type {
  AnySchema,
  DenormalizeWalk,
  Literal,
  NormalizeWalk,
  QueryWalk,
  Schema,
  SchemaObject,
  SchemaTypes,
} from "./interface.ts";

/** Names of members → what they are: schemas, and literals for members that are none. */
export interface ObjectMembers {
  readonly [member: string]: Schema | Literal;
}

/** The types of {@linkcode ObjectSchema}. */
export interface ObjectTypes<M extends ObjectMembers> extends SchemaTypes {
  readonly data: Denormalize<M>;
  readonly nullable: DenormalizeNullable<M>;
  readonly member: NullableMember<M>;
  readonly normalized: Normalize<M>;
  readonly args: SchemaArgs<M> extends readonly unknown[] ? SchemaArgs<M> : readonly [];
}

/**
 * An object of members: the same as the object literal itself, `{ results: [Article], next: "" }`, in every place. It is
 * for what a literal cannot be: declared in several steps, so that it may contain itself.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { denormalize, Entity, normalize, schema } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   static key = "User";
 * }
 * const comment = new schema.Object({ author: User, text: "" });
 * comment.define({ replies: [comment] });
 *
 * const { result, entities } = normalize(comment, {
 *   author: { id: "1" },
 *   text: "First",
 *   replies: [{ author: { id: "2" }, text: "Second", replies: [] }],
 * });
 * assert(Object.keys(entities.User!).join() === "1,2");
 * assert(denormalize(comment, result, entities)?.author?.id === "1");
 * ```
 */
export class ObjectSchema<const M extends ObjectMembers> extends Declared<M> implements SchemaObject {
  declare readonly "~types": ObjectTypes<M>;

  /**
   * @param members Names of members → schemas and literals; left out where `define()` gives them.
   * @throws {SchemaError} If it is no object of members.
   */
  constructor(members?: M) {
    super("Object", members);
  }

  /** Names it in messages. */
  get name(): string {
    return `{ ${Object.keys(this.given ?? {}).join(", ")} }`;
  }

  /** The members. */
  get plain(): M {
    return this.use();
  }

  /** The members. */
  get parts(): readonly unknown[] {
    return [this.plain];
  }

  /** Whether the literals and arrays in it are all there is, only an answer of its own tells. */
  get isPartial(): true {
    return true;
  }

  /**
   * Adds members, before the schema is used.
   *
   * @param members Names of members → schemas and literals.
   * @returns This schema, as the type checker sees it from now on.
   * @throws {SchemaError} If it is no object of members, or the schema has been used.
   */
  define<const D extends ObjectMembers>(members: D): ObjectSchema<M & D> {
    return this.add(members) as unknown as ObjectSchema<M & D>;
  }

  /** What is kept of each member. */
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    return walk.visit(this.plain as AnySchema, value, parent, key);
  }

  /** The object. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    return walk.visit(this.plain as AnySchema, normalized);
  }

  /** What the arguments name of each member. */
  queryKey(args: readonly unknown[], walk: QueryWalk): unknown {
    return walk.visit(this.plain as AnySchema, args);
  }
}
