import type { Plan } from "../schemas/plan.ts";
import type { Graph } from "./graph.ts";
import { CLEAN, ConstNode, DIRTY, link, type RecordSlot, setKids, ViewNode } from "./node.ts";
import { readNodes } from "./read_entities.ts";
import { isReference } from "./reference.ts";
import { reuse } from "./reuse.ts";

/**
 * Entities in a row, one child a position. After one of them changed, reading costs that one and a copy of the array;
 * what is missing is left out.
 */
abstract class RowsView extends ViewNode {
  /** Positions whose child turned dirty since the last reading. */
  #turned: number[] = [];
  /** No position is left out: the index of a child is the index of its value. */
  #full = false;
  /** The rows are others than those that `value` was made of. */
  #moved = true;

  override kidTurned(index: number): void {
    // Nobody reads this list while its rows turn and turn again: it will have to look at all of them.
    if (this.#turned.length < this.kids.length) this.#turned.push(index);
    else this.#moved = true;
  }

  read(graph: Graph): unknown {
    if (this.state === CLEAN) return this.value;
    if (!this.refresh(graph)) this.#moved = true;
    const next = this.#full && !this.#moved ? this.#readTurned(graph, this.#turned) : undefined;
    const value = next ?? this.#readAll(graph);
    // Only when nothing threw: what turned dirty must be found again by the next reading.
    this.#turned = [];
    this.#moved = false;
    this.state = CLEAN;
    if (value !== this.value) {
      if (graph.strict) Object.freeze(value);
      this.value = value;
      this.version = graph.nextVersion();
    }
    return this.value;
  }

  /** Brings `kids` up to date; whether they are the same as at the last reading. */
  protected abstract refresh(graph: Graph): boolean;

  /** The last array with new values at the positions that turned; `undefined` when one of them is missing. */
  #readTurned(graph: Graph, turned: readonly number[]): unknown[] | undefined {
    const before = this.value as unknown[];
    readNodes(graph, turned.length === 1 ? [this.kids[turned[0]!]!] : turned.map((index) => this.kids[index]!));
    let copy: unknown[] | undefined;
    for (const index of turned) {
      const { value } = this.kids[index]!;
      if (value === undefined) return undefined;
      // By spread: `slice()` of a frozen array is many times slower.
      if (value !== before[index]) (copy ??= [...before])[index] = value;
    }
    return copy ?? before;
  }

  #readAll(graph: Graph): unknown[] {
    readNodes(graph, this.kids);
    const list: unknown[] = [];
    const before = this.value as unknown[] | undefined;
    let same = before !== undefined;
    for (const { value } of this.kids) {
      if (value === undefined) continue;
      if (same && before![list.length] !== value) same = false;
      list.push(value);
    }
    this.#full = list.length === this.kids.length;
    return same && before!.length === list.length ? before! : list;
  }
}

const constants = new Map<unknown, ConstNode>();

/** The entities that a response named, in its order. */
export class ListView extends RowsView {
  readonly plan: Plan;
  #rows: readonly unknown[];
  #read: readonly unknown[] | undefined;

  constructor(plan: Plan, rows: readonly unknown[]) {
    super();
    this.plan = plan;
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

  protected refresh(graph: Graph): boolean {
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
        kids.push(isReference(row) ? graph.reference(this.plan, row)! : constant(row));
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
    if (constants.size < 16) constants.set(value, node);
  }
  return node;
}

/** Every record of an entity, in order of arrival; `undefined` while its table is not known. */
export class AllView extends RowsView {
  readonly plan: Plan;
  #added: RecordSlot[] | undefined;

  constructor(plan: Plan) {
    super();
    this.plan = plan;
  }

  /** A record arrived: it is the last from now on. The caller marks this view. */
  add(slot: RecordSlot): void {
    this.#added?.push(slot);
  }

  /** The table was emptied or put in another order. The caller marks this view. */
  restart(): void {
    this.#added = undefined;
  }

  override read(graph: Graph): unknown {
    if (this.state === CLEAN) return this.value;
    if (graph.slotsOf(this.plan) === undefined) {
      this.value = undefined;
      this.state = CLEAN;
      this.version = graph.nextVersion();
      return undefined;
    }
    return super.read(graph);
  }

  protected refresh(graph: Graph): boolean {
    const added = this.#added;
    this.#added = [];
    if (added === undefined) {
      const kids: ViewNode[] = [];
      for (const slot of graph.slotsOf(this.plan)!) kids.push(graph.nodeOf(this.plan, slot));
      setKids(this, kids);
      return false;
    }
    if (added.length === 0) return true;
    // Grown in place: to copy 10,000 children for one arrival would cost more than all the rest of it.
    const kids = this.kids as ViewNode[];
    for (const slot of added) {
      const kid = graph.nodeOf(this.plan, slot);
      const index = kids.push(kid) - 1;
      link(kid, this, index);
    }
    return false;
  }
}
