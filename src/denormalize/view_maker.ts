import type { AnyEntity, AnySchema, View, ViewMaker } from "../schemas/interface.ts";
import { planOf } from "../schemas/plan.ts";
import { ComputedView } from "./derived_view.ts";
import type { ViewGraph, ViewNode } from "./node.ts";
import { reuse } from "./reuse.ts";

/**
 * Makes the views of one schema object. What the last response of it left is brought up to date instead of made anew, so
 * that what stays keeps its identity.
 */
export class Maker implements ViewMaker {
  readonly args: readonly unknown[];
  readonly #graph: ViewGraph;
  readonly #owner: object;
  readonly #before: ViewNode | undefined;

  /**
   * @param owner The schema object.
   * @param before The view of what its last response left.
   */
  constructor(graph: ViewGraph, owner: object, args: readonly unknown[], before: ViewNode | undefined) {
    this.#graph = graph;
    this.#owner = owner;
    this.args = args;
    this.#before = before;
  }

  of(schema: AnySchema, kept: unknown): View {
    return this.#graph.view(schema, kept, this.args, this.#own()?.source[0] ?? this.#before);
  }

  query(schema: AnySchema, args: readonly unknown[]): View {
    return this.#graph.query(schema, args);
  }

  table(entity: AnyEntity): View {
    return this.#graph.bucket(planOf(entity));
  }

  bucket(entity: AnyEntity, member: string, value: unknown): View {
    return this.#graph.bucket(planOf(entity), member, value);
  }

  concat(sources: readonly View[]): View {
    return new ComputedView(undefined, sources as ViewNode[], (values, before) => {
      const arrays = values.filter(Array.isArray);
      return arrays.length === 0 ? undefined : reuse(before, arrays.flat());
    }, true);
  }

  computed(source: View, compute: (value: unknown, before: unknown) => unknown, isOwn = false): View {
    const own = this.#own();
    own?.update([source as ViewNode]);
    return own ?? new ComputedView(
      this.#owner,
      [source as ViewNode],
      ([value], before) => {
        if (value === undefined || value === null) return value;
        const next = compute(value, before);
        return isOwn ? next : reuse(before, next);
      },
      isOwn,
    );
  }

  /** What the same schema made of the last response. */
  #own(): ComputedView | undefined {
    const before = this.#before;
    return before instanceof ComputedView && before.owner === this.#owner ? before : undefined;
  }
}
