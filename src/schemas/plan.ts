import { check } from "../errors/checks.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import type { checkEntity, checkSchema } from "./checks.ts";
import { construct, copyMembers, entityDefaults, type OverridableStatics } from "./entity.ts";
import {
  type AnyEntity,
  type AnySchema,
  COPY,
  ENTITY,
  type EntityStatics,
  isEntity,
  isSchemaObject,
  ROWS,
  type RowsDeclaration,
  type SchemaObject,
} from "./interface.ts";
import { isItem, partsOf, plainOf } from "./subjects.ts";

export { pkText } from "./pk_text.ts";

/** A record: the flat normalized members of one entity, always a plain object made by spread. */
export type EntityRecord = { readonly [member: string]: unknown };

/** One member of an entity that has a schema. */
export interface FieldPlan {
  readonly name: string;
  /**
   * How it is walked: the three common kinds have loops of their own, `"other"` goes through the schema; so does
   * `"computed"`, when all that is below is there.
   */
  readonly kind: "entity" | "list" | "serializer" | "other" | "computed";
  readonly schema: AnySchema;
  /** Of a list of records, lazy or not: what each is, an entity class or a schema object that picks one of several. */
  readonly item: AnySchema;
  /** For `"entity"` and `"list"`: the class of the entity, compiled. */
  readonly entity: Plan | undefined;
  /** A nested entity whose default is truthy: without it the object is incomplete. */
  readonly required: boolean;
}

/** The members of an entity that have a schema, in the order they are declared. */
export interface Fields {
  /** The members by which records can be found. */
  readonly indexes: readonly string[];
  readonly all: readonly FieldPlan[];
  /** How members are written; in a store, also those of the other classes of the key that it has met. */
  readonly byName: ReadonlyMap<string, FieldPlan>;
  /** Those of an instance that may refer to other entities: first those without which the object is incomplete. */
  readonly links: readonly FieldPlan[];
  /** Those of an instance that a function makes of what is stored. */
  readonly serialized: readonly FieldPlan[];
  /** Those that may be bare pks of what an object is incomplete without. */
  readonly required: readonly FieldPlan[];
  /** Whether records of this class hold references to others. */
  readonly nests: boolean;
  /**
   * Whether a member that has a value has one when it is normalized. Another schema may drop it, and so may `process`,
   * which is also given the object around what it processes.
   */
  readonly areKept: boolean;
  /** Lists that only other classes of the key declare: instances of this one do not have them. */
  readonly hidden?: readonly string[];
}

let nextId = 0;

/**
 * An entity class, read once: which members are walked and how, which statics the class replaces. Fields are compiled
 * at first use, when all classes of a cycle are defined.
 */
export class Plan {
  /** A small number: indexes arrays where a lookup by name would show. */
  readonly id: number = nextId++;
  readonly entity: EntityStatics;
  readonly key: string;
  readonly hasProcess: boolean;
  readonly hasMerge: boolean;
  readonly hasValidate: boolean;
  readonly hasShouldUpdate: boolean;
  /** It makes its instances itself. */
  readonly hasCreate: boolean;
  /** Both records are needed as a whole: it merges itself, or decides whether to merge. */
  readonly mergesWhole: boolean;
  /** It may refuse a record, apart from what it requires. */
  readonly mayRefuse: boolean;
  /** It makes the key of its records of arguments itself. */
  readonly hasQueryKey: boolean;
  /** Its records are collections: what stands in one. */
  readonly rows: RowsDeclaration | undefined;
  #fields: Fields | undefined;
  /** Names of which none is on the prototype: those of the record that was read last, by position. */
  readonly #shownNames: string[] = [];

  constructor(entity: EntityStatics) {
    this.entity = entity;
    const key: unknown = entity.key;
    if (typeof key !== "string" || key === "") {
      throw new SchemaError(said(101, { name: entity.name, key }));
    }
    this.key = key;
    const replaces = (name: keyof OverridableStatics) => entity[name] !== entityDefaults[name];
    this.hasProcess = replaces("process");
    this.hasMerge = replaces("merge");
    this.hasValidate = replaces("validate");
    this.hasShouldUpdate = replaces("shouldUpdate");
    this.hasCreate = replaces("createIfValid");
    this.mergesWhole = this.hasMerge || this.hasShouldUpdate;
    this.mayRefuse = this.hasValidate || this.hasCreate;
    this.hasQueryKey = replaces("queryKey");
    this.rows = (entity as { readonly [ROWS]?: RowsDeclaration })[ROWS];
  }

  /** The members that have a schema. */
  get fields(): Fields {
    return this.#fields ??= compile(this.entity);
  }

  /**
   * A new instance of a record, `undefined` where the class refuses it; what has a schema is filled by the caller.
   *
   * @throws {SchemaError} If the class makes it itself, and gives neither an object nor `undefined`.
   */
  make(record: EntityRecord): Record<string, unknown> | undefined {
    if (!this.hasCreate) {
      return this.hasValidate && this.entity.validate(record) ? undefined : this.#instantiate(record);
    }
    const instance: unknown = this.entity.createIfValid({ ...record });
    if (instance !== undefined && (typeof instance !== "object" || instance === null)) {
      throw new SchemaError(said(102, { key: this.key, value: instance }));
    }
    return instance as Record<string, unknown> | undefined;
  }

  #instantiate(record: EntityRecord): Record<string, unknown> {
    const instance = construct(this.entity) as unknown as Record<string, unknown>;
    return this.#isShown(record) ? Object.assign(instance, record) : copyMembers(instance, record);
  }

  /** Whether none of its names is on the prototype: then the whole is assigned, which is several times faster. */
  #isShown(record: EntityRecord): boolean {
    let at = 0;
    for (const name in record) {
      if (this.#shownNames[at] !== name) {
        if (name in this.entity.prototype) return false;
        this.#shownNames[at] = name;
      }
      at++;
    }
    return true;
  }
}

const plans = new WeakMap<object, Plan>();

/**
 * The plan of an entity class; one per class.
 *
 * @throws {SchemaError} If the class comes from another copy of this library: half of what is asked of it would seem to be
 *   replaced by the app, and what the other half keeps is not found here.
 */
export function planOf(entity: AnyEntity): Plan {
  let plan = plans.get(entity);
  if (plan === undefined) {
    const { [ENTITY]: copy = COPY } = entity as { readonly [ENTITY]?: unknown };
    if (copy !== COPY) {
      throw new SchemaError(said(103, { key: entity.key }));
    }
    plans.set(entity, plan = new Plan(entity as EntityStatics));
  }
  return plan;
}

function compile(entity: EntityStatics): Fields {
  check<typeof checkEntity>("entity", entity);
  const all = Object.entries(entity.schema).map(([name, declared]): FieldPlan => {
    const schema = plainOf(declared);
    check<typeof checkSchema>("schema", schema, `${entity.key}.${name}`);
    const of = Array.isArray(schema) ? schema[0] as AnySchema : schema;
    const kind = isEntity(of)
      ? of === schema ? "entity" : "list"
      : typeof schema === "function"
      ? "serializer"
      : computes(schema)
      ? "computed"
      : "other";
    // The default, not the class: `director: Director | null = null` may be without, `author = User.fromJS()` may not.
    const required = isItem(schema) && Boolean((entity.defaults as Record<string, unknown>)[name]);
    return {
      name,
      kind,
      schema,
      item: itemOf(keptBy(schema)),
      entity: isEntity(of) ? planOf(of) : undefined,
      required,
    };
  });
  // A member whose name is on the prototype stays in the record: reading `__proto__` there would give the prototype.
  const shown = all.filter(({ name }) => !(name in entity.prototype));
  const links = shown.filter(({ kind }) => kind !== "serializer")
    .sort((a, b) => Number(b.required) - Number(a.required));
  return {
    indexes: entity.indexes,
    all,
    byName: new Map(all.map((field) => [field.name, field])),
    links,
    serialized: shown.filter(({ kind }) => kind === "serializer"),
    required: links.filter(({ kind, required }) => required && kind === "entity"),
    nests: all.some(({ kind }) => kind !== "serializer"),
    areKept: all.every(({ kind, entity }) => kind === "serializer" || entity?.hasProcess === false),
  };
}

/** Whether a query, or a schema of the app, makes something of the objects of a declaration: it is to see them whole. */
function computes(schema: AnySchema): boolean {
  const below = new Set<unknown>([schema]);
  // What is added while it is walked is walked, too.
  for (const one of below) {
    if (typeof one !== "object" || one === null || isLazy(one)) continue;
    if (isSchemaObject(one)) {
      if (one.isCollection || one.pick !== undefined) continue;
      if (one.plain === undefined && one.items === undefined) return true;
    }
    for (const part of partsOf(one)) below.add(part);
  }
  return false;
}

/** Of this or another copy of the library. */
function isLazy(schema: AnySchema | object): schema is SchemaObject & { readonly schema: AnySchema } {
  return isSchemaObject(schema) && "query" in schema && "schema" in schema;
}

/** The plain schema by which a member is kept: that below a `Lazy`. */
export function keptBy(schema: AnySchema): AnySchema {
  let kept = plainOf(schema);
  while (isLazy(kept)) kept = plainOf(kept.schema);
  return kept;
}

function itemOf(schema: AnySchema): AnySchema {
  return Array.isArray(schema) && isItem(schema[0]) ? schema[0] : undefined;
}
