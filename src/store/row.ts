import { own } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import type { EntityClass, Schema } from "./schema.ts";

/** What a change makes of a row: members of a record, `null` (a delete), or for a list a function from list to list. */
export type Patch = Value;

/** A confirmed change of a row. It stays on top of the replies of requests that started before it. */
export interface Edit {
  readonly row: Row;
  readonly tick: number;
  readonly patch: Patch;
}

/** What one mutation in flight shows of rows: see `Layer`. */
export interface Patches {
  /** The tick when the mutation started. */
  readonly started: number;
  readonly patches: Map<Row, Patch>;
}

/** One record of a table, or one list (see `Collection`). */
export class Row {
  /** What the commit under preparation makes of `rec`; `undefined`: nothing. Always `undefined` between two commits. */
  next: Value;
  /** The tick when the newest read in it started. */
  at = 0;
  /** Until when a detail read is served from it; 0: stale. */
  expiresAt = 0;
  /** The pass of `memory` at its last write. */
  age = 0;
  /** The objects that were read of it, one per class: a linked list. */
  node: Node | undefined;
  // Few rows have these. They are no fields, so that all others are smaller.
  /** Confirmed edits, as long as an older request is in flight: they go on top of its reply. */
  declare edits: Edit[] | undefined;
  /** Optimistic layers that change it, in order of start. */
  declare layers: Patches[] | undefined;
  /** The temporary id that it had before the server named it. */
  declare temporaryPk: string | undefined;
  /** Of a list: what pages added. */
  declare added: Value[] | undefined;
  /** Of a list inside a record: the row of that record. */
  declare owner: Row | undefined;
  /** @param rec A normalized record or list. Never changed, only replaced. `undefined`: unknown; `null`: deleted. */
  constructor(public rec: Value, readonly table: Table, readonly pk: string) {}
}

/** A schema that keeps lists of a table, and changes them when a record was edited. */
export interface ListKeeper {
  readonly key: string;
  /** `row.rec` is the record before the edit, `row.next` after it. */
  onEdit(row: Row, commit: { readonly stale: Row[] }): void;
}

/** The rows of all classes that have one key. */
export class Table {
  readonly rows: Map<string, Row> = new Map();
  /** The tick when the last mutation ended that may have written it. */
  edited = 0;
  /** How many mutations in flight may write it. */
  pending = 0;
  /** Whether something of it was ever written, or an empty list of it came. */
  isKnown = false;
  /** Its rows are lists. */
  isList = false;
  /** Nodes that read all rows, by class. */
  readonly alls: Map<unknown, Node> = new Map();
  readonly lists: ListKeeper[] = [];
  /** @param seeds Records that are there already, by pk. */
  constructor(readonly key: string, public seeds: { readonly [pk: string]: Value } | undefined) {}

  row(pk: string): Row {
    let row = this.rows.get(pk);
    if (!row) this.rows.set(pk, row = new Row(own(this.seeds, pk), this, pk));
    return row;
  }
}

/** What a node knows of the class that reads its row: see `Plan`. */
export interface RowReader {
  readonly E: EntityClass;
  /** Members that have a schema. */
  readonly fields: readonly Field[];
  /** Of a list: the schema of the whole. */
  readonly items: Schema;
}

/** A member that has a schema. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
}

/** Is told after each commit that may have given its node another value or state. */
export interface Watcher {
  tell(): void;
  /** The next one of the same node. */
  watcher: Watcher | undefined;
}

/** No arguments, no kids: one list for all who have none. */
export const NONE: Value[] = [];

/**
 * What is read: of one row by one class, or (a view, without plan) of one value by one schema. It knows what embeds it,
 * and where: an edge is live while `parent.kids[index]` is this node. All ancestors of a dirty node are dirty.
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
  /** Of a view: schema, normalized value, arguments. Of a row: `kept` is the record that was read. */
  declare schema: Schema;
  kept: Value;
  declare args: Args | undefined;
  /** What `value` was made of, for the next reading. */
  memo: Value;
  /** The pass of `memory` when it was last read from outside. */
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

/** Tells after each commit that may have given a node another value. */
export function watch(node: Node, watcher: Watcher): void {
  watcher.watcher = node.watcher;
  node.watcher = watcher;
}
export function unwatch(node: Pick<Watcher, "watcher">, watcher: Watcher): void {
  while (node.watcher !== watcher) node = node.watcher!;
  node.watcher = watcher.watcher;
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

/** A node, and all that embeds it, must be read again. `told` gets the nodes that turned dirty, and is the queue, too. */
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
/** All nodes of a row must be read again. */
export function markRow(row: Row, told: Node[]): void {
  for (let { node } = row; node; node = node.next!) mark(node, told);
}

/** The temporary pks that the records of some instances had. */
export const firstPks: WeakMap<object, string> = /* @__PURE__ */ new WeakMap();
