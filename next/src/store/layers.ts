import { isObject } from "../plain/is_object.ts";
import { equal } from "../plain/equal.ts";
import type { Commit } from "./commit.ts";
import { markRow } from "./node.ts";
import type { Row } from "./table.ts";

/**
 * What a patch makes of a record, or of a list. A patch is members of a record, `null` (a delete), or a function. What
 * was deleted does not come back by some members.
 */
export function patched(rec: any, patch: any): any {
  return typeof patch == "function" ? patch(rec) : patch && rec !== null ? { ...rec, ...patch } : null;
}

/** A confirmed change of a row. It stays on top of the replies of requests that started before it. */
export interface Edit {
  readonly row: Row;
  readonly tick: number;
  readonly patch: any;
}

/** What one mutation in flight shows before it is answered: a patch per row, computed when it started. */
export class Layer {
  readonly patches: Map<Row, any> = new Map();
  constructor(readonly started: number) {}
  /** Adds a patch. Members that are shown already stay out, so that the layer hides no newer value of them. */
  set(row: Row, patch: any): void {
    const before = shown(row), old = this.patches.get(row);
    if (typeof patch == "function") this.patches.set(row, old ? (list: any) => patch(old(list)) : patch);
    else if (!patch) this.patches.set(row, null);
    else {
      if (before) { for (const name in patch) if (equal(patch[name], before[name])) delete patch[name]; }
      this.patches.set(row, { ...old, ...patch });
    }
  }
}

/** A mutation is confirmed: what it sent goes from the patches that started before it, for they must not hide it. */
export function release(row: Row, commit: Commit): void {
  for (const { started, patches } of row.layers ?? []) {
    const patch = patches.get(row);
    if (started < commit.started && isObject(patch)) { for (const name in commit.sentOf(row)) delete patch[name]; }
  }
  markRow(row, commit.told);
}

/** What readers see of a row: its record, under its layers. */
export function shown(row: Row): any {
  let { rec } = row;
  if (row.layers) { for (const { patches } of row.layers) rec = patched(rec, patches.get(row)); }
  return rec;
}
