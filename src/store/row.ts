import { own } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import type { EntityClass, Schema } from "./schema.ts";

/** A change of a row: members of a record, `null` (a delete), or a function of the list or record. */
export type Patch = Value;

/** A confirmed change of a row. It stays on top of the replies of requests that started before it. */
export interface Edit {
  readonly row: Row;
  readonly tick: number;
  readonly patch: Patch;
}

/** The optimistic patches of one mutation in flight: see `Layer`. */
export interface Patches {
  /** The tick when the mutation started. */
  readonly started: number;
  readonly patches: Map<Row, Patch>;
}

/** One record of a table, or one list (see `Collection`). */
export class Row {
  /**
   * The value that the commit under preparation will give `rec`; `undefined`: no change. Always `undefined` between two
   * commits.
   */
  next: Value;
  /** The tick when the newest read that wrote this row had started. */
  at = 0;
  /** Until when this row can answer a read of one record without a request; 0: stale. */
  expiresAt = 0;
  /** The pass of `memory` at the last write of this row. */
  age = 0;
  /** The nodes of this row, one per class: a linked list. */
  node: Node | undefined;
  // Few rows have these members. They are declared only, because as fields they would make every row larger.
  /** Confirmed edits, as long as an older request is in flight: they go on top of its reply. */
  declare edits: Edit[] | undefined;
  /** Optimistic layers that change this row, in order of start. */
  declare layers: Patches[] | undefined;
  /** The temporary pk that this record had before the server gave it one. */
  declare temporaryPk: string | undefined;
  /** Of a list: the items that pages appended. */
  declare added: Value[] | undefined;
  /** Of a list inside a record: the row of that record. */
  declare owner: Row | undefined;
  /** Of a list: its arguments, as `Lists` reads them from the pk. */
  declare args: Value;
  /**
   * @param rec A normalized record or list, which is replaced and never changed. `undefined`: unknown; `null`: deleted.
   */
  constructor(public rec: Value, readonly table: Table, readonly pk: string) {}
}

/** A schema that keeps lists of a table, and updates them after an edit of a record. */
export interface ListKeeper {
  readonly key: string;
  /** `row.rec` is the record before the edit, `row.next` after it. */
  onEdit(row: Row, commit: { readonly stale: Row[] }): void;
}

/** The rows of all classes that have one key. */
export class Table {
  readonly rows: Map<string, Row> = new Map();
  /** The tick of the last mutation that may have written this table. */
  edited = 0;
  /** The number of mutations in flight that may write this table. */
  pending = 0;
  /** Whether a row of this table was ever written, or a reply had an empty list of its class. */
  isKnown = false;
  /** Whether the rows of this table are lists. */
  isList = false;
  /** Nodes that read all rows of this table, by class. */
  readonly alls: Map<unknown, Node> = new Map();
  readonly lists: ListKeeper[] = [];
  /** @param seeds Initial records by pk: each becomes a row at its first use. */
  declare readonly key: string;
  declare seeds: { readonly [pk: string]: Value } | undefined;
  constructor(key: string, seeds: { readonly [pk: string]: Value } | undefined) {
    this.key = key;
    this.seeds = seeds;
  }

  row(pk: string): Row {
    let row = this.rows.get(pk);
    if (!row) this.rows.set(pk, row = new Row(own(this.seeds, pk), this, pk));
    return row;
  }
}

/** The facts of a class that reading a row needs: see `Plan`. */
export interface RowReader {
  readonly E: EntityClass;
  /** Members that have a schema. */
  readonly fields: readonly Field[];
  /** Of a list: the schema of the whole list. */
  readonly items: Schema;
}

/** A member that has a schema. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
}

/** An observer of a node: `tell` runs after each commit that may have changed the node's value or state. */
export interface Watcher {
  tell(): void;
  /** The next watcher of the same node. */
  watcher: Watcher | undefined;
}

/** The shared empty list for nodes without arguments or kids: it is never changed. */
export const NONE: Value[] = [];

/**
 * A denormalized value: of one row by one class, or (a view, without plan) of one normalized value by one schema. A node
 * knows its parents and its place in each: an edge is live while `parent.kids[index]` is this node. All ancestors of a dirty node are dirty.
 */
export class Node {
  value: Value;
  isDirty = true;
  kids: Node[] = NONE;
  /** Edges: parent, index, parent, index … */
  up: Value[] | undefined;
  /** Of a list of entities: the indexes of kids that turned dirty since it was read. */
  declare turned: number[] | undefined;
  /** The first of its watchers: a linked list. */
  watcher: Watcher | undefined;
  /** Of a view: schema, normalized value, arguments. Of a row: `kept` is the record that `value` was made from. */
  declare schema: Schema;
  kept: Value;
  declare args: Args | undefined;
  /** The input that `value` was made from: the next reading compares with it. */
  memo: Value;
  /** The pass of `memory` when a caller outside of the store last read this node. */
  age = 0;
  constructor(readonly plan?: RowReader, readonly row?: Row, readonly next?: Node) {}
}

/** A node of a normalized value. */
export function viewOf(schema: Schema, kept: Value, args: Args = NONE): Node {
  const view = new Node();
  view.schema = schema;
  view.kept = kept;
  view.args = args;
  return view;
}

/** Adds a watcher: it is told after each commit that may have changed the node's value. */
export function watch(node: Node, watcher: Watcher): void {
  watcher.watcher = node.watcher;
  node.watcher = watcher;
}
export function unwatch(node: Pick<Watcher, "watcher">, watcher: Watcher): void {
  while (node.watcher !== watcher) node = node.watcher!;
  node.watcher = watcher.watcher;
}
const isLive = (node: Node, up: Value[], at: number): boolean => up[at].kids[up[at + 1]] === node;

/** Adds an edge: the parent embeds the kid at this index. */
export function link(kid: Node, parent: Node, index: number): void {
  const { up } = kid;
  if (!up) {
    kid.up = [parent, index];
    return;
  }
  // Dead edges are swept when their number reaches a power of two, so that sweeping stays cheap.
  if (!(up.length & (up.length - 1))) sweepEdges(kid);
  up.push(parent, index);
}
/** Removes the edges from parents that no longer embed this node. */
export function sweepEdges(kid: Node): void {
  const { up = NONE } = kid;
  let end = 0;
  for (let at = 0; at < up.length; at += 2) {
    if (isLive(kid, up, at)) {
      up[end++] = up[at];
      up[end++] = up[at + 1];
    }
  }
  up.length = end;
}

/**
 * Marks a node and all its ancestors dirty. `told` collects the nodes that turned dirty, and serves as the queue, too.
 */
export function mark(start: Node, told: Node[]): void {
  let from = told.length;
  if (start.turned) start.turned = undefined;
  if (!start.isDirty) {
    start.isDirty = true;
    told.push(start);
  }
  for (; from < told.length; from++) {
    const node = told[from]!, { up = NONE } = node;
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
/** Marks all nodes of a row dirty. */
export function markRow(row: Row, told: Node[]): void {
  for (let { node } = row; node; node = node.next!) mark(node, told);
}
/** Marks the nodes that read all rows of a table. */
export function markAll({ alls }: Table, told: Node[]): void {
  for (const node of alls.values()) {
    node.kept = undefined;
    mark(node, told);
  }
}

/** The temporary pks of instances whose record was created optimistically. */
export const firstPks: WeakMap<object, string> = /* @__PURE__ */ new WeakMap();
