import { type AnySchema, isEntity, type SchemaObject } from "../schemas/interface.ts";
import { All } from "../schemas/all.ts";
import { type Plan, planOf } from "../schemas/plan.ts";
import { Query } from "../schemas/query.ts";
import { ContainerWalk } from "./container_walk.ts";
import type { Graph } from "./graph.ts";
import { ListView } from "./list_view.ts";
import { CLEAN, DIRTY, EntityNode, setKids, ViewNode } from "./node.ts";
import { reuse } from "./reuse.ts";

/** What remains of a response of any shape, as a reader gets it: the containers in it are made again when one changed. */
export class TreeView extends ViewNode {
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

  read(graph: Graph): unknown {
    if (this.state === CLEAN) return this.value;
    const kids: ViewNode[] = [];
    const kept = this.kept(graph, kids);
    const walk = new TreeWalk(graph, this, kids);
    const read = kept === undefined ? undefined : walk.run(this.schema, kept);
    for (const old of this.kids) if (isPrivate(old) && !kids.includes(old)) release(old);
    setKids(this, kids);
    const value = walk.isMissing ? undefined : reuse(this.value, read, valuesOf(kids));
    this.state = CLEAN;
    if (value !== this.value) {
      this.value = value;
      this.version = graph.nextVersion();
    }
    return this.value;
  }

  /** What is read; nodes that this was learned from go into `kids`. */
  protected kept(_graph: Graph, _kids: ViewNode[]): unknown {
    return this.#kept;
  }
}

/** What a schema reads for arguments, without a response: asked again when what it was learned from has changed. */
export class KeyedView extends TreeView {
  constructor(schema: AnySchema, args: readonly unknown[]) {
    super(schema, undefined, args);
  }

  protected override kept(graph: Graph, kids: ViewNode[]): unknown {
    return graph.queryKey(this.schema, this.args, kids);
  }
}

/** A query: its `process` runs again only when the entries are others. */
export class QueryView extends ViewNode {
  readonly query: Query<never, readonly unknown[], unknown>;
  readonly args: readonly unknown[];
  /** What it reads. */
  source: ViewNode;
  /** For a query inside a response: what the response kept. */
  kept: unknown;
  #entries: unknown = undefined;

  constructor(query: QueryView["query"], source: ViewNode, args: readonly unknown[], kept: unknown) {
    super();
    this.query = query;
    this.source = source;
    this.args = args;
    this.kept = kept;
  }

  /** Another response. The caller is to be read again. */
  update(source: ViewNode, kept: unknown): void {
    this.source = source;
    this.kept = kept;
    this.state = DIRTY;
  }

  read(graph: Graph): unknown {
    if (this.state === CLEAN) return this.value;
    if (this.kids[0] !== this.source) setKids(this, [this.source]);
    const entries = this.source.read(graph);
    if (entries !== this.#entries) {
      const { process } = this.query;
      const isReady = entries !== undefined && entries !== null && process !== undefined;
      const output = isReady ? reuse(this.value, process(entries as never, ...this.args)) : entries;
      this.#entries = entries;
      if (!Object.is(output, this.value)) {
        this.value = output;
        this.version = graph.nextVersion();
      }
    }
    this.state = CLEAN;
    return this.value;
  }
}

/** Whether a view was made for one response only; entities, whole tables and constants are everybody's. */
function isPrivate(view: ViewNode): boolean {
  return view instanceof ListView || view instanceof TreeView || view instanceof QueryView;
}

/** The lists and outputs of queries in a tree: they are kept by views of their own. */
function valuesOf(kids: readonly ViewNode[]): ReadonlySet<unknown> {
  const values = new Set<unknown>();
  for (const kid of kids) if (!(kid instanceof EntityNode)) values.add(kid.value);
  return values;
}

/** Nobody needs the view of one response any more, nor those that it is made of: their edges die with it. */
export function release(view: ViewNode): void {
  if (!isPrivate(view)) return;
  const { kids } = view;
  view.release();
  for (const kid of kids) release(kid);
}

/** Reads a tree: entities and lists of entities become children of the view. */
class TreeWalk extends ContainerWalk {
  readonly args: readonly unknown[];
  readonly collecting = false;
  /** An entity that a member of an object refers to is not there: the whole has no data. */
  isMissing = false;
  readonly #graph: Graph;
  readonly #view: ViewNode;
  readonly #kids: ViewNode[];

  constructor(graph: Graph, view: TreeView, kids: ViewNode[]) {
    super(graph.strict);
    this.args = view.args;
    this.#graph = graph;
    this.#view = view;
    this.#kids = kids;
  }

  protected entity(plan: Plan, reference: string | object): unknown {
    return this.#read(this.#graph.reference(plan, reference)!);
  }

  protected override array(schema: readonly AnySchema[], values: readonly unknown[]): unknown {
    const [item] = schema;
    if (!isEntity(item)) return super.array(schema, values);
    const plan = planOf(item);
    const before = this.#before();
    if (!(before instanceof ListView) || before.plan !== plan) return this.#read(new ListView(plan, values));
    before.setRows(values);
    return this.#read(before);
  }

  protected override schemaObject(schema: SchemaObject, value: unknown): unknown {
    if (schema instanceof All) return this.#read(this.#graph.allOf(planOf(schema.entity)));
    if (!(schema instanceof Query)) return super.schemaObject(schema, value);
    const before = this.#before();
    if (before instanceof QueryView && before.query === schema && before.kept === value) return this.#read(before);
    const isSame = before instanceof QueryView && before.query === schema;
    return this.#read(this.#graph.view(schema, value, this.args, isSame ? before : undefined));
  }

  /** An All keeps nothing of a response, and neither does a query of one: they read the table. */
  protected override absent(schema: AnySchema): unknown {
    return schema instanceof All || schema instanceof Query
      ? this.schemaObject(schema, undefined)
      : super.absent(schema);
  }

  protected override missingMember(): void {
    this.isMissing = true;
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
