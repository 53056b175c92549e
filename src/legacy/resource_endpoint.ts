/**
 * What the endpoints of a class are, for the type checker.
 *
 * @module
 */
import type { EndpointBase } from "../endpoint/endpoint.ts";
import type { FetchArgs, FetchResult, Get, KnownOptions } from "../endpoint/endpoint_types.ts";
import type { AnySearch } from "../rest/path_types.ts";
import type { RestOptions } from "../rest/rest_types.ts";
import type { EntityInput } from "../schemas/infer.ts";
import type { AnyEntity, Schema } from "../schemas/interface.ts";
import type { Invalidate } from "../schemas/invalidate.ts";

/**
 * An endpoint of a class: `Article.detail()` and its siblings, and what `extend` makes of them. Parameters that are no
 * part of the URL say nothing: what the URL is, `static url` and `static listUrl` of the class decide.
 */
export interface ResourceEndpoint<
  // deno-lint-ignore no-explicit-any -- variance: an endpoint of unknown shape accepts all
  A extends readonly unknown[] = any,
  // deno-lint-ignore no-explicit-any -- see above
  S = any,
  // deno-lint-ignore no-explicit-any -- see above
  E = any,
  // deno-lint-ignore no-explicit-any -- see above
  R = any,
> extends EndpointBase<A, R, S, E> {
  /** The HTTP method. */
  readonly method: string;
  /** Options for `fetch` of every call, before `static init` of the class completes them. */
  readonly fetchInit: RequestInit | undefined;
  /** Options for `fetch` of a call without body: what `getFetchInit()` gives. */
  readonly init: RequestInit;
  /**
   * The URL of a call.
   *
   * @param args The arguments of the call. Of an endpoint that creates, one alone is the body, which is no part of the URL.
   * @throws {UrlError} If no URL can be made.
   */
  url(...args: [params?: AnySearch, body?: unknown]): string;
  /**
   * Options for `fetch`: `fetchInit`, the method, the signal, the body and its headers, completed by `static init` of the
   * class.
   *
   * @param body The body of the call: plain data is sent as JSON, everything else as it is.
   * @throws {EndpointError} If the body cannot be sent.
   */
  getFetchInit(body?: unknown): RequestInit;
  /**
   * A copy with some members replaced; arguments, answer and data are inferred anew. The original stays as it is.
   *
   * @param options What is different. `fetch` replaces the whole way from arguments to answer, and its parameters become
   * those of a call.
   * @returns A new endpoint.
   */
  extend<P extends ResourceExtendOptions>(
    options: P & KnownOptions<P, keyof ResourceExtendOptions, "the endpoint of a Resource">,
  ): ResourceEndpoint<FetchArgs<P, A>, Get<P, "schema", S>, EffectOf<P, E>, ResultOf<P, R>>;
}

/** What is decided by the class, and can be no option of its endpoints. */
type Decided = "urlPrefix" | "searchToString" | "getRequestInit" | "requestInit";

/** Options of `extend`: those of a RestEndpoint that have a meaning here, and those that 5.0 had. */
export interface ResourceExtendOptions extends Omit<RestOptions, Decided | "fetch" | "url"> {
  /** Where entities are in the answer. */
  readonly schema?: Schema | undefined;
  /** The HTTP method. All but `GET` and `HEAD` have a side effect. */
  readonly method?: string | undefined;
  /** `false` with `POST`: a read that sends a body. */
  readonly sideEffect?: boolean | undefined;
  /** Options for `fetch` of every call, before `static init` of the class completes them. */
  readonly fetchInit?: RequestInit | undefined;
  /** Replaces the URL. One that is not below `urlRoot` needs a `testKey`, too, to be found by `expireAll`. */
  // deno-lint-ignore no-explicit-any -- the app annotates its parameters
  url?(this: ResourceEndpoint, params?: any): string;
  /** Replaces the options for `fetch`. */
  getFetchInit?(this: ResourceEndpoint, body?: unknown): RequestInit;
  /** Replaces the whole way from arguments to answer. */
  // deno-lint-ignore no-explicit-any -- a function of any shape may take its place
  fetch?(this: ResourceEndpoint, ...args: any): Promise<unknown>;
  /** Makes of the answer what is stored and returned. */
  // deno-lint-ignore no-explicit-any -- the app annotates what its server sends
  process?(value: any, ...args: any): unknown;
}

/** The side effect after an `extend`. */
export type EffectOf<P, E> = "sideEffect" extends keyof P ? P["sideEffect"]
  : P extends { readonly method: infer M } ? (M extends "GET" | "HEAD" ? undefined : true)
  : E;

/** The answer after an `extend`: that of `process`, else that of `fetch`. */
// deno-lint-ignore no-explicit-any -- matches a function of any shape
export type ResultOf<P, R> = P extends { process(...args: any): infer N } ? Awaited<N> : FetchResult<P, R>;

/** What a mutation sends: members of the entity, or what `fetch` takes as a body. */
export type ResourceBody<T extends AnyEntity> = EntityInput<T["prototype"]> | NonNullable<RequestInit["body"]>;

/** `GET` of one record. */
export type DetailEndpoint<T extends AnyEntity> = ResourceEndpoint<[params: AnySearch], T, undefined, unknown>;

/** `GET` of records. */
export type ListEndpoint<T extends AnyEntity> = ResourceEndpoint<[params?: AnySearch], T[], undefined, unknown>;

/** `POST` of a new record. */
export type CreateEndpoint<T extends AnyEntity> = ResourceEndpoint<
  [body: ResourceBody<T>] | [params: AnySearch, body: ResourceBody<T>],
  T,
  true,
  unknown
>;

/** `PUT` or `PATCH` of a record. */
export type UpdateEndpoint<T extends AnyEntity> = ResourceEndpoint<
  [params: AnySearch, body: ResourceBody<T>],
  T,
  true,
  unknown
>;

/** `DELETE` of a record. */
export type DeleteEndpoint<T extends AnyEntity> = ResourceEndpoint<[params: AnySearch], Invalidate<T>, true, unknown>;

/**
 * A member that exists in types only, and in no class: by it {@linkcode EndpointOf} knows whether a class is known yet.
 */
export interface Open {
  /** Never there. */
  "~endpoint"?: never;
}

/**
 * `X` for a class `T` that is known. While it is not, any endpoint: that lets a subclass replace an endpoint by one with
 * another schema, which the type checker would refuse, as it compares with what the base says of all classes.
 */
export type EndpointOf<T, X> = {
  readonly known: X;
  // deno-lint-ignore no-explicit-any -- see above
  readonly open: any;
}["~endpoint" extends keyof T ? "open" : "known"];
