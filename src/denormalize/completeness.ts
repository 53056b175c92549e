import { ValidationError } from "../errors/validation_error.ts";
import { joinPath, stepOf } from "../errors/path.ts";
import { type AnySchema, isEntity, isSchemaObject } from "../schemas/interface.ts";
import { type EntityRecord, type Plan, planOf } from "../schemas/plan.ts";
import { isRecursive } from "../schemas/recursive.ts";
import { isReference } from "./reference.ts";

/** Reads a record that is not committed yet. */
export type RecordReader = (plan: Plan, pk: string) => EntityRecord | undefined;

/**
 * The first entity of an answer that its own class would not accept: `validate` refuses the record, or something that
 * it requires is missing or refused. Asked before anything is written.
 *
 * @param schema The schema of the answer.
 * @param result What remains of the answer.
 * @param read Gives the record that would be stored.
 * @returns The error to reject with; `undefined` when everything is complete.
 */
export function findIncomplete(schema: AnySchema, result: unknown, read: RecordReader): ValidationError | undefined {
  const accepted = new Map<Plan, Set<unknown>>();
  const met = new Map<object, Set<unknown>>();
  const stack: { schema: AnySchema; value: unknown; path: string }[] = [{ schema, value: result, path: "" }];
  while (stack.length > 0) {
    const { schema, value, path } = stack.pop()!;
    if (isEntity(schema)) {
      const failure = isReference(value) ? refusal(planOf(schema), value, path, read, accepted) : undefined;
      if (failure !== undefined) return failure;
    } else if (typeof schema !== "object" || schema === null || typeof value !== "object" || value === null) {
      continue;
    } else if (isRecursive(schema) && isMet(met, schema, value)) {
      continue;
    } else if (Array.isArray(schema)) {
      if (!Array.isArray(value)) continue;
      for (let i = value.length - 1; i >= 0; i--) {
        stack.push({ schema: schema[0] as AnySchema, value: value[i], path: `${path}[${i}]` });
      }
    } else if (!isSchemaObject(schema)) {
      for (const [name, member] of Object.entries(schema).reverse()) {
        if (!Object.hasOwn(value, name)) continue;
        const below = (value as Record<string, unknown>)[name];
        stack.push({ schema: member as AnySchema, value: below, path: joinPath(path, stepOf(name)) });
      }
    }
  }
  return undefined;
}

/** Whether a value of a declaration that contains itself was met before: it may contain itself, too. */
function isMet(met: Map<object, Set<unknown>>, schema: object, value: unknown): boolean {
  const values = met.get(schema);
  if (values?.has(value)) return true;
  if (values === undefined) met.set(schema, new Set([value]));
  else values.add(value);
  return false;
}

/**
 * An entity is incomplete when anything that it requires, however far, is refused or missing. What was accepted once is
 * not looked at again, so that a list of N rows costs N.
 */
function refusal(
  rootPlan: Plan,
  root: unknown,
  path: string,
  read: RecordReader,
  accepted: Map<Plan, Set<unknown>>,
): ValidationError | undefined {
  const stack: { plan: Plan; reference: unknown; needed: string }[] = [{ plan: rootPlan, reference: root, needed: "" }];
  const fail = (reason: unknown) =>
    new ValidationError(rootPlan.key, typeof root === "string" ? root : "not saved yet", path, reason);
  while (stack.length > 0) {
    const { plan, reference, needed } = stack.pop()!;
    let seen = accepted.get(plan);
    if (seen === undefined) accepted.set(plan, seen = new Set());
    if (seen.has(reference)) continue;
    seen.add(reference);
    const record = typeof reference === "object" ? reference as EntityRecord : read(plan, String(reference));
    if (record === undefined) {
      if (needed === "") continue;
      return fail(`"${needed}" is required, but ${plan.key} "${reference}" is not there`);
    }
    const problem = plan.hasValidate ? plan.entity.validate(record) : undefined;
    if (problem) {
      return fail(needed === "" ? problem : `"${needed}" is required, but it is refused: ${String(problem)}`);
    }
    for (const field of plan.links) {
      if (!field.required) break;
      const below = record[field.name];
      if (isReference(below)) {
        stack.push({
          plan: field.entity!,
          reference: below,
          needed: needed === "" ? field.name : `${needed}.${field.name}`,
        });
      }
    }
  }
  return undefined;
}
