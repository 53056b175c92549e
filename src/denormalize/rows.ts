import { define } from "../schemas/define.ts";
import { type AnySchema, isEntity } from "../schemas/interface.ts";
import { type EntityRecord, type Plan, planOf } from "../schemas/plan.ts";
import { CLEAN, EntityNode, type MadeNode, type RecordSlot, type Rows, type ViewGraph, type ViewNode } from "./node.ts";
import { isReferenceTo } from "../schemas/subjects.ts";

/** What is shown of items: a child for each that refers to an entity, others as they are. */
interface Shown {
  /** Where they stand under names. */
  readonly names: readonly string[] | undefined;
  readonly members: unknown[];
}

/**
 * Entities in a row, or under names, one child each. After one of 10,000 changed, reading costs that one and a copy of
 * the array; what is missing is left out.
 */
export class EntityRows implements Rows {
  before: unknown[] = [];
  isCompared = false;
  readonly #item: AnySchema;
  readonly #table: Plan | undefined;
  /** No item is left out: the index of a child is the index of its value. */
  #isFull = false;
  /** In the running pass: the children that alone are to be looked at. */
  #fresh: readonly number[] | undefined = undefined;
  /** In the running pass. */
  #shown: Shown | undefined = undefined;

  /**
   * @param item What each is: an entity class, or a schema object that picks one of several.
   * @param table Of a table, whose items are slots: its class.
   */
  constructor(item: AnySchema, table?: Plan) {
    this.#item = item;
    this.#table = table;
  }

  kidsOf(graph: ViewGraph, { built, content, kids }: MadeNode): EntityNode[] {
    const items = listOf(itemsOf(content));
    // A record may name another now by the same text, when the server has named one.
    const before = Array.isArray(built) && built.length === kids.length ? built : NO_ITEMS;
    const plan = this.#table ?? (isEntity(this.#item) ? planOf(this.#item) : undefined);
    const next: EntityNode[] = [];
    for (let at = 0; at < items.length; at++) {
      const kept = items[at];
      const kid = at < before.length && before[at] === kept
        ? kids[at] as EntityNode
        : this.#table !== undefined
        ? graph.nodeOf(this.#table, kept as RecordSlot)
        : plan === undefined
        ? graph.item(this.#item, kept)
        : graph.reference(plan, kept);
      if (kid !== undefined) next.push(kid);
    }
    return next;
  }

  isSame(node: MadeNode): boolean {
    this.isCompared = true;
    this.#shown = undefined;
    const fresh = this.#turnedIn(node);
    if (fresh !== undefined) return fresh.every((at) => node.kids[at]!.value === (node.value as unknown[])[at]);
    const { names, members } = this.#shown = this.#show(node);
    const value = node.value as object;
    const before = listOf(value);
    if (Array.isArray(value) === (names !== undefined) || before.length !== members.length) return false;
    if (names !== undefined && !Object.keys(value).every((name, at) => name === names[at])) return false;
    for (let at = 0; at < members.length; at++) if (objectOf(members[at]) !== before[at]) return false;
    return true;
  }

  make(node: MadeNode): object {
    const { kids, content } = node;
    this.#fresh = this.#turnedIn(node);
    // By spread: `slice()` of a frozen array is many times slower.
    if (this.#fresh !== undefined) return [...node.value as unknown[]];
    const { names, members } = this.#shown = (this.isCompared && this.#shown) || this.#show(node);
    this.#isFull = names === undefined && members.length === kids.length &&
      (itemsOf(content) as unknown[]).length === kids.length;
    return names === undefined ? members : {};
  }

  fill({ kids, value }: MadeNode): void {
    const list = value as unknown[];
    if (this.#fresh !== undefined) {
      for (const at of this.#fresh) list[at] = kids[at]!.value;
      return;
    }
    const { names, members } = this.#shown!;
    this.#shown = undefined;
    for (let at = 0; at < members.length; at++) {
      const member = objectOf(members[at]);
      if (names === undefined) list[at] = member;
      else define(list, names[at]!, member);
    }
  }

  /** The children that alone can be others than in the last array; `undefined`: nobody knows. */
  #turnedIn({ kids, turned, value, built, content }: MadeNode): readonly number[] | undefined {
    const list = value as unknown[] | undefined;
    if (!this.#isFull || turned === undefined || built !== content || list?.length !== kids.length) return undefined;
    // Readers have it, and may have sorted it in place.
    const isKept = turned.every((at, index) => isThere(kids[at]!) && list[at] === this.before[index]);
    return isKept ? turned : undefined;
  }

  #show({ kids, content }: MadeNode): Shown {
    const items = itemsOf(content);
    const kept = listOf(items);
    const names = Array.isArray(items) ? undefined : Object.keys(items);
    const isAll = kids.length === kept.length;
    const shown: Shown = { names: names && [], members: [] };
    let cursor = 0;
    for (let at = 0; at < kept.length; at++) {
      const isKid = isAll || isReferenceTo(this.#item, kept[at]);
      const member = isKid ? kids[cursor++] : kept[at];
      if (member === undefined || (isKid && !isThere(member as ViewNode))) continue;
      shown.members.push(member);
      if (names !== undefined) (shown.names as string[]).push(names[at]!);
    }
    return shown;
  }
}

const NO_ITEMS: readonly unknown[] = /* @__PURE__ */ Object.freeze([]);

/** A list itself, or what stands in the record of a collection. */
function itemsOf(content: unknown): object {
  const items = Array.isArray(content) ? content : (content as EntityRecord).items;
  return typeof items === "object" && items !== null ? items : [];
}

function listOf(items: object): readonly unknown[] {
  return Array.isArray(items) ? items : Object.values(items);
}

/** Whether a child has an object, after completeness is settled. */
function isThere(kid: ViewNode): boolean {
  return kid.state === CLEAN ? kid.value !== undefined : (kid as MadeNode).complete;
}

function objectOf(member: unknown): unknown {
  return member instanceof EntityNode ? member.value : member;
}
