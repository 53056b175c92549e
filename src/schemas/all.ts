import { said } from "../errors/texts.ts";
import { Declared } from "./declared.ts";
import type { Denormalize, Normalize } from "./infer.ts";
import {
  type AnyEntity,
  type AnySchema,
  type DenormalizeWalk,
  isEntity,
  type NormalizeWalk,
  type QueryWalk,
  type SchemaObject,
  type SchemaTypes,
  type TableLookup,
  type View,
  type ViewMaker,
} from "./interface.ts";
import type { AnyUnion } from "./is_union.ts";
import { classesOf, nameOf } from "./subjects.ts";
import { type Taken, taken } from "./taken.ts";
import type { Union } from "./union.ts";
import type { UnionAttribute, UnionMapping, UnionSchemaObject } from "./union_types.ts";

/** The types of {@linkcode All}. */
export interface AllTypes<S extends AnyEntity | UnionSchemaObject> extends SchemaTypes {
  readonly data: Denormalize<S>[];
  readonly nullable: Denormalize<S>[] | undefined;
  readonly normalized: Normalize<S>[] | undefined;
  readonly args: readonly [];
}

/** What {@linkcode All} makes. */
export interface All<S extends AnyEntity | UnionSchemaObject> extends SchemaObject {
  readonly "~types": AllTypes<S>;
  /** Names it in messages. */
  readonly name: string;
  /** Whether the records of a table are all there are, only an answer of its own tells. */
  readonly isPartial: true;
  /** Something while a table is known, else `undefined`: what is in it, every read sees for itself. */
  queryKey(args: readonly unknown[], walk: QueryWalk): unknown;
  /**
   * Sets a definition that was left out, or adds to a mapping, before the schema is used.
   *
   * @param definition An entity or a union, or more of a mapping.
   * @returns This schema.
   * @throws {SchemaError} If there is nothing to add to, or the schema has been used.
   */
  define(definition: AnyEntity | UnionSchemaObject | UnionMapping): this;
}

/** How an {@linkcode All} is made. */
export interface AllConstructor {
  /**
   * The records of one table, or of those of a union.
   *
   * @param entity The entity whose table is read, or a union of several.
   */
  new <const S extends AnyEntity | UnionSchemaObject>(entity: S): All<S>;
  /**
   * The records of several tables, one table after the other in the order of the mapping.
   *
   * @param mapping Tags → entities.
   * @param attribute The name of the member that has the tag, or `(value, parent, key) => tag`.
   */
  new <const M extends UnionMapping, const A extends UnionAttribute>(mapping: M, attribute: A): All<Union<M, A>>;
  /** Records of what `define()` tells of. */
  new <S extends AnyEntity | UnionSchemaObject>(): All<S>;
  /** What `instanceof` looks for. */
  // deno-lint-ignore no-explicit-any -- all of whatever entities
  readonly prototype: All<any>;
}

class AllSchema extends Declared<AnyEntity | UnionSchemaObject | UnionMapping> implements All<AnyEntity> {
  declare readonly "~types": AllTypes<AnyEntity>;
  #tables: readonly AnyEntity[] | undefined;

  constructor(definition?: AnyEntity | UnionSchemaObject | UnionMapping, attribute?: UnionAttribute) {
    super("All", definition, attribute);
  }

  get name(): string {
    return `All of ${nameOf(this.given)}`;
  }

  get parts(): readonly unknown[] {
    return [this.use(), this.attribute];
  }

  /** Whether the records of a table are all there are, only an answer of its own tells. */
  get isPartial(): true {
    return true;
  }

  define(more: unknown): this {
    return this.add(more);
  }

  /**
   * Stores each item and makes the tables known. What is kept is every read's own look at them, and the items of no
   * table: those without a mapping.
   */
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    if (!Array.isArray(value)) {
      throw walk.fail(this, said(126, { value, isRoot: value === parent }), value, parent, key);
    }
    for (const entity of this.#entities) walk.know(entity);
    const given = this.use();
    const others: unknown[] = [];
    for (const each of value) {
      if (each === undefined || each === null) continue;
      if (isEntity(given)) walk.visit(given, each, parent, key);
      else {
        if (Array.isArray(each)) throw walk.fail(this, said(124), each, parent, key);
        const { entity, item } = typeof each === "object" ? this.#take(each, parent, key) : NO_ENTITY;
        if (entity === undefined) others.push(each);
        else walk.visit(entity, item, parent, key);
      }
    }
    // An entity looks at no table: its member would show these and nothing else.
    return others.length === 0 || walk.owner !== undefined ? undefined : others;
  }

  /** The one view of the table; of several, one view for all readers, and then what the response had besides. */
  view(normalized: unknown, maker: ViewMaker): View {
    const [first, ...more] = this.#entities;
    const records = more.length === 0 ? maker.table(first!) : maker.query(this, []);
    if (!Array.isArray(normalized)) return records;
    return maker.concat([records, maker.of(undefined, normalized)]);
  }

  /** The same. */
  queryView(_args: readonly unknown[], maker: ViewMaker): View {
    const tables = this.#entities.map((entity) => maker.table(entity));
    return tables.length === 1 ? tables[0]! : maker.concat(tables);
  }

  /** The records as objects, where tables may be looked at; what is absent, deleted or incomplete is left out. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    const others = Array.isArray(normalized) ? normalized : undefined;
    const lists = this.#entities.map((entity) => [entity, walk.tables?.all(entity)] as const);
    if (others === undefined && lists.every(([, pks]) => pks === undefined)) return undefined;
    return [...lists.flatMap(([entity, pks = []]) => walk.visit([entity], pks)), ...others ?? []];
  }

  /** Says no more than that there is something: what, every read sees for itself. */
  queryKey(_args: readonly unknown[], tables: TableLookup): object | undefined {
    return this.#entities.some((entity) => tables.all(entity) !== undefined) ? {} : undefined;
  }

  #take(value: object, parent: unknown, key: string | undefined): Taken {
    const given = this.use();
    const { attribute } = this;
    return attribute === undefined
      ? (given as unknown as AnyUnion).take(value, parent, key)
      : taken(given as UnionMapping, attribute, value, parent, key);
  }

  /** Each table once: several tags may stand for one entity. */
  get #entities(): readonly AnyEntity[] {
    if (this.#tables === undefined) {
      const given = this.use();
      const all = classesOf((this.attribute === undefined ? given : { mapping: given }) as AnySchema);
      this.#tables = all.filter((entity, at) => all.findIndex(({ key }) => key === entity.key) === at);
    }
    return this.#tables;
  }
}

const NO_ENTITY: Partial<Taken> = /* @__PURE__ */ Object.freeze({});

/**
 * Every record of an entity that the store holds, in order of arrival; of several entities, one table after the other.
 *
 * As the schema of an endpoint, it stores a list and makes the tables *known*: from then on a read gives an array, even
 * when it is empty; before that `undefined`. What the list holds besides, items whose tag is not mapped, only that
 * endpoint gives, unchanged and after the records. In a {@linkcode Query} it is where client-side filters and sorts
 * begin.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, Query, schema } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const byTitle = new Query(
 *   new schema.All(Article),
 *   (all) => all.toSorted((a, b) => a.title.localeCompare(b.title)),
 * );
 * const controller = new Controller();
 * assert(controller.get(byTitle) === undefined);
 * controller.set(Article, { id: "1" }, { id: "1", title: "B" });
 * controller.set(Article, { id: "2" }, { id: "2", title: "A" });
 * assert(controller.get(byTitle)?.[0]?.title === "A");
 * ```
 */
export const All: AllConstructor = AllSchema as AllConstructor;
