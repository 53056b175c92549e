import { check } from "../errors/checks.ts";
import { NormalizeError } from "../errors/normalize_error.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { type Problem, said } from "../errors/texts.ts";
import { Containers, isMet } from "../schemas/containers.ts";
import { define } from "../schemas/define.ts";
import type { checkSchema } from "../schemas/checks.ts";
import {
  type Amendment,
  type AnyEntity,
  type AnySchema,
  isEntity,
  isSchemaObject,
  type ListEffect,
  type NormalizeWalk,
  type Pk,
  type RecordOwner,
  type Schema,
  type SchemaObject,
  type StoredMembers,
} from "../schemas/interface.ts";
import { type EntityRecord, type FieldPlan, isTextOfNothing, pkText, type Plan, planOf } from "../schemas/plan.ts";
import { joinPath, pathOf, stepOf } from "../errors/path.ts";
import { eachOnce, normalizeMembers, sameItems, stored } from "./record.ts";

/** What becomes of a record; `undefined` leaves it as it is. */
export type RecordChange = (record: EntityRecord) => RecordEffect | undefined;

/** The same as {@linkcode ListEffect}, with the plans of the classes. */
export interface RecordEffect extends Omit<ListEffect, "writes"> {
  readonly writes?: readonly { readonly plan: Plan; readonly incoming: EntityRecord }[] | undefined;
}

/** An amendment as targets understand it. */
export function changeBy({ of }: Amendment): RecordChange {
  return (record) => {
    const effect = of(record);
    return effect && {
      ...effect,
      writes: effect.writes?.map(({ entity, incoming }) => ({ plan: planOf(entity), incoming })),
    };
  };
}

/** Where records go: the store's patch, an optimistic layer, or plain tables. */
export interface RecordTarget {
  /** One occurrence of an entity; calls {@linkcode Walk.field} for each member that has a schema. */
  put(plan: Plan, pk: string, input: object, walk: Walk): void;
  /** The record is deleted. */
  remove(plan: Plan, pk: string): void;
  /** The table is known from now on, even if it is empty. */
  know(plan: Plan): void;
  /** The records of a table are changed, those that are there and those that a late reply may still bring. */
  amend(plan: Plan, change: RecordChange): void;
  /** The records of a table after what was put so far. */
  records(plan: Plan): EntityRecord[];
  /** The record as it would be after what was put so far. */
  recordOf(plan: Plan, pk: string): EntityRecord | undefined;
  /** The same without the writes that stand later than this one; without it, there are none. */
  recordAt?(plan: Plan, pk: string): EntityRecord | undefined;
  /** An entity without a pk was kept in place; `path` says where in the response. */
  unsaved(plan: Plan, input: object, path: () => string): void;
  /** A bare pk refers to a record: who names it after it was deleted does not know that it ever was here. */
  refer?(plan: Plan, pk: string): void;
  /** Looks at what `pk()` said of members, or at a bare pk, for the developer. */
  readonly checkPk?: ((plan: Plan, pk: unknown, members: object | undefined, path: () => string) => void) | undefined;
}

/** Where a value was found that `process` made another object of. */
interface Origin {
  readonly raw: object;
  readonly parent: unknown;
  readonly key: string | undefined;
}

/** Values that were met, by class: one of them may be two records. */
type Occurrences = Map<Plan, Set<object>>;

/** What a target has for members of which none has a schema: it asks for nothing. */
const NO_WALK = { brought: 0, copy: undefined } as Walk;

/**
 * Walks a value along its schema. Entities are put on a stack and walked one after another, a parent before what it
 * nests, an earlier item before a later one, so that depth costs memory and no stack. Between two entities the walk
 * follows the declaration, which is finite; a declaration that contains itself is walked from a list below some depth.
 */
export class Walk implements NormalizeWalk {
  readonly args: readonly unknown[];
  /** Some record of this walk may be incomplete for its class: it must be asked before it is written. */
  suspect = false;
  /** Copies what no schema walks into; `undefined`: it is kept as it is, for nobody else has it. */
  copy: (<T>(value: T) => T) | undefined;
  /** How many members the occurrence had that was last merged into a record. */
  brought = 0;
  readonly #root: unknown;
  readonly #target: RecordTarget;
  /** Triples of plan, pk, input; the last is next. */
  readonly #stack: unknown[] = [];
  /** Arrays, objects, and entities without a pk. */
  readonly #containers = new Containers();
  /** Schema objects that want to see their containers complete. */
  readonly #unfinished: (readonly [SchemaObject, unknown])[] = [];
  /** Repeated occurrences by class, so that an input that contains itself ends. */
  readonly #repeated: Occurrences = new Map();
  /** Occurrences inside entities that hold others. */
  readonly #walked: Occurrences = new Map();
  /** What a processed value was made of. */
  #originOf: WeakMap<object, Origin> | undefined;
  /** The first origin of each raw value, parent and key. */
  #origins: Map<object, Map<unknown, Map<string | undefined, Origin>>> | undefined;
  #insideEntity = false;
  /** The record whose members are being walked, also one without a pk that is kept in place, and the member of it. */
  #plan: Plan | undefined;
  #pk = "";
  #field: FieldPlan | undefined;
  /** The record from the stack that is being written, and how much was on the stack before it. */
  #written: Plan | undefined;
  #waiting = 0;
  constructor(root: unknown, args: readonly unknown[], target: RecordTarget) {
    this.#root = root;
    this.args = args;
    this.#target = target;
  }

  /** Walks everything; gives what remains of the value. */
  run(schema: AnySchema): unknown {
    if (isEntity(schema) && this.#root !== undefined && this.#root !== null && typeof this.#root !== "object") {
      throw this.fail(schema, this.#noObject(this.#root));
    }
    const result = this.visit(schema, this.#root, this.#root, undefined);
    this.#complete(0, 0);
    return result;
  }

  /**
   * Writes members of one record whose pk is known and that were processed before.
   *
   * @param args The arguments of the call.
   * @param target Where it goes.
   */
  static write(plan: Plan, pk: string, members: object, args: readonly unknown[], target: RecordTarget): void {
    // To prepare a walk would cost more than all the rest of writing one title.
    if (!plan.hasSchemaIn(members)) return target.put(plan, pk, members, NO_WALK);
    const walk = new Walk(members, args, target);
    walk.#stack.push(plan, pk, members);
    walk.#drain();
  }

  visit(schema: AnySchema, value: unknown, parent: unknown, key: string | undefined): unknown {
    if (value === undefined || value === null) return value;
    if (typeof schema === "function") {
      if (isEntity(schema)) return this.#visitEntity(planOf(schema), value, parent, key);
      check<typeof checkSchema>("schema", schema, "an endpoint");
      return stored(this.keep(value));
    }
    if (typeof schema !== "object" || schema === null) return this.keep(value);
    if (isSchemaObject(schema)) {
      const normalized = schema.normalize(value, parent, key, this);
      if (schema.finish !== undefined) this.#unfinished.push([schema, normalized]);
      return normalized;
    }
    if (Array.isArray(schema)) return this.#visitArray(schema, value, parent, key);
    return this.#visitObject(schema as { readonly [member: string]: AnySchema }, value, parent, key);
  }

  /** What is kept of a value that no schema walks into. */
  keep(value: unknown): unknown {
    return this.copy === undefined ? value : this.copy(value);
  }

  /** Normalizes one member of an entity. Gives `previous` itself where nothing differs. */
  field(field: FieldPlan, value: unknown, parent: object, previous: unknown): unknown {
    if (value === undefined || value === null) return value;
    if (field.kind === "serializer") return stored(this.keep(value));
    const unfilled = this.#containers.unfilled.length;
    const unfinished = this.#unfinished.length;
    let normalized: unknown;
    if (field.kind === "entity") {
      if (field.required && typeof value !== "object") this.refer(field.entity!, value);
      normalized = this.#visitEntity(field.entity!, value, parent, field.name);
    } else if (field.kind === "list") {
      normalized = this.#visitList(field.entity!, value, parent, field.name, previous);
    } else {
      this.#field = field;
      normalized = this.visit(field.schema, value, parent, field.name);
      if (field.item !== undefined && Array.isArray(normalized)) normalized = eachOnce(field.item, normalized);
    }
    // The caller compares the member with what is stored: nothing in it may come later.
    if (this.#containers.depth === 0) this.#complete(unfilled, unfinished);
    return normalized;
  }

  /** Whether this input has been walked as a repeated occurrence of a class before: then its members have been, too. */
  isRepeated(plan: Plan, input: object): boolean {
    return isMet(this.#repeated, plan, this.#occurrenceOf(input));
  }

  /** A bare pk names what an object is incomplete without, and that may be deleted. */
  refer(plan: Plan, value: unknown): void {
    this.suspect = true;
    this.#name(plan, value);
  }

  #name(plan: Plan, value: unknown): void {
    const pk = pkText(value as Pk);
    if (typeof pk === "string") this.#target.refer?.(plan, pk);
  }

  invalidate(entity: AnyEntity, value: unknown, parent: unknown, key: string | undefined): string {
    const plan = planOf(entity);
    const processed = typeof value === "object" && value !== null
      ? plan.entity.process(value, parent, key, this.args)
      : undefined;
    const raw = processed === undefined ? value : plan.rawPk(processed, parent, key, this.args);
    const pk = typeof raw === "string" || typeof raw === "number" || typeof raw === "bigint"
      ? pkText(raw, processed, this.args, parent)
      : undefined;
    if (pk === undefined || pk === null) {
      throw this.fail(plan.entity, said(202, { value }), value, parent, key);
    }
    this.#target.remove(plan, pk);
    return pk;
  }

  know(entity: AnyEntity): void {
    this.#target.know(planOf(entity));
  }

  get owner(): RecordOwner | undefined {
    const field = this.#field;
    if (this.#plan === undefined || field === undefined) return undefined;
    return { entity: this.#plan.entity, pk: this.#pk, member: field.name, schema: field.schema };
  }

  write(entity: AnyEntity, pk: string, members: StoredMembers): void {
    this.#target.put(planOf(entity), pk, members, this);
  }

  amend(entity: AnyEntity, amendment: Amendment): void {
    this.#target.amend(planOf(entity), changeBy(amendment));
  }

  records(entity: AnyEntity): readonly StoredMembers[] {
    return this.#target.records(planOf(entity));
  }

  record(entity: AnyEntity, pk: string): StoredMembers | undefined {
    const plan = planOf(entity);
    return this.#target.recordAt === undefined ? this.#target.recordOf(plan, pk) : this.#target.recordAt(plan, pk);
  }

  fill<C extends object>(schema: SchemaObject, value: object, container: C, fill: (container: C) => void): C {
    const known = this.#containers.met(schema, value, container);
    if (known !== undefined) return known as C;
    this.#containers.fill(() => fill(container));
    return container;
  }

  fail(schema: AnySchema, problem: Problem, value?: unknown, parent?: unknown, key?: string): Error {
    return new NormalizeError(nameOf(schema), this.#pathOf(value, parent, key), problem);
  }

  #visitEntity(plan: Plan, value: unknown, parent: unknown, key: string | undefined): unknown {
    if (typeof value !== "object") {
      // A bare pk: the client-side join. "", 0 and false are no reference.
      if (typeof value === "string" || value === 0 || value === false || value === 0n) {
        return value;
      }
      const reference = typeof value === "number" || typeof value === "bigint" ? pkText(value) : null;
      if (reference === null) {
        throw this.fail(plan.entity, said(204, { value }), value, parent, key);
      }
      this.#target.checkPk?.(plan, value, undefined, () => this.#pathOf(value, parent, key));
      return reference;
    }
    if (Array.isArray(value) && !plan.hasProcess) {
      throw this.fail(plan.entity, this.#noObject(value), value, parent, key);
    }
    let input = value as object;
    if (plan.hasProcess) {
      const processed: unknown = plan.entity.process(input, parent, key, this.args);
      if (processed === undefined) return undefined;
      if (typeof processed !== "object" || processed === null || Array.isArray(processed)) {
        throw this.fail(plan.entity, said(205, { value: processed }), value, parent, key);
      }
      if (processed !== input) {
        // Of what it was found in, too, another object may have been made for each place.
        (this.#originOf ??= new WeakMap()).set(processed, { raw: input, parent: this.#rawOf(parent), key });
      }
      input = processed;
    }
    // A root is its own parent.
    const raw = plan.rawPk(input, parent === value ? input : parent, key, this.args);
    const pk = typeof raw === "string" && raw !== "" && !isTextOfNothing(raw)
      ? raw
      : pkText(raw, input, this.args, parent);
    if (pk === null) throw this.fail(plan.entity, said(206, { value: raw }), value, parent, key);
    this.#target.checkPk?.(plan, raw, input, () => this.#pathOf(value, parent, key));
    if (plan.mayRefuse) this.suspect = true;
    if (pk === undefined) {
      this.#target.unsaved(plan, input, () => this.#pathOf(value, parent, key));
      return this.#visitUnsaved(plan, input);
    }
    if (!this.#insideEntity) {
      this.#stack.push(plan, pk, input);
      this.#drain();
    } else if (!plan.nests) {
      // Nothing is below it, and nothing of its parent waits before it: it is next, and written at once. But what its
      // parent says may be of the same record, in a table that they share, and comes first; and a class that merges by
      // itself is asked after that of its parent.
      const isNext = this.#stack.length === this.#waiting && plan.key !== this.#written!.key && !plan.mergesWhole;
      if (isNext) this.#target.put(plan, pk, input, this);
      else this.#stack.push(plan, pk, input);
    } else if (!isMet(this.#walked, plan, this.#occurrenceOf(input))) {
      // An input that contains itself comes round here, and ends.
      this.#stack.push(plan, pk, input);
    }
    return pk;
  }

  /** What an object was before `process`. */
  #rawOf(value: unknown): unknown {
    return this.#originOf?.get(value as object)?.raw ?? value;
  }

  /** An entity without a pk is kept in place, so it is walked like a container: a value that contains itself ends. */
  #visitUnsaved(plan: Plan, input: object): object {
    const record: Record<string, unknown> = { ...input };
    const known = this.#containers.first(plan, this.#occurrenceOf(input), record);
    if (known !== undefined) return known;
    this.#containers.fill(() => this.#within(plan, () => normalizeMembers(this, plan, record, input)));
    return record;
  }

  /** Walks the members of an entity that has no pk. */
  #within(plan: Plan, walk: () => void): void {
    const [before, pk, field] = [this.#plan, this.#pk, this.#field];
    this.#plan = plan;
    this.#pk = "";
    try {
      walk();
    } finally {
      this.#plan = before;
      this.#pk = pk;
      this.#field = field;
    }
  }

  /**
   * What stands for one occurrence of a value: the value itself. `process` makes another object each time, and may make
   * another one for another place: then it is the first that was made of this value at this place.
   */
  #occurrenceOf(input: object): object {
    const origin = this.#originOf?.get(input);
    if (origin === undefined) return input;
    this.#origins ??= new Map();
    let byParent = this.#origins.get(origin.raw);
    if (byParent === undefined) this.#origins.set(origin.raw, byParent = new Map());
    let byKey = byParent.get(origin.parent);
    if (byKey === undefined) byParent.set(origin.parent, byKey = new Map());
    const first = byKey.get(origin.key);
    if (first !== undefined) return first;
    byKey.set(origin.key, origin);
    return origin;
  }

  /** Writes what is on the stack. Children of one entity are turned round, so that the first of them is next. */
  #drain(): void {
    const stack = this.#stack;
    const { depth } = this.#containers;
    const [before, beforePk, field] = [this.#plan, this.#pk, this.#field];
    // Counted from the entity that is being written.
    this.#containers.depth = 0;
    this.#insideEntity = true;
    try {
      while (stack.length > 0) {
        const input = stack.pop() as object;
        const pk = stack.pop() as string;
        const plan = stack.pop() as Plan;
        this.#plan = plan;
        this.#pk = pk;
        const start = stack.length;
        this.#written = plan;
        this.#waiting = start;
        this.#target.put(plan, pk, input, this);
        for (let low = start, high = stack.length - 3; low < high; low += 3, high -= 3) {
          for (let part = 0; part < 3; part++) {
            const swapped = stack[low + part];
            stack[low + part] = stack[high + part];
            stack[high + part] = swapped;
          }
        }
      }
    } finally {
      this.#insideEntity = false;
      this.#plan = before;
      this.#pk = beforePk;
      this.#field = field;
      this.#containers.depth = depth;
    }
  }

  /** An array of entities inside an entity: holds each record once; compared in place with what is stored. */
  #visitList(plan: Plan, value: unknown, parent: unknown, key: string, previous: unknown): unknown {
    if (!Array.isArray(value)) {
      throw this.fail([plan.entity], said(126, { value }), value, parent, key);
    }
    // One that grew by pushing has room for 17, and every record keeps one.
    const list: unknown[] = value.slice();
    let kept = 0;
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      const normalized = item === undefined || item === null ? item : this.#visitEntity(plan, item, parent, key);
      if (normalized !== undefined) list[kept++] = normalized;
    }
    if (kept < list.length) list.length = kept;
    if (Array.isArray(previous) && sameItems(previous, list)) return previous;
    const unique = eachOnce(plan.entity, list);
    return unique !== list && Array.isArray(previous) && sameItems(previous, unique) ? previous : unique;
  }

  #visitArray(schema: readonly Schema[], value: unknown, parent: unknown, key: string | undefined): unknown {
    if (!Array.isArray(value)) {
      throw this.fail(schema, said(126, { value, isRoot: value === parent }), value, parent, key);
    }
    const item = schema[0];
    if (schema.length !== 1) check<typeof checkSchema>("schema", schema, nameOf(schema));
    if (item === undefined) throw new SchemaError(said(208, { path: this.#pathOf(value, parent, key) }));
    const list: unknown[] = [];
    const known = this.#containers.met(schema, value, list);
    if (known !== undefined) return known;
    this.#containers.fill(() => {
      for (let i = 0; i < value.length; i++) {
        const normalized = this.visit(item, value[i], parent, key);
        if (normalized !== undefined) list.push(normalized);
      }
    });
    return list;
  }

  #visitObject(
    schema: { readonly [member: string]: AnySchema },
    value: unknown,
    parent: unknown,
    key: string | undefined,
  ): unknown {
    if (typeof value !== "object" || Array.isArray(value)) {
      throw this.fail(schema, this.#noObject(value), value, parent, key);
    }
    const input = value as Record<string, unknown>;
    const names = Object.keys(schema);
    if (input === this.#root && names.length > 0 && !names.some((name) => Object.hasOwn(input, name))) {
      throw this.fail(schema, said(207, { value }), value);
    }
    const result: Record<string, unknown> = { ...input };
    const known = this.#containers.met(schema, input, result);
    if (known !== undefined) return known;
    this.#containers.fill(() => {
      // In the order of the document: what comes later in it is merged later.
      for (const name of Object.keys(input)) {
        if (!Object.hasOwn(schema, name)) {
          // A member of its own, whatever the name: no setter is called.
          if (this.copy !== undefined) result[name] = this.copy(input[name]);
          continue;
        }
        const member = schema[name];
        const normalized = this.visit(member, input[name], input, name);
        if (typeof input[name] !== "object" && isEntity(member)) this.#name(planOf(member), normalized);
        if (normalized === undefined) delete result[name];
        else define(result, name, normalized);
      }
    });
    return result;
  }

  /** Fills what was handed out empty since, then tells schema objects that asked for it. */
  #complete(unfilled: number, unfinished: number): void {
    for (;;) {
      this.#containers.complete(unfilled);
      if (this.#unfinished.length === unfinished) break;
      const [[schema, normalized]] = this.#unfinished.splice(unfinished, 1) as [readonly [SchemaObject, unknown]];
      schema.finish!(normalized, this);
    }
  }

  #noObject(value: unknown): Problem {
    return said(201, { value, isRoot: value === this.#root });
  }

  #pathOf(value: unknown, parent: unknown, key: string | undefined): string {
    const found = pathOf(this.#root, value);
    if (found !== undefined) return found;
    const above = pathOf(this.#root, this.#rawOf(parent)) ?? "";
    if (key !== undefined) {
      const member = (parent as Record<string, unknown> | undefined)?.[key];
      const index = Array.isArray(member) ? member.findIndex((item) => Object.is(item, value)) : -1;
      return joinPath(above, stepOf(key)) + (index >= 0 ? `[${index}]` : "");
    }
    return Array.isArray(parent) && parent.includes(value) ? `${above}[${parent.indexOf(value)}]` : above;
  }
}

/** Names a schema in a message: `["Article"]`, `{ results, next }`. */
export function nameOf(schema: AnySchema): string {
  if (isEntity(schema)) return `"${schema.key}"`;
  if (Array.isArray(schema)) return `[${nameOf(schema[0])}]`;
  if (typeof schema === "object" && schema !== null) {
    if (!isSchemaObject(schema)) return `{ ${Object.keys(schema).join(", ")} }`;
    const { entity } = schema as { entity?: AnyEntity };
    return schema.name ?? `${schema.constructor.name}${isEntity(entity) ? ` of "${entity.key}"` : ""}`;
  }
  return typeof schema === "function" ? `a ${schema.name || "function"}` : String(schema);
}
