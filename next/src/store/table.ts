import type { Rec } from "./schema.ts";
import type { Edit, Layer } from "./layers.ts";
import type { Node } from "./node.ts";
import type { Commit } from "./commit.ts";

/** One record of a table, or one list (see `Collection`). */
export class Row {
  /** What the commit under preparation makes of `rec`; `undefined`: nothing. Always `undefined` between two commits. */
  next: any;
  /** The tick when the newest read in it started. */
  at = 0;
  /** Until when a detail read is served from it; 0: stale. */
  expiresAt = 0;
  /** The pass of `memory` at its last write. */
  age = 0;
  /** The objects that were read of it, one per class: a linked list. */
  node: Node | undefined;
  /** Confirmed edits, as long as an older request is in flight: they go on top of its reply. */
  edits: Edit[] | undefined;
  /** Optimistic layers that change it, in order of start. */
  layers: Layer[] | undefined;
  /** Of a list: what pages added. */
  added: any[] | undefined;
  /** @param rec Never changed, only replaced. `undefined`: unknown; `null`: deleted. */
  constructor(public rec: any, readonly table: Table, readonly pk: string) {}
}

/** A schema that keeps lists of a table, and changes them when a record was edited. */
export interface ListKeeper {
  /** `row.rec` is the record before the edit, `row.next` after it. */
  onEdit(row: Row, commit: Commit): void;
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
  /** Nodes that read all rows, by class. */
  readonly alls: Map<unknown, Node> = new Map();
  readonly lists: Set<ListKeeper> = new Set();
  constructor(readonly key: string, readonly seeds: { readonly [pk: string]: Rec } | undefined) {}

  row(pk: string): Row {
    let row = this.rows.get(pk);
    if (!row) {
      const { seeds } = this;
      this.rows.set(pk, row = new Row(seeds && Object.hasOwn(seeds, pk) ? seeds[pk] : undefined, this, pk));
    }
    return row;
  }
}
