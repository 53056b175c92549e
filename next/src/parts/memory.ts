import { markRow, type Node } from "../store/node.ts";
import type { Part } from "../controller/part.ts";
import type { Store } from "../store/store.ts";
import type { Row } from "../store/table.ts";

/** A part: records and answers that were not read for `keep` ms (5 minutes), and that nothing kept embeds, are removed in idle time. */
export function memory({ keep = 3e5 }: { keep?: number } = {}): Part {
  let timer: any;
  return {
    install({ store }: { store: Store }) {
      const idle: (run: () => void) => void = globalThis.requestIdleCallback ?? setTimeout;
      timer = setInterval(() => idle(() => sweep(store)), keep);
      // Node and Deno end though it runs.
      timer.unref?.();
    },
    cleanup: () => clearInterval(timer),
  };
}

/** One pass. What was read or written since the pass before the last stays, and all that it embeds. */
export function sweep(store: Store): void {
  const oldest = store.age++, kept = new Set<Node>();
  const isUsed = (node: Node) => node.watchers?.length || node.age >= oldest;
  const rowIsUsed = (row: Row) => {
    if (row.layers || row.age >= oldest) return true;
    for (let { node } = row; node; node = node.next!) if (kept.has(node)) return true;
  };
  for (const answer of store.answers()) if (isUsed(answer) || answer.flight) kept.add(answer);
  for (const { rows } of store.tables.values()) {
    for (const row of rows.values()) for (let { node } = row; node; node = node.next!) if (isUsed(node)) kept.add(node);
  }
  // A set that grows while it is walked is a queue.
  for (const { kids } of kept) for (const kid of kids) kept.add(kid);

  for (const { answers } of store.scopes.values()) {
    for (const [key, answer] of answers) if (!kept.has(answer)) answers.delete(key);
  }
  for (const { rows } of store.tables.values()) {
    for (const [pk, row] of rows) {
      if (rowIsUsed(row)) continue;
      rows.delete(pk);
      // What embeds it and is not read now must look it up again.
      markRow(row, []);
    }
  }
}
