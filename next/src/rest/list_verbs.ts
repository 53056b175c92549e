import { UsageError } from "../errors/mod.ts";
import type { Value } from "../plain/value.ts";
import { isObject } from "../plain/is_object.ts";
import { type Schema } from "../store/schema.ts";
import { readReply } from "./replies.ts";
import { RestEndpointBase } from "./rest_endpoint.ts";
import type { RestGenerics } from "./rest_generics.ts";
import type { RestEndpoint as RestEndpointType, RestEndpointConstructor } from "./rest_types.ts";

/** The collection in the schema of a list. */
const collectionIn = (schema: Schema): any =>
  schema?.verb
    ? schema
    : isObject(schema)
    ? Object.values(schema.parts ?? schema).map(collectionIn).find((found) => found)
    : undefined;

/** A mutation of a list, as an endpoint. */
function verbOf(endpoint: any, name: string): any {
  const collection = collectionIn(endpoint.schema);
  if (!collection) throw new UsageError(507, [endpoint.name, name]);
  return endpoint.extend({
    readReply: name === "assign" ? undefined : readReply,
    ...collection.verb(name, endpoint),
  });
}

/** An endpoint whose list may be a collection: with the mutations of the list as members. */
class ListEndpoint extends RestEndpointBase {
  get push(): any {
    return verbOf(this, "push");
  }
  get unshift(): any {
    return verbOf(this, "unshift");
  }
  get assign(): any {
    return verbOf(this, "assign");
  }
  get remove(): any {
    return verbOf(this, "remove");
  }
  get move(): any {
    return verbOf(this, "move");
  }
  get getPage(): any {
    return this.paginated((this as any).paginationField ?? "cursor");
  }
}
export type RestEndpoint<O extends RestGenerics = Value> = RestEndpointType<O>;
export const RestEndpoint: RestEndpointConstructor = ListEndpoint as never;
