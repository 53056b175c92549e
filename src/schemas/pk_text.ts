import type { Pk } from "./pk_types.ts";

/**
 * The text under which a table keeps a record, or `undefined` for *not saved yet*; `null` when the value can be no pk.
 *
 * @param pk What `pk()` said.
 * @param members What it said that of. Without them the value is a pk that was given as such.
 * @param args The arguments of the call.
 * @param parent What the members stand in.
 */
export function pkText(
  pk: Pk,
  members?: object,
  args?: readonly unknown[],
  parent?: unknown,
): string | undefined | null {
  if (typeof pk === "string") {
    return pk === "" || (members !== undefined && isTextOfNothing(pk) && !isSaid(pk, members, args, parent))
      ? undefined
      : pk;
  }
  if (typeof pk === "bigint" || Number.isFinite(pk)) return String(pk);
  return pk === undefined || pk === null ? undefined : null;
}

const UNDEFINED = "undefined";

/** What a template literal makes of nothing, or of something and a member that is not there. */
function isTextOfNothing(pk: string): boolean {
  return pk.includes(UNDEFINED) || pk === "null" || pk === "NaN" || pk === "[object Object]";
}

/** Whether a text comes from a record, from what that stands in, or from its parameters: then somebody is called that. */
function isSaid(pk: string, members: object, [first]: readonly unknown[] = [], parent?: unknown): boolean {
  const isPart = pk !== UNDEFINED && pk.includes(UNDEFINED);
  const isIn = (value: unknown, depth: number): boolean =>
    typeof value === "string"
      // As a part of a pk, a text may be written in another way.
      ? value === pk || (isPart && value.toLowerCase().includes(UNDEFINED))
      : depth > 0 && typeof value === "object" && value !== null && !Array.isArray(value) &&
        Object.values(value).some((each) => isIn(each, depth - 1));
  return isIn(members, 2) || isIn(first, 1) || isIn(parent, 1);
}
