import type { DefaultPk, EntityClass, Pk, Rec, SchemaTables } from "../store/schema.ts";
import { alwaysUpdate, mergeMembers } from "../store/schema.ts";
import type { EntityInput, ObjectMembers } from "../store/infer.ts";
import { isObject, pkText } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";

/** The meta arguments of `shouldUpdate`. They have no defined form: compare members of the records instead. */
export type EntityMeta = Value;

/** The statics of an entity class. A subclass may replace each of them, and `super` reaches the one of `Entity`. */
export interface EntityStatics {
  /** The name of the table. Defaults to the class name; set it by hand, because bundlers rename classes. */
  key: string;
  /** The schemas of members: entities, arrays of them, `Date` … */
  schema: ObjectMembers;
  /** Names of members that never leave the process, such as a token: state, logs and the inspector leave them out. */
  redact: readonly string[] | undefined;
  /** The pk of plain data, after `process`. Defaults to the method `pk`, called with the data as `this`. */
  pk(value: Value, parent?: Value, key?: string, args?: Args): Pk;
  /** Turns a received value into the data to store; `undefined` drops it. `parent` has been processed already. */
  process(value: Value, parent: Value, key: Value, args: Args): Value;
  /** Combines the stored record with a newer one. Defaults to `{ ...existing, ...incoming }`. Pure. */
  merge(existing: Value, incoming: Value): Value;
  /** Returns `false` to ignore an incoming record. Defaults to `true`. */
  shouldUpdate(existingMeta: EntityMeta, incomingMeta: EntityMeta, existing: Value, incoming: Value): boolean;
  /** Returns a truthy value if the record is invalid or incomplete for this class: reads then treat it as absent. */
  validate(record: Value): string | boolean | undefined | void;
  /** Makes the instance of a stored record; returns `undefined` if the record is invalid. */
  createIfValid(record: Value): object | undefined;
  /** The pk that arguments name, without a request; `undefined` if they name none. */
  queryKey(args: Value, tables: SchemaTables): Pk;
}

/**
 * The statics that a subclass may replace. A subclass needs no `override`, because `noImplicitOverride` checks declared
 * members only, and a mapped type declares none.
 */
export type OverridableStatics = { -readonly [K in Exclude<keyof EntityStatics, never>]: EntityStatics[K] };

declare abstract class AbstractPk {
  abstract pk(parent?: Value, key?: string, args?: Args): DefaultPk<this>;
}
interface InheritedPk {
  pk(parent?: Value, key?: string, args?: Args): DefaultPk<this>;
}
/** A `pk()` that needs no `override` in a subclass, because one of its two declarations is abstract. */
export type OverridablePk = AbstractPk & InheritedPk;

interface EntityBaseConstructor {
  new (): OverridablePk;
  /** An instance in which each member has its default. */
  readonly defaults: Value;
}

/** The implementation of `Entity`, apart from `fromJS`: `EntityMixin` copies it to classes with another base. */
export const EntityBase: EntityBaseConstructor & OverridableStatics = class {
  declare static redact: readonly string[] | undefined;
  declare static "~defaults": object | undefined;
  static schema: ObjectMembers = {};
  static get key(): string {
    return this.name;
  }
  // `Article.key = …` defines a static of `Article`: without a setter the assignment would throw.
  static set key(value: string) {
    Object.defineProperty(this, "key", { value, writable: true });
  }
  static get defaults(): Value {
    return Object.hasOwn(this, "~defaults") ? this["~defaults"] : this["~defaults"] = new this();
  }
  static pk(value: Value, parent?: Value, key?: string, args?: Args): Pk {
    return (this.prototype.pk as Value).call(value, parent, key, args); // `value` is plain data, not an instance
  }
  static process(value: Value): Value {
    return value;
  }
  static merge = mergeMembers;
  static shouldUpdate = alwaysUpdate;
  static validate(_record: Value): string | boolean | undefined | void {}
  static createIfValid(record: Rec): object | undefined {
    return this.validate(record) ? undefined : copyMembers(new this(), record);
  }
  static queryKey(args: Args): Pk {
    const [first] = args;
    try {
      return pkText(isObject(first) ? this.pk(first, undefined, "", args) : first);
    } catch {
      // `pk` threw on arguments that lack a member it needs: they name no record.
    }
  }
  pk(): Value {
    return (this as { readonly id?: Pk }).id; // the type of `pk` asks classes without an `id` for a `pk()` of their own
  }
};

/**
 * The base class of your data. Each record is stored once, by its pk. Fields with initializers declare the members and
 * their defaults; `pk()` returns the primary key (by default `id`); `static key` names the table; `static schema` says
 * which members are entities, dates or other schemas.
 *
 * - A read returns the same instance until its record, or a record that it embeds, changes.
 * - Instances are made by `new Class()`. Members that the class does not declare are kept.
 * - A reference to a record that is not in the store reads as the default of the field.
 * - A pk is a non-empty string, a finite number or a bigint. Anything else, or `"undefined"`, means *not saved yet*: the
 *   value is not stored as a record, and stays in its place.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { denormalize, Entity, normalize } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   name = "";
 *   static key = "User";
 * }
 * class Article extends Entity {
 *   id = "";
 *   author = User.fromJS();
 *   createdAt = new Date(0);
 *   static key = "Article";
 *   static schema = { author: User, createdAt: Date };
 * }
 * const body = { id: "5", author: { id: "1", name: "ann" }, createdAt: "2026-01-01T00:00:00Z" };
 * const { result, entities } = normalize(Article, body);
 * const article = denormalize(Article, result, entities);
 * assert(article?.author.name === "ann" && article.createdAt.getUTCFullYear() === 2026);
 * ```
 */
export abstract class Entity extends EntityBase {
  /**
   * Makes an instance with these members, and defaults for the rest. It is not put into a store.
   *
   * @param members The members to set; all defaults without it.
   * @returns A new instance.
   */
  static fromJS<T>(this: { readonly prototype: T }, members?: EntityInput<T>): T {
    return copyMembers(new (this as unknown as EntityClass)() as T & object, members); // `Entity` is abstract only to the type checker
  }
}

/** Assigns members to an instance, except names that only its prototype has, such as getters and methods. */
function copyMembers<T extends object>(instance: T, members: object | undefined): T {
  const target: Value = instance, given: Value = members;
  for (const name in given) {
    const value = given[name];
    if (value !== undefined && (Object.hasOwn(target, name) || !(name in target))) target[name] = value;
  }
  return instance;
}

/**
 * Checks that a record has all required members. Call it in `static validate`, so that a summary does not pass for a
 * complete record.
 *
 * @param record The record, merged from all replies so far.
 * @param required An object with the required names; its values do not matter: `this.defaults`, or `{ body: "" }`.
 * @returns `Missing key X` for the first absent member; `undefined` if all are there. `null` counts as there.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Entity, validateRequired } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   body = "";
 *   static key = "Article";
 *   static validate(record: object) {
 *     return validateRequired(record, this.defaults);
 *   }
 * }
 * assert(Article.validate({ id: "5" }) === "Missing key body");
 * ```
 */
export function validateRequired(record: object, required: object): string | undefined {
  for (const name of Object.keys(required)) if (!Object.hasOwn(record, name)) return `Missing key ${name}`;
}
