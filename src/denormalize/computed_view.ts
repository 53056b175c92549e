import { DerivedView } from "./derived_view.ts";
import { ConstNode, DIRTY, setKids, type ViewGraph, type ViewNode } from "./node.ts";
import { reuse } from "./reuse.ts";

/** What is made of the answers that a view reads; `before` is what it was until now. */
export type Compute = (values: readonly unknown[], before: unknown) => unknown;

/** What a function makes of other answers: it runs again only when one of them is another. */
export class ComputedView extends DerivedView {
  /** Tells the view of one schema from that of another, when the next response is to keep it. */
  readonly owner: object | undefined;
  /** What it reads. */
  sources: readonly ViewNode[];
  readonly #compute: Compute;
  /** Objects and arrays that it gives are of its own making. */
  readonly #isOwn: boolean;
  #values: readonly unknown[] | undefined;

  constructor(owner: object | undefined, sources: readonly ViewNode[], compute: Compute, isOwn: boolean) {
    super();
    this.owner = owner;
    this.sources = sources;
    this.#compute = compute;
    this.#isOwn = isOwn;
  }

  /** Other sources, or the same brought up to date. The caller is to be read again. */
  update(sources: readonly ViewNode[]): void {
    this.sources = sources;
    this.state = DIRTY;
  }

  read(graph: ViewGraph): unknown {
    if (this.state !== DIRTY) return this.value;
    setKids(this, this.sources);
    const values = this.sources.map((source) => source.read(graph));
    const before = this.#values;
    const isSame = before !== undefined && values.every((value, at) => Object.is(value, before[at]));
    const value = isSame ? this.value : this.#compute(values, this.value);
    this.#values = values;
    return this.show(graph, value, this.#isOwn);
  }

  override release(): void {
    super.release();
    // Its sources are released, too, and may be gone when it is read again: then they are other objects.
    this.#values = undefined;
  }
}

/** Several answers as the members of one object; `undefined` while there is nothing but literals. */
export class JoinView extends ComputedView {
  /** @param parts Views by name; literals are constant views. */
  constructor(parts: readonly (readonly [name: string, view: ViewNode])[]) {
    super(undefined, parts.map(([, view]) => view), (values) => {
      const isEmpty = values.every((value, at) => value === undefined || parts[at]![1] instanceof ConstNode);
      // Defines: a member may have any name.
      return isEmpty ? undefined : Object.fromEntries(parts.map(([name], at) => [name, values[at]]));
    }, true);
  }
}

/** Several arrays one after the other; `undefined` while all of them are. */
export const concat: Compute = (values, before) => {
  const arrays = values.filter(Array.isArray);
  return arrays.length === 0 ? undefined : reuse(before, arrays.flat());
};
