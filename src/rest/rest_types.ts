/**
 * The types of RestEndpoint, and of the options that it takes.
 *
 * @module
 */
import type { CommonOptions, EndpointMembers, ErrorPolicy, Get } from "../endpoint/endpoint_types.ts";
import type { Args, Invalid, Value } from "../plain/value.ts";
import type { Step } from "../parts/step.ts";
import type { Collection } from "../schemas/collection.ts";
import type { CollectionChange, CollectionItem } from "../schemas/lists.ts";
import type { Query } from "../schemas/query.ts";
import type { AnyEntity, SchemaObject } from "../store/schema.ts";
import type { EntityInput, SchemaInput } from "../store/infer.ts";
import type { AnySearch, CheckPath, Flat, PathValue } from "./path_types.ts";
import type { CheckContent, ContentKinds, RestArgs, RestGenerics, RestResult, SideEffect } from "./rest_generics.ts";

/** Headers in any form that `fetch` takes: `HeadersInit`, which the types of Node do not declare. */
export type RestHeaders = NonNullable<RequestInit["headers"]>;

/** Any RestEndpoint. */
export type AnyRestEndpoint = RestEndpoint<Value>;

/**
 * The options of a RestEndpoint that do not change its types, for arguments `A` and a `process` that returns `R`. In
 * each function `this` is the endpoint.
 *
 * An app can declare options of its own: `declare module "@rejoin/data" { interface RestOptions { … } }`.
 */
export interface RestOptions<A extends Args = Value, R = Value> extends CommonOptions<A, R> {
  /** The URL before `path`: `https://api.example.com/v1`, `//api.example.com`, or (on a page) `/api`. */
  readonly urlPrefix?: string | undefined;
  /** Options for `fetch` in every call: `credentials`, `headers` … */
  readonly requestInit?: RequestInit | undefined;
  /** Steps of each request: `conditional()`, `cacheControl()`, your own. The first wraps the others. */
  readonly use?: readonly Step[] | undefined;
  /** Replaces the whole call, from its arguments to the value that is stored. */
  fetch?(this: AnyRestEndpoint, ...args: Value): Promise<Value>;
  /** Replaces {@linkcode RestEndpoint.url}. */
  url?(this: AnyRestEndpoint, params?: AnySearch): string;
  /** Replaces {@linkcode RestEndpoint.searchToString}. */
  searchToString?(this: AnyRestEndpoint, search: AnySearch): string;
  /** Replaces {@linkcode RestEndpoint.getRequestInit}. */
  getRequestInit?(this: AnyRestEndpoint, body?: unknown): RequestInit | Promise<RequestInit>;
  /** Replaces {@linkcode RestEndpoint.getHeaders}. */
  getHeaders?(this: AnyRestEndpoint, headers: Record<string, string>): RestHeaders | Promise<RestHeaders>;
  /** Replaces {@linkcode RestEndpoint.fetchResponse}. */
  fetchResponse?(this: AnyRestEndpoint, url: string, init: RequestInit): Promise<Response>;
  /** Replaces {@linkcode RestEndpoint.parseResponse}. */
  parseResponse?(this: AnyRestEndpoint, response: Response): Promise<unknown>;
}

/** Refuses members that are no options. Without it, a misspelt option would be inferred as one more member. */
export type KnownOptions<O> = 0 extends 1 & O ? unknown : {
  readonly [K in Exclude<keyof O, keyof RestOptions | keyof RestGenerics>]: Invalid<
    `${K & string} is not an option of RestEndpoint`
  >;
};

/** What `new RestEndpoint` takes. */
export type RestEndpointOptions<O> =
  & Readonly<O>
  & RestOptions<RestArgs<O>, RestResult<O>>
  & KnownOptions<O>
  & CheckContent<O>
  & { readonly path: CheckPath<Get<O, "path", string>> };

/**
 * The constraint of the options of `extend`, from which their type is inferred. Of most options it has the name alone:
 * their types are checked after the inference.
 */
export type RestExtendGenerics =
  & Omit<Partial<RestGenerics>, "process">
  & { readonly [K in keyof RestOptions | "process"]?: unknown };

/** Stands for the return type of `process` if the options have none: that of the endpoint is kept. */
export interface Kept {
  readonly "~kept": true;
}

/** Options that may be `undefined`, which removes the option of the extended endpoint. */
type OrNone<T> = { readonly [K in keyof T]: T[K] | undefined };
/** The options of `extend` for an endpoint with `O`, but `process`. Functions get the arguments of the new endpoint. */
export type ExtendOptions<O, P> =
  & Readonly<P>
  & OrNone<RestOptions<RestArgs<Extended<O, P>>, unknown>>
  & KnownOptions<P>
  & ("process" extends keyof P ? unknown : CheckContent<Extended<O, P>>)
  & ("path" extends keyof P ? { readonly path?: CheckPath<P["path"]> } : unknown);
/** The option `process` of `extend`, which returns `R`. */
export interface ExtendProcess<O, P, R> {
  process?(this: AnyRestEndpoint, value: Value, ...args: RestArgs<Extended<O, P>>): R;
}
/** All options that `extend` of an endpoint with `O` takes. */
export type RestExtendOptions<O, P, R = Kept> = ExtendOptions<O, P> & ExtendProcess<O, P, R>;

/** The generics after an endpoint with `O` was extended by options `P` and a `process` that returns `R`. */
export type Extend<O, P, R = Kept> = Processed<Extended<O, P>, R> extends infer X extends RestGenerics ? X
  : Value;
/** `O` with the options `P`. It keeps all members of `O`, because the type checker compares endpoints by `O`. */
export type Extended<O, P> = {
  readonly [K in keyof O | (keyof P & Decisive)]: K extends keyof P & Decisive ? P[K]
    : K extends keyof O ? O[K]
    : never;
};
type Decisive = Exclude<keyof RestGenerics, "process">;
type Processed<O, R> = [R] extends [Kept] ? O
  : { readonly [K in keyof O | "process"]: K extends "process" ? (value: Value, ...args: Value) => R : O[K & keyof O] };

/** The endpoint that `extend` returns. Members that the class `T` adds to those of RestEndpoint are kept. */
export type Extension<T, O, P, R = Kept> = [keyof T] extends [keyof AnyRestEndpoint] ? RestEndpoint<Extend<O, P, R>>
  : RestEndpoint<Extend<O, P, R>> & { [K in Exclude<keyof T, keyof AnyRestEndpoint>]: T[K] };

/**
 * What `getRequestInit` returns. The member `then` lets an override be async, and another one can still spread what it
 * gets from `super.getRequestInit`.
 */
export interface RestInit extends RequestInit {
  readonly then?: unknown;
}

/**
 * One method at one URL template of a REST API: it builds the request of a call, sends it and reads the response.
 *
 * A call runs `url` → `getRequestInit` → `getHeaders` → `fetchResponse` → `parseResponse` → `process`. Each of them can
 * be replaced as an option, by `extend`, or in a subclass.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Entity, RestEndpoint } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const getArticle = new RestEndpoint({ urlPrefix: "https://api.example.com", path: "/articles/:id", schema: Article });
 * assert(getArticle.url({ id: 5, lang: "en" }) === "https://api.example.com/articles/5?lang=en");
 * const publish = getArticle.extend({ path: "/articles/:id/publish", method: "POST", body: undefined });
 * assert(publish.sideEffect === true);
 * ```
 */
export interface RestEndpoint<O extends RestGenerics = Value>
  extends
    EndpointMembers<RestArgs<O>, RestResult<O>, Get<O, "schema", undefined>, SideEffect<O>>,
    Pick<RestOptions, "urlPrefix" | "requestInit" | "use"> {
  /** The URL template after `urlPrefix`, in the dialect of path-to-regexp 9. */
  readonly path: Get<O, "path", string>;
  /** The HTTP method. */
  readonly method: Get<O, "method", string>;
  /** How the body of a response is read; by default its content type decides. */
  readonly content?: Get<O, "content", keyof ContentKinds | undefined>;
  /** The type of the body, as a value. If it is declared as `undefined`, calls have no body. */
  readonly body?: Get<O, "body", unknown>;
  /** The type of the search parameters, as a value. */
  readonly searchParams?: Get<O, "searchParams", AnySearch | undefined>;
  /**
   * The URL of a call: `urlPrefix`, the path with its parameters, and the search.
   *
   * @throws {UrlError} If the parameters do not fit the path, or the path is in another dialect.
   */
  url(params?: AnySearch, body?: unknown): string;
  /** The search of a URL, without the question mark. Names are sorted. */
  searchToString(search: AnySearch): string;
  /** The options for `fetch`: `requestInit`, the method, the body and its content type. An override may be async. */
  getRequestInit(body?: unknown): RestInit;
  /** Gets the headers of a request, and returns those to send. May be async. */
  getHeaders(headers: Record<string, string>): RestHeaders | Promise<RestHeaders>;
  /**
   * Sends the request once. Resolves with a response whose `ok` is true.
   *
   * @throws {NetworkError} If the server refuses, or no response comes.
   */
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  /**
   * Reads the body of a response.
   *
   * @throws {ParseError} If it is not JSON, but must be.
   */
  parseResponse(response: Response): Promise<unknown>;
  /** Turns the parsed body into the value that is stored and returned. */
  process(value: Value, ...args: Value): unknown;
  /** Whether an error leaves old data shown: by default it is `"soft"` for network failures, timeouts and 5xx. */
  errorPolicy(error: unknown): ErrorPolicy;
  /**
   * A new endpoint with some options replaced. Its arguments, reply and data are inferred anew.
   *
   * @param options The options to replace or add.
   * @returns An endpoint of the same class.
   */
  extend<P extends RestExtendGenerics = object, R = Kept>(
    options: RestExtendOptions<O, P, R>,
  ): Extension<this, O, P, R>;
  /**
   * The endpoint for further pages of a list. The items of each page are appended to the list, each once.
   *
   * @param removeCursor The name of the parameter that selects a page, such as `"cursor"`; or a function that makes the
   * arguments of the list from those of a page.
   */
  paginated<const F extends string>(removeCursor: F): RestEndpoint<PageGenerics<O, { [K in F]: PathValue }>>;
  paginated<A extends readonly [object?, ...unknown[]]>(
    removeCursor: (...args: A) => readonly unknown[],
  ): RestEndpoint<PageGenerics<O, NonNullable<A[0]>>>;
  /** The endpoint for further pages of a list: `paginated` with the parameter that `paginationField` names. */
  readonly getPage: PageOf<O>;
  /** `POST` to the URL of the list. The created record is added at the end of each list that it belongs to. */
  readonly push: ListVerbOf<O, "push">;
  /** `POST` to the URL of the list. The created record is added at the beginning of each list that it belongs to. */
  readonly unshift: ListVerbOf<O, "unshift">;
  /** `POST` to the URL of a list of `Values`. The created records are put under their names. */
  readonly assign: ListVerbOf<O, "assign">;
  /** `PATCH` at the URL of the list. The record leaves each list that the parameters do not exclude; it still exists. */
  readonly remove: ListVerbOf<O, "remove">;
  /** `PATCH` of a record. It joins the lists that it matches now, and leaves those that it does not. */
  readonly move: ListVerbOf<O, "move">;
}

/** The type of the class: `new RestEndpoint(options)`, `class Api<O extends RestGenerics> extends RestEndpoint<O>`. */
export interface RestEndpointConstructor {
  new <O extends RestGenerics = Value>(options: RestEndpointOptions<O>): RestEndpoint<O>;
  readonly prototype: AnyRestEndpoint;
}

type Verb = "push" | "unshift" | "assign" | "remove" | "move";

/** The source of the first collection in a schema: `[Article]` of `new Collection([Article])`. */
type CollectionIn<S> = S extends Collection<infer C, Value> ? C
  : S extends { readonly members: infer M } ? CollectionIn<M>
  : S extends Query<infer Q, Value, Value> ? CollectionIn<Q>
  : S extends AnyEntity | SchemaObject | readonly unknown[] | ((...args: never) => unknown) ? never
  : S extends object ? { [K in keyof S]: CollectionIn<S[K]> }[keyof S]
  : never;

/** The mutation for a verb of a list endpoint with `O`. */
export type ListVerbOf<O, V extends Verb> = 0 extends 1 & O ? Value
  : CollectionIn<Get<O, "schema", undefined>> extends infer C
  // `Invalid` stands here and not in a type with a name, because the compiler would show the name, not the sentence.
    ? [C] extends [never]
      ? Invalid<"its list does not grow by itself: make it with resource(), or give it a schema with a Collection">
    : RestEndpoint<VerbGenerics<O, C, V>>
  : never;

/** The generics of the mutation for a verb of a list endpoint with `O`. */
export interface VerbGenerics<O, C, V> {
  readonly path: TextOr<V extends "move" ? Get<O, "movePath", undefined> : undefined, Get<O, "path", string>>;
  readonly method: V extends "remove" | "move" ? "PATCH" : "POST";
  readonly schema: V extends "assign" ? CollectionChange<C, { readonly [name: string]: CollectionItem<C> }>
    : CollectionChange<C>;
  readonly searchParams: [V, "movePath"] extends ["move", keyof O] ? undefined
    : Get<O, "searchParams", AnySearch | undefined>;
  readonly body: V extends "remove" | "move" ? Partial<ItemBody<O, C>>
    : V extends "assign" ? { readonly [name: string]: ItemBody<O, C> }
    : ItemBody<O, C>;
}
/** `A` if it is a text, else `B`. */
type TextOr<A, B> = A extends string ? A : B extends string ? B : string;
type ItemBody<O, C> = "body" extends keyof O ? O["body"] : EntityInput<CollectionItem<C>>;

/** The endpoint for further pages of a list endpoint with `O`. */
type PageOf<O> = 0 extends 1 & O ? Value
  : Get<O, "paginationField", undefined> extends infer F extends string
    ? RestEndpoint<PageGenerics<O, { [K in F]: PathValue }>>
  : Invalid<"nothing says which parameter names a page: give it a paginationField, or use paginated(removeCursor)">;

/** The generics of the endpoint for pages of a list with `O`; `C` has the parameter that selects a page. */
export interface PageGenerics<O, C> {
  readonly path: TextOr<Get<O, "path", string>, string>;
  readonly method: TextOr<Get<O, "method", undefined>, "GET">;
  readonly schema: Get<O, "schema", undefined> extends infer S extends SchemaInput ? S : undefined;
  readonly searchParams: PageSearch<Get<O, "searchParams", undefined>, C>;
}
type PageSearch<Q, C> = string extends keyof NonNullable<Q> ? AnySearch & C
  : [Q] extends [undefined] ? C
  : Flat<Omit<NonNullable<Q>, keyof C> & C>;
