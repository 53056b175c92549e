import { said, sentenceOf } from "../errors/texts.ts";
import { ValidationError } from "../errors/validation_error.ts";
import { pathText, stepOf } from "../errors/path.ts";
import { type AnySchema, isSchemaObject } from "../schemas/interface.ts";
import { pick, plainOf } from "../schemas/subjects.ts";
import { isMet } from "../schemas/containers.ts";
import { type EntityRecord, type Plan, planOf } from "../schemas/plan.ts";

/** Reads a record that is not committed yet; `null`: it was deleted, `undefined`: it was never here. */
export type RecordReader = (plan: Plan, pk: string) => EntityRecord | null | undefined;

/** A value that is to be looked at. */
interface Step {
  readonly schema: AnySchema;
  readonly value: unknown;
  readonly above?: Step | undefined;
  /** Its member or index; `undefined` for what a schema object visits: looked for when an error is made. */
  readonly name?: string | undefined;
  /** It stands in a list, which can do without it. */
  readonly isItem: boolean;
  /** What requires it: an entity of the answer, and the members that lead here. */
  readonly needed?: { readonly by: Step; readonly path: string };
}

/**
 * The first entity of an answer that its own class would not accept: `validate` refuses the record, or something that
 * it requires, however far, is deleted or refused. An item of a list that lacks something is left out of it. Asked before
 * anything is written.
 *
 * @param schema The schema of the answer.
 * @param result What remains of the answer.
 * @param read Gives the record that would be stored.
 * @returns The error to reject with; `undefined` when everything is complete.
 */
export function findIncomplete(schema: AnySchema, result: unknown, read: RecordReader): ValidationError | undefined {
  /** What was looked at by itself, and as an item: once each, so that a list of N rows costs N. */
  const met = [new Map<object, Set<unknown>>(), new Map<object, Set<unknown>>()] as const;
  const steps: Step[] = [];
  const add = (schema: AnySchema, value: unknown, isItem: boolean, above?: Step, name?: string) =>
    steps.push({ schema: plainOf(schema), value, isItem, above, name });
  const addItems = (item: AnySchema, above: Step) => {
    for (const [name, value] of Object.entries(Object(above.value) as object)) add(item, value, true, above, name);
  };
  add(schema, result, false);
  // What is added while they are looked at is looked at, too.
  for (const step of steps) {
    const { schema, value, isItem, needed } = step;
    const picked = pick(schema, value);
    const metSo = met[Number(isItem) as 0 | 1];
    if (picked !== undefined) {
      const [plan, reference] = [planOf(picked[0]), picked[1]];
      const record = typeof reference === "object" ? reference as EntityRecord : read(plan, String(reference));
      // What was deleted is missed by each who requires it, whoever else refers to it.
      if (record !== null && isMet(metSo, plan, reference)) continue;
      if (plan.rows !== undefined) addItems(plan.rows.item, { ...step, value: record?.items });
      else if (record === null) {
        if (needed === undefined || isItem) continue;
        return failure(step, sentenceOf(said(211, { needed: needed.path, key: plan.key, reference })));
      } else if (record !== undefined) {
        const problem = refusalBy(plan, record);
        if (problem) {
          return failure(step, needed ? sentenceOf(said(212, { needed: needed.path, problem })) : problem);
        }
        for (const { name, required, schema } of plan.fields.links) {
          if (!required) break;
          const path = needed === undefined ? name : `${needed.path}.${name}`;
          steps.push({ ...step, schema, value: record[name], needed: { by: needed?.by ?? step, path } });
        }
      }
      continue;
    }
    if (typeof schema !== "object" || schema === null || value === undefined || value === null) continue;
    if (isMet(metSo, schema, value)) continue;
    if (isSchemaObject(schema)) {
      const inList = isItem || Boolean(schema.isPartial);
      schema.denormalize(value, {
        args: [],
        collecting: true,
        visit: (schema, value) => void add(schema, value, inList, step),
        fill(_schema, _value, container, fill) {
          fill(container);
          return container;
        },
      });
    } else if (Array.isArray(schema)) {
      if (Array.isArray(value)) addItems(schema[0] as AnySchema, step);
    } else if (typeof value === "object") {
      for (const [name, member] of Object.entries(schema)) {
        if (Object.hasOwn(value, name)) {
          add(member as AnySchema, (value as EntityRecord)[name], isItem, step, name);
        }
      }
    }
  }
  return undefined;
}

function failure({ needed, ...step }: Step, reason: unknown): ValidationError {
  const root = needed?.by ?? step;
  const [entity, pk] = pick(root.schema, root.value)!;
  let path = "";
  for (let at = root; at.above !== undefined; at = at.above) path = stepWithin(at, at.above.value) + path;
  return new ValidationError(
    planOf(entity).key,
    typeof pk === "string" ? pk : "not saved yet",
    pathText(path),
    reason,
    needed?.path,
  );
}

function stepWithin({ value, name }: Step, within: unknown): string {
  const members = typeof within === "object" && within !== null ? within as EntityRecord : {};
  const found = name ?? Object.keys(members).find((each) => members[each] === value);
  return found === undefined ? "" : Array.isArray(within) ? `[${found}]` : stepOf(found);
}

/** Why a class does not accept a record: something truthy; else it does. */
function refusalBy(plan: Plan, record: EntityRecord): unknown {
  if (!plan.hasCreate) return plan.hasValidate ? plan.entity.validate(record) : undefined;
  return plan.make(record) === undefined ? plan.entity.validate(record) || sentenceOf(said(132)) : undefined;
}
