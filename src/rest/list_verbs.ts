import type { EndpointBase } from "../endpoint/endpoint.ts";
import { UsageError } from "../errors/errors.ts";
import { isObject } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import type { Collection, ListVerb } from "../schemas/collection.ts";
import type { Schema } from "../store/schema.ts";
import { expireUnknown, readReply, showSent } from "./replies.ts";
import { RestEndpointBase } from "./rest_endpoint.ts";
import type { RestGenerics } from "./rest_generics.ts";
import type { RestEndpoint as RestEndpointType, RestEndpointConstructor } from "./rest_types.ts";

/** The first collection in the schema of a list endpoint: the schema itself, or deeper in an envelope. */
const collectionIn = (schema: Schema): Collection<Value> | undefined =>
  schema?.verb || !isObject(schema)
    ? schema?.verb && schema
    : Object.values(schema.parts ?? schema).map(collectionIn).find((found) => found);

/** An endpoint with the pages of its list, and its verbs: mutations that work if its schema has a collection. */
class ListEndpoint extends RestEndpointBase {
  declare readonly optimistic: boolean | undefined;
  declare readonly paginationField: string | undefined;
  get "~collection"(): Collection<Value> | undefined {
    return collectionIn(this.schema);
  }
  readonly #verbs: { [verb: string]: Value } = {};
  /** The mutation for a verb. It is made once, so that each access gives the same endpoint. */
  #verb(verb: ListVerb): Value {
    const { name, optimistic, "~collection": collection } = this;
    if (!collection) throw new UsageError(507, [name, verb]);
    return this.#verbs[verb] ??= this.extend({
      lists: this,
      expires: expireUnknown,
      // The body of `assign` has items by name, and not the members of one record.
      ...verb !== "assign" && { readReply, ...optimistic && { getOptimisticResponse: showSent } },
      // The app's own options win over the ones above.
      ...this["~options"],
      ...collection.verb(verb, this),
    });
  }
  /** The endpoint for pages of this list. `removeCursor` makes the arguments of the list from those of a page. */
  paginated(removeCursor: ((...args: Args) => Args) | string): EndpointBase {
    const listArgs = typeof removeCursor == "string"
      ? ({ [removeCursor]: _, ...rest }: Value) => Object.keys(rest).length ? [rest] : []
      : removeCursor;
    return this.extend({ list: this, listArgs });
  }
  get getPage(): EndpointBase {
    return this.paginated(this.paginationField ?? "cursor");
  }
  get push(): Value {
    return this.#verb("push");
  }
  get unshift(): Value {
    return this.#verb("unshift");
  }
  get assign(): Value {
    return this.#verb("assign");
  }
  get remove(): Value {
    return this.#verb("remove");
  }
  get move(): Value {
    return this.#verb("move");
  }
}
/** An endpoint that {@linkcode RestEndpoint} makes; `O` are the options that decide its types. */
export type RestEndpoint<O extends RestGenerics = Value> = RestEndpointType<O>;
/**
 * One method at one URL template of a REST API.
 *
 * A call runs `url` → `getRequestInit` → `getHeaders` → `fetchResponse` → `parseResponse` → `process`. Each of them can
 * be replaced as an option, by `extend`, or in a subclass.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { RestEndpoint } from "@rejoin/data";
 *
 * const getTrending = new RestEndpoint({ urlPrefix: "https://api.example.com", path: "/trending/:week" });
 * assertEquals(getTrending.url({ week: 47, genre: "horror" }), "https://api.example.com/trending/47?genre=horror");
 * assertEquals(getTrending.extend({ method: "PUT" }).sideEffect, true);
 * ```
 *
 * @throws {UrlError} At a call, if its parameters do not fit the path, or the path is in another dialect.
 */
export const RestEndpoint: RestEndpointConstructor = ListEndpoint as never; // what `new` returns can be called
