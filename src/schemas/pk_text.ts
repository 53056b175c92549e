import type { Pk } from "./interface.ts";

/**
 * The text under which a table keeps a record, or `undefined` for *not saved yet*; `null` when the value can be no pk.
 */
export function pkText(pk: Pk): string | undefined | null {
  if (typeof pk === "string") return pk === "" ? undefined : pk;
  if (typeof pk === "number") return Number.isFinite(pk) ? String(pk) : null;
  if (typeof pk === "bigint") return String(pk);
  return pk === undefined || pk === null ? undefined : null;
}
