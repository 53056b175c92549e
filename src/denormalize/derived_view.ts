import { CLEAN, ConstNode, DIRTY, setKids, type ViewGraph, ViewNode } from "./node.ts";

/**
 * An answer that is made of others. One that was made for one response goes with it; one that a query keeps for its
 * arguments is everybody's.
 */
export abstract class DerivedView<S> extends ViewNode {
  /** Tells the view of one schema from that of another, when the next response is to keep it. */
  readonly owner: unknown;
  /** What it is made of. */
  source: S;

  constructor(owner: unknown, source: S) {
    super();
    this.owner = owner;
    this.source = source;
    this.isOwned = true;
  }

  /** Another response, or the same views brought up to date. The caller is to be read again. */
  update(source: S): void {
    if (source === this.source) return;
    this.source = source;
    this.state = DIRTY;
  }

  /** Makes the answer, and its children. */
  protected abstract make(graph: ViewGraph): unknown;

  override read(graph: ViewGraph): unknown {
    if (this.state === CLEAN) return this.value;
    const value = this.make(graph);
    this.state = CLEAN;
    if (!Object.is(value, this.value)) {
      this.value = value;
      this.version = graph.nextVersion();
    }
    return this.value;
  }
}

/** What is made of the answers that a view reads; `before` is what it was until now. */
export type Compute = (values: readonly unknown[], before: unknown) => unknown;

/** What a function makes of other answers: it runs again only when one of them is another. */
export class ComputedView extends DerivedView<readonly ViewNode[]> {
  readonly #compute: Compute;
  /** Objects and arrays that it gives are of its own making. */
  readonly #isOwn: boolean;
  #values: readonly unknown[] | undefined;

  constructor(owner: unknown, sources: readonly ViewNode[], compute: Compute, isOwn: boolean) {
    super(owner, sources);
    this.#compute = compute;
    this.#isOwn = isOwn;
  }

  protected make(graph: ViewGraph): unknown {
    setKids(this, this.source);
    const values = this.source.map((source) => source.read(graph));
    const before = this.#values;
    const isSame = before !== undefined && values.every((value, at) => Object.is(value, before[at]));
    const value = isSame ? this.value : this.#compute(values, this.value);
    this.#values = values;
    return this.#isOwn && graph.strict ? Object.freeze(value) : value;
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

/** Nobody needs the view of one response any more, nor those that it is made of: their edges die with it. */
export function release(view: ViewNode): void {
  if (view.isOwned) letGo(view);
}

/** The same of a view that was everybody's. */
export function letGo(view: ViewNode): void {
  const { kids } = view;
  view.release();
  for (const kid of kids) release(kid);
}
