/**
 * The types of a class's endpoints.
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

/** An endpoint of a class, as `Article.detail()` returns it, or a copy that `extend` made. */
export interface ResourceEndpoint<A extends Args = Value, S = Value, E = Value, R = Value>
  extends EndpointMembers<A, R, S, E> {
  /** The HTTP method. */
  readonly method: string;
  /** Options for `fetch` of every call. `static init` of the class completes them. */
  readonly fetchInit: RequestInit | undefined;
  /** Options for `fetch` of a call without body, as `getFetchInit()` returns them. */
  readonly init: RequestInit;
  /** The URL of a call, made by `static url` or `static listUrl` of the class. */
  url(...args: [params?: AnySearch, body?: unknown]): string;
  /** Options for `fetch`, completed by `static init` of the class. */
  getFetchInit(body?: unknown): RequestInit;
  /**
   * Makes a copy with some members replaced. Arguments, result and data are inferred again.
   *
   * @param options The members to replace. `fetch` replaces everything between arguments and result.
   */
  extend<P extends ResourceExtendOptions>(
    options:
      & P
      & { readonly [K in Exclude<keyof P, keyof ResourceExtendOptions>]: Invalid<`${K & string} is no option`> },
  ): ResourceEndpoint<FetchArgs<P, A>, Get<P, "schema", S>, EffectOf<P, E>, ResultOf<P, R>>;
}

/** Options of `extend`: those of a RestEndpoint that work in this form, and those of 5.0. */
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
  /** Replaces everything between arguments and result. */
  fetch?(this: ResourceEndpoint, ...args: Value): Promise<unknown>;
  /** Turns the response into the value that is stored and returned. */
  process?(value: Value, ...args: Value): unknown;
}

type EffectOf<P, E> = [keyof P & ("sideEffect" | "method")] extends [never] ? E : SideEffect<P>;
type ResultOf<P, R> = P extends { process(...args: Value): infer N } ? Awaited<N> : FetchResult<P, R>;

/** The body of a mutation: members of the entity, or anything that `fetch` takes as a body. */
type Body<T extends AnyEntity> = EntityInput<T["prototype"]> | NonNullable<RequestInit["body"]>;
/** The six endpoints of a class `T`. */
export interface EndpointsOf<T extends AnyEntity> {
  readonly detail: ResourceEndpoint<[params: AnySearch], T, undefined, unknown>;
  readonly list: ResourceEndpoint<[params?: AnySearch], T[], undefined, unknown>;
  readonly create: ResourceEndpoint<[body: Body<T>] | [params: AnySearch, body: Body<T>], T, true, unknown>;
  readonly update: ResourceEndpoint<[params: AnySearch, body: Body<T>], T, true, unknown>;
  readonly delete: ResourceEndpoint<[params: AnySearch], Invalidate<T>, true, unknown>;
}

/**
 * Marks the constraint of a type parameter `T`. No class has this member, so its absence says that `T` is a known
 * class.
 */
export interface Open {
  "~endpoint"?: never;
}
/**
 * The endpoint `N` of a known class `T`, else `any`. With `any` a subclass may override an endpoint by one with another
 * schema, because TypeScript compares it with the base for all classes.
 */
export type EndpointOf<T extends AnyEntity, N extends keyof EndpointsOf<T>> = {
  readonly known: EndpointsOf<T>[N];
  readonly open: Value;
}["~endpoint" extends keyof T ? "open" : "known"];

/** The address that `fetch` takes. */
export type ResourceInput = string | URL | Request;

/** The statics of a class of the 5.0 form, beside those of an entity. A class may replace each without `override`. */
export interface ResourceStatics {
  /** The URL of the records, as in `https://api.example.com/articles`. Required; it is the default of `key`. */
  urlRoot: string;
  /**
   * Makes the URL of one record: `urlRoot` and the encoded pk.
   *
   * @param params The members that `pk()` uses, or a record; other members are ignored.
   * @throws {UrlError} If there is no pk, or if it cannot be part of a URL.
   */
  url(params: AnySearch): string;
  /** Makes the URL of a list: `urlRoot`, with the parameters as its query string. */
  listUrl(params?: AnySearch): string;
  /** Sends a request and reads the response. Every endpoint of the class uses it, unless it has its own `fetch`. */
  fetch(input: ResourceInput, init: RequestInit): Promise<unknown>;
  /** Sends a request and resolves with a response whose `ok` is true. */
  fetchResponse(input: ResourceInput, init: RequestInit): Promise<Response>;
  /** Completes the options of every request, for example with a token. */
  init(init: RequestInit): RequestInit;
  /** The name of `init` in 5.0. */
  getFetchInit(init: RequestInit): RequestInit;
  /** Returns options for all endpoints of the class. By default there are none. */
  getEndpointExtra(): ResourceExtendOptions | undefined;
  /** Makes an endpoint once per class and name. A subclass makes its own. */
  memo<E extends AnyEndpoint>(name: string, construct: () => E): E;
  /** Returns a GET of `url(params)` without schema, as a base for `extend`. */
  endpoint(): ResourceEndpoint<[params: AnySearch], undefined, undefined, unknown>;
  /** Returns a POST to `url(params)` without schema, as a base for `extend`. */
  endpointMutate(): ResourceEndpoint<[params: AnySearch, body?: unknown], undefined, true, unknown>;
}

/** A class of the 5.0 form, as the code of this folder sees it. */
export interface ResourceClass extends Omit<EntityClass, "pk">, ResourceStatics {
  pk(value: Value): Value;
}
