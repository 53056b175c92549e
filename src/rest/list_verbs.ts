import type { MutationReply } from "../endpoint/interface.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import type { CollectionChange } from "../collections/collection_change.ts";
import type { AnySchema, EntityStatics } from "../schemas/interface.ts";
import { type AnyCollection, findCollection, mapCollections } from "./_collections_in.ts";
import { shownBy } from "./_optimistic.ts";
import { contextOf, entityOf, itemReader, readChangeReply } from "./mutation_replies.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";

/** What a list endpoint can do with its items, beside being read. */
export type ListVerb = "push" | "unshift" | "assign" | "remove" | "move";

/** Options that a resource gives to its list, for the verbs. */
export interface ListOptions {
  /** Where one record is: that is what `move` changes. */
  readonly movePath?: string | undefined;
  /** The verbs show what they will do before the server answers. */
  readonly optimistic?: boolean | undefined;
}

/** One endpoint a verb, as long as the list endpoint is there. */
const made = new WeakMap<object, Map<string, AnyRestEndpoint>>();

/**
 * The endpoint of a verb: at the place of the list, with what the list has been extended with since. The same one each
 * time.
 *
 * @param list An endpoint whose schema is a `Collection`, or has one in it.
 * @param verb What is done.
 * @param plain How an endpoint reads answers that has no way of its own.
 * @throws {EndpointError} If there is no `Collection` in the schema.
 * @throws {SchemaError} If the collection has no such verb: `push` of `Values`, `assign` of an array.
 */
export function verbOf(
  list: AnyRestEndpoint,
  verb: ListVerb,
  plain: Pick<AnyRestEndpoint, "parseResponse" | "process">,
): AnyRestEndpoint {
  return oncePerList(list, verb, () => {
    const schema = collectionOf(list, verb)[verb] as CollectionChange<unknown>;
    const { movePath, optimistic } = list.settle() as ListOptions;
    const entity = entityOf({ schema });
    const changes = verb === "remove" || verb === "move";
    return list.extend({
      method: changes ? "PATCH" : "POST",
      schema,
      sideEffect: true,
      name: `${list.name}.${verb}`,
      // Those of the list name readings.
      key: undefined,
      testKey: undefined,
      ...entity !== undefined && itemReader(list, plain, verb, entity),
      // What the app has given for all members wins.
      ...!Object.hasOwn(list, "readReply") && { readReply: readReplyFor(list, schema) },
      ...!Object.hasOwn(list, "getOptimisticResponse") && Object.hasOwn(list, "optimistic") && optimistic &&
        { getOptimisticResponse: shownBy[verb] },
      ...verb === "move" && movePath !== undefined && { path: movePath, searchParams: undefined },
    } as object);
  });
}

/** Makes something of a list endpoint once, and gives the same again. */
export function oncePerList(list: AnyRestEndpoint, name: string, make: () => AnyRestEndpoint): AnyRestEndpoint {
  let byName = made.get(list);
  if (byName === undefined) made.set(list, byName = new Map());
  let endpoint = byName.get(name);
  if (endpoint === undefined) byName.set(name, endpoint = make());
  return endpoint;
}

/** The collection that an endpoint is about. */
export function collectionOf({ name, schema }: AnyRestEndpoint, verb: string): AnyCollection {
  const collection = findCollection(schema as AnySchema);
  if (collection !== undefined) return collection;
  throw new EndpointError(name, said(506, { name, verb }));
}

/** What tells the lists of one place from those of another with the same arguments. */
export function placeOf({ urlPrefix, path }: { readonly urlPrefix?: unknown; readonly path?: unknown }): string {
  return `${urlPrefix ?? ""}${path}`;
}

/**
 * The schema of a list that is now elsewhere: collections that were told apart by the old place are of the new one.
 *
 * @param schema The schema of the list.
 * @param from The old place.
 * @param to The new place.
 */
export function movedTo(schema: AnySchema, from: string, to: string): AnySchema {
  if (from === to) return schema;
  return mapCollections(
    schema,
    (collection) => collection.key.endsWith(`] ${from}`) ? collection.extend({ key: to }) : collection,
  );
}

/** Reads of one record of a list; `undefined` where nobody says where that is. */
function recordsOf(list: AnyRestEndpoint, schema: EntityStatics): AnyRestEndpoint | undefined {
  const { movePath: path } = list.settle() as ListOptions;
  if (path === undefined) return undefined;
  return oncePerList(
    list,
    "get",
    () => list.extend({ path, schema, searchParams: undefined, key: undefined, testKey: undefined } as object),
  );
}

/** Reads replies as long as the endpoint has the schema that they are about: an `extend` may give it another one. */
function readReplyFor(list: AnyRestEndpoint, schema: unknown) {
  return function (this: AnyRestEndpoint, reply: unknown, args: readonly unknown[]): MutationReply {
    const entity = entityOf(this);
    if (entity === undefined || this.schema !== schema) return { value: reply };
    const { verb } = schema as CollectionChange<unknown>;
    return readChangeReply(verb, reply, contextOf(this, entity, args, { get: recordsOf(list, entity), lists: list }));
  };
}
