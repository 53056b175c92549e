import { tried } from "../errors/report_error.ts";
import { said } from "../errors/texts.ts";
import { Declared } from "./declared.ts";
import type { EntityArgs } from "./infer.ts";
import {
  type AnyEntity,
  type DenormalizeWalk,
  isEntity,
  type NormalizeWalk,
  type QueryWalk,
  type SchemaObject,
  type SchemaTypes,
} from "./interface.ts";
import { type Taken, taken } from "./taken.ts";
import type { UnionAttribute, UnionMapping, UnionReference } from "./union_types.ts";

/** What names a record of a union: arguments of one of its entities, with or without the tag. */
export type UnionArgs<M extends UnionMapping, A> = {
  [T in keyof M]:
    | EntityArgs<M[T]["prototype"]>
    | (A extends string ? { readonly [K in A]: T } & Exclude<EntityArgs<M[T]["prototype"]>, string | number | bigint>
      : never);
}[keyof M];

/** The types of {@linkcode Union}. */
export interface UnionTypes<M extends UnionMapping, A> extends SchemaTypes {
  readonly data: M[keyof M]["prototype"];
  readonly nullable: M[keyof M]["prototype"] | undefined;
  readonly normalized: UnionReference<M>;
  readonly args: readonly [args: UnionArgs<M, A>];
}

/**
 * One of several entities, told apart by a tag in the value.
 *
 * A value whose tag is not mapped, and one that is no object, stays in place as it is: it makes no record. What is kept
 * of the others is `{ id, schema }`, and only that is read as an entity.
 *
 * Asked without a response, the tag in the arguments decides; without one, the only entity of the mapping that has a
 * record for them.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, Entity, schema } from "@rejoin/data";
 *
 * class Photo extends Entity {
 *   id = "";
 *   url = "";
 *   static key = "Photo";
 * }
 * class Note extends Entity {
 *   id = "";
 *   text = "";
 *   static key = "Note";
 * }
 * const getFeed = new Endpoint(
 *   async () => await Promise.resolve([{ type: "photo", id: "1", url: "/1.jpg" }, { type: "note", id: "1", text: "Hi" }]),
 *   { name: "getFeed", schema: [new schema.Union({ photo: Photo, note: Note }, "type")] },
 * );
 * const [photo, note] = await new Controller().fetch(getFeed);
 * assert(photo instanceof Photo && photo.url === "/1.jpg");
 * assert(note instanceof Note && note.text === "Hi");
 * ```
 */
export class Union<const M extends UnionMapping, const A extends UnionAttribute = UnionAttribute> extends Declared<M>
  implements SchemaObject {
  declare readonly "~types": UnionTypes<M, A>;

  /**
   * @param mapping Tags → entities; `{}` where `define()` gives them.
   * @param attribute The name of the member that has the tag, or `(value, parent, key) => tag`.
   * @throws {SchemaError} If a tag stands for no entity, or there is no attribute.
   */
  constructor(mapping: M, attribute: A) {
    super("Union", mapping, attribute ?? null);
  }

  /** Names it in messages. */
  get name(): string {
    return `a Union of ${Object.keys(this.given ?? {}).join(", ")}`;
  }

  /** Names the tables that it stands for: by this, what is kept for one union is told from what is kept for another. */
  get key(): string {
    return JSON.stringify(this.given ?? {}, (_tag, each) => isEntity(each) ? each.key : each);
  }

  /** Tags → entities, in the order of their declaration. */
  get mapping(): M {
    return this.use();
  }

  /** The mapping and the attribute. */
  get parts(): readonly unknown[] {
    return [this.mapping, this.attribute];
  }

  /**
   * Adds entities to the mapping, before the schema is used.
   *
   * @param mapping Tags → entities.
   * @returns This schema, as the type checker sees it from now on.
   * @throws {SchemaError} If a tag stands for no entity, or the schema has been used.
   */
  define<const D extends UnionMapping>(mapping: D): Union<M & D, A> {
    return this.add(mapping) as unknown as Union<M & D, A>;
  }

  /** What a value is: its tag, the entity of that, and the value itself where it came with a tag beside it. */
  take(value: object, parent?: unknown, key?: string): Taken {
    return taken(this.mapping, this.attribute!, value, parent, key);
  }

  /** The same of what is no value of the union: the attribute may miss members of it, and throw. */
  #tryToTake(value: unknown): Partial<Taken> {
    return (typeof value === "object" && value !== null && tried(() => this.take(value))) || {};
  }

  /**
   * Which of its entities a call is about.
   *
   * @param said What the reply has.
   * @param sent What was sent.
   * @param shown Gives what is stored under the parameters of the call.
   * @returns The entity, its tag, and the tag that the reply itself has.
   */
  namedBy(
    said: unknown,
    sent: object,
    shown: () => unknown,
  ): { readonly entity?: AnyEntity | undefined; readonly tag?: string | undefined; readonly own?: string | undefined } {
    const mapped = (value: unknown) => {
      const { tag, entity } = this.#tryToTake(value);
      return entity && tag;
    };
    const { mapping } = this;
    const own = mapped(said);
    const named = own ?? mapped(sent);
    const instance = named === undefined ? shown() : undefined;
    const tag = named ?? Object.keys(mapping).find((each) => mapping[each] as unknown === instance?.constructor);
    return { entity: tag === undefined ? undefined : mapping[tag], tag, own };
  }

  /** Stores the record. What has no mapped tag is kept as it is. */
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    if (Array.isArray(value)) throw walk.fail(this, said(124), value, parent, key);
    // A bare pk: nobody knows of which table.
    if (typeof value !== "object" || value === null) return value;
    const { tag, entity, item } = this.take(value, parent, key);
    if (entity !== undefined) {
      const id = walk.visit(entity, item, parent, key);
      return id === undefined ? undefined : { id, schema: tag };
    }
    if (this.#isReference(value)) throw walk.fail(this, said(125, { value }), value, parent, key);
    return value;
  }

  /** The object of the record; what was kept as it is stays so. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    const picked = this.pick(normalized);
    return picked === undefined ? normalized : walk.visit(...picked);
  }

  /** The entity that what is kept refers to, and by what. */
  pick(normalized: unknown): readonly [entity: AnyEntity, reference: unknown] | undefined {
    if (!this.#isReference(normalized)) return undefined;
    const { id, schema } = normalized;
    return typeof id === "number" || (id && typeof id !== "boolean") ? [this.mapping[schema]!, id] : undefined;
  }

  /** The record that the arguments name: by the tag in them, else the one that is there; which of several, nobody says. */
  queryKey(args: readonly unknown[], walk: QueryWalk): unknown {
    const { tag } = this.#tryToTake(args[0]);
    const [named, ...others] = Object.entries(this.mapping).flatMap(([schema, entity]) => {
      const id = (tag ?? schema) === schema ? walk.visit(entity, args) : undefined;
      return id !== undefined && (tag !== undefined || walk.record(entity, id as string)) ? [{ id, schema }] : [];
    });
    return others.length > 0 ? undefined : named;
  }

  #isReference(value: unknown): value is { readonly id: unknown; readonly schema: string } {
    if (typeof value !== "object" || value === null) return false;
    const { schema } = value as { readonly schema?: unknown };
    return typeof schema === "string" && Object.hasOwn(this.mapping, schema) &&
      Object.hasOwn(value, "schema") && Object.hasOwn(value, "id") && Object.keys(value).length === 2;
  }
}
