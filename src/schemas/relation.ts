import { SchemaError } from "../errors/schema_error.ts";
import type { EntityArgs } from "./infer.ts";
import {
  type AnyEntity,
  type EntityInstance,
  type EntityStatics,
  isEntity,
  type NormalizeWalk,
  type SchemaObject,
  type TableLookup,
  type View,
  type ViewMaker,
} from "./interface.ts";

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

  /** Which of the records are there, only answers of their own tell. */
  get isPartial(): true {
    return true;
  }

  /** Stores what refers; what is read is every reading's own look at the index. */
  normalize(value: unknown, _parent: unknown, _key: string | undefined, walk: NormalizeWalk): undefined {
    const items = this.itemsOf(value);
    if (items === undefined) {
      throw walk.fail(
        this as unknown as SchemaObject,
        `expected an array, got ${value === null ? "null" : typeof value}`,
      );
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
    throw new SchemaError(
      `A relation by "${this.#member}" gets no entity class: write new schema.HasMany(() => Film, "${this.#member}")`,
    );
  }

  /** The records that refer. */
  protected bucket(args: readonly unknown[], maker: ViewMaker): View {
    return maker.bucket(this.entity, this.#member, this.#valueOf(args));
  }

  /** The pks of the records that refer, where tables may be looked at. */
  protected pks(args: readonly unknown[], tables: TableLookup | undefined): readonly string[] | undefined {
    return tables?.index(this.entity, this.#member, this.#valueOf(args));
  }

  /** What the member of a record that refers holds: the pk of what is asked with. */
  #valueOf(args: readonly unknown[]): unknown {
    const [owner] = args;
    if (typeof owner !== "object" || owner === null) return owner;
    const member = this.entity.schema[this.#member];
    const target: unknown = Array.isArray(member) ? member[0] : member;
    if (isEntity(target)) return target.pk(owner, undefined, "", args);
    const { pk } = owner as Partial<EntityInstance>;
    return typeof pk === "function" ? pk.call(owner as EntityInstance) : (owner as { readonly id?: unknown }).id;
  }
}
