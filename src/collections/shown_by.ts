import type { ListVerb } from "../rest/list_verbs.ts";
import { created, sentOverCurrent, showing, showSent, withName } from "../rest/optimistic.ts";
import type { AnyRestEndpoint } from "../rest/rest_types.ts";

/** Shows items that are sent by name, under temporary names unless they have one already. */
const createdByName = /* @__PURE__ */ showing((call) => {
  const items = Object.entries(call.members);
  return Object.fromEntries(items.map(([name, item]) => [name, withName({ ...item as object }, call)]));
});

/** Shows that an item leaves its lists: the one that is sent, as itself or as its pk. */
const removed = /* @__PURE__ */ showing((call) => {
  const { body } = call;
  return typeof body === "string" && body !== "" ? body : showSent(call);
});

/** What each verb of a list shows. */
export const shownBy: { readonly [verb in ListVerb]: AnyRestEndpoint["getOptimisticResponse"] } = {
  push: created,
  unshift: created,
  assign: createdByName,
  remove: removed,
  move: sentOverCurrent,
};
