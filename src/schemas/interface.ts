/**
 * What a schema is, for everything that walks one: the only file of `schemas/` that the store, the controller and the
 * signals know.
 *
 * @module
 */

/** What `pk()` may return. `undefined`, `null` and `""` mean: not saved yet, kept in place. */
export type Pk = string | number | bigint | null | undefined;

/** What every instance of an entity has. */
export interface EntityInstance {
  /** The primary key. */
  // deno-lint-ignore no-explicit-any -- an override may take fewer or differently typed parameters
  pk(parent?: any, key?: string, args?: readonly any[]): Pk;
}

/**
 * Any entity class. Two members and not more: a class whose `static schema` mentions itself through another schema
 * is otherwise asked for its own type while that is inferred (TS7022).
 */
export interface AnyEntity {
  /** What its instances have. */
  readonly prototype: EntityInstance;
  /** Names the table. */
  readonly key: string;
}

/** Names of members → where entities, dates and other schemas are in a value. */
export interface FieldSchemas {
  readonly [field: string]: AnySchema;
}

/** The statics of an entity class: all may be replaced by a subclass. */
export interface EntityStatics extends AnyEntity {
  /** The name of the class, for messages. */
  readonly name: string;
  new (): EntityInstance;
  /** Names the table. Defaults to the name of the class; write it by hand, bundlers rename classes. */
  readonly key: string;
  /** Where other schemas are in this entity's members. */
  readonly schema: FieldSchemas;
  /** One instance that gives the default of each member. */
  readonly defaults: object;
  /** The primary key of plain processed data. Defaults to what the instance method `pk` says of it. */
  // deno-lint-ignore no-explicit-any -- users annotate what their API sends
  pk(value: any, parent?: any, key?: string, args?: readonly any[]): Pk;
  /** What the server sent → the members to keep; `undefined` leaves the item out. Defaults to the value itself. */
  // deno-lint-ignore no-explicit-any -- see above
  process(value: any, parent: any, key: string | undefined, args: readonly any[]): any;
  /** The stored record and one that came later → the record to keep. Defaults to `{ ...existing, ...incoming }`. */
  // deno-lint-ignore no-explicit-any -- see above
  merge(existing: any, incoming: any): any;
  /** Truthy: the merged record is incomplete or invalid for this class. Defaults to nothing. */
  // deno-lint-ignore no-explicit-any -- see above
  validate(record: any): string | boolean | undefined | void;
}

/** What a schema object tells the type checker; never assigned, so that it costs nothing. */
export interface SchemaTypes {
  /** What a read gives. */
  readonly data: unknown;
  /** What a read gives when something may be missing. */
  readonly nullable: unknown;
  /** What is kept of a response. */
  readonly normalized: unknown;
  /** Arguments by which it can be queried. */
  readonly args: readonly unknown[];
}

/** Handed to {@linkcode SchemaObject.normalize}. */
export interface NormalizeWalk {
  /** Arguments of the endpoint call. */
  readonly args: readonly unknown[];
  /**
   * Normalizes a value below this one. Returns at once: the pk of an entity (whose interior is walked later), or a
   * container that the walk may fill after this call; what needs it complete belongs in {@linkcode SchemaObject.finish}.
   */
  visit(schema: AnySchema, value: unknown, parent: unknown, key: string | undefined): unknown;
  /** Deletes the record that the value names (an object with a pk, or a bare pk) and returns its pk. */
  invalidate(entity: AnyEntity, value: unknown, parent: unknown, key: string | undefined): string;
  /** Makes the table of an entity *known*: from then on `All` of it reads as an array. */
  know(entity: AnyEntity): void;
  /** An error that names the entity or schema and the path in the response; to be thrown. */
  fail(schema: AnySchema, problem: string): Error;
}

/** Handed to {@linkcode SchemaObject.denormalize}. */
export interface DenormalizeWalk {
  /** Arguments of the call whose answer is read. */
  readonly args: readonly unknown[];
  /**
   * `true` while the walk only wants to learn what is below: `visit` gives `undefined` for entities, and what
   * `denormalize` returns is not used. A schema that computes with what it visited returns at once.
   */
  readonly collecting: boolean;
  /** Reads what is below: an instance, an array, an object …; `undefined` where it is absent, deleted or incomplete. */
  visit(schema: AnySchema, normalized: unknown): unknown;
}

/** Handed to {@linkcode SchemaObject.queryKey}. */
export interface QueryWalk {
  /** Asks a schema below for the normalized value that these arguments name. */
  visit(schema: AnySchema, args: readonly unknown[]): unknown;
  /** The pks of every record of an entity, in order of arrival; `undefined` while its table is not known. */
  all(entity: AnyEntity): readonly string[] | undefined;
}

/**
 * A schema that is neither an entity, an array, an object of members nor a function: an instance of a class with these
 * methods. This is public: an app may write its own.
 */
export interface SchemaObject {
  readonly "~types": SchemaTypes;
  /** Value → what is kept of it. Must not change `value`. */
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown;
  /** Called once after all containers that `normalize` returned or asked for are filled. */
  finish?(normalized: unknown, walk: NormalizeWalk): void;
  /** What is kept → what a reader gets. Must be pure. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown;
  /** Arguments → what is kept, for reads without a response of their own; `undefined` when they name nothing. */
  queryKey?(args: readonly unknown[], walk: QueryWalk): unknown;
}

/** A function from what the server sends to what a reader gets: `Date`, `Number`, `(v) => new URL(v)`. */
// deno-lint-ignore no-explicit-any -- a serializer's parameter is contravariant: users annotate it
export type Serializer<T = unknown> = (value: any) => T;

/** A member of an object schema that is not a schema: the value that a reader gets where the response has none. */
export type Literal = string | number | boolean | bigint | null | undefined;

/** Everything that can stand where a schema is expected. */
export type Schema = AnyEntity | SchemaObject | Serializer | readonly Schema[] | {
  readonly [member: string]: Schema | Literal;
};

/** The same, as code sees it that walks a schema and not its types. */
export type AnySchema = Schema | Literal;

/** Marks an entity class. A symbol of the registry, so that a second copy of this library recognizes it as well. */
export const ENTITY = Symbol.for("@rejoin/data/entity");

/** Whether a value is an entity class, of this or another copy of the library. */
export function isEntity(schema: unknown): schema is EntityStatics {
  return typeof schema === "function" && ENTITY in schema;
}

/** Whether a value is a schema object: an instance of a class that is no array and not a plain object of members. */
export function isSchemaObject(schema: unknown): schema is SchemaObject {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false;
  const prototype = Object.getPrototypeOf(schema);
  return prototype !== null && prototype !== Object.prototype;
}
