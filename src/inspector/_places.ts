import type { Controller } from "../controller/controller.ts";
import { eachParent, EntityNode, type ViewNode } from "../denormalize/node.ts";
import { TreeView } from "../denormalize/tree_view.ts";
import { mountedComponents } from "../preact/mounted.ts";
import { ResponseView } from "../store/response_view.ts";
import type { Thing } from "./_neighbours.ts";
import { slotOf } from "./_records.ts";

/** So many places light up at once. */
const MOST = 200;

/** Where on the page something stands. */
export interface Place {
  /** The component; `""`: an element that says so itself. */
  readonly name: string;
  readonly nodes: readonly Node[];
}

/**
 * The places of a record, a list or an answer on the page: elements that say so (`data-rejoin="Film 5"`), and components
 * that read it, or have it among their props.
 */
export function placesOf(controller: Controller, thing: Thing, page: Document): Place[] {
  const places: Place[] = [];
  const name = thing.pk === "" ? thing.key : `${thing.key} ${thing.pk}`;
  for (const element of page.querySelectorAll<HTMLElement>("[data-rejoin]")) {
    if (element.dataset.rejoin === name) places.push({ name: "", nodes: [element] });
  }
  const views = viewsOf(controller, thing);
  const values = new Set<unknown>();
  const watchers = new Set<object>();
  for (const view of views) {
    const value = view instanceof ResponseView ? view.value.data : view.value;
    if (typeof value === "object" && value !== null) values.add(value);
    for (const watcher of view.watchers instanceof Set ? view.watchers : [view.watchers]) {
      if (watcher !== undefined) watchers.add(watcher);
    }
  }
  if (values.size === 0 && watchers.size === 0) return places;
  for (const component of mountedComponents(page)) {
    if (places.length >= MOST) break;
    if (!component.props.some((prop) => values.has(prop)) && !component.reads(watchers)) continue;
    places.push({ name: component.name, nodes: component.nodes() });
  }
  return places;
}

/** The views of something: of a record its objects, and the reads that give nothing else; of a list also those that hold it. */
function viewsOf(controller: Controller, { kind, key, pk }: Thing): ViewNode[] {
  const { store } = controller;
  if (kind === "answer") return [...store.responsesByKey.get(key) ?? []];
  const views: ViewNode[] = [];
  for (let node: ViewNode | undefined = slotOf(controller, key, pk)?.node; node !== undefined; node = node.sibling) {
    views.push(node);
  }
  for (const view of views) {
    eachParent(view, (parent) => {
      const isSame = parent instanceof ResponseView || parent.value === view.value ||
        (parent instanceof TreeView && (kind === "list" || parent.entity === view));
      if (isSame && !(parent instanceof EntityNode) && !views.includes(parent)) views.push(parent);
    });
  }
  return views;
}
