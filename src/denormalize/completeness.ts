import { said, sentenceOf } from "../errors/texts.ts";
import { ValidationError } from "../errors/validation_error.ts";
import { pathText, stepOf } from "../errors/path.ts";
import { type AnySchema, type DenormalizeWalk, isSchemaObject, type SchemaObject } from "../schemas/interface.ts";
import { plainOf } from "../schemas/subjects.ts";
import { isMet } from "../schemas/containers.ts";
import { type EntityRecord, type Plan, planOf } from "../schemas/plan.ts";
import { isRecursive } from "../schemas/recursive.ts";
import { pick } from "./reference.ts";

/** Reads a record that is not committed yet; `null`: it was deleted, `undefined`: it was never here. */
export type RecordReader = (plan: Plan, pk: string) => EntityRecord | null | undefined;

/**
 * The first entity of an answer that its own class would not accept: `validate` refuses the record, or something that
 * it requires is deleted or refused. An item of a list that lacks something is left out of it. Asked before anything is
 * written.
 *
 * @param schema The schema of the answer.
 * @param result What remains of the answer.
 * @param read Gives the record that would be stored.
 * @returns The error to reject with; `undefined` when everything is complete.
 */
export function findIncomplete(schema: AnySchema, result: unknown, read: RecordReader): ValidationError | undefined {
  const accepted = new Map<Plan, Set<unknown>>();
  const acceptedItems = new Map<Plan, Set<unknown>>();
  const met = new Map<object, Set<unknown>>();
  const stack: Step[] = [{ schema: plainOf(schema), value: result, above: undefined, name: undefined, isItem: false }];
  while (stack.length > 0) {
    const step = stack.pop()!;
    const { schema, value, isItem } = step;
    const picked = pick(schema, value);
    if (picked !== undefined) {
      const plan = planOf(picked[0]);
      if (plan.rows !== undefined) {
        const [, list] = picked;
        const record = typeof list === "object" ? list as EntityRecord : read(plan, String(list));
        pushItems(stack, step, plan.rows.item, record?.items);
        continue;
      }
      const failure = refusal(plan, picked[1], step, read, isItem ? acceptedItems : accepted);
      if (failure !== undefined) return failure;
    } else if (typeof schema !== "object" || schema === null || value === undefined || value === null) {
      continue;
    } else if (isRecursive(schema) && isMet(met, schema, value)) {
      continue;
    } else if (Array.isArray(schema)) {
      if (!Array.isArray(value)) continue;
      for (let i = value.length - 1; i >= 0; i--) {
        stack.push({ schema: plainOf(schema[0] as AnySchema), value: value[i], above: step, name: i, isItem: true });
      }
    } else if (isSchemaObject(schema)) {
      const steps: Step[] = [];
      schema.denormalize(value, new BelowWalk(step, steps));
      while (steps.length > 0) stack.push(steps.pop()!);
    } else if (typeof value === "object") {
      for (const [name, member] of Object.entries(schema).reverse()) {
        if (!Object.hasOwn(value, name)) continue;
        const below = (value as Record<string, unknown>)[name];
        stack.push({ schema: plainOf(member as AnySchema), value: below, above: step, name, isItem });
      }
    }
  }
  return undefined;
}

/** The items of a collection, the first of them next. */
function pushItems(stack: Step[], above: Step, item: AnySchema, items: unknown): void {
  if (typeof items !== "object" || items === null) return;
  for (const [name, value] of Object.entries(items).reverse()) {
    stack.push({ schema: item, value, above, name: Array.isArray(items) ? Number(name) : name, isItem: true });
  }
}

/** A value that is to be looked at. */
interface Step {
  readonly schema: AnySchema;
  readonly value: unknown;
  readonly above: Step | undefined;
  /** Its member or index; `undefined` for what a schema object visits: looked for when an error is made. */
  readonly name: string | number | undefined;
  /** It stands in a list, which can do without it. */
  readonly isItem: boolean;
}

function pathTo(step: Step): string {
  let path = "";
  for (let at = step; at.above !== undefined; at = at.above) path = stepWithin(at, at.above.value) + path;
  return pathText(path);
}

function stepWithin({ value, name }: Step, within: unknown): string {
  if (typeof name === "number") return `[${name}]`;
  if (name !== undefined) return stepOf(name);
  if (typeof within !== "object" || within === null || within === value) return "";
  const found = Object.keys(within).find((member) => (within as Record<string, unknown>)[member] === value);
  return found === undefined ? "" : Array.isArray(within) ? `[${found}]` : stepOf(found);
}

/** Learns what a schema object visits, and goes no deeper. */
class BelowWalk implements DenormalizeWalk {
  readonly args: readonly unknown[] = [];
  readonly collecting = true;
  readonly #above: Step;
  readonly #steps: Step[];

  constructor(above: Step, steps: Step[]) {
    this.#above = above;
    this.#steps = steps;
  }

  visit(schema: AnySchema, value: unknown): undefined {
    const isItem = this.#above.isItem || Boolean((this.#above.schema as SchemaObject).isPartial);
    this.#steps.push({ schema: plainOf(schema), value, above: this.#above, name: undefined, isItem });
  }

  fill<C extends object>(_schema: unknown, _value: unknown, container: C, fill: (container: C) => void): C {
    fill(container);
    return container;
  }
}

/** Why a class does not accept a record: something truthy; else it does. */
function refusalBy(plan: Plan, record: EntityRecord): unknown {
  if (!plan.hasCreate) return plan.hasValidate ? plan.entity.validate(record) : undefined;
  return plan.create(record) === undefined ? plan.entity.validate(record) || sentenceOf(said(132)) : undefined;
}

/**
 * An entity is incomplete when anything that it requires, however far, is refused or missing. What was accepted once is
 * not looked at again, so that a list of N rows costs N.
 */
function refusal(
  rootPlan: Plan,
  root: unknown,
  step: Step,
  read: RecordReader,
  accepted: Map<Plan, Set<unknown>>,
): ValidationError | undefined {
  const stack: { plan: Plan; reference: unknown; needed: string }[] = [{ plan: rootPlan, reference: root, needed: "" }];
  const fail = (reason: unknown, field: string) => {
    const pk = typeof root === "string" ? root : "not saved yet";
    return new ValidationError(rootPlan.key, pk, pathTo(step), reason, field === "" ? undefined : field);
  };
  while (stack.length > 0) {
    const { plan, reference, needed } = stack.pop()!;
    if (isMet(accepted, plan, reference)) continue;
    const record = typeof reference === "object" ? reference as EntityRecord : read(plan, String(reference));
    if (record === undefined || (record === null && needed === "")) continue;
    if (record === null) {
      if (step.isItem) return undefined;
      return fail(sentenceOf(said(211, { needed, key: plan.key, reference })), needed);
    }
    const problem = refusalBy(plan, record);
    if (problem) {
      return fail(needed === "" ? problem : sentenceOf(said(212, { needed, problem })), needed);
    }
    for (const field of plan.links) {
      if (!field.required) break;
      const below = pick(field.schema, record[field.name]);
      if (below !== undefined) {
        stack.push({
          plan: planOf(below[0]),
          reference: below[1],
          needed: needed === "" ? field.name : `${needed}.${field.name}`,
        });
      }
    }
  }
  return undefined;
}
