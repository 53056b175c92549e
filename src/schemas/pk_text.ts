import type { Pk } from "./interface.ts";

/**
 * The text under which a table keeps a record, or `undefined` for *not saved yet*; `null` when the value can be no pk.
 *
 * @param pk What `pk()` said.
 * @param members What it said that of. Without them the value is a pk that was given as such.
 * @param args The arguments of the call.
 */
export function pkText(pk: Pk, members?: object, args?: readonly unknown[]): string | undefined | null {
  if (typeof pk === "string") {
    return pk === "" || (members !== undefined && isTextOfNothing(pk) && !isAmong(pk, members, args)) ? undefined : pk;
  }
  if (typeof pk === "number") return Number.isFinite(pk) ? String(pk) : null;
  if (typeof pk === "bigint") return String(pk);
  return pk === undefined || pk === null ? undefined : null;
}

/** What a template literal makes of nothing. */
export function isTextOfNothing(pk: string): boolean {
  return pk === "undefined" || pk === "null" || pk === "NaN" || pk === "[object Object]";
}

/** Whether a record or its parameters have a text: then somebody is called that. */
function isAmong(text: string, members: object, args: readonly unknown[] = []): boolean {
  const [first] = args;
  return first === text || Object.values(members).includes(text) ||
    (typeof first === "object" && first !== null && Object.values(first).includes(text));
}
