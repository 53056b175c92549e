import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import type { EntityArgs } from "./infer.ts";
import {
  type AnyEntity,
  type AnySchema,
  type EntityStatics,
  isEntity,
  isSchemaObject,
  type NormalizeWalk,
  type SchemaObject,
  type TableLookup,
  type View,
  type ViewMaker,
} from "./interface.ts";
import type { EntityInstance } from "./pk_types.ts";
import { keptBy, pkText, planOf } from "./plan.ts";
import { pkNamedBy } from "./query_key.ts";
import { type AnyUnion, isUnion } from "./is_union.ts";

/** The members of an entity that may refer to another: those that are no method. */
export type RelationMember<E extends AnyEntity> = keyof {
  [K in keyof E["prototype"] as E["prototype"][K] extends (...args: never) => unknown ? never : K]: 0;
};

/** What a relation is asked with: an object of the other entity, members that make its pk, or the pk by itself. */
export type RelationArgs<E extends AnyEntity, K> = K extends keyof E["prototype"]
  ? readonly [owner: OwnerArgs<NonNullable<E["prototype"][K]>>]
  : never;

type OwnerArgs<T> = T extends readonly (infer I)[] ? OwnerArgs<NonNullable<I>>
  : T extends { pk(...args: never): unknown } ? EntityArgs<T> | T
  : string | number | bigint | { pk(): unknown } | { readonly id: string | number | bigint };

/** What the other sides of a reference have in common: a member of one class refers to records of another. */
export abstract class Relation<E extends AnyEntity, K extends RelationMember<E>> {
  readonly #member: string;
  readonly #entity: E | (() => E);

  /**
   * @param entity The class that refers, or a function that gives it where it is defined later.
   * @param member The member of it that refers.
   */
  constructor(entity: E | (() => E), member: K) {
    this.#entity = entity;
    this.#member = String(member);
  }

  /** Names it in messages. */
  get name(): string {
    return `a relation by "${this.#member}"`;
  }

  /** Which of the records are there, only answers of their own tell. */
  get isPartial(): true {
    return true;
  }

  /** Stores what refers; what is read is every reading's own look at the index. */
  normalize(value: unknown, _parent: unknown, _key: string | undefined, walk: NormalizeWalk): undefined {
    this.#checkTarget(this.#target);
    const items = this.itemsOf(value);
    if (items === undefined) {
      throw walk.fail(this as unknown as SchemaObject, said(126, { value }));
    }
    walk.know(this.entity);
    for (const item of items) walk.visit(this.entity, item, items, undefined);
  }

  /** A view for the arguments. */
  abstract queryView(args: readonly unknown[], maker: ViewMaker): View;

  /** The same, for the arguments of the call. */
  view(_normalized: unknown, maker: ViewMaker): View {
    return this.queryView(maker.args, maker);
  }

  /** The items of a response; `undefined` when it has another shape. */
  protected abstract itemsOf(value: unknown): readonly unknown[] | undefined;

  /** The class that refers. */
  protected get entity(): EntityStatics {
    const given: unknown = this.#entity;
    const entity: unknown = isEntity(given) ? given : (given as () => unknown)();
    if (isEntity(entity)) return entity;
    throw new SchemaError(said(138, { member: this.#member }));
  }

  /** The records that refer. */
  protected bucket(args: readonly unknown[], maker: ViewMaker): View {
    const [value, ...more] = this.#valuesOf(args);
    const bucketOf = (each: unknown) => maker.bucket(this.entity, this.#member, each);
    return more.length === 0 ? bucketOf(value) : maker.concat([value, ...more].map(bucketOf));
  }

  /** The pks of the records that refer, where tables may be looked at. */
  protected pks(args: readonly unknown[], tables: TableLookup | undefined): readonly string[] | undefined {
    if (tables === undefined) return undefined;
    const found = this.#valuesOf(args).map((value) => tables.index(this.entity, this.#member, value));
    return found.length === 1 || found[0] === undefined ? found[0] : found.flatMap((pks) => pks ?? []);
  }

  /** What the member refers to, each item of it where it is a list. */
  get #target(): AnySchema {
    const member = keptBy(planOf(this.entity).fields.byName.get(this.#member)?.schema);
    return Array.isArray(member) ? keptBy(member[0]) : member;
  }

  /** What the member of a record that refers holds: the pk of what is asked with; by several tags, one each. */
  #valuesOf(args: readonly unknown[]): readonly unknown[] {
    const [owner] = args;
    const target = this.#target;
    this.#checkTarget(target);
    const isReference = isEntity(target) || isUnion(target);
    // Of somebody who is not saved; as a plain key it is one like others.
    if (owner === undefined || owner === null || (owner === "" && isReference)) return NOBODY;
    if (isUnion(target)) return this.#referencesTo(owner, target);
    if (typeof owner !== "object") return [owner];
    if (isEntity(target)) return [pkNamedBy(target, args)];
    const { pk } = owner as Partial<EntityInstance>;
    const raw = typeof pk === "function" ? pk.call(owner as EntityInstance) : (owner as { readonly id?: string }).id;
    return [pkText(raw, owner) ?? undefined];
  }

  /** What a union keeps of an object of one of its classes. */
  #referencesTo(owner: unknown, union: AnyUnion): readonly unknown[] {
    const { constructor } = owner as { readonly constructor?: unknown };
    const tags = !isEntity(constructor)
      ? []
      : Object.keys(union.mapping).filter((tag) => union.mapping[tag]!.key === constructor.key);
    if (tags.length === 0) {
      throw new SchemaError(said(139, { member: this.#member, key: this.entity.key, owner, name: union.name }));
    }
    const id = pkText((constructor as EntityStatics).pk(owner), owner as object);
    return typeof id === "string" ? tags.map((schema) => ({ id, schema })) : NOBODY;
  }

  /** An index finds what a member holds, not what stands deeper in it. */
  #checkTarget(target: AnySchema): void {
    if (typeof target !== "object" || target === null) return;
    if (isSchemaObject(target) && !target.isPartial && !target.isCollection && !target.answersGiven) return;
    throw new SchemaError(said(140, { member: this.#member, key: this.entity.key }));
  }
}

/** What finds no record. */
const NOBODY: readonly unknown[] = /* @__PURE__ */ Object.freeze([undefined]);
