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
} from "./interface.ts";
import type { EntityPrototype, Pk } from "./pk_types.ts";
import { isItem, plainOf } from "./subjects.ts";

export { pkText } from "./pk_text.ts";

/** A record: the flat normalized members of one entity, always a plain object made by spread. */
export type EntityRecord = { readonly [member: string]: unknown };

/** One member of an entity that has a schema. */
export interface FieldPlan {
  readonly name: string;
  /**
   * How it is walked: the three common kinds have loops of their own, `"pick"` is a schema object that stands for one
   * entity of several, `"other"` goes through the schema.
   */
  readonly kind: "entity" | "list" | "serializer" | "pick" | "other";
  readonly schema: AnySchema;
  /** Of a list of records, lazy or not: what each is, an entity class or a schema object that picks one of several. */
  readonly item: AnySchema;
  /** For `"entity"` and `"list"`: the class of the entity, compiled. */
  readonly entity: Plan | undefined;
  /** A nested entity whose default is truthy: without it the object is incomplete. */
  readonly required: boolean;
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
  /** What instances say that they were made by: the class, or the one that a decorator or a proxy stands before. */
  readonly maker: unknown;
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
  readonly #hasStaticPk: boolean;
  #fields: readonly FieldPlan[] | undefined;
  #byName: ReadonlyMap<string, FieldPlan> | undefined;
  /** The names of the record that was written last, by position, and what is to be done with them. */
  readonly #names: string[] = [];
  readonly #placed: (FieldPlan | undefined)[] = [];
  /** Names of which none is on the prototype: those of the record that was read last, by position. */
  readonly #shownNames: string[] = [];
  #links: readonly FieldPlan[] | undefined;
  #serialized: readonly FieldPlan[] | undefined;
  #nests: boolean | undefined;
  #keepsMembers: boolean | undefined;
  #requiredEntities: readonly FieldPlan[] | undefined;
  #indexes: readonly string[] | undefined;

  constructor(entity: EntityStatics) {
    this.entity = entity;
    this.maker = entity.prototype.constructor;
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
    this.#hasStaticPk = replaces("pk");
  }

  /** The members that have a schema, in the order they are declared. */
  get fields(): readonly FieldPlan[] {
    return this.#fields ??= compile(this.entity);
  }

  /** The same, by name. */
  get byName(): ReadonlyMap<string, FieldPlan> {
    return this.#byName ??= new Map(this.fields.map((field) => [field.name, field]));
  }

  /**
   * What to do with one member of a record after another; `undefined`: it is kept as it is. The records of a response
   * mostly have the same names in the same order, and comparing two names takes a fraction of looking one up.
   *
   * @param at How many names came before it.
   */
  memberAt(name: string, at: number): FieldPlan | undefined {
    if (this.#names[at] === name) return this.#placed[at];
    // May throw, where a schema is not what it can be: then nothing is learned.
    const field = this.byName.get(name);
    this.#names[at] = name;
    return this.#placed[at] = field;
  }

  /**
   * The members of an instance that may refer to other entities: those first without which the object is incomplete.
   */
  get links(): readonly FieldPlan[] {
    return this.#links ??= this.#shown
      .filter((field) => field.kind !== "serializer")
      .sort((a, b) => Number(b.required) - Number(a.required));
  }

  /** The members of an instance that a function makes of what is stored. */
  get serialized(): readonly FieldPlan[] {
    return this.#serialized ??= this.#shown.filter((field) => field.kind === "serializer");
  }

  /** A member whose name is on the prototype stays in the record: reading `__proto__` there would give the prototype. */
  get #shown(): readonly FieldPlan[] {
    return this.fields.filter((field) => !(field.name in this.entity.prototype));
  }

  /** Whether records of this class hold references to others. */
  get nests(): boolean {
    return this.#nests ??= this.fields.some((field) => field.kind !== "serializer");
  }

  /**
   * Whether a member that has a value has one when it is normalized. Another schema may drop it, and so may `process`,
   * which is also given the object around what it processes.
   */
  get keepsMembers(): boolean {
    return this.#keepsMembers ??= this.fields.every(({ kind, entity }) =>
      kind === "serializer" ||
      ((kind === "entity" || kind === "list") && !entity!.hasProcess)
    );
  }

  /** The members that may be bare pks of what an object is incomplete without. */
  get requiredEntities(): readonly FieldPlan[] {
    return this.#requiredEntities ??= this.links.filter(({ kind, required }) => required && kind === "entity");
  }

  /** The members by which records can be found. */
  get indexes(): readonly string[] {
    if (this.#indexes === undefined) {
      check<typeof checkEntity>("entity", this.entity);
      this.#indexes = this.entity.indexes;
    }
    return this.#indexes;
  }

  /** What `pk()` says of plain data. */
  rawPk(value: object, parent: unknown, key: string | undefined, args: readonly unknown[]): Pk {
    return this.#hasStaticPk
      ? this.entity.pk(value, parent, key, args)
      : this.entity.prototype.pk.call(value as EntityPrototype, parent, key, args);
  }

  /**
   * What the class's own `createIfValid` makes of a record; what has a schema is filled by the caller.
   *
   * @throws {SchemaError} If it is neither an object nor `undefined`.
   */
  create(record: EntityRecord): Record<string, unknown> | undefined {
    const instance: unknown = this.entity.createIfValid({ ...record });
    if (instance !== undefined && (typeof instance !== "object" || instance === null)) {
      throw new SchemaError(said(102, { key: this.key, value: instance }));
    }
    return instance as Record<string, unknown> | undefined;
  }

  /** A new instance with the members of a record; what has a schema is filled by the caller. */
  instantiate(record: EntityRecord): Record<string, unknown> {
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

function compile(entity: EntityStatics): readonly FieldPlan[] {
  const { schema } = entity;
  check<typeof checkEntity>("entity", entity);
  return Object.keys(schema).map((name): FieldPlan => {
    const member = plainOf(schema[name]);
    check<typeof checkSchema>("schema", member, `${entity.key}.${name}`);
    const list = Array.isArray(member) && isEntity(member[0]);
    const kind = isEntity(member)
      ? "entity"
      : list
      ? "list"
      : typeof member === "function"
      ? "serializer"
      : isSchemaObject(member) && member.pick !== undefined
      ? "pick"
      : "other";
    return {
      name,
      kind,
      schema: member,
      item: itemOf(keptBy(member)),
      entity: kind === "entity"
        ? planOf(member as AnyEntity)
        : kind === "list"
        ? planOf((member as readonly AnyEntity[])[0]!)
        : undefined,
      // The default, not the class: `director: Director | null = null` may be without, `author = User.fromJS()` may not.
      required: (kind === "entity" || kind === "pick") &&
        Boolean((entity.defaults as Record<string, unknown>)[name]),
    };
  });
}

/** The plain schema by which a member is kept: that below a `Lazy`, of this or another copy of the library. */
export function keptBy(schema: AnySchema): AnySchema {
  let kept = plainOf(schema);
  while (isSchemaObject(kept) && "query" in kept && "schema" in kept) kept = plainOf(kept.schema as AnySchema);
  return kept;
}

function itemOf(schema: AnySchema): AnySchema {
  return Array.isArray(schema) && isItem(schema[0]) ? schema[0] : undefined;
}
