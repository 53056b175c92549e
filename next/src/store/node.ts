import type { Args, Value } from "../plain/value.ts";
import { Node, NONE, type Row, type Watcher } from "./row.ts";
import type { Schema } from "./schema.ts";

export { Node, NONE };

/** A node of a normalized value. */
export function viewOf(schema: Schema, kept: Value, args: Args = NONE): Node {
  const view = new Node();
  view.schema = schema;
  view.kept = kept;
  view.args = args;
  return view;
}

/** Tells after each commit that may have given a node another value. */
export function watch(node: Node, watcher: Watcher): void {
  // An array that grows by `push` has room for 17, and most nodes have one watcher.
  if (node.watchers) node.watchers.push(watcher);
  else node.watchers = [watcher];
}
export function unwatch(node: Node, watcher: Watcher): void {
  const left = node.watchers?.filter((one) => one !== watcher);
  node.watchers = left?.[0] && left;
}

const isLive = (node: Node, up: Value[], at: number): boolean => up[at].kids[up[at + 1]] === node;

/** Notes that a parent embeds a node. */
export function link(kid: Node, parent: Node, index: number): void {
  const { up } = kid;
  if (!up) {
    kid.up = [parent, index];
    return;
  }
  // At each power of two dead edges are swept.
  if (up.length > 63 && !(up.length & (up.length - 1))) sweepEdges(kid);
  up.push(parent, index);
}
/** Forgets what embeds a node no more. */
export function sweepEdges(kid: Node): void {
  const { up } = kid;
  if (!up) return;
  let end = 0;
  for (let at = 0; at < up.length; at += 2) {
    if (isLive(kid, up, at)) {
      up[end++] = up[at];
      up[end++] = up[at + 1];
    }
  }
  up.length = end;
}

/** A node, and all that embeds it, must be read again. `told` gets the nodes that turned dirty, and is the queue, too. */
export function mark(start: Node, told: Node[]): void {
  let from = told.length;
  start.turned = undefined;
  if (!start.isDirty) {
    start.isDirty = true;
    told.push(start);
  }
  for (; from < told.length; from++) {
    const node = told[from]!, { up } = node;
    if (!up) continue;
    for (let at = 0; at < up.length; at += 2) {
      if (!isLive(node, up, at)) continue;
      const parent = up[at];
      if (parent.turned?.push(up[at + 1]) > parent.kids.length) parent.turned = undefined;
      if (!parent.isDirty) {
        parent.isDirty = true;
        told.push(parent);
      }
    }
  }
}
/** All nodes of a row must be read again. */
export function markRow(row: Row, told: Node[]): void {
  for (let { node } = row; node; node = node.next!) mark(node, told);
}

/** The temporary pks that the records of some instances had. */
export const firstPks: WeakMap<object, string> = /* @__PURE__ */ new WeakMap();
