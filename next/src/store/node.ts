import type { Schema } from "./schema.ts";
import type { Plan } from "./plan.ts";
import type { Row } from "./table.ts";

export const NONE: any[] = [];

/**
 * What is read: of one row by one class, or (a view, without plan) of one value by one schema. It knows what embeds it,
 * and where: an edge is live while `parent.kids[index]` is this node. All ancestors of a dirty node are dirty.
 */
export class Node {
  value: any;
  isDirty = true;
  kids: Node[] = NONE;
  /** Edges: parent, index, parent, index … */
  up: any[] | undefined;
  /** Of a list of entities: the indexes of kids that turned dirty since it was read. */
  turned: number[] | undefined;
  watchers: (() => void)[] | undefined;
  /** Of a view: schema, normalized value, arguments. Of a row: `kept` is the record that was read. */
  schema: Schema;
  kept: any;
  args: readonly any[] = NONE;
  /** What `value` was made of, for the next reading. */
  memo: any;
  /** The pass of `memory` when it was last read from outside. */
  age = 0;
  /** The signal of `value`, while there is one: see `signals`. */
  signal: any;
  constructor(readonly plan?: Plan, readonly row?: Row, readonly next?: Node) {}
}

/** A node of a normalized value. */
export function viewOf(schema: Schema, kept: any, args: readonly any[] = NONE): Node {
  const view = new Node();
  view.schema = schema;
  view.kept = kept;
  view.args = args;
  return view;
}

/** Calls back after each commit that may have given a node another value; returns how to stop it. */
export function watch(node: Node, told: () => void): () => void {
  // An array that grows by `push` has room for 17, and most nodes have one watcher.
  if (node.watchers) node.watchers.push(told);
  else node.watchers = [told];
  return () => {
    const at = node.watchers!.indexOf(told);
    if (at >= 0) node.watchers!.splice(at, 1);
  };
}

const isLive = (node: Node, up: any[], at: number): boolean => up[at].kids[up[at + 1]] === node;

/** Notes that a parent embeds a node. */
export function link(kid: Node, parent: Node, index: number): void {
  const { up } = kid;
  if (!up) {
    kid.up = [parent, index];
    return;
  }
  // At each power of two dead edges are swept.
  if (up.length > 63 && !(up.length & (up.length - 1))) {
    let end = 0;
    for (let at = 0; at < up.length; at += 2) {
      if (isLive(kid, up, at)) {
        up[end++] = up[at];
        up[end++] = up[at + 1];
      }
    }
    up.length = end;
  }
  up.push(parent, index);
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
