import type { AnySchema } from "../schemas/interface.ts";
import { ContainerWalk } from "./container_walk.ts";
import { DerivedView, release } from "./derived_view.ts";
import { EntityNode, hasParent, setKids, type ViewGraph, type ViewNode } from "./node.ts";
import { reuse } from "./reuse.ts";

/**
 * An answer of any shape as a reader gets it: what remains of a response, or what a schema reads for arguments. The
 * containers in it are made again when one changed.
 */
export class TreeView extends DerivedView<unknown> {
  declare readonly owner: AnySchema;
  readonly #args: readonly unknown[];
  readonly #isKeyed: boolean;

  /**
   * @param kept What remains of a response.
   * @param isKeyed There is none: it is asked for what the arguments name, each time that what it was learned from has
   *   changed.
   */
  constructor(schema: AnySchema, kept: unknown, args: readonly unknown[], isKeyed = false) {
    super(schema, kept);
    this.#args = args;
    this.#isKeyed = isKeyed;
  }

  /** An entity without a pk, sent again, is another object that holds the same. */
  override update(kept: unknown): void {
    super.update(reuse(this.source, kept));
  }

  /** The one record whose object the whole answer is. */
  get entity(): EntityNode | undefined {
    const { value } = this;
    if (value === undefined) return undefined;
    return this.kids.find((kid): kid is EntityNode => kid instanceof EntityNode && kid.value === value);
  }

  protected make(graph: ViewGraph): unknown {
    const { kids: before, owner } = this;
    const kids: ViewNode[] = [];
    const kept = this.#isKeyed ? graph.queryKey(owner, this.#args, kids) : this.source;
    const read = (kid: ViewNode): unknown => {
      kids.push(kid);
      return kid.read(graph);
    };
    const walk = new ContainerWalk(
      false,
      (plan, reference) => {
        const node = graph.reference(plan, reference);
        read(node);
        return node;
      },
      graph.strict,
      this.#args,
      undefined,
      // The child that stood here at the last reading is brought up to date.
      (schema, kept) => read(graph.view(schema, kept, this.#args, before[kids.length])),
    );
    const answer = kept === undefined ? undefined : walk.run(owner, kept);
    setKids(this, kids);
    const stay = new Set(kids);
    // One that stood elsewhere may be what a query is made of now.
    for (const old of before) if (!stay.has(old) && !hasParent(old)) release(old);
    // The lists and outputs of queries in it are kept by views of their own.
    const leaves = new Set<unknown>();
    for (const kid of kids) if (!(kid instanceof EntityNode)) leaves.add(kid.value);
    return walk.isMissing ? undefined : reuse(this.value, answer, leaves);
  }
}
