/**
 * From the options of a RestEndpoint to its arguments and answers.
 *
 * @module
 */
import type { BaseEndpointMembers, Get, Invalid, KnownOptions, OrUndefined } from "../endpoint/endpoint_types.ts";
import type { BodyKinds } from "../http/read_body.ts";
import type { Schema } from "../schemas/interface.ts";
import type { AnySearch, CheckPath, Flat, PathArgs } from "./path_types.ts";
import type { RestEndpoint } from "./rest_endpoint.ts";
import type { GetMany } from "./steps/batch.ts";
import type { Step } from "./steps/step.ts";

/** Options that decide arguments, answers and data of a RestEndpoint, for the type checker. */
export interface RestGenerics {
  /** Where the endpoint is, in the dialect of path-to-regexp 9: `/users/:id{/posts/:postId}`. */
  readonly path: string;
  /** Where entities are in the answer. */
  readonly schema?: Schema | undefined;
  /** Defaults to `POST` where there is a side effect or a declared body, else to `GET`. */
  readonly method?: string | undefined;
  /** Defaults to `true` for every method but `GET` and `HEAD`. `false` with `POST`: a read that sends a body. */
  readonly sideEffect?: boolean | undefined;
  /**
   * The type of the body, as a value of that type: `{} as NewArticle`. The value itself is not used, but `undefined`
   * means: a call has no body.
   */
  readonly body?: unknown;
  /**
   * The type of the search parameters, as a value of that type: `{} as { tag?: string }`. The value is not used.
   * `undefined`: there are none. Not declared: any.
   */
  readonly searchParams?: unknown;
  /** Of a list: the parameter that says which page of it is meant; `getPage` takes it. */
  readonly paginationField?: string | undefined;
  /** Of a list: where one record is, for `move`. `resource` sets it. */
  readonly movePath?: string | undefined;
  /**
   * How the answer is read, whatever it says it is: `"json"`, `"text"`, `"blob"`, `"arrayBuffer"` or `"stream"`. Not
   * declared: by its content type. A stream can be read once, so that such a call is never shared and never kept:
   * `sideEffect` is then `true`, unless it is declared.
   */
  readonly content?: ContentType | undefined;
  /** Makes of the answer what is stored and returned; its return type becomes the type of a direct call. */
  // deno-lint-ignore no-explicit-any -- the app annotates what its server sends
  readonly process?: ((value: any, ...args: any) => unknown) | undefined;
}

/** What an endpoint gives, by the way in which its answer is read. */
export interface ContentKinds extends BodyKinds {
  /** Parsed JSON. */
  readonly json: unknown;
  /** Bytes, as they come; under deadline and signal to their end. */
  readonly stream: NonNullable<Response["body"]>;
}

/** How an answer is read. */
export type ContentType = keyof ContentKinds;

/** A RestEndpoint of unknown shape. */
// deno-lint-ignore no-explicit-any -- variance: an endpoint of unknown shape
export type AnyRestEndpoint = RestEndpoint<any>;

/** Headers in any form that `fetch` takes. Not `HeadersInit`: that is no global in the types of Node. */
export type RestHeaders = NonNullable<RequestInit["headers"]>;

/**
 * What `getRequestInit` returns: options for `fetch`, at once or as a promise.
 *
 * An override may be async; the base never is, so that `{ ...super.getRequestInit(body), credentials: "include" }` keeps
 * method, headers and body. That is why this is no union: a promise of options is assignable to it by its `then`.
 */
export interface RestInit extends RequestInit {
  /** Where the options are a promise. */
  readonly then?: unknown;
}

/** What a RestEndpoint may be given that does not change its types. In each function `this` is the endpoint. */
export interface RestMembers extends BaseEndpointMembers {
  /**
   * What comes before `path`: absolute (`https://api.example.com/v1`), protocol-relative (`//api.example.com`: the page's
   * scheme, `https:` where there is no page) or relative to the page (`/api`; an error where there is no page).
   */
  readonly urlPrefix: string;
  /** Options for `fetch` of every call. */
  readonly requestInit: RequestInit;
  /** How long a call may take, all attempts and the body included, in ms. Defaults to 30,000. */
  readonly deadline: number;
  /**
   * How often a call is sent again at most, after a failure that may pass: no answer, a body that broke off, 408, 429,
   * 502, 503, 504. `GET` and `HEAD`, and other methods with `idempotencyKey()`. `false` is 0. Defaults to 2.
   */
  readonly retry: number | false;
  /**
   * What is done beside sending the request and reading its answer, from the outermost: `conditional()`,
   * `cacheControl()`, `ifMatch()`, `idempotencyKey()`, `followRedirects()`, and what an app writes itself.
   */
  readonly use: readonly Step[];
  /**
   * The reads of one tick become one request: `batch({ param: "ids", max: 100 })` asks for `/articles?ids[]=5&ids[]=7`. Only of
   * a `GET` whose path ends with the parameter that names the record.
   */
  readonly getMany: GetMany;
  /** Replaces the whole way from arguments to answer. */
  // deno-lint-ignore no-explicit-any -- any arguments, any answer
  fetch(this: AnyRestEndpoint, ...args: any): Promise<any>;
  /** Replaces {@linkcode RestEndpoint.url}. */
  url(this: AnyRestEndpoint, params?: AnySearch): string;
  /** Replaces {@linkcode RestEndpoint.searchToString}. */
  searchToString(this: AnyRestEndpoint, search: AnySearch): string;
  /** Replaces {@linkcode RestEndpoint.getRequestInit}. */
  getRequestInit(this: AnyRestEndpoint, body?: unknown): RequestInit | Promise<RequestInit>;
  /** Replaces {@linkcode RestEndpoint.getHeaders}. */
  getHeaders(this: AnyRestEndpoint, headers: Record<string, string>): RestHeaders | Promise<RestHeaders>;
  /** Replaces {@linkcode RestEndpoint.fetchResponse}. */
  fetchResponse(this: AnyRestEndpoint, url: string, init: RequestInit): Promise<Response>;
  /** Replaces {@linkcode RestEndpoint.parseResponse}. */
  parseResponse(this: AnyRestEndpoint, response: Response): Promise<unknown>;
}

/**
 * Options of a RestEndpoint that do not change its types. An app may add members of its own:
 * `declare module "@rejoin/data" { interface RestOptions { … } }`.
 */
export interface RestOptions extends OrUndefined<RestMembers> {}

/** What the types of a RestEndpoint accept as options. */
export type RestEndpointOptions<O> = CheckedOptions<O> & { readonly path: CheckPath<Get<O, "path", string>> };
type CheckedOptions<O> =
  & Readonly<O>
  & RestOptions
  & KnownOptions<O, keyof RestOptions | keyof RestGenerics, "RestEndpoint">
  & CheckContent<O>;

/** Refuses a schema where nothing makes of the answer what it could be normalized by. */
type CheckContent<O> = O extends { readonly content: Exclude<ContentType, "json">; readonly schema: object }
  ? "process" extends keyof O ? unknown
  : { readonly content: Invalid<'a schema needs JSON: write content: "json", or a process that makes data of it'> }
  : unknown;

/** What `extend` may be given. Not `Partial<RestGenerics>` alone: options without a member of that would not be inferred. */
export interface RestExtendGenerics extends Partial<RestGenerics>, RestOptions {}

/** The same for `extend`, where `path` may be left out. */
export type RestExtendOptions<P> =
  & CheckedOptions<P>
  & ("path" extends keyof P ? { readonly path?: CheckPath<P["path"]> } : unknown);

/** The generics of an endpoint with `O`, after `extend` with options `P`. */
export type Extend<O, P> = Extended<O, P> extends infer X extends { readonly path: string } ? X
  // deno-lint-ignore no-explicit-any -- options whose type has no literal: an endpoint of unknown shape
  : any;
// All members of O, and not only those that matter: the type checker compares endpoints by O.
type Extended<O, P> = {
  readonly [K in keyof O | (keyof P & keyof RestGenerics)]: K extends keyof P & keyof RestGenerics ? P[K]
    : K extends keyof O ? O[K]
    : never;
};

/**
 * What `extend` gives: an endpoint of the same kind, with the members that the class `T` adds to those of RestEndpoint. An
 * `extend` of a class, which overrides it, is compared with the branch of a plain RestEndpoint alone.
 */
export type Extension<T, O, P> = [ExtendedKind<T>] extends ["own"] ? RestEndpoint<Extend<O, P>> & OwnMembers<T>
  : RestEndpoint<Extend<O, P>>;
type ExtendedKind<T> = [keyof T] extends [keyof AnyRestEndpoint] ? "plain" : "own";
type OwnMembers<T> = { [K in Exclude<keyof T, keyof AnyRestEndpoint>]: T[K] };

/** Nothing is required of it. */
type Empty = Record<never, never>;

/** A call without body. */
interface NoBody {
  readonly "~noBody": true;
}

/** The method of an endpoint, in capitals. */
export type MethodOf<O> = "method" extends keyof O
  ? O["method"] extends string ? Uppercase<O["method"]> : DefaultMethod<O>
  : DefaultMethod<O>;
type DefaultMethod<O> = Get<O, "sideEffect", undefined> extends true ? "POST"
  : "body" extends keyof O ? [O["body"]] extends [undefined] ? "GET" : "POST"
  : "GET";

/** Whether calls have side effects. */
// deno-lint-ignore no-explicit-any -- the guard for any gives any
export type SideEffect<O> = 0 extends 1 & O ? any
  : "sideEffect" extends keyof O ? O["sideEffect"]
  : Get<O, "content", undefined> extends "stream" ? true
  : MethodOf<O> extends "GET" | "HEAD" ? undefined
  : true;

type BodyOf<O> = MethodOf<O> extends "GET" | "HEAD" ? NoBody
  : "body" extends keyof O ? 0 extends 1 & O["body"] ? unknown : [O["body"]] extends [undefined] ? NoBody : O["body"]
  : MethodOf<O> extends "DELETE" ? NoBody
  : unknown;

/** The arguments of a call: `(params)`, `(params, body)`, or `(body)` alone where there need be no params. */
// deno-lint-ignore no-explicit-any -- the guard for any gives any
export type RestArgs<O> = 0 extends 1 & O ? any
  : CallArgsOf<PathArgs<Get<O, "path", string>>, Get<O, "searchParams", AnySearch | undefined>, BodyOf<O>>;

type CallArgsOf<P, Q, B> = [Q] extends [undefined] ? unknown extends P ? BodyAlone<B> : WithParams<P, P, B>
  : WithParams<
    unknown extends P ? NonNullable<Q> : Both<P, NonNullable<Q>>,
    P & (Empty extends Q ? unknown : undefined extends Q ? unknown : Q),
    B
  >;
type Both<P, Q> = string extends keyof Q ? P & Q : Flat<P & Q>;
type BodyAlone<B> = [B] extends [NoBody] ? [] : undefined extends B ? [body?: B] : [body: B];
/** Required: what must be there; when nothing must, the params may be left out. */
type WithParams<P, Required, B> = Empty extends Required ? [B] extends [NoBody] ? [params?: P]
  : undefined extends B ? [body?: B] | [params: P, body?: B]
  : [body: B] | [params: P, body: B]
  : [B] extends [NoBody] ? [params: P]
  : undefined extends B ? [params: P, body?: B]
  : [params: P, body: B];

/** What a direct call resolves with: what `process` or `content` gives; without them only the server knows. */
// deno-lint-ignore no-explicit-any -- the guard for any gives any
export type RestResult<O> = 0 extends 1 & O ? any
  // deno-lint-ignore no-explicit-any -- matches a function of any shape
  : O extends { process(...args: any): infer R } ? Awaited<R>
  : O extends { readonly content: infer C extends ContentType } ? ContentKinds[C]
  : unknown;
