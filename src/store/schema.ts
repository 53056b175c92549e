/**
 * A schema is an entity class, an array or object of schemas, a function (`Date`), or an object with the three methods
 * of {@linkcode SchemaObject}. Any other value is the default of an absent member.
 *
 * @module
 */
import type { Args, Invalid, Value } from "../plain/value.ts";

/** The part of the walk that a schema may use to normalize a value. */
export interface SchemaWalk {
  /** The arguments of the call. */
  readonly args: Args;
  /** Normalizes a part of the value. */
  visit(schema: Schema, value: Value, parent?: Value, key?: Value): Value;
}

/** The part of the reading that a schema may use to denormalize a value. */
export interface SchemaReading {
  /** Denormalizes a value by its schema. */
  shape(schema: Schema, kept: Value): Value;
}

/** The part of the tables that a schema may use. */
export interface SchemaTables {
  plan(E: EntityClass): { readonly E: EntityClass };
}

/** An entity class, for the type checker. */
export interface AnyEntity {
  readonly prototype: EntityPrototype;
  readonly key: string;
}

/** A stored record: flat, with pks as references. It is replaced, never changed. */
export type Rec = { readonly [member: string]: Value };

/** An entity class at run time. */
export interface EntityClass extends AnyEntity {
  new (): object;
  readonly name: string;
  readonly schema: { readonly [member: string]: Schema };
  readonly defaults: Value;
  pk(value: Value, parent?: Value, key?: string, args?: Args): unknown;
  process(value: Value, parent: Value, key: Value, args: Args): Value;
  merge(existing: Value, incoming: Value): Value;
  shouldUpdate(existingMeta: Value, incomingMeta: Value, existing: Value, incoming: Value): boolean;
  validate(record: Value): unknown;
  createIfValid(record: Value): Value;
  queryKey(args: Args, tables: SchemaTables): string | undefined;
}

/** The types of a schema object, for the type checker only; never assigned. */
export interface SchemaTypes {
  readonly data: unknown;
  readonly nullable: unknown;
  readonly normalized: unknown;
  readonly args: Args;
  readonly member?: unknown;
}

/** The same of one schema, by what a read gives, what is kept, what names it; as a member of an object; or of nothing. */
export interface TypesOf<D, K, A extends Args = readonly [], M = D | undefined, N = D | undefined> extends SchemaTypes {
  readonly data: D;
  readonly nullable: N;
  readonly normalized: K;
  readonly args: A;
  readonly member: M;
}

/** The interface of all schemas that are objects. */
export interface SchemaObject {
  readonly "~types": SchemaTypes;
  /** Normalizes a value: call `walk.visit` for its parts, and return the normalized form. */
  normalize(value: Value, parent: Value, key: Value, walk: SchemaWalk): Value;
  /** Denormalizes: call `reading.shape` or `reading.kid` for the parts. */
  denormalize(kept: Value, reading: SchemaReading): Value;
  /** The normalized value that arguments alone name, as input of `denormalize`; `undefined`: none. */
  queryKey?(args: Args, tables: SchemaTables): Value;
  /** The schema whose absent value (`[]`, or its members) this one has as an absent member. Without it: `undefined`. */
  readonly absent?: Schema;
  /** The schemas inside, which tell the tables that this schema reads. */
  readonly parts?: readonly Schema[];
}

/** A function that turns a received value into the one that readers get. */
export type Serializer<T = Value> =
  & ((value: Value) => T)
  & { readonly fetch?: Invalid<"an endpoint is no schema: write endpoint.schema"> | undefined };

/** Whatever an app gives as a schema. What is none of the forms stands for itself: a default. */
export type Schema = Value;

/** Whether a schema is an entity class. */
export const isEntity = (schema: Schema): schema is EntityClass =>
  typeof schema == "function" && "createIfValid" in schema;

/** The default `merge` of a class: shallow, incoming members win. */
export const mergeMembers = (existing: Value, incoming: Value): Value => ({ ...existing, ...incoming });
/** The default `shouldUpdate` of a class. */
export const alwaysUpdate = (): boolean => true;

/**
 * The entity class that a mutation is about: by itself, in an `Invalidate`, as the item of a list, in an envelope; of a
 * union, that of a value.
 */
export function entityOf(schema: Schema, value?: Value): EntityClass | undefined {
  if (isEntity(schema)) return schema;
  const inner = schema?.entity ?? schema?.item ?? schema?.[memberOf(schema)!];
  return inner ? entityOf(inner, value) : schema?.entityOf?.(value);
}
/** The member of an envelope, an object with one schema of a record. */
export function memberOf(schema: Schema): string | undefined {
  const [name, other] = schema?.constructor === Object
    ? Object.keys(schema).filter((name) => entityOf(schema[name]))
    : [];
  return other ? undefined : name;
}

/** What `pk()` may return. `undefined`, `null` and `""` mean: not saved yet, kept in place. */
export type Pk = string | number | bigint | null | undefined;

/** Stands beside a pk where a class has fields, but neither `id` nor `pk()`. Never a value. */
export type NoPk = string & Invalid<"the entity has no id: write pk() { return this.… }">;

/** What the `pk()` of `Entity` gives for instances `T`: an `id` makes a primary key. */
export type DefaultPk<T> = [HasId<T>] extends ["no"] ? Pk | NoPk : Pk;
type HasId<T> = ["id"] extends [keyof T] ? [T["id" & keyof T]] extends [Pk] ? "yes" : "no"
  : [keyof T] extends ["pk"] ? "yes"
  : "no";

/** What the instances of an entity class have. */
export interface EntityPrototype {
  /** The primary key. */
  pk(parent?: Value, key?: string, args?: Args):
    | (string & { readonly "~invalid"?: never })
    | Exclude<Pk, string>;
}

/** What every instance of an entity has, also of one that is a type parameter. */
export interface EntityInstance {
  /** The primary key. */
  pk(parent?: Value, key?: string, args?: Args): Pk;
}
