import type { ViewMaker } from "../schemas/interface.ts";
import { planOf } from "../schemas/plan.ts";
import { ComputedView } from "./derived_view.ts";
import type { ViewGraph, ViewNode } from "./node.ts";
import { reuse } from "./reuse.ts";

/**
 * Makes the views of one schema object. What the last response of it left is brought up to date instead of made anew, so
 * that what stays keeps its identity.
 *
 * @param owner The schema object.
 * @param before The view of what its last response left.
 */
export function makerOf(graph: ViewGraph, owner: object, args: readonly unknown[], before?: ViewNode): ViewMaker {
  /** What the same schema made of the last response. */
  const own = before instanceof ComputedView && before.owner === owner ? before : undefined;
  return {
    args,
    of: (schema, kept) => graph.view(schema, kept, args, own?.source[0] ?? before),
    query: (schema, args) => graph.query(schema, args),
    table: (entity) => graph.bucket(planOf(entity)),
    bucket: (entity, member, value) => graph.bucket(planOf(entity), member, value),
    concat: (sources) =>
      new ComputedView(undefined, sources as ViewNode[], (values, before) => {
        const arrays = values.filter(Array.isArray);
        return arrays.length === 0 ? undefined : reuse(before, arrays.flat());
      }, true),
    computed(source, compute, isOwn = false) {
      own?.update([source as ViewNode]);
      return own ?? new ComputedView(owner, [source as ViewNode], ([value], before) => {
        if (value === undefined || value === null) return value;
        const next = compute(value, before);
        return isOwn ? next : reuse(before, next);
      }, isOwn);
    },
  };
}
