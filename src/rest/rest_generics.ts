/**
 * The types that follow from the options of a RestEndpoint: its arguments, its side effect, its reply.
 *
 * @module
 */
import type { Get } from "../endpoint/endpoint_types.ts";
import type { Invalid, Value } from "../plain/value.ts";
import type { SchemaInput } from "../store/infer.ts";
import type { AnySearch, Flat, PathArgs } from "./path_types.ts";

/** The options that decide the types of a RestEndpoint: its arguments, its reply and its data. */
export interface RestGenerics {
  /** The URL template after `urlPrefix`, in the dialect of path-to-regexp 9: `/users/:id{/posts/:postId}`. */
  readonly path: string;
  /** Where entities are in the reply: `Article`, `[Article]`, `{ results: [Article] }` … */
  readonly schema?: SchemaInput | undefined;
  /** The HTTP method, in capitals. Defaults to `POST` if a body is declared, else to `GET`. */
  readonly method?: string | undefined;
  /** Defaults to `true` for all methods but `GET`, `HEAD`, `QUERY`. `false` makes a `POST` a read that sends a body. */
  readonly sideEffect?: boolean | undefined;
  /** The type of the body, as a value: `typed<NewArticle>()`. `undefined` means that calls have no body. */
  readonly body?: unknown;
  /** The type of the search parameters, as a value. `undefined` means none; without the option any are accepted. */
  readonly searchParams?: unknown;
  /** The search parameter that selects a page of a list: `getPage` takes it. */
  readonly paginationField?: string | undefined;
  /** The path of one record, for the verb `move` of a list. `resource` sets it. */
  readonly movePath?: string | undefined;
  /** How the body of a response is read. By default its content type decides. */
  readonly content?: keyof ContentKinds | undefined;
  /** Turns the parsed body into the value that is stored and returned. Its return type is that of a direct call. */
  readonly process?: ((value: Value, ...args: Value) => unknown) | undefined;
}

/** The type of a reply, by the option `content`. */
export interface ContentKinds {
  readonly json: unknown;
  readonly text: string;
  readonly blob: Blob;
  readonly arrayBuffer: ArrayBuffer;
  /** The bytes as they arrive. A stream can be read only once, so such a call is never shared or stored. */
  readonly stream: NonNullable<Response["body"]>;
}

/** Refuses a schema for a reply that is not JSON, unless a `process` makes something of it that can be normalized. */
export type CheckContent<O> = O extends
  { readonly content: Exclude<keyof ContentKinds, "json">; readonly schema: object }
  ? "process" extends keyof O ? unknown
  : { readonly content: Invalid<'a schema needs JSON: write content: "json", or a process that makes data of it'> }
  : unknown;

/** The method of an endpoint. */
type MethodOf<O> = "method" extends keyof O ? O["method"] extends string ? O["method"] : DefaultMethod<O>
  : DefaultMethod<O>;
type DefaultMethod<O> = Get<O, "sideEffect", undefined> extends true ? "POST"
  : "body" extends keyof O ? [O["body"]] extends [undefined] ? "GET" : "POST"
  : "GET";

/** The member `sideEffect` of an endpoint with `O`. */
export type SideEffect<O> = 0 extends 1 & O ? Value
  : "sideEffect" extends keyof O ? O["sideEffect"]
  : Get<O, "content", undefined> extends "stream" ? true
  : MethodOf<O> extends "GET" | "HEAD" | "QUERY" ? undefined
  : true;

/** The reply of a direct call: the type that `process` or `content` gives, else `unknown`. */
export type RestResult<O> = 0 extends 1 & O ? Value
  : O extends { process(...args: Value): infer R } ? Awaited<R>
  : O extends { readonly content: infer C extends keyof ContentKinds } ? ContentKinds[C]
  : unknown;

/** Stands for the body of calls that have none. */
interface NoBody {
  readonly "~noBody": true;
}
type BodyOf<O> = MethodOf<O> extends "GET" | "HEAD" ? NoBody
  : "body" extends keyof O ? 0 extends 1 & O["body"] ? unknown : [O["body"]] extends [undefined] ? NoBody : O["body"]
  : MethodOf<O> extends "DELETE" ? NoBody
  : unknown;

/** The arguments of a call: `(params)`, `(params, body)`, or `(body)` alone if no parameter is required. */
export type RestArgs<O> = 0 extends 1 & O ? Value
  : CallArgs<PathArgs<Get<O, "path", string>>, Get<O, "searchParams", AnySearch | undefined>, BodyOf<O>>;
/** An object without members: it is assignable to a type if that requires none. */
type Empty = Record<never, never>;
type CallArgs<P, Q, B> = [Q] extends [undefined] ? unknown extends P ? BodyAlone<B> : WithParams<P, P, B>
  : WithParams<
    unknown extends P ? NonNullable<Q> : string extends keyof NonNullable<Q> ? P & NonNullable<Q>
    : Flat<P & NonNullable<Q>>,
    P & (Empty extends Q ? unknown : undefined extends Q ? unknown : Q),
    B
  >;
type BodyAlone<B> = [B] extends [NoBody] ? [] : undefined extends B ? [body?: B] : [body: B];
/** `Required` has the required parameters. If there are none, the parameters may be left out. */
type WithParams<P, Required, B> = Empty extends Required ? [B] extends [NoBody] ? [params?: P]
  : undefined extends B ? [body?: B] | [params: P, body?: B]
  : [body: B] | [params: P, body: B]
  : [B] extends [NoBody] ? [params: P]
  : undefined extends B ? [params: P, body?: B]
  : [params: P, body: B];
