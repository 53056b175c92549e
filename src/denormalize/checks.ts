import { type Said, said } from "../errors/texts.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import { type EntityNode, isNeverHere } from "./node.ts";
import { pick } from "../schemas/subjects.ts";

/**
 * Tells of what a class requires and was never here.
 *
 * @param node An object that lacks something.
 * @param pkOf The pk of a record.
 * @param warn Says it to the developer, once for what it is about.
 */
export function warnOfLacking(
  { plan, slot, kids }: EntityNode,
  pkOf: (plan: Plan, record: EntityRecord) => string | undefined,
  warn: (about: string, message: Said) => void,
): void {
  const record = slot.rec!;
  let cursor = 0;
  for (const { name, required, schema } of plan.fields.links) {
    if (!required) return;
    if (pick(schema, record[name]) === undefined) continue;
    const kid = kids[cursor++] as EntityNode;
    if (!isNeverHere(kid.slot)) continue;
    const { entity, key } = kid.plan;
    const facts = { name, holder: plan.key, pk: pkOf(plan, record), key, reference: record[name] };
    warn(`${plan.key}.${name}`, said(213, { ...facts, className: entity.name }));
  }
}
