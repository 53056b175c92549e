import { said } from "../errors/texts.ts";
import type { Denormalize, Normalize } from "./infer.ts";
import type {
  AnyEntity,
  AnySchema,
  DenormalizeWalk,
  NormalizeWalk,
  QueryWalk,
  SchemaObject,
  SchemaTypes,
  TableLookup,
  View,
  ViewMaker,
} from "./interface.ts";
import { Items } from "./items.ts";
import { isUnion } from "./is_union.ts";
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
  /** The pks of the table, or what refers to the records of several; `undefined` while none is known. */
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

/** One table, and the tag of its entity in a union. */
interface Source {
  readonly entity: AnyEntity;
  readonly tag: string | undefined;
}

class AllSchema extends Items implements All<AnyEntity> {
  declare readonly "~types": AllTypes<AnyEntity>;
  #sources: readonly Source[] | undefined;

  constructor(definition?: AnyEntity | UnionSchemaObject | UnionMapping, attribute?: UnionAttribute) {
    super("All", definition, attribute);
  }

  get name(): string {
    return `All of ${this.itemName}`;
  }

  get parts(): readonly unknown[] {
    return [this.use()];
  }

  /**
   * Stores each item and makes the tables known. What is kept is every read's own look at them, and the items of no
   * table: those without a mapping.
   */
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    if (!Array.isArray(value)) {
      throw walk.fail(this, said(126, { value, isRoot: value === parent }), value, parent, key);
    }
    const item = this.use();
    for (const { entity } of this.#tables) walk.know(entity);
    const others: unknown[] = [];
    for (const each of value) {
      const kept = walk.visit(item, each, parent, key);
      if (kept !== undefined && kept !== null && isUnion(item) && item.pick(kept) === undefined) others.push(kept);
    }
    // An entity looks at no table: its member would show these and nothing else.
    return others.length === 0 || walk.owner !== undefined ? undefined : others;
  }

  /** The one view of the table; of several, one view for all readers, and then what the response had besides. */
  view(normalized: unknown, maker: ViewMaker): View {
    const [first, ...more] = this.#tables;
    const records = more.length === 0 ? maker.table(first!.entity) : maker.query(this, NO_ARGS);
    if (!Array.isArray(normalized)) return records;
    return maker.concat([records, maker.of(undefined, normalized)]);
  }

  /** The same. */
  queryView(_args: readonly unknown[], maker: ViewMaker): View {
    const tables = this.#tables.map(({ entity }) => maker.table(entity));
    return tables.length === 1 ? tables[0]! : maker.concat(tables);
  }

  /** The records as objects, where tables may be looked at; what is absent, deleted or incomplete is left out. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    const records = walk.tables === undefined ? undefined : this.#references(walk.tables);
    const kept = Array.isArray(normalized) ? [...records ?? [], ...normalized] : records;
    return kept === undefined ? undefined : walk.visit([this.use()] as AnySchema, kept);
  }

  queryKey(_args: readonly unknown[], walk: QueryWalk): readonly unknown[] | undefined {
    return this.#references(walk);
  }

  #references(tables: TableLookup): readonly unknown[] | undefined {
    const [first] = this.#tables;
    if (first!.tag === undefined) return tables.all(first!.entity);
    let references: unknown[] | undefined;
    for (const { entity, tag } of this.#tables) {
      const pks = tables.all(entity);
      if (pks !== undefined) references = [...references ?? [], ...pks.map((id) => ({ id, schema: tag }))];
    }
    return references;
  }

  /** Each table once: several tags may stand for one entity. */
  get #tables(): readonly Source[] {
    return this.#sources ??= sourcesOf(this.use());
  }
}

const NO_ARGS: readonly unknown[] = /* @__PURE__ */ Object.freeze([]);

function sourcesOf(definition: AnySchema): readonly Source[] {
  if (!isUnion(definition)) return [{ entity: definition as AnyEntity, tag: undefined }];
  const sources = new Map<string, Source>();
  for (const [tag, entity] of Object.entries(definition.mapping)) {
    if (!sources.has(entity.key)) sources.set(entity.key, { entity, tag });
  }
  return [...sources.values()];
}

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
