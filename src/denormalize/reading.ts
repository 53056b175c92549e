import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import type { EntityRecord, Plan } from "../schemas/plan.ts";
import { ContainerWalk } from "./container_walk.ts";
import {
  CLEAN,
  DIRTY,
  eachParent,
  EntityNode,
  isNeverHere,
  type MadeNode,
  READING,
  setKids,
  type ViewGraph,
  type ViewNode,
} from "./node.ts";
import { serialize } from "../schemas/subjects.ts";

type Members = Record<string, unknown>;

const NO_KIDS: readonly EntityNode[] = /* @__PURE__ */ Object.freeze([]);

/**
 * Reads a node that is dirty and all that it holds, in passes over one queue, so that cycles and depth need nothing of
 * their own:
 *
 * 1. *discover*: what each dirty node refers to, and so which others must be read;
 * 2. *settle*: what lacks something that it requires is incomplete, and so is what requires it (least fixed point);
 *    what was made of the same things as before keeps its object;
 * 3. *build*: an instance or a container for each node that needs a new one;
 * 4. *fill*: members that have a schema, and items.
 *
 * When user code throws (a constructor, `validate`, a serializer), every node of the queue is dirty again and has the
 * object that it had: no half-linked object is ever handed out, and what has not changed keeps its identity.
 */
class Reading {
  graph: ViewGraph | undefined = undefined;
  readonly queue: MadeNode[] = [];
  /** What a walk through the members of a record has met: the first `#count`. Emptied, an array would lose its room. */
  readonly #met: (EntityNode | undefined)[] = [];
  #count = 0;
  /** What such a walk is to meet, from `#next` on. */
  #kids: readonly EntityNode[] = NO_KIDS;
  #next = 0;
  readonly #collecting = new ContainerWalk(true, (plan, reference) => this.#meet(plan, reference));
  readonly #filling = [false, true].map((strict) => new ContainerWalk(false, () => this.#kids[this.#next++], strict));

  read(root: MadeNode): void {
    const { queue } = this;
    root.state = READING;
    queue.push(root);
    try {
      for (let i = 0; i < queue.length; i++) discover(this, queue[i]!);
      settleCompleteness(queue);
      settleChanges(queue);
      build(this);
    } catch (error) {
      for (const node of queue) {
        node.state = DIRTY;
        // Its kids may be those of the present record already.
        if (node.built !== node.content) node.built = undefined;
      }
      throw error;
    }
  }

  /** It is done, and keeps nothing alive. */
  end(): void {
    this.graph = undefined;
    // Emptied by its length it would lose its room, which most readings do not outgrow.
    if (this.queue.length > 64) this.queue.length = 0;
    else while (this.queue.length > 0) this.queue.pop();
    this.#kids = NO_KIDS;
  }

  #meet(plan: Plan, reference: unknown): void {
    const kid = this.graph!.reference(plan, reference);
    if (kid !== undefined) this.#met[this.#count++] = kid;
  }

  /** The entities that a record refers to: required ones first, then field by field. */
  kidsOf(node: EntityNode): readonly EntityNode[] {
    this.#count = 0;
    const record = node.content!;
    const { links } = node.plan;
    for (let i = 0; i < links.length; i++) {
      const { entity, kind, name, required, schema } = links[i]!;
      const value = record[name];
      if (value === undefined || value === null) continue;
      if (kind === "entity") this.#meet(entity!, value);
      else if (kind !== "list") this.#collecting.run(schema, value);
      else if (Array.isArray(value)) { for (let at = 0; at < value.length; at++) this.#meet(entity!, value[at]); }
      if (required) node.required = this.#count;
    }
    // A copy is exactly as long as it must be: one that grew by pushing has room for 17, and every node keeps one.
    const kids = this.#met.slice(0, this.#count) as EntityNode[];
    this.#met.fill(undefined, 0, this.#count);
    return kids;
  }

  /** Puts into an instance what a record refers to; it meets the children in the same order as before. */
  fillLinks({ kids, plan: { links }, value }: EntityNode, record: EntityRecord): void {
    this.#kids = kids as readonly EntityNode[];
    this.#next = 0;
    for (let i = 0; i < links.length; i++) {
      const field = links[i]!;
      const kept = record[field.name];
      if (kept !== undefined && kept !== null) {
        (value as Members)[field.name] = this.#filling[Number(this.graph!.strict)]!.field(field, kept);
      }
    }
  }
}

function discover(reading: Reading, node: MadeNode): void {
  const { content } = node;
  node.lacks = false;
  if (node.rows !== undefined) node.rows.isCompared = false;
  if (content === undefined) {
    node.complete = node.accepted = false;
    node.changed = node.value !== undefined;
    node.required = 0;
    setKids(node, NO_KIDS);
    return;
  }
  node.changed = content !== node.built;
  if (node.changed) {
    const wasAccepted = node.accepted;
    node.accepted = isAccepted(node);
    if (!wasAccepted || !node.accepted || !hasSameLinks(node)) {
      node.required = 0;
      const { kids, turned } = node;
      setKids(node, node.accepted ? kidsOf(reading, node) : NO_KIDS);
      node.turned = node.rows === undefined || turned === undefined ? undefined : grown(kids, turned, node.kids);
    }
  }
  node.complete = node.accepted;
  const { turned, kids } = node;
  // Counted: mostly none has turned, and until it is optimized, an iterator costs as much as a child.
  if (turned !== undefined) { for (let i = 0; i < turned.length; i++) visitKid(reading, node, turned[i]!); }
  // What is required and was missing then has not turned.
  const length = turned === undefined ? kids.length : node.required;
  for (let i = 0; i < length; i++) visitKid(reading, node, i);
}

/**
 * Of a list that has only grown it is known which of its children have turned. By itself: what a closure has is kept on
 * the heap, and would be paid for by every record.
 */
function grown(
  before: readonly ViewNode[],
  turned: readonly number[],
  after: readonly ViewNode[],
): number[] | undefined {
  if (!before.every((kid, at) => kid === after[at])) return undefined;
  const all = [...turned];
  for (let at = before.length; at < after.length; at++) all.push(at);
  return all;
}

function isAccepted(node: MadeNode): boolean {
  if (!(node instanceof EntityNode) || !node.plan.mayRefuse) return true;
  const { plan, content } = node;
  if (!plan.hasCreate) return !plan.entity.validate(content!);
  const instance = plan.create(content!);
  if (instance !== undefined) created.set(node, instance);
  return instance !== undefined;
}

/** What `createIfValid` made when it was asked whether it accepts a record, until the node is built. */
const created = new WeakMap<MadeNode, object>();

/** Whether two records refer to the same: then the children of a node are those that it has. */
function hasSameLinks(node: MadeNode): boolean {
  const { built, content, rows } = node;
  if (built === undefined || rows !== undefined) return false;
  const { links } = (node as EntityNode).plan;
  for (let i = 0; i < links.length; i++) {
    const { name } = links[i]!;
    if ((built as Members)[name] !== (content as Members)[name]) return false;
  }
  return true;
}

function kidsOf(reading: Reading, node: MadeNode): readonly EntityNode[] {
  if (node.rows !== undefined) return node.rows.kidsOf(reading.graph!, node);
  return (node as EntityNode).plan.nests ? reading.kidsOf(node as EntityNode) : NO_KIDS;
}

function visitKid({ queue }: Reading, node: MadeNode, index: number): void {
  const kid = node.kids[index] as MadeNode;
  // It was replaced since, whether or not this pass finds it changed once more.
  if (kid.version > node.version) node.changed = true;
  if (kid.state === DIRTY) {
    kid.state = READING;
    queue.push(kid);
  } else if (kid.state === CLEAN && index < node.required) needKid(node, kid, kid.value !== undefined);
}

/** Something that a node requires was read; `isThere`: it has an object. */
function needKid(node: MadeNode, kid: MadeNode, isThere: boolean): void {
  if (isThere ? kid.lacks : isNeverHere((kid as EntityNode).slot)) node.lacks = true;
  else if (!isThere) node.complete = false;
}

/**
 * What requires something incomplete is incomplete; what requires something that was never here, lacks it. Starts from
 * what is, so that a cycle alone makes nothing so.
 */
function settleCompleteness(queue: readonly MadeNode[]): void {
  let turned: MadeNode[] | undefined;
  for (let i = 0; i < queue.length; i++) {
    const node = queue[i]!;
    if (!node.complete || node.lacks) (turned ??= []).push(node);
  }
  if (turned !== undefined) spread(turned, turnComplete);
}

function turnComplete(node: MadeNode, kid: MadeNode, index: number): boolean {
  if (index >= node.required || !node.complete) return false;
  const { lacks } = node;
  needKid(node, kid, kid.complete);
  return node.lacks !== lacks || !node.complete;
}

/** What holds something that changed has changed. */
function settleChanges(queue: readonly MadeNode[]): void {
  let unchanged = 0;
  for (let i = 0; i < queue.length; i++) {
    const node = queue[i]!;
    if (node.complete !== (node.value !== undefined)) node.changed = true;
    // Nobody saw it, nobody sees it: whatever became of its record.
    else if (!node.complete) node.changed = false;
    // Also when an item is newer than the list: it may have been missing all the time.
    else if (node.rows !== undefined && node.changed) node.changed = !node.rows.isSame(node);
    if (!node.changed) unchanged++;
  }
  // At a first reading all of them have.
  if (unchanged > 0) spread(queue.filter((node) => node.changed), turnChanged);
}

function turnChanged(node: MadeNode, kid: MadeNode): boolean {
  // One that is incomplete has lost its object already, or had none: nobody sees what it holds.
  if (node.changed || !node.complete) return false;
  // A list that was compared knows what is missing.
  if (!kid.complete && node.rows?.isCompared) return false;
  return node.changed = true;
}

/** Goes up from nodes of the queue, as far as `turn` says that a parent has turned, too. */
function spread(turned: MadeNode[], turn: (node: MadeNode, kid: MadeNode, index: number) => boolean): void {
  for (let kid; (kid = turned.pop()) !== undefined;) {
    const from = kid;
    eachParent(from, (parent, index) => {
      if (parent.state === READING && turn(parent as MadeNode, from, index)) turned.push(parent as MadeNode);
    });
  }
}

function build(reading: Reading): void {
  const { queue } = reading;
  const graph = reading.graph!;
  const version = graph.nextVersion();
  let before: unknown[] | undefined;
  let made = 0;
  try {
    for (; made < queue.length; made++) {
      const node = queue[made]!;
      if (!node.changed) continue;
      const value = node.complete ? instanceOf(reading, node) : undefined;
      if (node.value !== undefined) (before ??= [])[made] = node.value;
      node.value = value;
    }
    for (let at = 0; at < queue.length; at++) {
      const node = queue[at]!;
      if (!node.changed || !node.complete) continue;
      if (node.rows === undefined) fill(reading, node as EntityNode, before?.[at] as Members | undefined);
      else node.rows.fill(node);
    }
  } catch (error) {
    for (let at = 0; at < made; at++) if (queue[at]!.changed) queue[at]!.value = before?.[at];
    throw error;
  }
  // Only now: until the last member is filled, a throw must find every node of the queue.
  for (let at = 0; at < queue.length; at++) {
    const node = queue[at]!;
    node.built = node.content;
    node.state = CLEAN;
    node.settle();
    if (!node.changed) continue;
    node.version = version;
    if (!graph.strict || !node.complete) continue;
    Object.freeze(node.value);
    if (node.lacks) graph.lacking(node as EntityNode);
  }
}

function instanceOf({ graph }: Reading, node: MadeNode): object {
  if (node.rows !== undefined) return node.rows.make(node);
  const { plan, slot, value } = node as EntityNode;
  let instance: object | undefined;
  if (plan.hasCreate) {
    // Asked again where only what the record refers to has changed.
    instance = created.get(node) ?? plan.create(slot.rec!);
    created.delete(node);
    if (instance === undefined || instance === value) throw new SchemaError(said(210, { key: plan.key, instance }));
  } else instance = plan.instantiate(slot.rec!);
  graph!.built(slot, instance);
  return instance;
}

function fill(reading: Reading, node: EntityNode, before: Members | undefined): void {
  const { links, serialized } = node.plan;
  const instance = node.value as Members;
  const record = node.content!;
  const built = node.built as EntityRecord | undefined;
  // It refers to what it did, and nothing of that has turned.
  if (before !== undefined && node.turned?.length === 0) {
    for (const { name } of links) {
      if (record[name] !== undefined && record[name] !== null) instance[name] = before[name];
    }
  } else if (links.length > 0) reading.fillLinks(node, record);
  for (let i = 0; i < serialized.length; i++) {
    const { name, schema } = serialized[i]!;
    const value = record[name];
    if (value === undefined || value === null) continue;
    instance[name] = before !== undefined && built?.[name] === value ? before[name] : serialize(schema, value);
  }
}

let idle: Reading | undefined;

/** Reads a node that is dirty. User code may read while it is asked for something: that is a reading of its own. */
export function readNode(graph: ViewGraph, root: MadeNode): void {
  const reading = idle ?? new Reading();
  idle = undefined;
  reading.graph = graph;
  try {
    reading.read(root);
  } finally {
    reading.end();
    idle = reading;
  }
}
