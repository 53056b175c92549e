import type { DefaultPk, EntityClass, Pk, Rec, SchemaTables } from "../store/schema.ts";
import { alwaysUpdate, mergeMembers } from "../store/schema.ts";
import type { EntityInput, ObjectMembers } from "../store/infer.ts";
import { isObject, pkText } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";

/** What `shouldUpdate` gets besides the records: when they were asked for. Compare members of the records instead. */
export type EntityMeta = Value;

/** What an entity class may say of itself: each static may be replaced, and `super` reaches that of `Entity`. */
export interface EntityStatics {
  /** Names the table. Defaults to the name of the class; write it by hand, because bundlers rename classes. */
  key: string;
  /** Where other schemas are in its members. */
  schema: ObjectMembers;
  /** Members that never leave the process, such as a token: the state of a server's page is without them. */
  redact: readonly string[] | undefined;
  /** The pk of plain processed data. Defaults to what the method `pk` says of it. */
  pk(value: Value, parent?: Value, key?: string, args?: Args): Pk;
  /** What the server sent → what to keep; `undefined` leaves it out. `parent` is as its own `process` made it. */
  process(value: Value, parent: Value, key: Value, args: Args): Value;
  /** The stored record and a newer one → the record to keep. Defaults to `{ ...existing, ...incoming }`. */
  merge(existing: Value, incoming: Value): Value;
  /** `false`: what came is not merged. Defaults to `true`. */
  shouldUpdate(existingMeta: EntityMeta, incomingMeta: EntityMeta, existing: Value, incoming: Value): boolean;
  /** Truthy: for this class there is no such record. */
  validate(record: Value): string | boolean | undefined | void;
  /** The instance of a stored record; `undefined` where it is invalid. */
  createIfValid(record: Value): object | undefined;
  /** The pk that arguments name; `undefined` where they name none. */
  queryKey(args: Value, tables: SchemaTables): Pk;
}

/**
 * The statics that a subclass may replace. A mapped type, because `noImplicitOverride` looks at declarations, and a
 * mapped member has none: no `override` is needed.
 */
export type OverridableStatics = { -readonly [K in Exclude<keyof EntityStatics, never>]: EntityStatics[K] };

declare abstract class AbstractPk {
  abstract pk(parent?: Value, key?: string, args?: Args): DefaultPk<this>;
}
interface InheritedPk {
  pk(parent?: Value, key?: string, args?: Args): DefaultPk<this>;
}
/** A `pk()` that a subclass may write without `override`: what is declared twice, once abstract, needs none. */
export type OverridablePk = AbstractPk & InheritedPk;

interface EntityBaseConstructor {
  new (): OverridablePk;
  /** One instance, which has the default of each member. */
  readonly defaults: Value;
}

/** What `Entity` itself is: `EntityMixin` gives it to classes that have a base already. */
export const EntityBase: EntityBaseConstructor & OverridableStatics = class {
  declare static redact: readonly string[] | undefined;
  declare static "~defaults": object | undefined;
  static schema: ObjectMembers = {};
  static get key(): string {
    return this.name;
  }
  // `Article.key = …` makes a member of its own.
  static set key(value: string) {
    Object.defineProperty(this, "key", { value, writable: true, configurable: true });
  }
  static get defaults(): Value {
    return Object.hasOwn(this, "~defaults") ? this["~defaults"] : this["~defaults"] = new this();
  }
  static pk(value: Value, parent?: Value, key?: string, args?: Args): Pk {
    return (this.prototype.pk as Value).call(value, parent, key, args); // plain data stand in for an instance
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
      // The arguments lack what `pk` needs: they name nothing.
    }
  }
  pk(): Value {
    return (this as { readonly id?: Pk }).id; // a class without `id` has a `pk` of its own
  }
};

/**
 * The base of your data: a class whose instances have identity. Fields with initializers declare the members and their
 * defaults; `pk()` tells which record an object is (by default its `id`); `static key` names the table; `static schema`
 * says which members are entities, dates or other schemas.
 *
 * Promises: the same object comes back for the same class and pk until its record, or one that it embeds, changes.
 * Instances are real (`new Class()`). Members that the class does not declare are kept. A reference to a record that is
 * not there reads as the field's default. A pk is a non-empty string, a finite number or a bigint; anything else means
 * *not saved yet*, and the value stays in place.
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
   * An instance with these members, the rest by default. It is in no store.
   *
   * @param members Members to set.
   * @returns A new instance.
   */
  static fromJS<T>(this: { readonly prototype: T }, members?: EntityInput<T>): T {
    return copyMembers(new (this as unknown as EntityClass)() as T & object, members); // a class, abstract for types only
  }
}

/** Puts members into an instance, except those that only its prototype has. */
function copyMembers<T extends object>(instance: T, members: object | undefined): T {
  const target: Value = instance, given: Value = members;
  for (const name in given) {
    const value = given[name];
    if (value !== undefined && (Object.hasOwn(target, name) || !(name in target))) target[name] = value;
  }
  return instance;
}

/**
 * Says which member a record lacks: for `static validate`, to tell a summary from a whole record.
 *
 * @param record The merged record.
 * @param required An object whose members are required, whatever their values: `this.defaults`, or some of them.
 * @returns `Missing key X` for the first member that the record lacks; `undefined` where it has all. `null` is there.
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
