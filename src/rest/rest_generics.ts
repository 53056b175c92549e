/**
 * From the options of a RestEndpoint to its arguments and answers.
 *
 * @module
 */
import type { Get } from "../endpoint/endpoint_types.ts";
import type { Invalid, Value } from "../plain/value.ts";
import type { SchemaInput } from "../store/infer.ts";
import type { AnySearch, Flat, PathArgs } from "./path_types.ts";

/** Options that decide arguments, answers and data of a RestEndpoint. */
export interface RestGenerics {
  /** Where the endpoint is, in the dialect of path-to-regexp 9: `/users/:id{/posts/:postId}`. */
  readonly path: string;
  /** Where entities are in the answer. */
  readonly schema?: SchemaInput | undefined;
  /** In capitals. Defaults to `POST` where a body is declared, else to `GET`. */
  readonly method?: string | undefined;
  /** Defaults to `true` for every method but `GET`, `HEAD` and `QUERY`. `false` with `POST`: a read that sends a body. */
  readonly sideEffect?: boolean | undefined;
  /** The type of the body, as a value of that type: `typed<NewArticle>()`. `undefined`: there is none. */
  readonly body?: unknown;
  /** The type of the search, as a value of that type. `undefined`: there is none. Not declared: any. */
  readonly searchParams?: unknown;
  /** Of a list: the parameter that says which page of it is meant; `getPage` takes it. */
  readonly paginationField?: string | undefined;
  /** Of a list: where one record is, for `move`. `resource` sets it. */
  readonly movePath?: string | undefined;
  /** How the answer is read. Not declared: by its content type. */
  readonly content?: keyof ContentKinds | undefined;
  /** Makes of the answer what is stored and returned; its return type becomes the type of a direct call. */
  readonly process?: ((value: Value, ...args: Value) => unknown) | undefined;
}

/** What an endpoint gives, by the way in which its answer is read. */
export interface ContentKinds {
  readonly json: unknown;
  readonly text: string;
  readonly blob: Blob;
  readonly arrayBuffer: ArrayBuffer;
  /** Bytes, as they come. It can be read once, so that such a call is never shared and never kept: a side effect. */
  readonly stream: NonNullable<Response["body"]>;
}

/** Refuses a schema where nothing makes of the answer what it could be normalized by. */
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

/** Whether calls have side effects. */
export type SideEffect<O> = 0 extends 1 & O ? Value
  : "sideEffect" extends keyof O ? O["sideEffect"]
  : Get<O, "content", undefined> extends "stream" ? true
  : MethodOf<O> extends "GET" | "HEAD" | "QUERY" ? undefined
  : true;

/** What a direct call resolves with: what `process` or `content` gives; without them only the server knows. */
export type RestResult<O> = 0 extends 1 & O ? Value
  : O extends { process(...args: Value): infer R } ? Awaited<R>
  : O extends { readonly content: infer C extends keyof ContentKinds } ? ContentKinds[C]
  : unknown;

/** A call without body. */
interface NoBody {
  readonly "~noBody": true;
}
type BodyOf<O> = MethodOf<O> extends "GET" | "HEAD" ? NoBody
  : "body" extends keyof O ? 0 extends 1 & O["body"] ? unknown : [O["body"]] extends [undefined] ? NoBody : O["body"]
  : MethodOf<O> extends "DELETE" ? NoBody
  : unknown;

/** The arguments of a call: `(params)`, `(params, body)`, or `(body)` alone where there need be no params. */
export type RestArgs<O> = 0 extends 1 & O ? Value
  : CallArgs<PathArgs<Get<O, "path", string>>, Get<O, "searchParams", AnySearch | undefined>, BodyOf<O>>;
/** Nothing is required of it. */
type Empty = Record<never, never>;
type CallArgs<P, Q, B> = [Q] extends [undefined] ? unknown extends P ? BodyAlone<B> : WithParams<P, P, B>
  : WithParams<
    unknown extends P ? NonNullable<Q> : string extends keyof NonNullable<Q> ? P & NonNullable<Q>
    : Flat<P & NonNullable<Q>>,
    P & (Empty extends Q ? unknown : undefined extends Q ? unknown : Q),
    B
  >;
type BodyAlone<B> = [B] extends [NoBody] ? [] : undefined extends B ? [body?: B] : [body: B];
/** Required: what must be there; when nothing must, the params may be left out. */
type WithParams<P, Required, B> = Empty extends Required ? [B] extends [NoBody] ? [params?: P]
  : undefined extends B ? [body?: B] | [params: P, body?: B]
  : [body: B] | [params: P, body: B]
  : [B] extends [NoBody] ? [params: P]
  : undefined extends B ? [params: P, body?: B]
  : [params: P, body: B];
