import { page } from "./page.ts";
import type { Part } from "../controller/part.ts";
import { mark, markAll, type Node, NONE, sweepEdges } from "../store/row.ts";
import type { Value } from "../plain/value.ts";
import type { Store } from "../store/store.ts";

/** Options of {@linkcode memory}. */
export interface MemoryOptions {
  /**
   * How long data are kept after their last read or write, in ms. They are removed at an age between `keep` and twice
   * that. Default: 5 minutes.
   */
  readonly keep?: number | undefined;
}

/**
 * A part that removes unused data in idle time: records and answers that were neither read nor written for `keep` ms.
 * What a component or signal reads stays, with all records that it embeds. `DataProvider` adds this part to the
 * controller that it makes; a controller of your own keeps everything without it.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, memory } from "@rejoin/data";
 *
 * using controller = new Controller({ use: [memory({ keep: 10 * 60_000 })] });
 * assert(controller.parts.length === 1);
 * ```
 *
 * @param options How long unused data are kept.
 */
export function memory({ keep = 3e5 }: MemoryOptions = {}): Part {
  let timer: ReturnType<typeof setInterval>;
  return {
    install({ store }) {
      const idle: (run: () => void) => void = page.requestIdleCallback ?? setTimeout;
      timer = setInterval(() => idle(() => sweep(store)), Math.min(keep, 2e9)); // a timer takes at most 2³¹ ms
      // The timer does not keep a program running.
      (timer as { unref?(): void }).unref?.(); // in a browser the timer is a number
    },
    cleanup: () => clearInterval(timer),
  };
}

/**
 * One pass. Answers and rows that were read or written since the pass before the last stay, and so does all that they
 * embed.
 */
export function sweep(store: Store): void {
  const oldest = store.age++, used = new Set<Value>(); // answers, rows, and the nodes of rows
  // Its arrays hold what was read last.
  store.reading = undefined;
  const note = (one: Value, isUsed: unknown): void => {
    // A watched node counts as read now: its age begins when its last watcher leaves.
    if (one.watcher) one.age = store.age;
    if (isUsed || one.age >= oldest) used.add(one);
  };
  /** A signal may hold a removed node and read it later. The node is dirty, so it then looks its records up again. */
  const drop = (node: Node): void => {
    mark(node, []);
    node.kids = NONE;
  };
  for (const answer of store.answers()) note(answer, answer.flight);
  for (const { rows } of store.tables.values()) {
    for (const row of rows.values()) {
      note(row, row.layers || row.edits);
      for (let { node } = row; node; node = node.next) note(node, used.has(row));
    }
  }
  // The loop also visits what it adds to the set: the nodes of a used row, by each class, and all that they embed, at any
  // depth.
  for (const { row, node, next, kids = NONE } of used) {
    for (const one of [row, node, next, ...kids]) if (one) used.add(one);
  }

  for (const [schema, { answers }] of store.scopes) {
    for (const [key, answer] of answers) if (!used.has(answer) && answers.delete(key)) drop(answer);
    if (!answers.size) store.scopes.delete(schema);
  }
  for (const table of store.tables.values()) {
    for (const [pk, row] of table.rows) {
      if (used.has(row)) continue;
      table.rows.delete(pk);
      for (let { node } = row; node; node = node.next) drop(node);
      if (!row.rec) continue;
      // A list that was read before may still hold the row, and must not show its record.
      row.rec = undefined;
      // No used node reads the whole table, since it would have kept this row. `All` must read as unknown from now on.
      table.isKnown = false;
      markAll(table, []);
    }
  }
  // The kept nodes forget the removed nodes that embedded them.
  for (const one of used) sweepEdges(one);
}
