import type { AnySchema, SchemaObject } from "../schemas/interface.ts";
import { ContainerWalk, looksAround } from "./container_walk.ts";
import { DerivedView, release } from "./derived_view.ts";
import { ListView } from "./list_view.ts";
import { CLEAN, DIRTY, EntityNode, setKids, type ViewGraph, type ViewNode } from "./node.ts";
import { isItem } from "./reference.ts";
import { reuse } from "./reuse.ts";

/** What remains of a response of any shape, as a reader gets it: the containers in it are made again when one changed. */
export class TreeView extends DerivedView {
  readonly schema: AnySchema;
  readonly args: readonly unknown[];
  #kept: unknown;

  constructor(schema: AnySchema, kept: unknown, args: readonly unknown[]) {
    super();
    this.schema = schema;
    this.args = args;
    this.#kept = kept;
  }

  /** Another response: the next reading keeps the parts that stay. The caller is to be read again. */
  update(kept: unknown): void {
    if (kept === this.#kept) return;
    this.#kept = kept;
    this.state = DIRTY;
  }

  /** The one record whose object the whole answer is. */
  get entity(): EntityNode | undefined {
    const { value } = this;
    if (value === undefined) return undefined;
    return this.kids.find((kid): kid is EntityNode => kid instanceof EntityNode && kid.value === value);
  }

  read(graph: ViewGraph): unknown {
    if (this.state === CLEAN) return this.value;
    const kids: ViewNode[] = [];
    const kept = this.kept(graph, kids);
    const walk = new TreeWalk(graph, this, kids);
    const read = kept === undefined ? undefined : walk.run(this.schema, kept);
    const stay = new Set(kids);
    for (const old of this.kids) if (!stay.has(old)) release(old);
    setKids(this, kids);
    return this.show(graph, walk.isMissing ? undefined : reuse(this.value, read, valuesOf(kids)), false);
  }

  /** What is read; nodes that this was learned from go into `kids`. */
  protected kept(_graph: ViewGraph, _kids: ViewNode[]): unknown {
    return this.#kept;
  }
}

/** What a schema reads for arguments, without a response: asked again when what it was learned from has changed. */
export class KeyedView extends TreeView {
  constructor(schema: AnySchema, args: readonly unknown[]) {
    super(schema, undefined, args);
  }

  protected override kept(graph: ViewGraph, kids: ViewNode[]): unknown {
    return graph.queryKey(this.schema, this.args, kids);
  }
}

/** The lists and outputs of queries in a tree: they are kept by views of their own. */
function valuesOf(kids: readonly ViewNode[]): ReadonlySet<unknown> {
  const values = new Set<unknown>();
  for (const kid of kids) if (!(kid instanceof EntityNode)) values.add(kid.value);
  return values;
}

/** Reads a tree: entities and lists of entities become children of the view. */
class TreeWalk extends ContainerWalk {
  readonly #graph: ViewGraph;
  readonly #view: ViewNode;
  readonly #kids: ViewNode[];

  constructor(graph: ViewGraph, view: TreeView, kids: ViewNode[]) {
    super(
      false,
      (plan, reference) => {
        const node = graph.reference(plan, reference)!;
        this.#read(node);
        return node;
      },
      graph.strict,
      view.args,
    );
    this.#graph = graph;
    this.#view = view;
    this.#kids = kids;
  }

  protected override array(schema: readonly AnySchema[], values: readonly unknown[]): unknown {
    const [item] = schema;
    if (!isItem(item)) return super.array(schema, values);
    const before = this.#before();
    return this.#read(
      this.#graph.view(schema as AnySchema, values, this.args, before instanceof ListView ? before : undefined),
    );
  }

  protected override schemaObject(schema: SchemaObject, value: unknown): unknown {
    if (schema.view === undefined) return super.schemaObject(schema, value);
    const before = this.#before();
    return this.#read(this.#graph.view(schema, value, this.args, before instanceof DerivedView ? before : undefined));
  }

  protected override absent(schema: AnySchema): unknown {
    return looksAround(schema) ? this.schemaObject(schema, undefined) : super.absent(schema);
  }

  /** The child that stood here at the last reading. */
  #before(): ViewNode | undefined {
    return this.#view.kids[this.#kids.length];
  }

  #read(kid: ViewNode): unknown {
    this.#kids.push(kid);
    return kid.read(this.#graph);
  }
}
