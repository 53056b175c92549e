import { UsageError } from "../errors/errors.ts";
import { isObject } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";
import type { Collection, ListVerb } from "../schemas/collection.ts";
import type { Schema } from "../store/schema.ts";
import { expireUnknown, readReply, showSent } from "./replies.ts";
import { RestEndpointBase } from "./rest_endpoint.ts";
import type { RestGenerics } from "./rest_generics.ts";
import type { RestEndpoint as RestEndpointType, RestEndpointConstructor } from "./rest_types.ts";

/** The first collection in the schema of a list. */
const collectionIn = (schema: Schema): Collection<Value> | undefined =>
  schema?.verb || !isObject(schema)
    ? schema?.verb && schema
    : Object.values(schema.parts ?? schema).map(collectionIn).find((found) => found);

/** An endpoint whose list may be a collection: with the mutations of the list as members. */
class ListEndpoint extends RestEndpointBase {
  declare readonly optimistic: boolean | undefined;
  get "~collection"(): Collection<Value> | undefined {
    return collectionIn(this.schema);
  }
  readonly #verbs: { [verb: string]: Value } = {};
  /** The same endpoint at each access. */
  #verb(verb: ListVerb): Value {
    const { name, optimistic, "~collection": collection } = this;
    if (!collection) throw new UsageError(507, [name, verb]);
    return this.#verbs[verb] ??= this.extend({
      lists: this,
      expires: expireUnknown,
      // Items by name are no record that was sent.
      ...verb !== "assign" && { readReply, ...optimistic && { getOptimisticResponse: showSent } },
      // What an app says itself comes first.
      ...this["~options"],
      ...collection.verb(verb, this),
    });
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
/** What {@linkcode RestEndpoint} makes, by the generics of its options. */
export type RestEndpoint<O extends RestGenerics = Value> = RestEndpointType<O>;
/**
 * One method at one URL template of a REST API. A call runs `url` → `getRequestInit` → `getHeaders` → `fetchResponse` →
 * `parseResponse` → `process`; each can be replaced as an option, by `extend`, or in a class.
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
 * @throws {UrlError} At a call, if its parameters make no URL of its path.
 */
export const RestEndpoint: RestEndpointConstructor = ListEndpoint as never; // what `new` returns can be called
