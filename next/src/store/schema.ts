/**
 * What a schema is: an entity class, an array or object of schemas, a function (`Date`), or an object with the three
 * methods of {@linkcode SchemaObject}. Anything else says nothing.
 */
import type { Reading } from "./reading.ts";
import type { Tables } from "./tables.ts";
import type { Walk } from "./walk.ts";
import type { EntityPrototype } from "./pk_types.ts";

/** An entity class, for the type checker. */
export interface AnyEntity {
  readonly prototype: EntityPrototype;
  readonly key: string;
}

/** A record as it is stored: flat, its references are pks. Never changed, only replaced. */
export type Rec = { readonly [member: string]: any };

/** An entity class at run time. */
export interface EntityClass extends AnyEntity {
  new (): object;
  readonly name: string;
  readonly schema: { readonly [member: string]: any };
  readonly defaults: any;
  pk(value: any, parent?: any, key?: string, args?: readonly any[]): any;
  process(value: any, parent: any, key: any, args: readonly any[]): any;
  merge(existing: any, incoming: any): any;
  shouldUpdate(existingMeta: any, incomingMeta: any, existing: any, incoming: any): boolean;
  validate(record: any): unknown;
  createIfValid(record: any): any;
  queryKey(args: readonly any[], tables: Tables): string | undefined;
}

/** What a schema object says to the type checker; never assigned. */
export interface SchemaTypes {
  readonly data: unknown;
  readonly nullable: unknown;
  readonly normalized: unknown;
  readonly args: readonly any[];
  readonly member?: unknown;
}

/** The mould of all schemas that are objects. */
export interface SchemaObject {
  readonly "~types": SchemaTypes;
  /** Takes a value apart: `walk.visit` its parts, and return the normalized form. */
  normalize(value: any, parent: any, key: any, walk: Walk): any;
  /** Reads the normalized form: `reading.shape` or `reading.kid` its parts. */
  denormalize(kept: any, reading: Reading): any;
  /** What arguments alone name, to hand to `denormalize`; `undefined`: nothing. */
  queryKey?(args: readonly any[], tables: Tables): any;
  /** The schemas inside, which say the tables that it is about. */
  readonly parts?: readonly Schema[];
}

export type Serializer<T = any> = (value: any) => T;
export type Schema = any;

/** Whether a schema is an entity class. */
export const isEntity = (schema: any): schema is EntityClass =>
  typeof schema == "function" && !!(schema as any).createIfValid;

/** The `merge` that classes have which do not say otherwise: shallow, incoming wins. */
export const mergeMembers = (existing: any, incoming: any): any => ({ ...existing, ...incoming });
/** The `shouldUpdate` that classes have which do not say otherwise. */
export const alwaysUpdate = (): boolean => true;

/** The entity class that a mutation is about: by itself, in an `Invalidate`, or as the item of a list. */
export function entityOf(schema: Schema): any {
  const entity = schema?.entity ?? schema?.item ?? schema;
  return isEntity(entity) ? entity : undefined;
}
