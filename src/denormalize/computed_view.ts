import type { Graph } from "./graph.ts";
import { CLEAN, setKids, type ViewNode } from "./node.ts";
import { DerivedView, SourceView } from "./derived_view.ts";
import { reuse } from "./reuse.ts";

/** What a pure function makes of an answer: it runs again only when the answer is another. */
export class ComputedView extends SourceView {
  readonly #compute: (value: unknown) => unknown;
  #entries: unknown = undefined;

  constructor(owner: object, source: ViewNode, compute: (value: unknown) => unknown) {
    super(owner, source);
    this.#compute = compute;
  }

  read(graph: Graph): unknown {
    if (this.state === CLEAN) return this.value;
    if (this.kids[0] !== this.source) setKids(this, [this.source]);
    const entries = this.source.read(graph);
    if (entries === this.#entries) return this.show(graph, this.value, false);
    const output = entries === undefined || entries === null ? entries : reuse(this.value, this.#compute(entries));
    this.#entries = entries;
    return this.show(graph, output, false);
  }

  override release(): void {
    super.release();
    // Its source is released, too, and may be gone when it is read again: then it is another object.
    this.#entries = undefined;
  }
}

/** Several answers as the members of one object: another object when one of them is another. */
export class JoinView extends DerivedView {
  readonly #parts: { readonly [name: string]: ViewNode };

  /** @param parts Views by name; literals are constant views. */
  constructor(parts: { readonly [name: string]: ViewNode }) {
    super();
    this.#parts = parts;
  }

  read(graph: Graph): unknown {
    if (this.state === CLEAN) return this.value;
    const names = Object.keys(this.#parts);
    const parts = names.map((name) => this.#parts[name]!);
    setKids(this, parts);
    const values = parts.map((part) => part.read(graph));
    const before = this.value as { readonly [name: string]: unknown } | undefined;
    const isEmpty = values.every((value, at) => value === undefined || isConstant(parts[at]!));
    const isSame = !isEmpty && before !== undefined && names.every((name, at) => Object.is(before[name], values[at]));
    if (isEmpty || isSame) return this.show(graph, isSame ? before : undefined, false);
    // Defines: a member may have any name.
    return this.show(graph, Object.fromEntries(names.map((name, at) => [name, values[at]])), true);
  }
}

/** It was there before anything was read. */
function isConstant(view: ViewNode): boolean {
  return view.kids.length === 0 && view.version === 0 && view.state === CLEAN;
}

/** Several arrays one after the other; `undefined` while all of them are. */
export class ConcatView extends DerivedView {
  readonly #sources: readonly ViewNode[];

  constructor(sources: readonly ViewNode[]) {
    super();
    this.#sources = sources;
  }

  read(graph: Graph): unknown {
    if (this.state === CLEAN) return this.value;
    setKids(this, this.#sources);
    const arrays = this.#sources.map((source) => source.read(graph)).filter(Array.isArray) as unknown[][];
    return this.show(graph, arrays.length === 0 ? undefined : reuse(this.value, arrays.flat()), true);
  }
}
