import { isMet } from "../schemas/containers.ts";
import type { AnySchema } from "../schemas/interface.ts";
import type { EntityRecord, Fields, Plan } from "../schemas/plan.ts";

/**
 * A remembered answer and what it was made of.
 *
 * ```
 *      list ──kids[0]──▶ article 5 ──kids[0]──▶ user 1
 *        ▲                 │  ▲                  │
 *        └── (list, 0) ────┘  └── (article 5, 0)─┘      edges back: (parent, index)
 * ```
 *
 * An edge lives on the child and is *live* while `parent.kids[index]` is that child: nothing is removed when a parent
 * changes, a dead edge is passed over and swept now and then.
 *
 * Invariant: what is dirty has only dirty ancestors, so that making dirty stops at the first node that is dirty already.
 */
export abstract class ViewNode {
  /** The answer, valid while the node is clean; the last answer while it is dirty. */
  declare value: unknown;
  declare state: NodeState;
  /** The reading in which `value` was last replaced; a child with a later one has changed since. */
  declare version: number;
  declare kids: readonly ViewNode[];
  /** Of a record: its next node, of another class. */
  declare sibling: EntityNode | undefined;
  /** Who is told after a commit that gave this node another value. */
  declare watchers: Watcher | Set<Watcher> | undefined;
  /** The first edge; the others follow in `more` as parent, index, parent, index … */
  declare parent: ViewNode | undefined;
  declare index: number;
  declare more: (ViewNode | number)[] | undefined;
  /** It was made for one other view, and goes with it. */
  declare isOwned: boolean | undefined;
  /** When it was last asked for, by the count of such: see `Graph.use`. 0: it never was by itself. */
  declare seen: number;

  /** Assigns what fields would define: of a class with many subclasses, engines make that several times slower. */
  constructor() {
    // What is looked at to make it dirty comes first, side by side in memory.
    this.state = DIRTY;
    this.sibling = undefined;
    this.watchers = undefined;
    this.parent = undefined;
    this.index = 0;
    this.more = undefined;
    this.value = undefined;
    this.version = 0;
    this.kids = NO_KIDS;
    this.seen = 0;
  }

  /** The answer, made again where something changed. */
  abstract read(graph: ViewGraph): unknown;

  /** A child that is at this position of `kids` turned dirty. */
  kidTurned(_index: number): void {}

  /** Nobody needs this view any more: its edges are dead. Whoever still holds it and reads it makes it anew. */
  release(): void {
    this.kids = NO_KIDS;
    this.state = DIRTY;
  }
}

/** Is told after a commit that gave a view another answer. */
export type Watcher = (() => void) | {
  /** The view has another answer. */
  told(): void;
};

/** Clean: `value` holds. Dirty: something below changed. Reading: in the pass that is running. */
export type NodeState = typeof CLEAN | typeof DIRTY | typeof READING;
export const CLEAN = 0;
export const DIRTY = 1;
export const READING = 2;

/** Frozen, for it is shared: a push into it would put foreign rows into every view. */
export const NO_KIDS: readonly ViewNode[] = /* @__PURE__ */ Object.freeze([]);

/** Where a record is kept, as the graph sees it. */
export interface RecordSlot {
  /** `undefined`: it has none, and is kept in place. */
  readonly pk?: string;
  /** The record; `undefined` when it was never here or is deleted. */
  rec: EntityRecord | undefined;
  /** There was a record. */
  readonly isDeleted?: boolean;
  /** The nodes that were read from it: one per class, chained by `sibling`. */
  node: EntityNode | undefined;
}

/** Where a graph finds records. */
export interface RecordSource {
  /** The slot of one record; made when it is unknown, so that whoever reads it is told when it arrives. */
  slot(plan: Plan, pk: string): RecordSlot;
  /** Every slot of a table in order of arrival, empty ones too; `undefined` while the table is not known. */
  slots(plan: Plan): Iterable<RecordSlot> | undefined;
  /** What is known of the members of a class there; without it, what the class says. */
  fieldsOf?(plan: Plan): Fields;
}

const NONE_TURNED: unknown[] = [];

/** Whether nothing is known of a record: a reference to it reads `undefined`, and hides nothing. */
export function isNeverHere({ rec, isDeleted }: Pick<RecordSlot, "rec" | "isDeleted">): boolean {
  return rec === undefined && !isDeleted;
}

/** The graph that a view is of, as the view sees it when it is read. */
export interface ViewGraph {
  /** Freeze what is handed out. */
  readonly strict: boolean;
  /** A number that no answer has yet. */
  nextVersion(): number;
  /** The node of a record as one class sees it. */
  nodeOf(plan: Plan, slot: RecordSlot): EntityNode;
  /** What is known of the members of a class. */
  fieldsOf(plan: Plan): Fields;
  /** The pk that arguments name: a pk by itself, or members that make one. */
  pkOf(plan: Plan, args: readonly unknown[]): string | undefined;
  /** The node that a reference names. */
  reference(plan: Plan, value: unknown): EntityNode;
  /** The node of an item of a list; `undefined` for what is no reference. */
  item(item: AnySchema, kept: unknown): EntityNode | undefined;
  /** Makes what is dirty, and all that it embeds. */
  make(node: MadeNode): void;
  /** Gets each object that is made of a record, where somebody wants to know. */
  readonly built: ((slot: RecordSlot, instance: object) => void) | undefined;
  /** Gets each object that lacks something which its class requires. */
  readonly lacking: ((node: EntityNode) => void) | undefined;
  /** What a schema would read for arguments; the nodes that this was learned from go into `kids`. */
  queryKey(schema: AnySchema, args: readonly unknown[], kids: ViewNode[]): unknown;
  /** A view of what a response left; `before` is brought up to date, or released. */
  view(schema: AnySchema, kept: unknown, args: readonly unknown[], before?: ViewNode): ViewNode;
  /** The view of what a schema reads for arguments. */
  query(schema: AnySchema, args: readonly unknown[]): ViewNode;
  /** The view of what an endpoint would answer, from records that others brought. */
  inferred(schema: AnySchema, args: readonly unknown[]): ViewNode;
  /** The one view of the records whose member has a value; without a member, of all of a table. */
  bucket(plan: Plan, member?: string, value?: unknown): ViewNode;
}

/** What is made in one reading with all that it holds: of a record, or of entities in a row. */
export abstract class MadeNode extends ViewNode {
  /** Of rows: what each is, an entity class or a schema object that picks one of several. */
  readonly item: AnySchema;
  /** The answer before the reading that is running. */
  before: unknown = undefined;
  /** What `value` was made of. */
  built: unknown = undefined;
  /** How many of the first `kids` the class requires. */
  required = 0;
  /** Something that it requires was never here, or lacks something itself. */
  lacks = false;
  /**
   * Of rows: position and value, as it was until then, of each child that turned dirty since the last reading. Of a record:
   * empty, none did. `undefined`: look at all of them.
   */
  turned: unknown[] | undefined = undefined;

  constructor(item: AnySchema) {
    super();
    this.item = item;
  }

  /** What it is to be made of: a record, or items; `undefined`: there is nothing. */
  abstract get content(): unknown;

  /** The child for an item. */
  kidOf(graph: ViewGraph, kept: unknown): ViewNode {
    return graph.item(this.item, kept) ?? new ConstNode(kept);
  }

  override kidTurned(index: number): void {
    const { kids, turned } = this;
    if (turned === undefined) return;
    if (turned === NONE_TURNED || turned.length > kids.length) this.turned = undefined;
    else turned.push(index, kids[index]!.value);
  }

  /** It was read: from now on the children that turn are noted. */
  settle(): void {
    this.turned = this.item === undefined ? NONE_TURNED : [];
  }

  override read(graph: ViewGraph): unknown {
    if (this.state === DIRTY) graph.make(this);
    return this.value;
  }
}

/** One record as an object of one class. */
export class EntityNode extends MadeNode {
  readonly plan: Plan;
  slot: RecordSlot;

  constructor(plan: Plan, slot: RecordSlot, sibling: EntityNode | undefined) {
    super(plan.rows?.item);
    this.plan = plan;
    this.slot = slot;
    this.sibling = sibling;
  }

  get content(): EntityRecord | undefined {
    return this.slot.rec;
  }
}

/** A value that never changes: `null` in a list, a response without a schema. */
export class ConstNode extends ViewNode {
  constructor(value: unknown) {
    super();
    this.value = value;
    this.state = CLEAN;
  }

  read(): unknown {
    return this.value;
  }
}

/** What has nothing to read: one for all. */
export const NOTHING: ConstNode = /* @__PURE__ */ new ConstNode(undefined);

/** Where a list of edges has grown to one of these lengths, dead ones are looked for: 64, 256, 1,024 … */
const SWEEP_AT = 0x55555540;

/** Edges up to which those that are there twice, because a child was taken out and put back, are not worth looking for. */
const DEDUPE_FROM = 1_024;

/** Makes `kids` those of a node: an edge is added only where a child is new at its position. */
export function setKids(parent: ViewNode, kids: readonly ViewNode[]): void {
  const before = parent.kids;
  parent.kids = kids;
  for (let i = 0; i < kids.length; i++) if (before[i] !== kids[i]) link(kids[i]!, parent, i);
}

/** Adds the edge of one child; the child must stand at that position of `parent.kids`. */
export function link(kid: ViewNode, parent: ViewNode, index: number): void {
  if (kid instanceof ConstNode) return;
  if (kid.parent === undefined || (kid.parent.kids[kid.index] !== kid)) {
    kid.parent = parent;
    kid.index = index;
    return;
  }
  // It was taken out and put back: its edge lives again.
  if (kid.parent === parent && kid.index === index) return;
  const more = kid.more ??= [];
  if ((more.length & SWEEP_AT) !== 0 && (more.length & (more.length - 1)) === 0) sweep(kid, more);
  more.push(parent, index);
}

/** Forgets the dead edges of a node: they would keep what its former parents hold. */
export function dropDeadEdges(kid: ViewNode): void {
  const { more } = kid;
  if (more !== undefined) sweep(kid, more);
  if (kid.parent?.kids[kid.index] !== kid) {
    // What has no first edge has none: who looks whether there is one looks there.
    kid.index = (more?.pop() ?? 0) as number;
    kid.parent = more?.pop() as ViewNode | undefined;
  }
  if (more?.length === 0) kid.more = undefined;
}

/** Drops dead edges. The list grows to four times the length before it is looked at again: a third of a look per edge. */
function sweep(kid: ViewNode, more: (ViewNode | number)[]): void {
  let kept = 0;
  const seen = more.length < DEDUPE_FROM ? undefined : new Map<ViewNode, Set<number>>();
  for (let i = 0; i < more.length; i += 2) {
    const parent = more[i] as ViewNode;
    const index = more[i + 1] as number;
    if (parent.kids[index] !== kid) continue;
    if (seen !== undefined && isMet(seen, parent, index)) continue;
    more[kept++] = parent;
    more[kept++] = index;
  }
  more.length = kept;
}

/**
 * Marks a node and everything that is made of it, up to what is dirty already.
 *
 * @param start The node of a record that was replaced.
 * @param told Gets the watched nodes that became dirty.
 */
export function makeDirty(start: ViewNode, told: ViewNode[]): void {
  if (start.state === DIRTY) return;
  start.state = DIRTY;
  // Most nodes have one parent: only what forks is kept for later.
  let later: ViewNode[] | undefined;
  for (let node: ViewNode | undefined = start; node !== undefined;) {
    if (node.watchers !== undefined) told.push(node);
    const parent: ViewNode | undefined = node.parent;
    const { more } = node;
    let next: ViewNode | undefined = undefined;
    if (more !== undefined) {
      for (let i = 0; i < more.length; i += 2) {
        const other = more[i] as ViewNode;
        if (turns(node, other, more[i + 1] as number)) (later ??= []).push(other);
      }
    }
    if (parent !== undefined && turns(node, parent, node.index)) next = parent;
    node = next ?? later?.pop();
  }
}

/** Tells a parent that a child turned. Whether it turned by that itself. */
function turns(kid: ViewNode, parent: ViewNode, index: number): boolean {
  if (parent.kids[index] !== kid) return false;
  parent.kidTurned(index);
  if (parent.state === DIRTY) return false;
  parent.state = DIRTY;
  return true;
}

/** Visits the live edges of a node. */
export function eachParent(kid: ViewNode, visit: (parent: ViewNode, index: number) => void): void {
  if (kid.parent !== undefined && kid.parent.kids[kid.index] === kid) visit(kid.parent, kid.index);
  const { more } = kid;
  if (more === undefined) return;
  for (let i = 0; i < more.length; i += 2) {
    const parent = more[i] as ViewNode;
    const index = more[i + 1] as number;
    if (parent.kids[index] === kid) visit(parent, index);
  }
}

/** Whether a view is made of a node. */
export function hasParent(kid: ViewNode): boolean {
  let found = false;
  eachParent(kid, () => found = true);
  return found;
}
