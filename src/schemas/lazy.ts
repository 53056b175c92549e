import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import type { Denormalize, DenormalizeNullable, Normalize, SchemaArgs } from "./infer.ts";
import {
  type AnyEntity,
  type AnySchema,
  type DenormalizeWalk,
  type EntityStatics,
  isEntity,
  type NormalizeWalk,
  type QueryWalk,
  type Schema,
  type SchemaObject,
  type SchemaTypes,
  type View,
  type ViewMaker,
} from "./interface.ts";
import type { EntityInstance } from "./pk_types.ts";
import { keptBy, pkText } from "./plan.ts";
import { pkNamedBy } from "./query_key.ts";

/** The types of {@linkcode Lazy}. */
export interface LazyTypes<S> extends SchemaTypes {
  readonly data: Normalize<S>;
  readonly nullable: Normalize<S> | undefined;
  readonly normalized: Normalize<S>;
  readonly args: SchemaArgs<S>;
}

/** The types of {@linkcode LazyQuery}. */
export interface LazyQueryTypes<S> extends SchemaTypes {
  readonly data: Denormalize<S>;
  readonly nullable: DenormalizeNullable<S>;
  readonly normalized: Normalize<S>;
  readonly args: readonly [owner: EntityInstance | Normalize<S> | Readonly<Normalize<S>>];
}

/**
 * A member that is stored like any other and read only when it is asked for: an object of the entity has its keys (pks in
 * the shape of the schema), and `query` reads them. So the entity's identity does not depend on what it refers to: one
 * title edited among a director's 3,000 films renders the rows of that film and nothing else.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, schema } from "@rejoin/data";
 *
 * class Film extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Film";
 * }
 * class Director extends Entity {
 *   id = "";
 *   films: string[] = [];
 *   static key = "Director";
 *   static schema = { films: new schema.Lazy([Film]) };
 * }
 * const controller = new Controller();
 * controller.set(Director, { id: "1" }, { id: "1", films: [{ id: "7", title: "Playtime" }] as never });
 * const director = controller.get(Director, { id: "1" })!;
 * assert(director.films.join() === "7");
 * assert(controller.get(Director.schema.films.query, director)?.[0]?.title === "Playtime");
 * ```
 */
export class Lazy<const S extends Schema> implements SchemaObject {
  declare readonly "~types": LazyTypes<S>;
  /** What is stored, and read by the query. */
  readonly schema: S;
  #query: LazyQuery<S> | undefined;

  /** @param schema What is stored, and read by the query. */
  constructor(schema: S) {
    this.schema = schema;
  }

  /** Reads the member: of an object of the entity, or by the keys that this has. */
  get query(): LazyQuery<S> {
    return this.#query ??= new LazyQuery<S>(this);
  }

  /** Stores what is below. */
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    return walk.visit(this.schema, value, parent, key);
  }

  /** The keys. */
  denormalize(normalized: unknown, _walk: DenormalizeWalk): unknown {
    return normalized;
  }

  /** What the schema below would be read by. */
  queryKey(args: readonly unknown[], walk: QueryWalk): unknown {
    return walk.visit(this.schema, args);
  }
}

/** Reads a {@linkcode Lazy} member; made by its `query`. */
export class LazyQuery<const S extends Schema> implements SchemaObject {
  declare readonly "~types": LazyQueryTypes<S>;
  readonly #lazy: Lazy<S>;
  readonly #members = new WeakMap<AnyEntity, LazyMember>();

  /** @param lazy Whose query it is. */
  constructor(lazy: Lazy<S>) {
    this.#lazy = lazy;
  }

  /** Reads what is below. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    return walk.visit(this.#lazy.schema, normalized);
  }

  /** Stores what is below. */
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    return walk.visit(this.#lazy.schema, value, parent, key);
  }

  /** Of an object of an entity: the member as it is stored now. Of keys: what they refer to. */
  queryView(args: readonly unknown[], maker: ViewMaker): View {
    const [owner] = args;
    const entity = typeof owner === "object" && owner !== null && !Array.isArray(owner)
      ? (owner as { readonly constructor?: unknown }).constructor
      : undefined;
    if (!isEntity(entity)) {
      const kept = keptBy(this.#lazy.schema);
      // Members that make a pk name the record itself.
      if (isEntity(kept) && typeof owner === "object" && owner !== null && pkNamedBy(kept, args) !== undefined) {
        return maker.query(kept, args);
      }
      if (typeof owner === "object" && owner !== null) this.#checkKeys(owner);
      return maker.of(this.#lazy.schema, owner);
    }
    const member = this.#memberOf(entity);
    const pk = pkText(entity.pk(owner), owner as object);
    // Not saved: it is in no table, and has its keys itself.
    if (typeof pk !== "string") return maker.of(this.#lazy.schema, (owner as Record<string, unknown>)[member.name]);
    return maker.query(member, [pk]);
  }

  /** Members that make a pk are no keys: of which class they are, nobody says. */
  #checkKeys(keys: object): void {
    const kept = keptBy(this.#lazy.schema);
    // An entity that is not saved is kept in place.
    const canBeKept = !isEntity(kept) || pkNamedBy(kept, [keys]) === undefined;
    if (Array.isArray(kept) === Array.isArray(keys) && canBeKept) return;
    throw new SchemaError(said(136, { keys }));
  }

  #memberOf(entity: EntityStatics): LazyMember {
    let member = this.#members.get(entity);
    if (member === undefined) {
      const found = Object.entries(entity.schema).find(([, schema]) => schema as unknown === this.#lazy);
      if (found === undefined) {
        throw new SchemaError(said(137, { key: entity.key }));
      }
      this.#members.set(entity, member = new LazyMember(entity, found[0], this.#lazy.schema));
    }
    return member;
  }
}

/** One member of one class, by pk. */
class LazyMember implements SchemaObject {
  declare readonly "~types": SchemaTypes;
  readonly name: string;
  readonly #entity: AnyEntity;
  readonly #schema: AnySchema;

  constructor(entity: AnyEntity, name: string, schema: AnySchema) {
    this.#entity = entity;
    this.name = name;
    this.#schema = schema;
  }

  normalize(value: unknown): unknown {
    return value;
  }

  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    return walk.visit(this.#schema, normalized);
  }

  queryKey([pk]: readonly unknown[], walk: QueryWalk): unknown {
    return walk.record(this.#entity, pk as string)?.[this.name];
  }
}
