import { UsageError } from "../errors/errors.ts";
import { isObject } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";
import type { Collection, ListVerb } from "../schemas/collection.ts";
import type { Schema } from "../store/schema.ts";
import { expireUnknown, readReply } from "./replies.ts";
import { RestEndpointBase } from "./rest_endpoint.ts";
import type { RestGenerics } from "./rest_generics.ts";
import type { RestEndpoint as RestEndpointType, RestEndpointConstructor } from "./rest_types.ts";

/** The first collection in the schema of a list. */
export function collectionIn(schema: Schema): Collection<Value> | undefined {
  if (schema?.verb) return schema;
  if (!isObject(schema)) return;
  for (const part of Object.values(schema.parts ?? schema)) {
    const found = collectionIn(part);
    if (found) return found;
  }
}

/** An endpoint whose list may be a collection: with the mutations of the list as members. */
class ListEndpoint extends RestEndpointBase {
  readonly #verbs: { [verb: string]: Value } = {};
  /** The same endpoint at each access. */
  #verb(verb: ListVerb): Value {
    const { schema, name, readReply: own, expires, showVerb } = this, collection = collectionIn(schema);
    if (!collection) throw new UsageError(507, [name, verb]);
    return this.#verbs[verb] ??= this.extend({
      readReply: own ?? (verb === "assign" ? undefined : readReply),
      lists: this,
      expires: expires ?? expireUnknown,
      // What an app or its class says itself comes first; items by name are no record that was sent.
      ...showVerb && verb !== "assign" && { getOptimisticResponse: this.getOptimisticResponse ?? showVerb },
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
  get getPage(): Value {
    return this.paginated(this.paginationField ?? "cursor");
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
