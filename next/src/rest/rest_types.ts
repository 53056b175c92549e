import type {
  AnyEndpoint,
  DataOf,
  EndpointOptions,
  EndpointTypes,
  NullableOf,
  OptionOf,
} from "../endpoint/endpoint_types.ts";
import type { AnySearch, Flat, PathArgs } from "./path_types.ts";

/** What decides the types of a RestEndpoint. */
export interface RestGenerics {
  path?: string | undefined;
  schema?: any;
  method?: string | undefined;
  body?: any;
  searchParams?: any;
  sideEffect?: boolean | undefined;
  process?(value: any, ...args: any[]): any;
}
/** Options that do not change its types. In each function `this` is the endpoint. */
export interface RestOptions extends Omit<EndpointOptions, "schema" | "sideEffect"> {
  readonly urlPrefix?: string | undefined;
  readonly requestInit?: RequestInit | undefined;
  readonly content?: "json" | "text" | "blob" | "arrayBuffer" | "stream" | undefined;
  readonly paginationField?: string;
  fetch?(this: any, ...args: any[]): Promise<any>;
  url?(this: any, params?: any): string;
  searchToString?(this: any, search: any): string;
  getRequestInit?(this: any, body?: any): any;
  getHeaders?(this: any, headers: any): any;
  fetchResponse?(this: any, url: string, init: RequestInit): Promise<Response>;
  parseResponse?(this: any, response: Response): Promise<any>;
}

type Extended<O, X> = {
  [K in keyof O | (keyof X & keyof RestGenerics)]: K extends keyof X ? X[K] : K extends keyof O ? O[K]
  : never;
};

/** An endpoint of a REST API. */
export interface RestEndpoint<O extends RestGenerics = any>
  extends AnyEndpoint, Omit<RestOptions, "key" | "testKey" | "name" | "url"> {
  (...args: RestArgs<O>): Promise<RestResult<O>>;
  readonly "~types": EndpointTypes<
    RestArgs<O>,
    DataOf<RestResult<O>, OptionOf<O, "schema", undefined>>,
    NullableOf<RestResult<O>, OptionOf<O, "schema", undefined>>
  >;
  readonly name: string;
  readonly path: OptionOf<O, "path", string>;
  readonly schema: OptionOf<O, "schema", undefined>;
  readonly method: OptionOf<O, "method", string>;
  readonly sideEffect: SideEffect<O>;
  url(params?: any): string;
  key(...args: RestArgs<O>): string;
  getRequestInit(body?: any): any;
  getHeaders(headers: any): any;
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  parseResponse(response: Response): Promise<any>;
  process(value: any, ...args: any[]): any;
  errorPolicy(error: any): "soft" | "hard" | undefined;
  extend<const X extends RestGenerics & RestOptions>(options: X): RestEndpoint<Extended<O, X> & RestGenerics>;
  paginated(removeCursor: ((...args: any[]) => any[]) | string): RestEndpoint<Extended<O, { searchParams: AnySearch }>>;
  /** Mutations of the list. */
  readonly push: ListVerb<O>;
  readonly unshift: ListVerb<O>;
  readonly assign: ListVerb<O>;
  readonly remove: ListVerb<O>;
  readonly move: ListVerb<O>;
  /** A page of the list, which joins it. */
  readonly getPage: RestEndpoint<Extended<O, { searchParams: AnySearch }>>;
}
export interface RestEndpointConstructor {
  new <const O extends RestGenerics = any>(options: O & RestOptions): RestEndpoint<O>;
  readonly prototype: RestEndpoint;
}
type ListVerb<O> = RestEndpoint<
  {
    path: O extends { path: infer P extends string } ? P : string;
    method: "POST";
    schema: any;
    searchParams: AnySearch | undefined;
    body: any;
  }
>;

type MethodOf<O> = O extends { method: infer M extends string } ? Uppercase<M>
  : O extends { body: infer B } ? [B] extends [undefined] ? "GET" : "POST"
  : "GET";
export type SideEffect<O> = 0 extends 1 & O ? any
  : O extends { sideEffect: infer E } ? E
  : MethodOf<O> extends "GET" | "HEAD" | "QUERY" ? undefined
  : true;
export type RestResult<O> = 0 extends 1 & O ? any : O extends { process(...args: any): infer R } ? Awaited<R> : any;

interface NoBody {
  readonly "~noBody": true;
}
type BodyOf<O> = MethodOf<O> extends "GET" | "HEAD" ? NoBody
  : "body" extends keyof O ? [O["body"]] extends [undefined] ? NoBody : O["body"]
  : MethodOf<O> extends "DELETE" ? NoBody
  : any;

/** The arguments of a call: `(params)`, `(params, body)`, or `(body)` where there need be no params. */
export type RestArgs<O> = 0 extends 1 & O ? any
  : CallArgs<PathArgs<OptionOf<O, "path", string>>, OptionOf<O, "searchParams", AnySearch | undefined>, BodyOf<O>>;
type Empty = Record<never, never>;
type CallArgs<P, Q, B> = [Q] extends [undefined]
  ? unknown extends P ? [B] extends [NoBody] ? [] : [body: B] : WithParams<P, P, B>
  : WithParams<
    unknown extends P ? NonNullable<Q>
      : string extends keyof NonNullable<Q> ? P & NonNullable<Q>
      : Flat<P & NonNullable<Q>>,
    P & (Empty extends Q ? unknown : undefined extends Q ? unknown : Q),
    B
  >;
type WithParams<P, Required, B> = Empty extends Required
  ? [B] extends [NoBody] ? [params?: P] : [body: B] | [params: P, body: B]
  : [B] extends [NoBody] ? [params: P]
  : [params: P, body: B];
