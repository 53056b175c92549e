import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import { type AnyEntity, COPY, ENTITY, type EntityStatics, type FieldSchemas, type QueryWalk } from "./interface.ts";
import type { DefaultPk, EntityPrototype, Pk } from "./pk_types.ts";
import type { EntityInput } from "./infer.ts";
import { queryKeyOf } from "./query_key.ts";

/** Runs the constructor of an entity class, and tells initializers that build each other without end: by `fromJS` or `new`. */
export function construct<T extends object>(entity: new () => T): T {
  try {
    return new entity();
  } catch (error) {
    // What engines say when their stack is full: a RangeError, in Firefox an InternalError.
    const isEndless = error instanceof Error && /call stack|recursion/i.test(error.message);
    throw isEndless ? new SchemaError(said(113, { name: entity.name })) : error;
  }
}

/**
 * Copies members onto an instance, but none whose name is on its prototype: `pk`, getters and `__proto__` stay.
 * `undefined` is absence: the default stays.
 */
export function copyMembers<T extends object>(instance: T, members: object): T {
  const prototype = Object.getPrototypeOf(instance);
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined && !(name in prototype)) (instance as Record<string, unknown>)[name] = value;
  }
  return instance;
}

const defaultsOf = new WeakMap<object, object>();

/**
 * The statics that a subclass may replace, as a mapped type: `noImplicitOverride` looks at declarations, and a mapped
 * member has none, so that users need no `override`.
 */
export type OverridableStatics = {
  -readonly [K in Exclude<keyof EntityStatics, "prototype" | "name" | "defaults">]: EntityStatics[K];
};

declare abstract class AbstractPk {
  // deno-lint-ignore no-explicit-any -- an override may take fewer or differently typed parameters
  abstract pk(parent?: any, key?: string, args?: readonly any[]): DefaultPk<this>;
}

interface InheritedPk {
  // deno-lint-ignore no-explicit-any -- see above
  pk(parent?: any, key?: string, args?: readonly any[]): DefaultPk<this>;
}

/**
 * A `pk()` that a subclass may write without `override`. What does it for statics is of no use here: a mapped member
 * counts as a property, and no method may take its place. But what is declared twice, once abstract, is a method that is
 * implemented and needs no `override`. What it gives says whether there is an `id`.
 */
export type OverridablePk = AbstractPk & InheritedPk;

interface EntityBaseConstructor {
  new (): OverridablePk;
  readonly defaults: object;
}

const EntityBase: EntityBaseConstructor & OverridableStatics = class EntityBase {
  static readonly [ENTITY]: unknown = COPY;

  static get key(): string {
    return this.name;
  }
  // A subclass that assigns later (`Article.key = …`) gets a member of its own.
  static set key(value: string) {
    Object.defineProperty(this, "key", { value, writable: true, configurable: true, enumerable: true });
  }

  static schema: FieldSchemas = {};

  static indexes: readonly string[] = [];

  static redact: readonly string[] = [];

  static get defaults(): object {
    let defaults = defaultsOf.get(this);
    if (defaults === undefined) defaultsOf.set(this, defaults = construct(this));
    return defaults;
  }

  static pk(
    this: AnyEntity,
    value: unknown,
    parent?: unknown,
    key?: string,
    args?: readonly unknown[],
  ): Pk {
    return this.prototype.pk.call(value as EntityPrototype, parent, key, args);
  }

  static process(value: unknown): unknown {
    return value;
  }

  static merge(existing: object, incoming: object): object {
    return { ...existing, ...incoming };
  }

  static shouldUpdate(): boolean {
    return true;
  }

  static validate(_record: object): string | boolean | undefined | void {}

  static createIfValid(record: object): object | undefined {
    if (this.validate(record)) return undefined;
    return copyMembers(construct(this), record);
  }

  static queryKey(this: EntityStatics, args: readonly unknown[], walk: QueryWalk): Pk {
    return queryKeyOf(this, args, walk);
  }

  pk(): DefaultPk<this> {
    return (this as { readonly id?: Pk }).id as DefaultPk<this>;
  }
};

/** What {@linkcode Entity} itself is: tells a subclass that replaced a static from one that did not. */
export const entityDefaults: OverridableStatics & EntityBaseConstructor = EntityBase;

/**
 * The base of your data: a class whose instances have identity. Fields with initializers declare members and their
 * defaults; `pk()` tells which record an object is; `static key` names the table, `static schema` says which members
 * are entities, dates or other schemas.
 *
 * Promises: the same object comes back for the same class and pk while no record it was made from has changed, from
 * every endpoint, list and query. Instances are real (`new Class()`): getters, methods and private fields work. Members
 * that the class does not declare are kept. A member whose name is on the prototype stays in the record and is not put
 * on the instance.
 *
 * A nested entity that was never here reads as `undefined`. One that was deleted, or is incomplete, does so where the
 * member's default is falsy; where it is truthy the member is *required*, and the object that needs it is incomplete.
 * `null` reads as `null`.
 *
 * The primary key is the member `id`, unless the class has a `pk()` of its own: a non-empty string, a finite number or a
 * bigint; `undefined`, `null` and `""` mean *not saved yet*, and so do the texts `"undefined"`, `"null"`, `"NaN"` and
 * `"[object Object]"` that a template literal makes of nothing, unless a member is that very text, and a text with
 * `undefined` in it where no member has it. While a response is normalized `this` of `pk()` is plain processed data, so
 * use fields only.
 *
 * All statics may be replaced, without `override`; `super` reaches those of the base: see {@linkcode EntityStatics}.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { denormalize, Entity, normalize } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   username = "";
 *   static key = "User";
 * }
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   author = User.fromJS();
 *   createdAt = new Date(0);
 *   static key = "Article";
 *   static schema = { author: User, createdAt: Date };
 * }
 * const { result, entities } = normalize(Article, {
 *   id: "5",
 *   title: "Hello",
 *   author: { id: "1", username: "ann" },
 *   createdAt: "2026-01-01T00:00:00Z",
 * });
 * const article = denormalize(Article, result, entities);
 * assert(article?.author.username === "ann");
 * assert(article?.createdAt.getUTCFullYear() === 2026);
 * ```
 */
export abstract class Entity extends EntityBase {
  /**
   * An instance with these members, the rest by default. It is not put into any store.
   *
   * @param props Members to set.
   * @returns A new instance.
   * @throws {SchemaError} If initializers build each other without end.
   */
  static fromJS<T>(this: { readonly prototype: T }, props?: EntityInput<T>): T {
    const instance = construct(this as new () => object);
    return copyMembers(instance, props ?? {}) as T;
  }
}
