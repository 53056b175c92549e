import { page } from "../plain/page.ts";
import type { Part } from "../controller/part.ts";
import { Answer } from "../store/answers.ts";
import { mark, type Node, NONE, sweepEdges } from "../store/node.ts";
import type { Row } from "../store/row.ts";
import type { Store } from "../store/store.ts";

/** How long what nothing reads is kept. */
export interface MemoryOptions {
  /** ms since it was last read or written; 5 minutes by default. It goes at that age, or up to as much later. */
  readonly keep?: number | undefined;
}

/** How long one slice may take, in ms: frames of a page stay whole. */
const SLICE = 4;

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
  let timer: ReturnType<typeof setInterval>, pass: Iterator<void> | undefined;
  return {
    install({ store }) {
      const idle: (run: () => void) => void = page.requestIdleCallback?.bind(globalThis) ?? setTimeout;
      const slice = () => {
        const end = performance.now() + SLICE;
        while (pass) {
          if (pass.next().done) pass = undefined;
          else if (performance.now() > end) return idle(slice);
        }
      };
      timer = setInterval(() => {
        if (!pass) idle(slice);
        pass ??= sweep(store);
      }, Math.min(keep, 2e9)); // timers know no more
      // Programs end though it runs.
      (timer as { unref?(): void }).unref?.(); // in a page it is a number
    },
    cleanup() {
      clearInterval(timer);
      pass = undefined;
    },
  };
}

/**
 * One pass; between two steps the store may change. What was read or written since the pass before the last stays, and all
 * that it embeds: whether something used embeds a row is looked up along its edges when its turn comes.
 */
export function* sweep(store: Store, stepSize = 64): Generator<void> {
  const oldest = store.age++, orphans = new Set<Node>();
  /** What nothing used embeds, as far as this step has found. */
  let unused = new Set<Node>(), steps = 0;
  const isRowUsed = ({ age, layers, edits }: Row) => age >= oldest || !!layers || !!edits;
  const isUsed = (node: Node) => {
    // Until the next pass it counts as read now.
    if (node.watchers?.length) node.age = store.age;
    return node.age >= oldest || (node.row && isRowUsed(node.row)) || (node instanceof Answer && node.flight);
  };
  const isEmbedded = (start: Node): boolean => {
    // A set that grows while it is walked is a queue.
    const above = new Set([start]);
    for (const node of above) {
      if (isUsed(node)) return true;
      const { up = NONE } = node;
      for (let at = 0; at < up.length; at += 2) {
        if (up[at].kids[up[at + 1]] === node && !unused.has(up[at])) above.add(up[at]);
      }
    }
    for (const node of above) unused.add(node);
    return false;
  };
  const isOver = () => {
    if (++steps % stepSize) return false;
    unused = new Set();
    return true;
  };
  /** What is kept need not know of it; if it is held and read all the same, it looks its parts up again. */
  const drop = (node: Node) => {
    mark(node, []);
    for (const kid of node.kids) orphans.add(kid);
    node.kids = NONE;
  };

  for (const [schema, { answers }] of store.scopes) {
    for (const [key, answer] of answers) {
      if (!isEmbedded(answer)) {
        answers.delete(key);
        drop(answer);
      }
      if (isOver()) yield;
    }
    if (!answers.size) store.scopes.delete(schema);
  }
  for (const table of store.tables.values()) {
    for (const [pk, row] of table.rows) {
      let isKept = isRowUsed(row);
      for (let { node } = row; node && !isKept; node = node.next) isKept = isEmbedded(node);
      if (!isKept) {
        table.rows.delete(pk);
        if (row.rec) {
          // Nothing reads all of them, or they were used.
          table.isKnown = false;
          store.markAll(table, []);
        }
        for (let { node } = row; node; node = node.next) drop(node);
      }
      if (isOver()) yield;
    }
  }
  for (const node of orphans) {
    sweepEdges(node);
    if (isOver()) yield;
  }
}
