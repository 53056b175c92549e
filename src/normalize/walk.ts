import { check } from "../errors/checks.ts";
import { NormalizeError } from "../errors/normalize_error.ts";
import { pathOf, pathText, stepOf } from "../errors/path.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { type Problem, said } from "../errors/texts.ts";
import type { checkSchema } from "../schemas/checks.ts";
import { Containers, isMet } from "../schemas/containers.ts";
import { define } from "../schemas/define.ts";
import {
  type Amendment,
  type AnyEntity,
  type AnySchema,
  isEntity,
  isSchemaObject,
  type NormalizeWalk,
  type RecordOwner,
  type Schema,
  type SchemaObject,
  type StoredMembers,
} from "../schemas/interface.ts";
import { madeIn } from "../schemas/once_for.ts";
import type { Pk } from "../schemas/pk_types.ts";
import { type FieldPlan, type Fields, pkText, type Plan, planOf } from "../schemas/plan.ts";
import { nameOf } from "../schemas/subjects.ts";
import { eachOnce, normalizeMembers, stored } from "./record.ts";
import type { MemberWalk, RecordTarget } from "./record_target.ts";

/** A record that is to be written; while it is, the one whose members are walked. */
interface Step {
  readonly plan: Plan;
  /** `""`: it has none, and is kept in place. */
  readonly pk: string;
  readonly input: object;
  /** The member that is being walked. */
  field: FieldPlan | undefined;
}

/** Where a value was found that `process` made another object of. */
interface Origin {
  readonly raw: object;
  readonly parent: unknown;
  readonly key: string | undefined;
}

/** What stands for several keys: maps in a map. */
interface Tree extends Map<unknown, Tree> {}

/**
 * Walks a value along its schema. Entities are put on a stack and walked one after another, a parent before what it
 * nests, an earlier item before a later one, so that depth costs memory and no stack. Between two entities the walk
 * follows the declaration, which is finite; a declaration that contains itself is walked from a list below some depth.
 */
export class Walk extends Containers implements NormalizeWalk, MemberWalk {
  readonly args: readonly unknown[];
  /** Some record of this walk may be incomplete for its class: it must be asked before it is written. */
  suspect = false;
  /** Copies what no schema walks into; `undefined`: it is kept as it is, for nobody else has it. */
  copy: (<T>(value: T) => T) | undefined;
  brought = 0;
  readonly #root: unknown;
  readonly #target: RecordTarget;
  /** The last is next. */
  readonly #stack: Step[] = [];
  /** Schema objects that want to see their containers complete. */
  readonly #unfinished: (readonly [SchemaObject, unknown])[] = [];
  /** Occurrences inside entities that hold others, by class: one of them may be two records. */
  #walked: Map<Plan, Map<object, string>> | undefined;
  /** Those of them that were written under more pks than one. */
  #others: Map<string, Set<object>> | undefined;
  /** What a processed value was made of. */
  #originOf: WeakMap<object, Origin> | undefined;
  /** By raw value, parent and key: what stands for all that was made of it there. */
  #origins: Tree | undefined;
  /** Whose members are being walked, also of one without a pk. */
  #within: Step | undefined;
  #isWriting = false;

  constructor(root: unknown, args: readonly unknown[], target: RecordTarget) {
    super();
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

  member(field: FieldPlan | undefined, value: unknown, parent: object): unknown {
    if (field === undefined) return this.keep(value);
    const unfilled = this.unfilled.length;
    const unfinished = this.#unfinished.length;
    if (this.#within !== undefined) this.#within.field = field;
    let normalized = this.visit(field.schema, value, parent, field.name);
    if (field.item !== undefined && Array.isArray(normalized)) normalized = eachOnce(field.item, normalized);
    // The caller compares the member with what is stored: nothing in it may come later.
    if (this.depth === 0) this.#complete(unfilled, unfinished);
    return normalized;
  }

  fieldsOf(plan: Plan): Fields {
    return this.#target.fieldsOf?.(plan) ?? plan.fields;
  }

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
    const raw = processed === undefined ? value as Pk : plan.entity.pk(processed, parent, key, this.args);
    const pk = pkText(raw, processed, this.args, parent);
    if (typeof pk !== "string") throw this.fail(plan.entity, said(202, { value }), value, parent, key);
    this.#target.remove(plan, pk);
    return pk;
  }

  know(entity: AnyEntity): void {
    this.#target.know(planOf(entity));
  }

  get owner(): RecordOwner | undefined {
    const { plan, pk, field } = this.#within ?? {};
    return field && { entity: plan!.entity, pk: pk!, member: field.name, schema: field.schema };
  }

  write(entity: AnyEntity, pk: string, members: StoredMembers): void {
    this.#target.put(planOf(entity), pk, members, this);
  }

  amend(entity: AnyEntity, amendment: Amendment): void {
    this.#target.amend(planOf(entity), amendment);
  }

  record(entity: AnyEntity, pk: string): StoredMembers | undefined {
    return this.#target.recordAt(planOf(entity), pk);
  }

  fail(schema: AnySchema, problem: Problem, value?: unknown, parent?: unknown, key?: string): Error {
    return new NormalizeError(nameOf(schema), this.#pathOf(value, parent, key), problem);
  }

  #visitEntity(plan: Plan, value: unknown, parent: unknown, key: string | undefined): unknown {
    const { entity } = plan;
    if (typeof value !== "object") {
      // A bare pk: the client-side join. "", 0 and false are no reference.
      if (typeof value === "string" || value === 0 || value === false || value === 0n) return value;
      const reference = pkText(value as Pk);
      if (reference === null) throw this.fail(entity, said(204, { value }), value, parent, key);
      this.#target.checkPk?.(plan, value, undefined, () => this.#pathOf(value, parent, key));
      return reference;
    }
    const { hasProcess } = plan;
    const input: unknown = hasProcess ? entity.process(value, parent, key, this.args) : value;
    if (input === undefined) return undefined;
    if (typeof input !== "object" || input === null || Array.isArray(input)) {
      throw this.fail(entity, hasProcess ? said(205, { value: input }) : this.#noObject(value), value, parent, key);
    }
    if (input !== value) {
      // Of what it was found in, too, another object may have been made for each place.
      (this.#originOf ??= new WeakMap()).set(input, { raw: value as object, parent: this.#rawOf(parent), key });
    }
    // A root is its own parent.
    const raw = plan.entity.pk(input, parent === value ? input : parent, key, this.args);
    const pk = pkText(raw, input, this.args, parent);
    if (pk === null) throw this.fail(entity, said(206, { value: raw }), value, parent, key);
    this.#target.checkPk?.(plan, raw, input, () => this.#pathOf(value, parent, key));
    if (plan.mayRefuse) this.suspect = true;
    if (pk === undefined) {
      this.#target.unsaved?.(plan, input, () => this.#pathOf(value, parent, key));
      return this.#visitUnsaved(plan, input);
    }
    // An input that contains itself comes round here, and ends.
    if (!this.#isWriting || !this.fieldsOf(plan).nests || !this.#isWalked(plan, pk, input)) {
      this.put(plan, pk, input);
    }
    return pk;
  }

  /**
   * Whether an occurrence was written as this record. Its pk may be another in each parent; but where `process` makes the
   * object, the first counts: in a value that contains itself each might be another one, without end.
   */
  #isWalked(plan: Plan, pk: string, input: object): boolean {
    const occurrence = this.#occurrenceOf(input);
    const walked = madeIn(this.#walked ??= new Map(), plan, () => new Map<object, string>());
    const first = walked.get(occurrence);
    walked.set(occurrence, first ?? pk);
    return first !== undefined &&
      (first === pk || occurrence !== input || isMet(this.#others ??= new Map(), `${plan.id} ${pk}`, occurrence));
  }

  /** An entity without a pk is kept in place, so it is walked like a container: a value that contains itself ends. */
  #visitUnsaved(plan: Plan, input: object): object {
    return this.fill(plan, this.#occurrenceOf(input), { ...input }, (record) => {
      const before = this.#within;
      this.#within = { plan, pk: "", input, field: undefined };
      try {
        normalizeMembers(this, plan, record, input);
      } finally {
        this.#within = before;
      }
    }, true);
  }

  /** What an object was before `process`. */
  #rawOf(value: unknown): unknown {
    return this.#originOf?.get(value as object)?.raw ?? value;
  }

  /**
   * What stands for one occurrence of a value: the value itself. `process` makes another object each time, and may make
   * another one for another place: then it is the same for what is made of this value at this place.
   */
  #occurrenceOf(input: object): object {
    const origin = this.#originOf?.get(input);
    if (origin === undefined) return input;
    let tree = this.#origins ??= new Map();
    for (const at of [origin.raw, origin.parent, origin.key]) tree = madeIn(tree, at, (): Tree => new Map());
    return tree;
  }

  /**
   * Writes a record of which the members were processed, then all that it nests; within another record, after that.
   * Children of one entity are turned round, so that the first of them is next.
   */
  put(plan: Plan, pk: string, input: object): void {
    const stack = this.#stack;
    let step: Step | undefined = { plan, pk, input, field: undefined };
    if (this.#isWriting) return void stack.push(step);
    const before = this.#within;
    const { depth } = this;
    // Counted from the entity that is being written.
    this.depth = 0;
    this.#isWriting = true;
    try {
      // The first is not put on the stack: most writes by hand are of one record.
      for (; step !== undefined; step = stack.pop()) {
        this.#within = step;
        const start = stack.length;
        this.#target.put(step.plan, step.pk, step.input, this);
        for (let low = start, high = stack.length - 1; low < high; low++, high--) {
          [stack[low], stack[high]] = [stack[high]!, stack[low]!];
        }
      }
    } finally {
      this.#isWriting = false;
      this.#within = before;
      this.depth = depth;
    }
  }

  #visitArray(schema: readonly Schema[], value: unknown, parent: unknown, key: string | undefined): unknown {
    if (!Array.isArray(value)) {
      throw this.fail(schema, said(126, { value, isRoot: value === parent }), value, parent, key);
    }
    const item = schema[0];
    if (schema.length !== 1) check<typeof checkSchema>("schema", schema, nameOf(schema));
    if (item === undefined) throw new SchemaError(said(208, { path: this.#pathOf(value, parent, key) }));
    if (isEntity(item) && value.length > 0) {
      // What nests in them is walked later. A copy, for one that grew by pushing has room for 17, and every record keeps one.
      const plan = planOf(item);
      const list: unknown[] = value.slice();
      for (let i = 0; i < list.length; i++) {
        const one = list[i];
        if (one !== undefined && one !== null) list[i] = this.#visitEntity(plan, one, parent, key);
      }
      return list.includes(undefined) ? list.filter((one) => one !== undefined) : list;
    }
    return this.fill(schema, value, [] as unknown[], (list) => {
      for (const one of value) {
        const normalized = this.visit(item, one, parent, key);
        if (normalized !== undefined) list.push(normalized);
      }
    });
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
    return this.fill(schema, input, { ...input }, (result) => {
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
  }

  /** Fills what was handed out empty since, then tells schema objects that asked for it. */
  #complete(unfilled: number, unfinished: number): void {
    for (;;) {
      this.complete(unfilled);
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
    // A text or a number: it is found where it stands.
    const around = key === undefined ? parent : (parent as Record<string, unknown> | undefined)?.[key];
    const index = Array.isArray(around) ? around.findIndex((one) => Object.is(one, value)) : -1;
    const above = (pathOf(this.#root, this.#rawOf(parent)) ?? "") + (key === undefined ? "" : stepOf(key));
    return pathText(above + (index >= 0 ? `[${index}]` : ""));
  }
}
