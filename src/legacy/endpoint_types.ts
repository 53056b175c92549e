/**
 * What the endpoints of a class are, for the type checker.
 *
 * @module
 */
import type { AnyEndpoint, EndpointMembers, FetchArgs, FetchResult, Get } from "../endpoint/endpoint_types.ts";
import type { Args, Invalid, Value } from "../plain/value.ts";
import type { AnySearch } from "../rest/path_types.ts";
import type { SideEffect } from "../rest/rest_generics.ts";
import type { RestOptions } from "../rest/rest_types.ts";
import type { Invalidate } from "../schemas/invalidate.ts";
import type { EntityInput, SchemaInput } from "../store/infer.ts";
import type { AnyEntity, EntityClass } from "../store/schema.ts";

/** An endpoint of a class: `Article.detail()` and its siblings, and what `extend` makes of them. */
export interface ResourceEndpoint<A extends Args = Value, S = Value, E = Value, R = Value>
  extends EndpointMembers<A, R, S, E> {
  /** The HTTP method. */
  readonly method: string;
  /** Options for `fetch` of every call, before `static init` of the class completes them. */
  readonly fetchInit: RequestInit | undefined;
  /** Options for `fetch` of a call without body: what `getFetchInit()` gives. */
  readonly init: RequestInit;
  /** The URL of a call, which `static url` and `static listUrl` of the class decide. */
  url(...args: [params?: AnySearch, body?: unknown]): string;
  /** Options for `fetch`, completed by `static init` of the class. */
  getFetchInit(body?: unknown): RequestInit;
  /**
   * A copy with some members replaced; arguments, answer and data are inferred anew.
   *
   * @param options What is different. `fetch` replaces the whole way from arguments to answer.
   */
  extend<P extends ResourceExtendOptions>(
    options:
      & P
      & { readonly [K in Exclude<keyof P, keyof ResourceExtendOptions>]: Invalid<`${K & string} is no option`> },
  ): ResourceEndpoint<FetchArgs<P, A>, Get<P, "schema", S>, EffectOf<P, E>, ResultOf<P, R>>;
}

/** Options of `extend`: those of a RestEndpoint that have a meaning here, and those that 5.0 had. */
export interface ResourceExtendOptions
  extends Omit<RestOptions, "urlPrefix" | "searchToString" | "getRequestInit" | "requestInit" | "fetch" | "url"> {
  readonly schema?: SchemaInput | undefined;
  /** The HTTP method. All but `GET`, `HEAD` and `QUERY` have a side effect. */
  readonly method?: string | undefined;
  readonly sideEffect?: boolean | undefined;
  readonly fetchInit?: RequestInit | undefined;
  /** Replaces the URL. */
  url?(this: ResourceEndpoint, params?: Value): string;
  /** Replaces the options for `fetch`. */
  getFetchInit?(this: ResourceEndpoint, body?: unknown): RequestInit;
  /** Replaces the whole way from arguments to answer. */
  fetch?(this: ResourceEndpoint, ...args: Value): Promise<unknown>;
  /** Makes of the answer what is stored and returned. */
  process?(value: Value, ...args: Value): unknown;
}

type EffectOf<P, E> = [keyof P & ("sideEffect" | "method")] extends [never] ? E : SideEffect<P>;
type ResultOf<P, R> = P extends { process(...args: Value): infer N } ? Awaited<N> : FetchResult<P, R>;

/** What a mutation sends: members of the entity, or what `fetch` takes as a body. */
type Body<T extends AnyEntity> = EntityInput<T["prototype"]> | NonNullable<RequestInit["body"]>;
/** The six endpoints of a class `T`. */
export interface EndpointsOf<T extends AnyEntity> {
  readonly detail: ResourceEndpoint<[params: AnySearch], T, undefined, unknown>;
  readonly list: ResourceEndpoint<[params?: AnySearch], T[], undefined, unknown>;
  readonly create: ResourceEndpoint<[body: Body<T>] | [params: AnySearch, body: Body<T>], T, true, unknown>;
  readonly update: ResourceEndpoint<[params: AnySearch, body: Body<T>], T, true, unknown>;
  readonly delete: ResourceEndpoint<[params: AnySearch], Invalidate<T>, true, unknown>;
}

/** A member that exists in types only, and in no class: it says whether a class is known yet. */
export interface Open {
  "~endpoint"?: never;
}
/**
 * The endpoint `N` of a class `T` that is known; else any: that lets a subclass replace an endpoint by one with another
 * schema, which is compared with what the base says of all classes.
 */
export type EndpointOf<T extends AnyEntity, N extends keyof EndpointsOf<T>> = {
  readonly known: EndpointsOf<T>[N];
  readonly open: Value;
}["~endpoint" extends keyof T ? "open" : "known"];

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
  pk(value: Value): Value;
}
