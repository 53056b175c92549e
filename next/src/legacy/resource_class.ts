import type { AnyEndpoint } from "../endpoint/endpoint_types.ts";
import type { Value } from "../plain/value.ts";
import type { AnySearch } from "../rest/path_types.ts";
import type { EntityClass } from "../store/schema.ts";
import type { ResourceEndpoint, ResourceExtendOptions } from "./endpoint_types.ts";

/** What `fetch` takes as an address. */
export type ResourceInput = string | URL | Request;

/** The statics of a class of the 5.0 form, beside those of an entity. All may be replaced, without `override`. */
export interface ResourceStatics {
  /** Where the records are: `https://api.example.com/articles`. Required; it is the `key` where the class has no other. */
  urlRoot: string;
  /**
   * The URL of one record: `urlRoot`, and the pk as one segment, encoded.
   *
   * @param params Members that `pk()` is made of, a record for instance; others say nothing.
   * @throws {UrlError} If there is no pk, or no URL can hold it.
   */
  url(params: AnySearch): string;
  /** The URL of a list: `urlRoot`, and the parameters as its search. */
  listUrl(params?: AnySearch): string;
  /** Sends a request and reads the answer: what every endpoint of the class does, unless it has a `fetch` of its own. */
  fetch(input: ResourceInput, init: RequestInit): Promise<unknown>;
  /** Sends a request; resolves with an answer whose `ok` is true. */
  fetchResponse(input: ResourceInput, init: RequestInit): Promise<Response>;
  /** Completes the options of every request, a token for instance. */
  init(init: RequestInit): RequestInit;
  /** The name that `init` had in 5.0. */
  getFetchInit(init: RequestInit): RequestInit;
  /** Options that all endpoints of the class have. Defaults to none. */
  getEndpointExtra(): ResourceExtendOptions | undefined;
  /** An endpoint made once per class and name; a subclass makes its own. */
  memo<E extends AnyEndpoint>(name: string, construct: () => E): E;
  /** A read of `url(params)` without schema, to be extended. */
  endpoint(): ResourceEndpoint<[params: AnySearch], undefined, undefined, unknown>;
  /** A `POST` to `url(params)` without schema, to be extended. */
  endpointMutate(): ResourceEndpoint<[params: AnySearch, body?: unknown], undefined, true, unknown>;
}

/** A class of the 5.0 form at run time. */
export interface ResourceClass extends Omit<EntityClass, "pk">, ResourceStatics {
  /** It has a `fetch` of its own. */
  readonly hasOwnFetch: boolean;
  pk(value: Value): Value;
}
