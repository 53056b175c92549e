import { page } from "./page.ts";
import type { Part } from "../controller/part.ts";
import { mark, type Node, NONE, sweepEdges } from "../store/row.ts";
import type { Value } from "../plain/value.ts";
import type { Store } from "../store/store.ts";

/** How long what nothing reads is kept. */
export interface MemoryOptions {
  /** ms since it was last read or written; 5 minutes by default. It goes at that age, or up to as much later. */
  readonly keep?: number | undefined;
}

/**
 * A part: records and answers that were neither read nor written for `keep` ms, and that nothing kept embeds, are removed
 * in idle time. `DataProvider` brings it; a controller of your own keeps all without it.
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
 * @param options How long.
 */
export function memory({ keep = 3e5 }: MemoryOptions = {}): Part {
  let timer: ReturnType<typeof setInterval>;
  return {
    install({ store }) {
      const idle: (run: () => void) => void = page.requestIdleCallback ?? setTimeout;
      timer = setInterval(() => idle(() => sweep(store)), Math.min(keep, 2e9)); // timers know no more
      // Programs end though it runs.
      (timer as { unref?(): void }).unref?.(); // in a page it is a number
    },
    cleanup: () => clearInterval(timer),
  };
}

/** One pass: what was read or written since the pass before the last stays, and all that it embeds. */
export function sweep(store: Store): void {
  const oldest = store.age++, used = new Set<Value>(); // answers, rows, and nodes of rows
  const note = (one: Value, isUsed: unknown): void => {
    // What is watched counts as read now, when it is left.
    if (one.watchers) one.age = store.age;
    if (isUsed || one.age >= oldest) used.add(one);
  };
  /** If it is held and read all the same, it looks its parts up again. */
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
  // A set that grows while it is walked is a queue.
  for (const { row, kids = NONE } of used) {
    if (row) used.add(row);
    for (const kid of kids) used.add(kid);
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
      // Nothing reads all of them, or they were used.
      table.isKnown = false;
      store.markAll(table, []);
    }
  }
  // Edges of what was dropped go.
  for (const one of used) sweepEdges(one);
}
