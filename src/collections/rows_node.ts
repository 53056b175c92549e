import { CLEAN, EntityNode, isUntouched, type ViewGraph, type ViewNode } from "../denormalize/node.ts";
import { isReferenceTo } from "../denormalize/reference.ts";
import { define } from "../schemas/define.ts";
import type { EntityRecord } from "../schemas/plan.ts";

/**
 * The record of a collection as what readers get of it: the array (or the object) of its items itself. After one of
 * 10,000 items changed, reading costs that one and a copy of the array.
 */
export class RowsNode extends EntityNode {
  /** No item is left out: the index of a child is the index of its value. */
  #full = false;
  /** In the running pass: the children that are to be looked at; `undefined`: all. */
  #fresh: readonly number[] | undefined = undefined;
  /** What the children that turned were until then. */
  #before: unknown[] = [];

  /** In the running pass: {@linkcode RowsNode.isSame} said so. */
  isCompared = false;

  override kidTurned(index: number): void {
    super.kidTurned(index);
    if (this.turned !== undefined) this.#before.push(this.kids[index]!.value);
  }

  override settle(): void {
    super.settle();
    this.isCompared = false;
    this.#before = [];
  }

  /** What its items refer to; what is no reference stays as it is. */
  kidsOf(graph: ViewGraph, record: EntityRecord): EntityNode[] {
    const { item } = this.plan.rows!;
    const kids: EntityNode[] = [];
    for (const kept of itemsOf(record)) {
      const kid = graph.item(item, kept);
      if (kid !== undefined) kids.push(kid);
    }
    return kids;
  }

  /** Whether another record amounts to what is there: the same items, but for those that are missing. */
  isSame(): boolean {
    return this.isCompared = this.#compare();
  }

  #compare(): boolean {
    const { kids, plan: { rows }, slot, value } = this;
    const items = slot.rec!.items as readonly unknown[] | { readonly [name: string]: unknown };
    if (Array.isArray(items) !== Array.isArray(value)) return false;
    const names = Array.isArray(items) ? undefined : Object.keys(items);
    const values = Array.isArray(value) ? value : Object.values(value as object);
    const valueNames = names === undefined ? undefined : Object.keys(value as object);
    const kept = itemsOf(slot.rec!);
    let cursor = 0;
    let length = 0;
    for (let at = 0; at < kept.length; at++) {
      let member = kept[at];
      if (isReferenceTo(rows!.item, member)) {
        const kid = kids[cursor++] as EntityNode;
        if (kid.state === CLEAN ? kid.value === undefined : !kid.complete) continue;
        member = kid.value;
      }
      if (length === values.length || values[length] !== member || valueNames?.[length] !== names?.[at]) return false;
      length++;
    }
    if (length !== values.length) return false;
    this.#full = names === undefined && length === kids.length && length === kept.length;
    return true;
  }

  /** A new container: a copy of the last one where only some children turned. */
  make(before: unknown): object {
    const record = this.slot.rec!;
    const { turned } = this;
    this.#fresh = undefined;
    const isKept = Array.isArray(before) && this.#full && this.built === record && turned !== undefined;
    if (isKept && isUntouched(before, this.kids.length, turned, this.#before)) {
      this.#fresh = turned;
      // By spread: `slice()` of a frozen array is many times slower.
      return [...before];
    }
    return Array.isArray(record.items) ? [] : {};
  }

  /** Puts the items into the container. */
  fill(): void {
    const { kids, value } = this;
    const record = this.slot.rec!;
    if (this.#fresh !== undefined) {
      if (this.#refill(value as unknown[], this.#fresh)) return;
      (value as unknown[]).length = 0;
    }
    const { item } = this.plan.rows!;
    let cursor = 0;
    if (Array.isArray(value)) {
      const items = record.items as readonly unknown[];
      for (const kept of items) {
        const member = isReferenceTo(item, kept) ? kids[cursor++]!.value : kept;
        if (member !== undefined) value.push(member);
      }
      this.#full = value.length === kids.length && kids.length === items.length;
      return;
    }
    const items = record.items as { readonly [name: string]: unknown };
    for (const name of Object.keys(items)) {
      const kept = items[name];
      const member = isReferenceTo(item, kept) ? kids[cursor++]!.value : kept;
      if (member === undefined) continue;
      define(value as object, name, member);
    }
    this.#full = false;
  }

  #refill(list: unknown[], fresh: readonly number[]): boolean {
    for (const index of fresh) {
      const { value } = this.kids[index] as ViewNode;
      if (value === undefined) return false;
      list[index] = value;
    }
    return true;
  }
}

function itemsOf({ items }: EntityRecord): readonly unknown[] {
  if (Array.isArray(items)) return items;
  return typeof items === "object" && items !== null ? Object.values(items) : [];
}
