import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";
import type { SchemaObject } from "../schemas/interface.ts";
import type { EntityRecord, Fields, Plan } from "../schemas/plan.ts";
import { serialize } from "../schemas/subjects.ts";
import { belowFirst } from "./below_first.ts";
import { ContainerWalk } from "./container_walk.ts";
import {
  CLEAN,
  DIRTY,
  eachParent,
  type EntityNode,
  isNeverHere,
  type MadeNode,
  NO_KIDS,
  READING,
  setKids,
  type ViewGraph,
  type ViewNode,
} from "./node.ts";
import { fillRows, itemsOf, kidsOfRows } from "./rows.ts";

type Members = Record<string, unknown>;

/**
 * Reads a node that is dirty and all that it holds, over one queue, so that cycles and depth need nothing of their own.
 * An object exists as soon as its record is met, and its members are put in when its turn comes. What was made of the
 * same record before keeps its object, until it is known that something in it is another.
 *
 * What then turns out to be other than who holds it has taken (it lacks something that it requires, or is made again) is
 * told upward, and who holds it is filled once more: the least fixed point, so that a cycle alone makes nothing so.
 *
 * When user code throws (a constructor, `validate`, a serializer), every node of the queue is dirty again and has the
 * object that it had: no half-linked object is ever handed out, and what has not changed keeps its identity.
 */
export class Reading {
  readonly #graph: ViewGraph;
  readonly #walk: ContainerWalk;
  /** Only meets what is below. */
  readonly #collecting: ContainerWalk;
  /** What is made, who refers to it first. */
  readonly #queue: MadeNode[] = [];
  /** What became other than its holders may have taken. */
  readonly #late: MadeNode[] = [];
  /** Rows that are to be filled when their items are settled. */
  readonly #rows = new Set<MadeNode>();
  /** Objects that are to be filled once more. */
  readonly #again = new Set<EntityNode>();
  /** Objects with members that are computed. */
  readonly #computed = new Set<EntityNode>();
  /** Whose members are walked, and what was met there: the first `#count`. */
  #node: MadeNode | undefined = undefined;
  readonly #met: EntityNode[] = [];
  #count = 0;
  /** What is met is known: it is `kids` of the node. */
  #isKnown = false;
  #isRequired = false;

  constructor(graph: ViewGraph) {
    this.#graph = graph;
    this.#walk = new ContainerWalk(false, (plan, reference) => this.#meet(plan, reference), graph.strict);
    this.#collecting = new ContainerWalk(true, (plan, reference) => void this.#meet(plan, reference));
  }

  /** Reads a node. */
  run(root: MadeNode): void {
    const queue = this.#queue;
    try {
      this.#enter(root);
      for (let at = 0; at < queue.length; at++) this.#discover(queue[at]!);
      this.#settle();
      for (let at = 0; at < queue.length; at++) {
        const node = queue[at]!;
        if (node.value !== node.before || node.value === undefined || node.item !== undefined) continue;
        if (hasOther(node)) this.#turn(node);
      }
      this.#settle();
      for (const rows of this.#rows) {
        this.#rows.delete(rows);
        const { value } = rows;
        fillRows(rows);
        if (rows.value === value) continue;
        this.#late.push(rows);
        this.#settle();
      }
      for (const node of this.#again) {
        this.#again.delete(node);
        if (node.value !== undefined) this.#fill(node, true);
      }
      if (this.#computed.size > 0) this.#compute();
    } catch (error) {
      for (const node of queue) {
        node.state = DIRTY;
        node.value = node.before;
        // Its kids may be those of the present record already.
        if (node.built !== node.content) node.built = undefined;
      }
      throw error;
    }
    const { strict } = this.#graph;
    const version = this.#graph.nextVersion();
    for (let at = 0; at < queue.length; at++) {
      const node = queue[at]!;
      node.state = CLEAN;
      node.built = node.content;
      node.settle();
      if (node.value === node.before) continue;
      node.before = node.value;
      node.version = version;
      if (!strict || node.value === undefined) continue;
      Object.freeze(node.value);
      if (node.lacks) this.#graph.lacking?.(node as EntityNode);
    }
    // It keeps nothing alive.
    empty(queue);
    empty(this.#met);
    this.#node = undefined;
  }

  /** A node was met: its value exists from now on, whatever is still to be put into it. */
  #enter(node: MadeNode): void {
    if (node.state !== DIRTY) return;
    node.state = READING;
    this.#queue.push(node);
    node.lacks = false;
    const { content, value } = node;
    if (content === undefined) node.value = undefined;
    else if (node.item !== undefined) node.value = itemsOf(node) && (value ?? []);
    else if (value === undefined || content !== node.built) node.value = this.#instanceOf(node as EntityNode);
  }

  /** Enters what a node refers to, and fills it where it is new. */
  #discover(node: MadeNode): void {
    const { built, content, turned, value } = node;
    if (value === undefined) {
      node.required = 0;
      setKids(node, NO_KIDS);
    } else if (node.item !== undefined) {
      this.#rows.add(node);
      if (content === built && turned !== undefined) {
        for (let at = 0; at < turned.length; at += 2) this.#enter(node.kids[turned[at] as number] as MadeNode);
        return;
      }
      if (content !== built) setKids(node, kidsOfRows(this.#graph, node));
      const { kids } = node;
      for (let at = 0; at < kids.length; at++) this.#enter(kids[at] as MadeNode);
    } else if (value !== node.before) this.#fill(node as EntityNode, content === built);
    else {
      const { kids, required } = node;
      for (let at = 0; at < kids.length; at++) {
        this.#enter(kids[at] as MadeNode);
        if (at < required) this.#need(node, kids[at] as EntityNode);
      }
    }
  }

  /** A new object for a record; `undefined` where its class refuses it. */
  #instanceOf({ before, built, plan, slot }: EntityNode): object | undefined {
    const record = slot.rec!;
    const instance = plan.make(record);
    if (plan.hasCreate && before !== undefined && (instance === undefined ? built === record : instance === before)) {
      throw new SchemaError(said(210, { key: plan.key, instance }));
    }
    if (instance === undefined) return undefined;
    if (!plan.hasCreate) { for (const name of this.#graph.fieldsOf(plan).hidden ?? []) instance[name] = undefined; }
    this.#graph.built?.(slot, instance);
    return instance;
  }

  /**
   * Puts into an object what its record refers to, and what functions make of members.
   *
   * @param isKnown The children are those that the record refers to.
   */
  #fill(node: EntityNode, isKnown: boolean): void {
    const { links, serialized } = node.plan.fields;
    const instance = node.value as Members;
    const before = node.before as Members | undefined;
    const built = node.built as EntityRecord | undefined;
    const record = node.content!;
    if (before !== undefined && node.turned !== undefined && hasSame(links, built, record)) {
      // It refers to what it did, and nothing of that has turned.
      for (const { name } of links) {
        if (record[name] !== undefined && record[name] !== null) instance[name] = before[name];
      }
      for (let at = 0; at < node.required; at++) this.#need(node, node.kids[at] as EntityNode);
    } else if (links.length > 0) {
      this.#node = node;
      this.#count = 0;
      this.#isKnown = isKnown;
      if (!isKnown) node.required = 0;
      for (let at = 0; at < links.length; at++) {
        const field = links[at]!;
        const kept = record[field.name];
        if (kept === undefined || kept === null) continue;
        this.#isRequired = field.required;
        if (typeof kept === "object" && (field.schema as SchemaObject).isCollection && node.slot.pk !== undefined) {
          this.#lack(node);
        }
        if (field.kind === "computed") {
          this.#computed.add(node);
          instance[field.name] = (node.plan.entity.defaults as Members)[field.name];
          this.#collecting.run(field.schema, kept);
        } else instance[field.name] = this.#walk.field(field, kept);
        if (field.required) node.required = this.#count;
      }
      // A copy is exactly as long as it must be: one that grew by pushing has room for 17, and every node keeps one.
      if (!isKnown) setKids(node, this.#met.slice(0, this.#count));
    }
    for (let at = 0; at < serialized.length; at++) {
      const { name, schema } = serialized[at]!;
      const kept = record[name];
      if (kept === undefined || kept === null) continue;
      instance[name] = before !== undefined && built?.[name] === kept ? before[name] : serialize(schema, kept);
    }
  }

  /** Fills in what is computed, when all else is there: that below first. */
  #compute(): void {
    const walk = new ContainerWalk(false, (plan, kept) => this.#graph.reference(plan, kept), this.#graph.strict);
    const made = ({ kids }: ViewNode) => kids.filter(({ state }) => state === READING);
    belowFirst<ViewNode>(this.#computed, made, (node) => {
      const { content, plan, value } = node as EntityNode;
      if (value !== undefined) walk.compute(plan, content!, value as Members);
    });
    this.#computed.clear();
  }

  #meet(plan: Plan, reference: unknown): EntityNode {
    const node = this.#node!;
    const kid = this.#isKnown ? node.kids[this.#count] as EntityNode : this.#graph.reference(plan, reference)!;
    this.#met[this.#count++] = kid;
    this.#enter(kid);
    if (this.#isRequired) this.#need(node, kid);
    if (kid.slot.pk === undefined && this.#graph.pkOf(plan, [reference]) !== undefined) this.#lack(node);
    return kid;
  }

  /** A class wrote the record that does not know a member: what is there is no reference, and nobody tells it of changes. */
  #lack(node: MadeNode): void {
    node.lacks = true;
    this.#late.push(node);
  }

  /** A node requires another: without it, it has no object; of one that was never here, it notes that. */
  #need(node: MadeNode, kid: EntityNode): void {
    const { lacks } = node;
    if (kid.value === undefined ? isNeverHere(kid.slot) : kid.lacks) node.lacks = true;
    else if (kid.value === undefined) node.value = undefined;
    if (node.value === undefined || node.lacks !== lacks) this.#late.push(node);
  }

  /** Something in it is another: so is it. */
  #turn(node: MadeNode): void {
    node.value = this.#instanceOf(node as EntityNode);
    this.#late.push(node);
    this.#again.add(node as EntityNode);
  }

  /** Tells upward what became other than who holds it has taken. */
  #settle(): void {
    for (let kid; (kid = this.#late.pop()) !== undefined;) {
      const from = kid;
      eachParent(from, (parent, index) => {
        const node = parent as MadeNode;
        if (node.state !== READING || node.value === undefined) return;
        if (index < node.required) this.#need(node, from as EntityNode);
        if (node.item !== undefined) this.#rows.add(node);
        else if (node.value === undefined) return;
        else if (node.value !== node.before) this.#again.add(node as EntityNode);
        else if (from.value !== from.before) this.#turn(node);
      });
    }
  }
}

/** Emptied by its length, a list would lose its room, which most readings do not outgrow. */
function empty(list: unknown[]): void {
  if (list.length > 64) list.length = 0;
  while (list.length > 0) list.pop();
}

/** Whether a child is another than when a node was last read. */
function hasOther({ kids, version }: MadeNode): boolean {
  for (let at = 0; at < kids.length; at++) {
    const kid = kids[at] as MadeNode;
    if (kid.version > version || kid.value !== kid.before) return true;
  }
  return false;
}

/** Whether two records refer to the same: then the children of a node are those that it has. */
function hasSame(links: Fields["links"], built: EntityRecord | undefined, record: EntityRecord): boolean {
  if (built === undefined) return false;
  for (let at = 0; at < links.length; at++) {
    const { name } = links[at]!;
    if (built[name] !== record[name]) return false;
  }
  return true;
}
