/**
 * What a RestEndpoint is and takes, for the type checker.
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

/** Headers in any form that `fetch` takes. Not `HeadersInit`: that is no global in the types of Node. */
export type RestHeaders = NonNullable<RequestInit["headers"]>;

/** A RestEndpoint of unknown shape. */
export type AnyRestEndpoint = RestEndpoint<Value>;

/**
 * Options of a RestEndpoint that do not change its types, for calls with `A` whose process gives `R`. In each function
 * `this` is the endpoint. An app may add members of its own:
 * `declare module "@rejoin/data" { interface RestOptions { … } }`.
 */
export interface RestOptions<A extends Args = Value, R = Value> extends CommonOptions<A, R> {
  /** What comes before `path`: `https://api.example.com/v1`, `//api.example.com`, or (on a page) `/api`. */
  readonly urlPrefix?: string | undefined;
  /** Options for `fetch` of every call. */
  readonly requestInit?: RequestInit | undefined;
  /** Steps of a request: `conditional()`, `cacheControl()`, one of your own; the first is the outermost. */
  readonly use?: readonly Step[] | undefined;
  /** Replaces the whole way from arguments to answer. */
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

/** Refuses members that are no options: a typo is otherwise one more member of an inferred type. */
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

/** What the type of options of `extend` is inferred from: of each option whatever it is, so that nothing else says it. */
export type RestExtendGenerics =
  & Omit<Partial<RestGenerics>, "process">
  & { readonly [K in keyof RestOptions | "process"]?: unknown };

/** Stands for the return type of a `process` that is not among the options. */
export interface Kept {
  readonly "~kept": true;
}

/** Options of which `undefined` takes one back. */
type OrNone<T> = { readonly [K in keyof T]: T[K] | undefined };
/** What `extend` of an endpoint with `O` takes beside a `process`: functions know the arguments of the new endpoint. */
export type ExtendOptions<O, P> =
  & Readonly<P>
  & OrNone<RestOptions<RestArgs<Extended<O, P>>>>
  & KnownOptions<P>
  & CheckContent<P>
  & ("path" extends keyof P ? { readonly path?: CheckPath<P["path"]> } : unknown);
/** The option `process`, which gives `R`. */
export interface ExtendProcess<O, P, R> {
  process?(this: AnyRestEndpoint, value: Value, ...args: RestArgs<Extended<O, P>>): R;
}
/** What `extend` of an endpoint with `O` takes. */
export type RestExtendOptions<O, P, R = Kept> = ExtendOptions<O, P> & ExtendProcess<O, P, R>;

/** The generics of an endpoint with `O`, after `extend` with options `P` and a process that gives `R`. */
export type Extend<O, P, R = Kept> = Processed<Extended<O, P>, R> extends infer X extends RestGenerics ? X
  : Value;
// All members of O, and not only those that matter: the type checker compares endpoints by O.
type Extended<O, P> = {
  readonly [K in keyof O | (keyof P & Decisive)]: K extends keyof P & Decisive ? P[K]
    : K extends keyof O ? O[K]
    : never;
};
type Decisive = Exclude<keyof RestGenerics, "process">;
type Processed<O, R> = [R] extends [Kept] ? O
  : { readonly [K in keyof O | "process"]: K extends "process" ? (value: Value, ...args: Value) => R : O[K & keyof O] };

/** What `extend` gives: an endpoint of the same kind, with the members that the class `T` adds to those of RestEndpoint. */
export type Extension<T, O, P, R = Kept> = [keyof T] extends [keyof AnyRestEndpoint] ? RestEndpoint<Extend<O, P, R>>
  : RestEndpoint<Extend<O, P, R>> & { [K in Exclude<keyof T, keyof AnyRestEndpoint>]: T[K] };

/** What `getRequestInit` returns, at once or as a promise: with `then` a promise fits, too, and `{ ...init }` has all. */
export interface RestInit extends RequestInit {
  readonly then?: unknown;
}

/**
 * One URL template and method of a REST API: what it is called with, how its request is made and how its answer is read.
 *
 * Every member can be replaced as an option, by `extend`, and in a subclass. A call runs: `url` → `getRequestInit` →
 * `getHeaders` → `fetchResponse` → `parseResponse` → `process`.
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
  /** Where the endpoint is, in the dialect of path-to-regexp 9. */
  readonly path: Get<O, "path", string>;
  /** The HTTP method. */
  readonly method: Get<O, "method", string>;
  /** How an answer is read; not declared: by its content type. */
  readonly content?: Get<O, "content", keyof ContentKinds | undefined>;
  /** The type of the body, as a value. `undefined`, if it is declared: calls have no body. */
  readonly body?: Get<O, "body", unknown>;
  /** The type of the search parameters, as a value. */
  readonly searchParams?: Get<O, "searchParams", AnySearch | undefined>;
  /** The URL of a call: `urlPrefix`, the path filled in, and the search. */
  url(params?: AnySearch, body?: unknown): string;
  /** The search of a URL, without question mark: names sorted. */
  searchToString(search: AnySearch): string;
  /** Options for `fetch`: `requestInit`, the method, the body and its headers. An override may be async. */
  getRequestInit(body?: unknown): RestInit;
  /** Completes the headers. */
  getHeaders(headers: Record<string, string>): RestHeaders | Promise<RestHeaders>;
  /** Sends the request; resolves with a response whose `ok` is true. */
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  /** Reads the answer. */
  parseResponse(response: Response): Promise<unknown>;
  /** Makes of the answer what is stored and returned. */
  process(value: Value, ...args: Value): unknown;
  /** Which errors leave data shown: `"soft"` are no answer, none in time, and 5xx. */
  errorPolicy(error: unknown): ErrorPolicy;
  /**
   * A copy with some members replaced; arguments, answer and data are inferred anew.
   *
   * @param options What is different.
   * @returns A new endpoint of the same class.
   */
  extend<P extends RestExtendGenerics = object, R = Kept>(
    options: RestExtendOptions<O, P, R>,
  ): Extension<this, O, P, R>;
  /**
   * The pages of a list: what a page brings joins the list that has the other arguments.
   *
   * @param removeCursor The name of the parameter that says which page is meant; or a function from the arguments of a page
   * to those of the list.
   */
  paginated<const F extends string>(removeCursor: F): RestEndpoint<PageGenerics<O, { [K in F]: PathValue }>>;
  paginated<A extends readonly [object?, ...unknown[]]>(
    removeCursor: (...args: A) => readonly unknown[],
  ): RestEndpoint<PageGenerics<O, NonNullable<A[0]>>>;
  /** The pages of a list, by the parameter that the option `paginationField` names. */
  readonly getPage: PageOf<O>;
  /** `POST` to the address of the list: what the server makes joins the end of the lists that it belongs to. */
  readonly push: ListVerbOf<O, "push">;
  /** The same at the beginning of the lists. */
  readonly unshift: ListVerbOf<O, "unshift">;
  /** `POST` to the address of a list of `Values`: what the server makes is put under its name. */
  readonly assign: ListVerbOf<O, "assign">;
  /** `PATCH` at the address of the list: the item leaves the lists that the call does not exclude, and stays a record. */
  readonly remove: ListVerbOf<O, "remove">;
  /** `PATCH` of a record: it goes into the lists that it matches now, and out of those that it does not. */
  readonly move: ListVerbOf<O, "move">;
}

/** `new RestEndpoint(options)`; `class Api<O extends RestGenerics> extends RestEndpoint<O>`. */
export interface RestEndpointConstructor {
  new <O extends RestGenerics = Value>(options: RestEndpointOptions<O>): RestEndpoint<O>;
  readonly prototype: AnyRestEndpoint;
}

type Verb = "push" | "unshift" | "assign" | "remove" | "move";

/** What the first collection in a schema is of. */
type CollectionIn<S> = S extends Collection<infer C, Value> ? C
  : S extends { readonly members: infer M } ? CollectionIn<M>
  : S extends Query<infer Q, Value, Value> ? CollectionIn<Q>
  : S extends AnyEntity | SchemaObject | readonly unknown[] | ((...args: never) => unknown) ? never
  : S extends object ? { [K in keyof S]: CollectionIn<S[K]> }[keyof S]
  : never;

/** The endpoint of a verb of a list endpoint with `O`. */
export type ListVerbOf<O, V extends Verb> = 0 extends 1 & O ? Value
  : CollectionIn<Get<O, "schema", undefined>> extends infer C
  // In place, not under a name: the compiler would say the name and not the sentence.
    ? [C] extends [never]
      ? Invalid<"its list does not grow by itself: make it with resource(), or give it a schema with a Collection">
    : RestEndpoint<VerbGenerics<O, C, V>>
  : never;

interface VerbGenerics<O, C, V> {
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
/** The first where it is text, else the second. */
type TextOr<A, B> = A extends string ? A : B extends string ? B : string;
type ItemBody<O, C> = "body" extends keyof O ? O["body"] : EntityInput<CollectionItem<C>>;

/** The endpoint of the pages of a list with `O`. */
type PageOf<O> = 0 extends 1 & O ? Value
  : Get<O, "paginationField", undefined> extends infer F extends string
    ? RestEndpoint<PageGenerics<O, { [K in F]: PathValue }>>
  : Invalid<"nothing says which parameter names a page: give it a paginationField, or use paginated(removeCursor)">;

/** What a page of a list with `O` is; `C` is what says which page. */
interface PageGenerics<O, C> {
  readonly path: TextOr<Get<O, "path", string>, string>;
  readonly method: TextOr<Get<O, "method", undefined>, "GET">;
  readonly schema: Get<O, "schema", undefined> extends infer S extends SchemaInput ? S : undefined;
  readonly searchParams: PageSearch<Get<O, "searchParams", undefined>, C>;
}
type PageSearch<Q, C> = string extends keyof NonNullable<Q> ? AnySearch & C
  : [Q] extends [undefined] ? C
  : Flat<Omit<NonNullable<Q>, keyof C> & C>;
