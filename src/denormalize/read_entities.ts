import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import type { EntityRecord, FieldPlan, Plan } from "../schemas/plan.ts";
import { isReference, isReferenceTo, serialize } from "./reference.ts";
import {
  CLEAN,
  DIRTY,
  eachParent,
  EntityNode,
  isNeverHere,
  READING,
  setKids,
  type ViewGraph,
  type ViewNode,
} from "./node.ts";
import type { RowsNode } from "../collections/rows_node.ts";
import { ContainerWalk } from "./container_walk.ts";

/**
 * Reads entities and all they embed, in four passes over one queue, so that cycles and depth need nothing of their own:
 *
 * 1. *discover*: what each dirty record refers to, and so which other nodes must be read;
 * 2. *settle*: what lacks something that it requires is incomplete, and so is what requires it (least fixed point);
 *    what was made of the same things as before keeps its object;
 * 3. *build*: an instance for each node that needs a new one;
 * 4. *fill*: members that have a schema.
 *
 * When user code throws (a constructor, `validate`, a serializer), every node of the queue is dirty again and has the
 * object that it had: no half-linked object is ever handed out, and what has not changed keeps its identity.
 */
function readEntities(graph: ViewGraph, roots: readonly EntityNode[]): void {
  const queue: EntityNode[] = [];
  for (const root of roots) enqueue(root, queue);
  readQueue(graph, queue);
}

/** The same of one that is dirty. Mostly all that it embeds is clean, and an array that is pushed to has room for 17. */
export function readEntity(graph: ViewGraph, root: EntityNode): void {
  root.state = READING;
  readQueue(graph, [root]);
}

function readQueue(graph: ViewGraph, queue: EntityNode[]): void {
  try {
    for (let i = 0; i < queue.length; i++) discover(graph, queue[i]!, queue);
    settleCompleteness(queue);
    settleChanges(queue);
    build(graph, queue);
  } catch (error) {
    for (const node of queue) {
      node.state = DIRTY;
      // Its kids may be those of the present record already.
      if (node.built !== node.slot.rec) node.built = undefined;
    }
    throw error;
  }
}

function enqueue(node: EntityNode, queue: EntityNode[]): void {
  if (node.state !== DIRTY) return;
  node.state = READING;
  queue.push(node);
}

function discover(graph: ViewGraph, node: EntityNode, queue: EntityNode[]): void {
  const { plan, slot: { rec } } = node;
  node.lacks = false;
  if (rec === undefined) {
    node.complete = false;
    node.accepted = false;
    node.changed = node.value !== undefined;
    node.required = 0;
    setKids(node, NO_LINKS);
    return;
  }
  node.changed = rec !== node.built;
  if (node.changed) {
    const wasAccepted = node.accepted;
    node.accepted = !plan.mayRefuse || (plan.hasCreate ? create(node, rec) : !plan.entity.validate(rec));
    if (!wasAccepted || !node.accepted || !hasSameLinks(plan, node.built, rec)) {
      node.required = 0;
      if (plan.rows !== undefined) setKids(node, node.accepted ? (node as RowsNode).kidsOf(graph, rec) : NO_LINKS);
      else setKids(node, node.accepted && plan.nests ? kidsOf(graph, node, rec) : NO_LINKS);
      node.turned = undefined;
    }
  }
  node.complete = node.accepted;
  const { turned } = node;
  if (turned !== undefined) {
    // Counted: mostly none has, and until it is optimized, an iterator costs as much as a child.
    for (let i = 0; i < turned.length; i++) visitKid(node, turned[i]!, queue);
    // What is required and was missing then has not turned.
    for (let i = 0; i < node.required; i++) visitKid(node, i, queue);
  } else {
    for (let i = 0; i < node.kids.length; i++) visitKid(node, i, queue);
  }
}

/** Whether two records refer to the same: then the children of a node are those that it has. */
function hasSameLinks(plan: Plan, before: EntityRecord | undefined, after: EntityRecord): boolean {
  if (before === undefined || plan.rows !== undefined) return false;
  const { links } = plan;
  for (let i = 0; i < links.length; i++) if (before[links[i]!.name] !== after[links[i]!.name]) return false;
  return true;
}

function visitKid(node: EntityNode, index: number, queue: EntityNode[]): void {
  const kid = node.kids[index] as EntityNode;
  // It was replaced since, whether or not this pass finds it changed once more.
  if (kid.version > node.version) node.changed = true;
  if (kid.state === DIRTY) enqueue(kid, queue);
  else if (kid.state === CLEAN && index < node.required) needKid(node, kid, kid.value !== undefined);
}

/** Something that a node requires was read; `isThere`: it has an object. */
function needKid(node: EntityNode, kid: EntityNode, isThere: boolean): void {
  if (isThere ? kid.lacks : isNeverHere(kid.slot)) node.lacks = true;
  else if (!isThere) node.complete = false;
}

const NO_LINKS: readonly EntityNode[] = /* @__PURE__ */ Object.freeze([]);

/** What `createIfValid` made when it was asked whether it accepts a record, until the node is built. */
const created = new WeakMap<EntityNode, Record<string, unknown>>();

/** Asks the class itself for the instance; whether it gave one. */
function create(node: EntityNode, record: EntityRecord): boolean {
  const instance = node.plan.create(record);
  if (instance !== undefined) created.set(node, instance);
  return instance !== undefined;
}

/** The instance that the class itself made. It is asked again where only what the record refers to has changed. */
function takeCreated(node: EntityNode): Record<string, unknown> {
  const { plan, slot } = node;
  const instance = created.get(node) ?? plan.create(slot.rec!);
  created.delete(node);
  if (instance === undefined || instance === node.value) {
    throw new SchemaError(said(210, { key: plan.key, instance }));
  }
  return instance;
}

/** The entities that a record refers to: required ones first, then field by field. */
function kidsOf(graph: ViewGraph, node: EntityNode, record: EntityRecord): EntityNode[] {
  const { links } = node.plan;
  // Exactly as long as it must be: one that grew by pushing has room for 17, and every node keeps one.
  const kids = new Array<EntityNode>(countOf(links, record));
  let found = 0;
  for (let i = 0; i < links.length; i++) {
    const field = links[i]!;
    const value = record[field.name];
    if (value === undefined || value === null) continue;
    if (field.kind === "entity" || field.kind === "pick") {
      const kid = field.kind === "entity" ? graph.reference(field.entity!, value) : graph.item(field.schema, value);
      if (kid === undefined) continue;
      kids[found++] = kid;
      if (field.required) node.required++;
    } else if (field.kind === "list") {
      // Not a list: `merge` has made it so.
      if (!Array.isArray(value)) continue;
      for (let at = 0; at < value.length; at++) {
        const kid = graph.reference(field.entity!, value[at]);
        if (kid !== undefined) kids[found++] = kid;
      }
    } else {
      kids.length = found;
      meetContainer(graph, field, value, kids);
      found = kids.length;
    }
  }
  if (found < kids.length) kids.length = found;
  return kids;
}

/** By itself: variables that a closure has are kept on the heap, and paid for by every record. */
function meetContainer(graph: ViewGraph, { schema }: FieldPlan, value: unknown, kids: EntityNode[]): void {
  new ContainerWalk(true, (plan, reference) => {
    kids.push(graph.reference(plan, reference)!);
  }).run(schema, value);
}

/** How many references a record has at most, those in containers not counted. */
function countOf(links: readonly FieldPlan[], record: EntityRecord): number {
  let count = 0;
  for (let i = 0; i < links.length; i++) {
    const { kind, name } = links[i]!;
    const value = record[name];
    if (value === undefined || value === null) continue;
    if (kind === "entity" || kind === "pick") count++;
    else if (kind === "list" && Array.isArray(value)) count += value.length;
  }
  return count;
}

/**
 * What requires something incomplete is incomplete; what requires something that was never here, lacks it. Starts from
 * what is, so that a cycle alone makes nothing so.
 */
function settleCompleteness(queue: readonly EntityNode[]): void {
  let spread: EntityNode[] | undefined;
  for (let i = 0; i < queue.length; i++) {
    const node = queue[i]!;
    if (!node.complete || node.lacks) (spread ??= []).push(node);
  }
  if (spread !== undefined) spreadCompleteness(spread);
}

function spreadCompleteness(spread: EntityNode[]): void {
  while (spread.length > 0) {
    const kid = spread.pop()!;
    eachParent(kid, (parent, index) => {
      if (parent.state !== READING || index >= (parent as EntityNode).required) return;
      const { complete, lacks } = parent as EntityNode;
      if (!complete) return;
      needKid(parent as EntityNode, kid, kid.complete);
      if ((parent as EntityNode).lacks !== lacks || !(parent as EntityNode).complete) spread.push(parent as EntityNode);
    });
  }
}

/** What holds something that changed has changed. */
function settleChanges(queue: readonly EntityNode[]): void {
  let unchanged = 0;
  for (let i = 0; i < queue.length; i++) {
    const node = queue[i]!;
    if (node.complete !== (node.value !== undefined)) node.changed = true;
    // Nobody saw it, nobody sees it: whatever became of its record.
    else if (!node.complete) node.changed = false;
    else if (node.plan.rows !== undefined && (node.changed || node.built !== node.slot.rec)) {
      // Also when an item is newer than the list: it may have been missing all the time.
      node.changed = !(node as RowsNode).isSame();
    }
    if (!node.changed) unchanged++;
  }
  if (unchanged > 0) spreadChanges(queue.filter((node) => node.changed));
}

function spreadChanges(spread: EntityNode[]): void {
  while (spread.length > 0) {
    const kid = spread.pop()!;
    eachParent(kid, (parent) => {
      // One that is incomplete has lost its object already, or had none: nobody sees what it holds.
      if (parent.state !== READING || (parent as EntityNode).changed || !(parent as EntityNode).complete) return;
      // A list that was compared knows what is missing.
      if (!kid.complete && (parent as RowsNode).isCompared) return;
      (parent as EntityNode).changed = true;
      spread.push(parent as EntityNode);
    });
  }
}

function build(graph: ViewGraph, queue: readonly EntityNode[]): void {
  const version = graph.nextVersion();
  let before: (object | undefined)[] | undefined;
  let made = 0;
  try {
    for (; made < queue.length; made++) {
      const node = queue[made]!;
      if (!node.changed) continue;
      const instance = !node.complete
        ? undefined
        : node.plan.hasCreate
        ? takeCreated(node)
        : node.plan.rows === undefined
        ? node.plan.instantiate(node.slot.rec!)
        : (node as RowsNode).make(node.value);
      if (node.value !== undefined) {
        (before ??= new Array<object | undefined>(queue.length))[made] = node.value as object;
      }
      node.value = instance;
      if (instance !== undefined) graph.built(node.slot, instance);
    }
    for (let i = 0; i < queue.length; i++) {
      const node = queue[i]!;
      if (!node.changed || !node.complete) continue;
      if (node.plan.rows === undefined) fill(graph, node, before?.[i] as Record<string, unknown> | undefined);
      else (node as RowsNode).fill();
    }
  } catch (error) {
    for (let i = 0; i < made; i++) if (queue[i]!.changed) queue[i]!.value = before?.[i];
    throw error;
  }
  // Only now: until the last member is filled, a throw must find every node of the queue.
  for (let i = 0; i < queue.length; i++) {
    const node = queue[i]!;
    if (node.changed) node.version = version;
    node.built = node.slot.rec;
    node.state = CLEAN;
    node.settle();
    if (!graph.strict || !node.changed || !node.complete) continue;
    Object.freeze(node.value);
    if (node.lacks) graph.lacking(node);
  }
}

function fill(graph: ViewGraph, node: EntityNode, before: Record<string, unknown> | undefined): void {
  const { plan } = node;
  const instance = node.value as Record<string, unknown>;
  const record = node.slot.rec!;
  // It refers to what it did, and nothing of that has turned.
  if (before !== undefined && node.turned?.length === 0) {
    for (const { name } of plan.links) {
      if (record[name] !== undefined && record[name] !== null) instance[name] = before[name];
    }
  } else fillLinks(graph, node);
  const { serialized } = plan;
  for (let i = 0; i < serialized.length; i++) {
    const field = serialized[i]!;
    const value = record[field.name];
    if (value === undefined || value === null) continue;
    instance[field.name] = before !== undefined && node.built?.[field.name] === value
      ? before[field.name]
      : serialize(field.schema, value);
  }
}

function fillLinks(graph: ViewGraph, { plan, kids, value: made, slot }: EntityNode): void {
  const instance = made as Record<string, unknown>;
  const record = slot.rec!;
  const { links } = plan;
  let cursor = 0;
  for (let at = 0; at < links.length; at++) {
    const field = links[at]!;
    const value = record[field.name];
    if (value === undefined || value === null) continue;
    let filled: unknown;
    if (field.kind === "entity" || field.kind === "pick") {
      if (field.kind === "entity" ? !isReference(value) : !isReferenceTo(field.schema, value)) continue;
      filled = kids[cursor++]!.value;
    } else if (field.kind === "list") {
      if (!Array.isArray(value)) continue;
      // The pks give way to the members: no room is left over.
      const list: unknown[] = value.slice();
      let kept = 0;
      for (let i = 0; i < list.length; i++) {
        const member = isReference(list[i]) ? kids[cursor++]!.value : list[i];
        if (member !== undefined) list[kept++] = member;
      }
      if (kept < list.length) list.length = kept;
      filled = graph.strict ? Object.freeze(list) : list;
    } else {
      // It meets them in the same order as before.
      const met = { kids: kids as readonly EntityNode[], at: cursor };
      filled = fillContainer(graph, field, value, met);
      cursor = met.at;
    }
    instance[field.name] = filled;
  }
}

function fillContainer(
  { strict }: ViewGraph,
  { schema }: FieldPlan,
  value: unknown,
  met: { readonly kids: readonly EntityNode[]; at: number },
): unknown {
  return new ContainerWalk(false, () => met.kids[met.at++], strict).run(schema, value);
}

/** For callers that have nodes of any kind: reads those that are dirty entities in one pass, the others one by one. */
export function readNodes(graph: ViewGraph, nodes: readonly ViewNode[]): void {
  const entities: EntityNode[] = [];
  for (const node of nodes) {
    if (node.state !== DIRTY) continue;
    if (node instanceof EntityNode) entities.push(node);
    else node.read(graph);
  }
  if (entities.length > 0) readEntities(graph, entities);
}
