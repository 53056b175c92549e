import {
  type AnySchema,
  type DenormalizeWalk,
  isEntity,
  isSchemaObject,
  type SchemaObject,
  type TableLookup,
} from "../schemas/interface.ts";
import { isItem, isReference, looksAround, pick, plainOf, serialize } from "../schemas/subjects.ts";
import { Containers } from "../schemas/containers.ts";
import { define } from "../schemas/define.ts";
import { type EntityRecord, type FieldPlan, type Plan, planOf } from "../schemas/plan.ts";
import { isRecursive } from "../schemas/recursive.ts";
import { isNeverHere, type RecordSlot } from "./node.ts";

/** What a walk is given for a reference: an object that was made of a record, and of what. */
export interface Found {
  /** The object; `undefined` where there is none. */
  readonly value: unknown;
  /** Where its record is. */
  readonly slot: Pick<RecordSlot, "rec" | "isDeleted">;
}

/** Walks what is kept of a value along its schema, down to the entities; what to do with those, it is told. */
export class ContainerWalk extends Containers implements DenormalizeWalk {
  readonly args: readonly unknown[];
  readonly tables: TableLookup | undefined;
  readonly collecting: boolean;
  /** A member of an object refers to an entity that was deleted or is incomplete: for a reader of the whole, there is no data. */
  isMissing = false;
  /** The entity that was met last was deleted, or is incomplete. */
  #isGone = false;
  readonly #meet: (plan: Plan, reference: unknown) => Found | void;
  readonly #strict: boolean;
  readonly #view: ((schema: AnySchema, kept: unknown) => unknown) | undefined;

  /**
   * @param collecting Nothing is read: the walk only tells what is below.
   * @param meet Is given each reference, a pk or an entity kept in place, and gives what a reader gets for it.
   * @param strict Freeze what is handed out.
   * @param view Reads lists of entities, and schema objects with a view of their own; without it the walk does.
   */
  constructor(
    collecting: boolean,
    meet: (plan: Plan, reference: unknown) => Found | void,
    strict = false,
    args: readonly unknown[] = [],
    tables?: TableLookup,
    view?: (schema: AnySchema, kept: unknown) => unknown,
  ) {
    super();
    this.collecting = collecting;
    this.#meet = meet;
    this.#strict = strict;
    this.args = args;
    this.tables = tables;
    this.#view = view;
  }

  /** Walks everything. */
  run(schema: AnySchema, value: unknown): unknown {
    const result = this.#visit(schema, value);
    const { isMissing } = this;
    this.complete(0);
    // A value that was met before, in another member, holds the same once more.
    this.forget();
    // What stands so deep hides nothing but itself.
    this.isMissing = isMissing;
    return result;
  }

  /** Walks a member of a record: entities and lists of them, which most are, without looking at their schema again. */
  field({ entity, kind, schema }: FieldPlan, value: unknown): unknown {
    if (kind === "entity") return isReference(value) ? this.#entity(entity!, value) : value;
    if (kind !== "list") return this.run(schema, value);
    return Array.isArray(value) ? this.#list(entity!, value) : value;
  }

  /** Puts into an object the members that are computed. */
  compute({ fields }: Plan, record: EntityRecord, instance: Record<string, unknown>): void {
    for (const { kind, name, schema } of fields.links) {
      const kept = record[name];
      if (kind === "computed" && kept !== undefined && kept !== null) instance[name] = this.run(schema, kept);
    }
  }

  /** What stands in something else goes by itself: the rest stays. */
  visit(schema: AnySchema, value: unknown): unknown {
    const before = this.isMissing;
    this.isMissing = false;
    const read = this.#visit(schema, value);
    const { isMissing } = this;
    this.isMissing = before;
    return isMissing ? undefined : read;
  }

  #visit(schema: AnySchema, value: unknown): unknown {
    if (value === undefined) return this.#absent(schema);
    if (value === null) return null;
    if (typeof schema === "function") {
      if (isEntity(schema)) return isReference(value) ? this.#entity(planOf(schema), value) : value;
      return this.collecting ? undefined : serialize(schema, value);
    }
    if (typeof schema !== "object" || schema === null) return value;
    if (isSchemaObject(schema)) {
      return schema.plain === undefined ? this.#schemaObject(schema, value) : this.#visit(schema.plain, value);
    }
    if (typeof value !== "object") return value;
    if (Array.isArray(schema)) return Array.isArray(value) ? this.#array(schema, value) : value;
    return this.#object(schema as { readonly [member: string]: AnySchema }, value);
  }

  #entity(plan: Plan, reference: unknown): unknown {
    const found = this.#meet(plan, reference);
    if (found === undefined) return undefined;
    this.#isGone = found.value === undefined && !isNeverHere(found.slot);
    return found.value;
  }

  /** A list of entities of one class; what is missing is left out. */
  #list(plan: Plan, values: readonly unknown[]): unknown[] {
    // The references give way to objects: no room is left over.
    const list = this.collecting ? [] : values.slice();
    let length = 0;
    for (const value of values) {
      const item = isReference(value) ? this.#entity(plan, value) : value;
      if (item !== undefined) list[length++] = item;
    }
    if (length < list.length) list.length = length;
    if (this.#strict) Object.freeze(list);
    return list;
  }

  #schemaObject(schema: SchemaObject, value: unknown): unknown {
    return this.#view !== undefined && looksAround(schema)
      ? this.#view(schema, value)
      : schema.denormalize(value, this);
  }

  /** An array below; what is missing is left out. */
  #array(schema: readonly AnySchema[], values: readonly unknown[]): unknown {
    const [item] = schema;
    if (this.#view !== undefined && isItem(item)) return this.#view(schema as AnySchema, values);
    if (isEntity(item)) return this.#list(planOf(item), values);
    return this.fill(schema, values, [] as unknown[], (list) => {
      for (const value of values) {
        const read = this.visit(item, value);
        if (read !== undefined) list.push(read);
      }
    });
  }

  /** What a reader gets where the response had nothing: literals themselves, arrays empty, no entity. */
  #absent(schema: AnySchema): unknown {
    if ((this.tables ?? this.#view) !== undefined && looksAround(schema) && !schema.isCollection) {
      return this.#schemaObject(schema, undefined);
    }
    return this.collecting ? undefined : skeletonOf(schema, false);
  }

  #object(schema: { readonly [member: string]: AnySchema }, value: object): unknown {
    return this.fill(schema, value, { ...value }, (result) => {
      for (const name of Object.keys(schema)) {
        const kept = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
        this.#isGone = false;
        const member = this.#visit(schema[name], kept);
        if (member === undefined && this.#isGone && pick(schema[name], kept) !== undefined) this.isMissing = true;
        define(result, name, member);
      }
    });
  }

  override fill<C extends object>(schema: object, value: object, container: C, fill: (container: C) => void): C {
    return super.fill(schema, value, container, () => {
      fill(container);
      if (this.#strict) Object.freeze(container);
    });
  }
}

/** What an object schema reads as without a response. A mapping that contains itself is not there below the root. */
export function skeletonOf(declared: AnySchema, isRoot: boolean): unknown {
  const schema = plainOf(declared);
  if (typeof schema === "function") return undefined;
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return [];
  if (isSchemaObject(schema)) return schema.items && (schema.items.isList ? [] : {});
  if (!isRoot && isRecursive(schema)) return undefined;
  // Defines: a member may have any name.
  return Object.fromEntries(
    Object.entries(schema).map(([name, member]) => [name, skeletonOf(member as AnySchema, false)]),
  );
}
