import type { AnyCollection } from "../collections/collection.ts";
import type { PlainReading } from "../collections/change_replies.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import type { AnySchema } from "../schemas/interface.ts";
import { onceFor } from "../schemas/once_for.ts";
import { findCollection, mapCollections } from "./_collections_in.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";

/** What a list endpoint can do with its items, beside being read. */
export type ListVerb = "push" | "unshift" | "assign" | "remove" | "move";

/**
 * The endpoint of a verb: at the address of the list, with what the list has been extended with since. The same one each
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
  plain: PlainReading,
): AnyRestEndpoint {
  return oncePerList(list, verb, () => collectionOf(list, verb)["~verb"](list, verb, plain));
}

/** Makes something of a list endpoint once, and gives the same again. */
export const oncePerList: (list: AnyRestEndpoint, name: string, make: () => AnyRestEndpoint) => AnyRestEndpoint =
  /* @__PURE__ */ onceFor();

/** The collection that an endpoint is about. */
function collectionOf({ name, schema }: AnyRestEndpoint, verb: string): AnyCollection {
  const collection = findCollection(schema as AnySchema);
  if (collection !== undefined) return collection;
  throw new EndpointError(name, said(506, { name, verb }));
}

/** What tells the lists of one address from those of another with the same arguments. */
export function addressOf({ urlPrefix, path }: { readonly urlPrefix?: unknown; readonly path?: unknown }): string {
  return `${urlPrefix ?? ""}${path}`;
}

/**
 * The options of a copy. A list that is elsewhere is another list, unless the app says which it is.
 *
 * @param endpoint What is copied.
 * @param own What it was made with.
 * @param options What is different.
 */
export function mergedOptions(endpoint: AnyRestEndpoint, own: object, options: object): object {
  const merged: Record<string, unknown> = { ...own, ...options };
  const { urlPrefix = endpoint.settle().urlPrefix, path = endpoint.path } = merged;
  const from = addressOf(endpoint);
  const to = addressOf({ urlPrefix, path });
  if (from !== to && Object.hasOwn(own, "schema") && !Object.hasOwn(options, "schema")) {
    // Collections that were told apart by the old address are of the new one.
    merged.schema = mapCollections(
      merged.schema as AnySchema,
      (collection) => collection.key.endsWith(`] ${from}`) ? collection.extend({ key: to }) : collection,
    );
  }
  return merged;
}
