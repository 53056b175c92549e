import type { Snapshot } from "../endpoint/interface.ts";
import type { ListVerb } from "../rest/list_verbs.ts";
import { sentMembers } from "../rest/mutation_replies.ts";
import { created, sent, sentOverCurrent, shownSubject, withName } from "../rest/optimistic.ts";
import type { AnyRestEndpoint } from "../rest/rest_types.ts";

/** Shows items that are sent by name, under temporary names unless they have one already. */
function createdByName(this: AnyRestEndpoint, snapshot: Snapshot, ...args: readonly unknown[]): unknown {
  const { entity, put } = shownSubject(this, snapshot, args);
  const items = Object.entries(sentMembers(this.readArgs(args)));
  return put(Object.fromEntries(items.map(([name, item]) => [
    name,
    withName(entity, { ...item as object }, args, snapshot),
  ])));
}

/** Shows that an item leaves its lists: the one that is sent, as itself or as its pk. */
function removed(this: AnyRestEndpoint, snapshot: Snapshot, ...args: readonly unknown[]): unknown {
  const { body } = this.readArgs(args);
  return typeof body === "string" && body !== ""
    ? shownSubject(this, snapshot, args).put(body)
    : sent.call(this, snapshot, ...args);
}

/** What each verb of a list shows. */
export const shownBy: { readonly [verb in ListVerb]: AnyRestEndpoint["getOptimisticResponse"] } = {
  push: created,
  unshift: created,
  assign: createdByName,
  remove: removed,
  move: sentOverCurrent,
};
