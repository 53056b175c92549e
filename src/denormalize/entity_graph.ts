import { type AnySchema, isEntity } from "../schemas/interface.ts";
import { type EntityRecord, type Plan, planOf } from "../schemas/plan.ts";
import { EntityNode, type RecordSlot } from "./node.ts";
import { readEntities, readEntity } from "./read_entities.ts";
import { isReference, pick } from "./reference.ts";
import { RowsNode } from "./rows_node.ts";

/** Where a graph finds single records. */
export interface SlotSource {
  /** The place of one record; made when it is unknown, so that whoever reads it is told when it arrives. */
  slot(plan: Plan, pk: string): RecordSlot;
}

/** The objects that were read from records. That is all of the graph that a reading needs which nobody remembers. */
export class EntityGraph {
  /** Freeze what is handed out. */
  readonly strict: boolean;
  readonly #slots: SlotSource;
  /** Entities without a pk: the object that was kept in place is their record. */
  readonly #unsaved = new WeakMap<object, RecordSlot>();
  #version = 0;

  constructor(slots: SlotSource, strict = false) {
    this.#slots = slots;
    this.strict = strict;
  }

  /** An object was made of a record. */
  built(_slot: RecordSlot, _instance: object): void {}

  /** In strict mode: an object was made that lacks something which its class requires. */
  lacking(_node: EntityNode): void {}

  /** A number that no answer has yet. */
  nextVersion(): number {
    return ++this.#version;
  }

  /** The node of a record as one class sees it. */
  nodeOf(plan: Plan, slot: RecordSlot): EntityNode {
    for (let node = slot.node; node !== undefined; node = node.sibling) if (node.plan === plan) return node;
    const Node = plan.rows === undefined ? EntityNode : RowsNode;
    return slot.node = new Node(plan, slot, slot.node);
  }

  /** The node that a kept value refers to: a pk, or an entity kept in place; `undefined` for what is no reference. */
  reference(plan: Plan, value: unknown): EntityNode | undefined {
    if (typeof value === "string") return value === "" ? undefined : this.nodeOf(plan, this.#slots.slot(plan, value));
    if (!isReference(value)) return undefined;
    if (typeof value !== "object") return this.nodeOf(plan, this.#slots.slot(plan, String(value)));
    let slot = this.#unsaved.get(value as object);
    if (slot === undefined) {
      this.#unsaved.set(value as object, slot = { rec: value as EntityRecord, node: undefined });
    }
    plan.meetAll(value as EntityRecord);
    return this.nodeOf(plan, slot);
  }

  /** The node of an item of a list; `undefined` for what is no reference. */
  item(item: AnySchema, kept: unknown): EntityNode | undefined {
    if (isEntity(item)) return this.reference(planOf(item), kept);
    const picked = pick(item, kept);
    return picked === undefined ? undefined : this.reference(planOf(picked[0]), picked[1]);
  }

  /** Reads an entity that is dirty, and all that it embeds. */
  readEntity(node: EntityNode): void {
    readEntity(this, node);
  }

  /** Reads entities that are dirty, and all that they embed, in one pass. */
  readEntities(nodes: readonly EntityNode[]): void {
    readEntities(this, nodes);
  }
}
