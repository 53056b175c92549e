import type { Policy } from "../endpoint/endpoint_types.ts";
import type { Change, Collection } from "../schemas/collection.ts";
import type { Denormalize, EntityInput } from "../store/infer.ts";
import type { Invalidate } from "../schemas/invalidate.ts";
import type { Invalid } from "../plain/invalid.ts";
import type { AnySearch, ShortenPath } from "./path_types.ts";
import type { RestEndpoint } from "./rest_types.ts";

/** Options of `createResource`; those of an endpoint go to each member. */
export interface ResourceOptions<P extends string, S, Q, B, L, C> extends Policy {
  /** Where one record is: `/articles/:id`. */
  readonly path: P;
  readonly urlPrefix?: string | undefined;
  readonly schema: S & CheckFields<S>;
  /** The type of the search of `getList` and `create`, as a value: `typed<{ tag?: string }>()`. */
  readonly searchParams?: Q;
  /** The type of the body of `create` and `update`, as a value. */
  readonly body?: B;
  /** Where the list is in its answer: `(articles) => ({ results: articles, total: 0 })`. */
  readonly list?: ((list: C) => L) | undefined;
  readonly Endpoint?: (new (options: any) => any) | undefined;
  /** Details that are asked for at once are asked for together: see `batch`. */
  readonly getMany?: ((list: string) => any) | undefined;
  /** Mutations show what they will do before the server answers. */
  readonly optimistic?: boolean | undefined;
  readonly requestInit?: RequestInit | undefined;
  readonly [option: string]: any;
}
export interface CollectionOptions {
  /** Arguments that say how a list is shown, and not what is in it. */
  readonly displayArgs?: readonly string[] | undefined;
  readonly nonFilterArgumentKeys?: readonly string[] | undefined;
  /** For arguments that are not simply a member of their name. */
  readonly filters?: { readonly [arg: string]: (record: any, value: string) => boolean | undefined } | undefined;
  readonly paginationField?: string | undefined;
}

/** Six endpoints. `L` is the schema of the list, `C` that of `create`. */
export interface Resource<P extends string, S, Q, B, L, C> {
  readonly get: RestEndpoint<{ path: P; schema: S; method: "GET"; searchParams: undefined }>;
  readonly getList: RestEndpoint<{ path: ShortenPath<P>; schema: L; method: "GET"; searchParams: Q; body: B }>;
  readonly create: RestEndpoint<{ path: ShortenPath<P>; schema: C; method: "POST"; searchParams: Q; body: B }>;
  readonly update: RestEndpoint<{ path: P; schema: S; method: "PUT"; body: B }>;
  readonly partialUpdate: RestEndpoint<{ path: P; schema: S; method: "PATCH"; body: Partial<B> }>;
  readonly delete: RestEndpoint<
    { path: P; schema: Invalidate<S extends { prototype: any; key: any } ? S : any>; method: "DELETE" }
  >;
  /** The same with other members. */
  extend(what: any, options?: any): any;
}

export type CreateResource = <
  const P extends string,
  S,
  Q = AnySearch | undefined,
  B = EntityInput<Denormalize<S>>,
  L = S[],
>(
  options: ResourceOptions<P, S, Q, B, L, S[]>,
) => Resource<P, S, Q, B, L, S>;

export type MakeResource = <
  const P extends string,
  S,
  Q = AnySearch | undefined,
  B = EntityInput<Denormalize<S>>,
  L = Collection<S[]>,
>(
  options: ResourceOptions<P, S, Q, B, L, Collection<S[]>> & CollectionOptions,
) => Resource<P, S, Q, B, L, Change<S[]>>;

/** Refuses a `static schema` that names what is no field of the entity. */
type CheckFields<S> = S extends { schema: infer F; prototype: infer E } ? string extends keyof F ? unknown
  : [Exclude<keyof F, keyof E>] extends [never] ? unknown
  : Invalid<`static schema names "${Exclude<keyof F, keyof E> & string}", which is no field of the entity`>
  : unknown;
