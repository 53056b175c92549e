import { pick } from "../denormalize/reference.ts";
import type { AnyEntity, AnySchema } from "../schemas/interface.ts";
import { type FindList, rowsOf } from "./pages.ts";
import type { Patch } from "./patch.ts";
import type { Store } from "./store.ts";

/**
 * Whether an answer, as it was, has rows that it has not any more although they were not deleted: in a list that was
 * continued they have moved on to pages that nobody has asked for again.
 *
 * @param store The answer as it was.
 * @param patch The answer as it is going to be.
 * @param schema Where rows are in it.
 */
export function lostRows(store: Store, patch: Patch, schema: AnySchema): (before: unknown, after: unknown) => boolean {
  const planOf = (entity: AnyEntity) => store.graph.planOf(entity);
  const find = (recordOf: (entity: AnyEntity, pk: string) => ReturnType<FindList>): FindList => (list, kept) =>
    recordOf((list as { readonly rows?: AnyEntity }).rows!, kept);
  const findBefore = find((rows, pk) => {
    const slot = store.tables.of(planOf(rows)).slots.get(pk);
    return slot && store.baseOf(slot);
  });
  const findAfter = find((rows, pk) => patch.recordOf(planOf(rows), pk));
  return (before, after) => {
    const present = new Set<string>();
    for (const [item, kept] of rowsOf(schema, after, findAfter)) present.add(nameOf(pick(item, kept)));
    for (const [item, kept] of rowsOf(schema, before, findBefore)) {
      const picked = pick(item, kept);
      if (picked === undefined || present.has(nameOf(picked))) continue;
      if (typeof picked[1] === "object" || patch.recordOf(planOf(picked[0]), String(picked[1])) !== undefined) {
        return true;
      }
    }
    return false;
  };
}

function nameOf(picked: ReturnType<typeof pick>): string {
  return picked === undefined ? "" : JSON.stringify([picked[0].key, picked[1]]);
}
