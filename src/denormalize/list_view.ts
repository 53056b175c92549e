import type { AnySchema } from "../schemas/interface.ts";
import { ConstNode, DIRTY, setKids, type ViewGraph, type ViewNode } from "./node.ts";
import { reuse } from "./reuse.ts";
import { RowsView } from "./rows_view.ts";

const constants = new Map<unknown, ConstNode>();

/** The entities that a response named, in its order. */
export class ListView extends RowsView {
  /** What each row is: an entity class, or a schema object that picks one of several. */
  readonly item: AnySchema;
  #rows: readonly unknown[];
  #read: readonly unknown[] | undefined;

  constructor(item: AnySchema, rows: readonly unknown[]) {
    super();
    this.item = item;
    this.#rows = rows;
  }

  override release(): void {
    super.release();
    this.#read = undefined;
  }

  /** Other rows: the next reading keeps the children that stay. */
  setRows(rows: readonly unknown[]): void {
    if (rows === this.#rows) return;
    this.#rows = rows;
    this.state = DIRTY;
  }

  protected refresh(graph: ViewGraph): boolean {
    const rows = this.#rows;
    const read = this.#read;
    if (rows === read) return true;
    const before = this.kids;
    const kids: ViewNode[] = [];
    let same = read?.length === rows.length;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i];
      // An entity without a pk, sent again, is another object that holds the same.
      if (read !== undefined && i < read.length && reuse(read[i], row) === read[i]) {
        kids.push(before[i]!);
      } else {
        same = false;
        kids.push(graph.item(this.item, row) ?? constant(row));
      }
    }
    this.#read = rows;
    if (!same) setKids(this, kids);
    return same;
  }
}

function constant(value: unknown): ConstNode {
  let node = constants.get(value);
  if (node === undefined) {
    node = new ConstNode(value);
    // null, "", 0, false: few; other numbers are pks and never come here.
    if (constants.size < 16 && typeof value !== "object") constants.set(value, node);
  }
  return node;
}
