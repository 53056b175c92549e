import { equal } from "../plain/equal.ts";
import type { Value } from "../plain/value.ts";
import type { Patch, Patches, Row } from "./row.ts";

/**
 * Applies a patch to a record or a list. A patch is members of a record, `null` (a delete), or a function. Members
 * alone do not restore a deleted record.
 */
export function patched(rec: Value, patch: Patch): Value {
  return typeof patch == "function" ? patch(rec) : patch && rec !== null ? { ...rec, ...patch } : null;
}

/** The optimistic changes of one mutation in flight: a patch per row, computed when the mutation started. */
export class Layer implements Patches {
  readonly patches: Map<Row, Patch> = new Map();
  /** @param sent The last argument of the mutation: its body, if it has one. */
  declare readonly started: number;
  declare readonly sent?: Value;
  constructor(started: number, sent?: Value) {
    this.started = started;
    this.sent = sent;
  }
  /**
   * Adds a patch of a record, without the members that the record has already: the layer must not hide newer values of
   * them. Beside an older layer a member that this mutation sends stays, or the older mutation's reply would hide it.
   */
  set(row: Row, patch: Patch): void {
    const { patches, sent } = this, before = row.rec ?? shown(row);
    for (const name in before && patch) {
      const isSent = row.rec && row.layers && name in Object(sent);
      if (!isSent && equal(patch[name], before[name])) delete patch[name];
    }
    // Members do not bring a deleted record back, but a mutation that restores it shows the whole record.
    if (patch && before === null) patches.set(row, (rec: Value) => ({ ...rec, ...patch }));
    else patches.set(row, patch && { ...patches.get(row), ...patch });
  }
}

/** The record as readers see it: the confirmed one with the patches of all layers on top. */
export function shown(row: Row, rec: Value = row.rec): Value {
  if (row.layers) { for (const { patches } of row.layers) rec = patched(rec, patches.get(row)); }
  return rec;
}
