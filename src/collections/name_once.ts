import { NormalizeError } from "../errors/normalize_error.ts";
import { said } from "../errors/texts.ts";
import { deepEqual } from "../normalize/deep_equal.ts";
import type { NormalizeWalk, RecordOwner, StoredMembers } from "../schemas/interface.ts";

/** By response: lists that it named, and the one member that each belongs to: none of them, or several, is `undefined`. */
const named = /* @__PURE__ */ new WeakMap<
  NormalizeWalk,
  Map<string, { list: StoredMembers; owner: RecordOwner | undefined }>
>();

/**
 * Two lists of one response that the same arguments name would be one: nobody could tell which. A record that is there
 * again may say something else of its own list.
 *
 * @throws {NormalizeError} If another list of this response has the same name.
 */
export function nameOnce(key: string, pk: string, list: StoredMembers, walk: NormalizeWalk): void {
  let lists = named.get(walk);
  if (lists === undefined) named.set(walk, lists = new Map());
  const name = JSON.stringify([key, pk]);
  const before = lists.get(name);
  const { owner } = walk;
  const first = before?.owner;
  const isSame = first !== undefined && owner !== undefined && first.pk !== "" && first.pk === owner.pk &&
    first.entity.key === owner.entity.key && first.member === owner.member;
  if (before === undefined || isSame) lists.set(name, { list, owner });
  else if (deepEqual(before.list, list)) before.owner = undefined;
  else throw new NormalizeError(`"${key}"`, "", said(203, { pk, owner }));
}
