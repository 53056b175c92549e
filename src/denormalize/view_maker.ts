import type { AnyEntity, AnySchema, SortedOrder, View, ViewMaker } from "../schemas/interface.ts";
import { planOf } from "../schemas/plan.ts";
import { ComputedView, ConcatView } from "./computed_view.ts";
import { SourceView } from "./derived_view.ts";
import type { Graph } from "./graph.ts";
import { ListView } from "./list_view.ts";
import type { ViewNode } from "./node.ts";
import { SortedView } from "./sorted_view.ts";

/**
 * Makes the views of one schema object. What the last response of it left is brought up to date instead of made anew, so
 * that what stays keeps its identity.
 */
export class Maker implements ViewMaker {
  readonly args: readonly unknown[];
  readonly #graph: Graph;
  readonly #owner: object;
  readonly #before: ViewNode | undefined;

  /**
   * @param owner The schema object.
   * @param before The view of what its last response left.
   */
  constructor(graph: Graph, owner: object, args: readonly unknown[], before: ViewNode | undefined) {
    this.#graph = graph;
    this.#owner = owner;
    this.args = args;
    this.#before = before;
  }

  of(schema: AnySchema, kept: unknown): View {
    return this.#graph.view(schema, kept, this.args, this.#own()?.source ?? this.#before);
  }

  query(schema: AnySchema, args: readonly unknown[]): View {
    return this.#graph.query(schema, args);
  }

  rows(item: AnySchema, kept: readonly unknown[]): View {
    const before = this.#before;
    if (!(before instanceof ListView) || before.item !== item) return new ListView(item, kept);
    before.setRows(kept);
    return before;
  }

  table(entity: AnyEntity): View {
    return this.#graph.allOf(planOf(entity));
  }

  bucket(entity: AnyEntity, member: string, value: unknown): View {
    return this.#graph.bucket(planOf(entity), member, value);
  }

  concat(sources: readonly View[]): View {
    return new ConcatView(sources as ViewNode[]);
  }

  computed(source: View, compute: (value: unknown) => unknown): View {
    const own = this.#own();
    if (!(own instanceof ComputedView)) return new ComputedView(this.#owner, source as ViewNode, compute);
    own.update(source as ViewNode);
    return own;
  }

  sorted(source: View, order: SortedOrder): View {
    const own = this.#own();
    if (!(own instanceof SortedView)) return new SortedView(this.#owner, source as ViewNode, order);
    own.update(source as ViewNode);
    return own;
  }

  /** What the same schema made of the last response. */
  #own(): SourceView | undefined {
    const before = this.#before;
    return before instanceof SourceView && before.owner === this.#owner ? before : undefined;
  }
}
