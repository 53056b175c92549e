import { said } from "../errors/texts.ts";
import type { Contents } from "../store/contents.ts";
import { type EntityNode, isNeverHere } from "./node.ts";
import { pick } from "../schemas/subjects.ts";

/**
 * Tells of what a class requires and was never here.
 *
 * @param node An object that lacks something.
 */
export function warnOfLacking(store: Contents, { plan, slot, kids }: EntityNode): void {
  const record = slot.rec!;
  let cursor = 0;
  for (const { name, required, schema } of plan.fields.links) {
    if (!required) return;
    if (pick(schema, record[name]) === undefined) continue;
    const kid = kids[cursor++] as EntityNode;
    if (!isNeverHere(kid.slot)) continue;
    const { entity, key } = kid.plan;
    const facts = { name, holder: plan.key, pk: store.graph.pkIn(plan, record, []), key, reference: record[name] };
    store.warnOnce(`${plan.key}.${name}`, said(213, { ...facts, className: entity.name }));
  }
}
