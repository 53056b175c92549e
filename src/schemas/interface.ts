/**
 * What a schema is, for everything that walks one: the contract between schemas and those who use them.
 *
 * @module
 */

import type { MembershipRules } from "../collections/collection_membership.ts";
import type { Aliases } from "../parts/temporary_ids/aliases.ts";
import type { ListChanges } from "../collections/list_changes.ts";
import type { Patch } from "../store/patch.ts";
import type { Tables } from "../store/tables.ts";
import type { Problem } from "../errors/texts.ts";
import type { EntityInstance, EntityPrototype, Pk } from "./pk_types.ts";

/**
 * Any entity class. Two members and not more: a class whose `static schema` mentions itself through another schema
 * is otherwise asked for its own type while that is inferred (TS7022).
 */
export interface AnyEntity {
  /** What its instances have. */
  readonly prototype: EntityPrototype;
  /** Names the table. */
  readonly key: string;
}

/** Names of members → where entities, dates and other schemas are in a value. */
export interface FieldSchemas {
  readonly [field: string]: AnySchema;
}

/** When a record came, and how long it is fresh. */
export interface EntityMeta {
  /**
   * The sequence number of the write: of two, the one with the greater number is the later, whatever the order in which
   * their answers arrived.
   */
  readonly seq: number;
  /** When it was stored; ms since 1970. */
  readonly fetchedAt: number;
  /** Until when it is fresh; ms since 1970, `Infinity` for ever, 0 when it was marked stale. */
  readonly expiresAt: number;
}

/**
 * The statics of an entity class: all may be replaced by a subclass, without `override`, and `super` reaches those of
 * the base. They are pure, get plain data, and may be called again.
 */
export interface EntityStatics extends AnyEntity {
  /** The name of the class, for messages. */
  readonly name: string;
  new (): EntityInstance;
  /** Names the table. Defaults to the name of the class; write it by hand, bundlers rename classes. */
  readonly key: string;
  /** Where other schemas are in this entity's members. */
  readonly schema: FieldSchemas;
  /** Members by which records can be found, besides the pk: each a field of the class. Defaults to none. */
  readonly indexes: readonly string[];
  /**
   * Members that never leave the process, such as a token: `stateOf`, a page of a server, recordings and devtools are
   * without them. Defaults to none.
   */
  readonly redact: readonly string[];
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
  /**
   * Whether what came is merged into the record; where not, the record stays as it is, its freshness too. Asked before
   * each merge, in the order of sequence numbers, of records with nested entities as pks. Defaults to `true`.
   */
  // deno-lint-ignore no-explicit-any -- see above
  shouldUpdate(existingMeta: EntityMeta, incomingMeta: EntityMeta, existing: any, incoming: any): boolean;
  /** Truthy: the merged record is incomplete or invalid for this class. Defaults to nothing. */
  // deno-lint-ignore no-explicit-any -- see above
  validate(record: any): string | boolean | undefined | void;
  /**
   * Makes the instance of a record, of which it gets a copy with nested entities as pks; `undefined`: incomplete for
   * this class. Members that have a schema are filled into what it returns. Defaults to `undefined` where `validate` is
   * truthy, else a new instance with the members of the record.
   */
  // deno-lint-ignore no-explicit-any -- see above
  createIfValid(record: any): object | undefined;
  /**
   * The pk of the record that arguments name, for reads without a response; `undefined` when they name none. Defaults to
   * what `pk` says of the first argument, or that argument itself; then to the first of `indexes` that it names.
   */
  // deno-lint-ignore no-explicit-any -- see above
  queryKey(args: readonly any[], walk: QueryWalk): Pk;
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
  /** What it reads as a member of an object schema, where that has a form of its own when it is absent. */
  readonly member?: unknown;
}

/**
 * A change of records that stand in a table already, and of those that a late reply may still bring. It is given those
 * that are there, and gives what becomes of each; `undefined` leaves one as it is.
 */
export type Amendment = (records: readonly StoredMembers[]) => (record: StoredMembers) => ListEffect | undefined;

/** What a change makes of one record that it is not about itself: a list. */
export interface ListEffect {
  /**
   * What is written, one after the other. `entity` merges it into the record: a class that shares the table, with a
   * `merge` of its own.
   */
  readonly writes?: readonly { readonly entity: AnyEntity; readonly incoming: StoredMembers }[];
  /** It may have changed in a way that only the server knows: answers that hold it are stale. */
  readonly isUncertain?: boolean;
  /** What reads it has changed, though nothing is written: an item was deleted. */
  readonly isMoved?: boolean;
}

/** The flat members of a record, as they are stored. */
export interface StoredMembers {
  readonly [member: string]: unknown;
}

/** A member of a record. */
export interface RecordOwner {
  /** The class that is written. */
  readonly entity: AnyEntity;
  /** The pk of the record; `""` while it is not saved. */
  readonly pk: string;
  /** The member of it. */
  readonly member: string;
  /** The schema of that member. */
  readonly schema: AnySchema;
}

/** Handed to {@linkcode SchemaObject.normalize}. */
export interface NormalizeWalk {
  /** Arguments of the endpoint call. */
  readonly args: readonly unknown[];
  /** The entity in one of whose members the value stands, however deep; `undefined` in the response itself. */
  readonly owner: RecordOwner | undefined;
  /**
   * Normalizes a value below this one. Returns at once: the pk of an entity (whose interior is walked later), or a
   * container that the walk may fill after this call; what needs it complete belongs in {@linkcode SchemaObject.finish}.
   */
  visit(schema: AnySchema, value: unknown, parent: unknown, key: string | undefined): unknown;
  /** Deletes the record that the value names (an object with a pk, or a bare pk) and returns its pk. */
  invalidate(entity: AnyEntity, value: unknown, parent: unknown, key: string | undefined): string;
  /** Makes the table of an entity *known*: from then on `All` of it reads as an array. */
  know(entity: AnyEntity): void;
  /** Writes members that are normalized already under a pk of the schema's own making. */
  write(entity: AnyEntity, pk: string, members: StoredMembers): void;
  /** Changes the lists of a collection that stand there when this response takes its sequence number. */
  amend(entity: AnyEntity, amendment: Amendment): void;
  /** The record as it would be if this response were written now; `undefined` when there is none. */
  record(entity: AnyEntity, pk: string): StoredMembers | undefined;
  /**
   * Fills a container that is the schema's own: at once, or after this call where declarations nest deeply. What a value
   * became that a declaration leads back to is given again, so that a value that contains itself ends.
   *
   * @param schema Whose container it is.
   * @param value What it is made of.
   * @param container A new one.
   * @param fill Visits what is below.
   * @returns What `normalize` is to return.
   */
  fill<C extends object>(schema: SchemaObject, value: object, container: C, fill: (container: C) => void): C;
  /**
   * An error that names the entity or schema and the path in the response; to be thrown. The path is known where the
   * value is given, with its parent and its key.
   */
  fail(schema: AnySchema, problem: Problem, value?: unknown, parent?: unknown, key?: string): Error;
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
  /**
   * Finds records that nothing refers to. It is there only in `denormalize()` and outside of entities, where nothing
   * remembers what was looked at; elsewhere {@linkcode SchemaObject.view} says that.
   */
  readonly tables?: TableLookup | undefined;
  /** The same as {@linkcode NormalizeWalk.fill}, for what is kept. */
  fill<C extends object>(schema: SchemaObject, normalized: object, container: C, fill: (container: C) => void): C;
}

/** What tables hold, whoever refers to it. */
export interface TableLookup {
  /** The pks of every record of an entity, in order of arrival; `undefined` while its table is not known. */
  all(entity: AnyEntity): readonly string[] | undefined;
  /** The pks of the records whose member has a value, in order of arrival; `undefined` while the table is not known. */
  index(entity: AnyEntity, member: string, value: unknown): readonly string[] | undefined;
}

/** Handed to {@linkcode SchemaObject.queryKey} and to the `queryKey` of an entity. */
export interface QueryWalk extends TableLookup {
  /** Asks a schema below for the normalized value that these arguments name. */
  visit(schema: AnySchema, args: readonly unknown[]): unknown;
  /** The members of a record as they are stored; `undefined` when it is not there. */
  record(entity: AnyEntity, pk: string): StoredMembers | undefined;
}

/** A remembered answer that is made again only where something changed. */
export interface View {
  /** The answer, as of its last reading. */
  readonly value: unknown;
}

/** Makes the views of one schema object: handed to {@linkcode SchemaObject.view} and {@linkcode SchemaObject.queryView}. */
export interface ViewMaker {
  /** Arguments of the call or query. */
  readonly args: readonly unknown[];
  /** What a schema reads of what is kept; of entities in a row, one change costs one row. */
  of(schema: AnySchema, kept: unknown): View;
  /** What a schema reads for arguments, without a response. */
  query(schema: AnySchema, args: readonly unknown[]): View;
  /** Every record of an entity in order of arrival; `undefined` while the table is not known. */
  table(entity: AnyEntity): View;
  /** The records of an entity whose member has a value, in order of arrival; `undefined` while the table is not known. */
  bucket(entity: AnyEntity, member: string, value: unknown): View;
  /** Several arrays, one after the other; those that are `undefined` count as empty, unless all are. */
  concat(sources: readonly View[]): View;
  /**
   * What a pure function makes of an answer; it is called again only when the answer is another.
   *
   * @param compute Is given the answer, and what it made of the last one.
   * @param isOwn It gives the last one again where nothing is other; arrays and objects are of its own making.
   */
  computed(source: View, compute: (value: unknown, before: unknown) => unknown, isOwn?: boolean): View;
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
  /** A view of what is kept that costs only what changed. Without it, the whole is read again by `denormalize`. */
  view?(normalized: unknown, maker: ViewMaker): View;
  /** The same for arguments. Without it, `queryKey` is asked again when what it looked at has changed. */
  queryView?(args: readonly unknown[], maker: ViewMaker): View | undefined;
  /** Where a value stands for one entity of several: which, and what refers to it. `undefined` for any other value. */
  pick?(normalized: unknown): readonly [entity: AnyEntity, reference: unknown] | undefined;
  /** Names it in messages; the name of its class where there is none. */
  readonly name?: string | undefined;
  /**
   * The plain schema, an array or an object of members, that it is another way to write: it is treated as that wherever
   * it makes a difference.
   */
  readonly plain?: AnySchema | undefined;
  /**
   * What it was made of. Schema objects of one class that are made of the same give answers of the same form; a
   * declaration that leads back to itself is found along them. Without it, an object is only the same as itself.
   */
  readonly parts?: readonly unknown[] | undefined;
  /** Of a schema that is made of items: what each is, and whether they stand in a row or under names. */
  readonly items?: { readonly item: AnySchema; readonly isList: boolean } | undefined;
  /** It is a Collection: an endpoint of it has its verbs. */
  readonly isCollection?: boolean | undefined;
  /** Of a schema that changes something: the entity of the record that the server is to name in its reply. */
  readonly subject?: AnySchema | undefined;
  /** What a mutation with this schema answers with, where that is the value it was given. */
  readonly answersGiven?: boolean | undefined;
  /** Read as the schema of an endpoint that was never answered, it would seem complete, and nobody knows whether it is. */
  readonly isPartial?: boolean | undefined;
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

/** What {@linkcode ENTITY} marks the classes of this copy of the library with. */
export const COPY: unique symbol = /* @__PURE__ */ Symbol("@rejoin/data");

/** Marks the class of the records of a collection. */
export const ROWS: unique symbol = Symbol.for("@rejoin/data/rows");

/** What stands in the records of a collection. */
export interface RowsDeclaration {
  /** An entity class, or a schema object that picks one of several. */
  readonly item: AnySchema;
  /** What this class writes changes a record that is there, and makes none. */
  readonly amends: boolean;
  /** How arguments say which items belong to the lists: what each collection says, and of what it does. */
  readonly rules: Map<string, () => MembershipRules>;
  /** What a patch means for the lists of a store, whatever they are of. */
  openLists(patch: Patch): ListChanges;
  /** What is created in them is shown under temporary ids first: makes what these become. */
  openAliases(tables: Tables): Aliases;
}

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
