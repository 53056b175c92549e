import { type ListVerb, oncePerList } from "../rest/list_verbs.ts";
import { readCreateReply, readUpdateReply, replyReader } from "../rest/mutation_replies.ts";
import type { AnyRestEndpoint } from "../rest/rest_types.ts";
import { pkText } from "../schemas/pk_text.ts";
import type { Pk } from "../schemas/pk_types.ts";
import { subjectOf } from "../schemas/subjects.ts";
import { type Change, itemReader, type PlainReading, readChangeReply } from "./change_replies.ts";
import type { CollectionChange } from "./collection_change.ts";
import { created, sentOverCurrent, showing, showSent, withName } from "../rest/optimistic.ts";

/** Shows items that are sent by name, under temporary names unless they have one already. */
const createdByName = /* @__PURE__ */ showing((call) => {
  const items = Object.entries(call.members);
  return Object.fromEntries(items.map(([name, item]) => [name, withName({ ...item as object }, call)]));
});

/** Shows that an item leaves its lists: the one that is sent, as itself or as its pk. */
const removed = /* @__PURE__ */ showing((call) => pkText(call.body as Pk) ?? showSent(call));

/** What each verb of a list shows. */
const shownBy: { readonly [verb in ListVerb]: AnyRestEndpoint["getOptimisticResponse"] } = {
  push: created,
  unshift: created,
  assign: createdByName,
  remove: removed,
  move: sentOverCurrent,
};

/** Options that a resource gives to its list, for the verbs. */
export interface ListOptions {
  /** Where one record is: that is what `move` changes. */
  readonly movePath?: string | undefined;
  /** The verbs show what they will do before the server answers. */
  readonly optimistic?: boolean | undefined;
}

/**
 * The endpoint of a verb: at the address of the list, with what the list has been extended with since.
 *
 * @param collection What the list is.
 * @param list An endpoint whose schema is the collection, or has it in it.
 * @param verb What is done.
 * @param plain What an endpoint has where nobody says otherwise.
 * @throws {SchemaError} If the collection has no such verb: `push` of `Values`, `assign` of an array.
 */
export function makeVerb(
  collection: { readonly [V in ListVerb]: unknown },
  list: AnyRestEndpoint,
  verb: ListVerb,
  plain: PlainReading,
): AnyRestEndpoint {
  const schema = collection[verb] as CollectionChange<unknown>;
  const { movePath, optimistic } = list.settle() as ListOptions;
  const entity = subjectOf(schema);
  const changes = verb === "remove" || verb === "move";
  // Those of the list name readings of it.
  const noKeys = { key: undefined, testKey: undefined };
  const ofOne = { path: movePath, searchParams: undefined };
  const reads = () => ({
    get: movePath === undefined
      ? undefined
      : oncePerList(list, "get", () => list.extend({ ...noKeys, ...ofOne, schema: undefined } as object)),
    lists: list,
  });
  // Where an `extend` gives the endpoint another schema, that may have a verb, too.
  const readReply = replyReader(
    schema.subject,
    reads,
    (said, call) =>
      call.schema.verb !== undefined
        ? readChangeReply(call.schema as Change, said, call)
        : changes
        ? readUpdateReply(said, call)
        : readCreateReply(said, call),
  );
  return list.extend({
    method: changes ? "PATCH" : "POST",
    schema,
    sideEffect: true,
    name: `${list.name}.${verb}`,
    ...noKeys,
    ...entity !== undefined && itemReader(list, plain, schema, entity),
    // What the app has given for all members wins.
    ...!Object.hasOwn(list, "readReply") && { readReply },
    ...!Object.hasOwn(list, "getOptimisticResponse") && Object.hasOwn(list, "optimistic") && optimistic &&
      { getOptimisticResponse: shownBy[verb] },
    ...verb === "move" && movePath !== undefined && ofOne,
  } as object);
}
