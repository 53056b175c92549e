import { define } from "../schemas/define.ts";
import type { EntityRecord } from "../schemas/plan.ts";
import type { MadeNode, ViewGraph, ViewNode } from "./node.ts";

/** What the items of a node refer to, one child for each. */
export function kidsOfRows(graph: ViewGraph, node: MadeNode): ViewNode[] {
  return Object.values(itemsOf(node)!).map((kept) => node.kidOf(graph, kept));
}

/**
 * Puts the objects of its items into a node: the container that it has, where that holds the same, else a new one. After
 * one of 10,000 changed, that costs this one and a copy of the array; what is missing is left out.
 */
export function fillRows(node: MadeNode): void {
  node.value = changedIn(node) ?? allOf(node);
}

/** A copy of the last array with what is other in it, or itself; `undefined`: nobody knows what is. */
function changedIn({ before, built, content, kids, turned }: MadeNode): readonly unknown[] | undefined {
  const list = before as readonly unknown[] | undefined;
  if (!Array.isArray(list) || turned === undefined || built !== content || list.length !== kids.length) {
    return undefined;
  }
  let copy: unknown[] | undefined;
  for (let i = 0; i < turned.length; i += 2) {
    const at = turned[i] as number;
    const { value } = kids[at]!;
    // Readers have it, and may have sorted it in place.
    if (value === undefined || list[at] !== turned[i + 1]) return undefined;
    // By spread: `slice()` of a frozen array is many times slower.
    if (value !== list[at]) (copy ??= [...list])[at] = value;
  }
  return copy ?? list;
}

function allOf(node: MadeNode): unknown {
  const { kids } = node;
  const before = node.before as readonly unknown[] | undefined;
  const items = itemsOf(node)!;
  const names = Array.isArray(items) ? undefined : Object.keys(items);
  const next = names === undefined ? [] : {} as unknown[];
  for (let at = 0; at < kids.length; at++) {
    const { value } = kids[at]!;
    if (value === undefined) continue;
    if (names === undefined) next.push(value);
    else define(next, names[at]!, value);
  }
  return before !== undefined && isSame(before, next) ? before : next;
}

function isSame(before: readonly unknown[], next: readonly unknown[]): boolean {
  if (Array.isArray(before) !== Array.isArray(next) || before.length !== next.length) return false;
  if (Array.isArray(before)) return before.every((value, at) => value === next[at]);
  const [some, others] = [Object.entries(before), Object.entries(next)];
  return some.length === others.length &&
    some.every(([name, value], at) => name === others[at]![0] && value === others[at]![1]);
}

/** A list itself, or what stands in the record of a collection; `undefined`: it is none. */
export function itemsOf({ content }: MadeNode): object | undefined {
  const items = Array.isArray(content) ? content : (content as EntityRecord).items;
  return typeof items === "object" && items !== null ? items : undefined;
}
