import { CLEAN, isUntouched, type ViewGraph } from "./node.ts";
import { DerivedView } from "./derived_view.ts";
import { readNodes } from "./read_entities.ts";

/**
 * Entities in a row, one child a position. After one of them changed, reading costs that one and a copy of the array;
 * what is missing is left out.
 */
export abstract class RowsView extends DerivedView {
  /** Positions whose child turned dirty since the last reading, and what it was until then. */
  #turned: number[] = [];
  #before: unknown[] = [];
  /** No position is left out: the index of a child is the index of its value. */
  #full = false;
  /** The rows are others than those that `value` was made of. */
  #moved = true;

  override kidTurned(index: number): void {
    // Nobody reads this list while its rows turn and turn again: it will have to look at all of them.
    if (this.#turned.length < this.kids.length) {
      this.#turned.push(index);
      this.#before.push(this.kids[index]!.value);
    } else this.#moved = true;
  }

  override release(): void {
    super.release();
    this.#turned = [];
    this.#before = [];
    this.#moved = true;
  }

  read(graph: ViewGraph): unknown {
    if (this.state === CLEAN) return this.value;
    if (!this.refresh(graph)) this.#moved = true;
    // Without a last array, its table has not been known meanwhile.
    const isKept = this.#full && !this.#moved && this.value !== undefined &&
      isUntouched(this.value as unknown[], this.kids.length, this.#turned, this.#before);
    const next = isKept ? this.#readTurned(graph, this.#turned) : undefined;
    const value = next ?? this.#readAll(graph);
    // Only when nothing threw: what turned dirty must be found again by the next reading.
    this.#turned = [];
    this.#before = [];
    this.#moved = false;
    return this.show(graph, value, true);
  }

  /** Brings `kids` up to date; whether they are the same as at the last reading. */
  protected abstract refresh(graph: ViewGraph): boolean;

  /** The last array with new values at the positions that turned; `undefined` when one of them is missing. */
  #readTurned(graph: ViewGraph, turned: readonly number[]): unknown[] | undefined {
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

  #readAll(graph: ViewGraph): unknown[] {
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
