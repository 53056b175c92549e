import { NormalizeError } from "../errors/normalize_error.ts";
import { said } from "../errors/texts.ts";
import { deepEqual } from "../normalize/deep_equal.ts";
import type { NormalizeWalk, StoredMembers } from "../schemas/interface.ts";
import { onceFor } from "../schemas/once_for.ts";
import { ownerKey } from "./collection_items.ts";

/** By response: lists that it named, and the one member that each belongs to: none of them, or several, is `undefined`. */
const named = /* @__PURE__ */ onceFor<{ list: StoredMembers; owner: string | undefined }>();

/**
 * Two lists of one response that the same arguments name would be one: nobody could tell which. A record that is there
 * again may say something else of its own list.
 *
 * @throws {NormalizeError} If another list of this response has the same name.
 */
export function nameOnce(key: string, pk: string, list: StoredMembers, walk: NormalizeWalk): void {
  const owner = ownerKey(walk.owner);
  const first = named(walk, JSON.stringify([key, pk]), () => ({ list, owner }));
  if (owner !== undefined && owner === first.owner) first.list = list;
  else if (deepEqual(first.list, list)) {
    if (first.list !== list) first.owner = undefined;
  } else throw new NormalizeError(`"${key}"`, "", said(203, { pk, owner: walk.owner }));
}
