import type { AnyCollection } from "../collections/collection.ts";
import type { PlainReading } from "../collections/change_replies.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import type { AnySchema } from "../schemas/interface.ts";
import { onceFor } from "../schemas/once_for.ts";
import { findCollection } from "./collections_in.ts";
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
