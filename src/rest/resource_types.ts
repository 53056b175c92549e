/**
 * The types of resources. The type of each member is written out, so that hovers and messages stay short.
 *
 * @module
 */
import type { Get } from "../endpoint/endpoint_types.ts";
import type { Invalid, Value } from "../plain/value.ts";
import type { AnySearch, CheckPath, HasTail, ShortenPath } from "./path_types.ts";
import type { RestGenerics } from "./rest_generics.ts";
import type {
  AnyRestEndpoint,
  ExtendOptions,
  ExtendProcess,
  Extension,
  Kept,
  RestEndpoint,
  RestExtendGenerics,
  RestExtendOptions,
  RestOptions,
} from "./rest_types.ts";
import type { Collection } from "../schemas/collection.ts";
import type { CollectionChange, CollectionOptions } from "../schemas/lists.ts";
import type { Invalidate } from "../schemas/invalidate.ts";
import type { UnionSchema } from "../schemas/union.ts";
import type { Denormalize, EntityInput, Literal, SchemaInput } from "../store/infer.ts";
import type { AnyEntity } from "../store/schema.ts";

/** The schema of a resource: an entity class, or a union of several. */
export type ResourceSchema = AnyEntity | UnionSchema;
/** The same, or an object with it that is around the record in each reply: `{ data: Article }`. */
export type DetailSchema = ResourceSchema | NewEntity | { readonly [member: string]: ResourceSchema | Literal };
// Where a class does not fit, the compiler explains what is wrong by the only one that `new` can be called on.
type NewEntity = AnyEntity & (abstract new (...args: never) => object);
/** The schema of the record by itself. */
export type RecordOf<S> = S extends ResourceSchema ? S : Extract<S[keyof S], ResourceSchema>;
/** The schema of what deletes the record. */
export type Deleted<S> = Invalidate<RecordOf<S>>;

/** A mutation of a resource that sends a body. */
export type Sending<P extends string, M extends string, S extends SchemaInput, Q, B> = RestEndpoint<
  { readonly path: P; readonly method: M; readonly schema: S; readonly searchParams: Q; readonly body: B }
>;
/** The endpoints of a resource for one record. */
export interface DetailResource<P extends string, S extends DetailSchema, B = EntityInput<Denormalize<RecordOf<S>>>> {
  /** `GET path`: reads one record. */
  readonly get: RestEndpoint<{ readonly path: P; readonly schema: S; readonly searchParams: undefined }>;
  /** `PUT path`: replaces the record. */
  readonly update: Sending<P, "PUT", S, undefined, B>;
  /** `PATCH path`: replaces the members that are sent. */
  readonly partialUpdate: Sending<P, "PATCH", S, undefined, Partial<B>>;
  /** `DELETE path`: deletes the record, on the server and in the store. */
  readonly delete: RestEndpoint<
    { readonly path: P; readonly method: "DELETE"; readonly schema: Deleted<S>; readonly searchParams: undefined }
  >;
  /** Makes a copy of the resource with some endpoints extended, replaced or added. */
  readonly extend: ExtendResource;
}

/**
 * The resource that `createResource` makes. `P` is the path, `S` the entity class, `Q` the search parameters of the
 * list, `B` the body of `create` and `update`, `L` the schema of the list.
 *
 * @example An export with a type that is written out, as JSR asks for it
 * ```ts
 * import { assert } from "@std/assert";
 * import { createResource, Entity, type Resource } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   static key = "Article";
 * }
 * const ArticleResource: Resource<"/articles/:id", typeof Article> = createResource({
 *   path: "/articles/:id",
 *   schema: Article,
 * });
 * assert(ArticleResource.getList.url({ tag: "deno" }) === "/articles?tag=deno");
 * ```
 */
export interface Resource<
  P extends string,
  S extends DetailSchema,
  Q = AnySearch | undefined,
  B = EntityInput<Denormalize<RecordOf<S>>>,
  L extends SchemaInput = S[],
> extends DetailResource<P, S, B> {
  /** `GET` of the path without its last parameter: reads a list. Parameters beyond those of the path go to the search. */
  readonly getList: RestEndpoint<{ readonly path: ShortenPath<P>; readonly schema: L; readonly searchParams: Q }>;
  /** `POST` to the path of the list: creates a record, and makes the lists stale. */
  readonly create: Sending<ShortenPath<P>, "POST", S, Q, B>;
}

/** The resource that `resource` makes: its lists are `Collection`s. `F` is the parameter that selects a page. */
export interface CollectionResource<
  P extends string,
  S extends ResourceSchema,
  Q = AnySearch | undefined,
  B = EntityInput<Denormalize<S>>,
  F extends string | undefined = undefined,
  L extends SchemaInput = Collection<S[]>,
> extends DetailResource<P, S, B> {
  /** `GET` of the path without its last parameter: reads a list. It has `push`, `remove`, `getPage` … as endpoints. */
  readonly getList: RestEndpoint<
    {
      readonly path: ShortenPath<P>;
      readonly method: "GET";
      readonly schema: L;
      readonly searchParams: Q;
      readonly body: B;
      readonly movePath: P;
      readonly paginationField: F;
    }
  >;
  /** `POST` to the path of the list: creates a record, which joins the lists that it belongs to. */
  readonly create: Sending<ShortenPath<P>, "POST", CollectionChange<S[]>, Q, B>;
}

/** Options of `createResource`. All other options of a RestEndpoint are accepted, too, and go to each endpoint. */
export interface ResourceOptions<P extends string, S extends DetailSchema, Q, B, L = unknown, C = S[]>
  extends Omit<RestOptions, "fetch">, Pick<RestGenerics, "process"> {
  /** The path of one record: `/articles/:id`. Without its last parameter it is the path of the list. */
  readonly path: P & CheckPath<P>;
  /** The entity class, or a union of several. */
  readonly schema: S & CheckFields<S>;
  /** The type of the search of `getList` and `create`, as a value: `typed<{ tag?: string }>()`. By default any. */
  readonly searchParams?: Q;
  /** The type of the body of `create` and `update`, as a value. By default the members of the entity. */
  readonly body?: B;
  /** Makes the schema of `getList` if the list is in an envelope: `(articles) => ({ results: articles, total: 0 })`. */
  readonly list?: ((list: C) => L) | undefined;
  /** The class of the endpoints. Defaults to `RestEndpoint`. */
  readonly Endpoint?: RestEndpointClass | undefined;
  /** Sends calls of `get` that are made at the same time as one request: `batch({ param: "ids" })`. */
  readonly getMany?: ((list: string) => object) | undefined;
  /** `true` shows the change of a mutation before the server answers, and takes it back if the mutation fails. */
  readonly optimistic?: boolean | undefined;
}

/** Options of `resource`: those of `createResource`, and those of the lists. */
export interface CollectionResourceOptions<
  P extends string,
  S extends ResourceSchema,
  Q,
  B,
  F extends string | undefined = string | undefined,
  L = unknown,
  C = Collection<S[]>,
> extends ResourceOptions<P, S, Q, B, L, C>, Pick<CollectionOptions, "displayArgs" | "filters"> {
  /** The class of the lists' schema. Defaults to `Collection`. */
  readonly Collection?: (new (schema: Value, options?: CollectionOptions) => Collection<Value, Value>) | undefined;
  /** The name of `displayArgs` in data-client. */
  readonly nonFilterArgumentKeys?: readonly string[] | undefined;
  /** The search parameter that selects a page: `getList.getPage` takes it. */
  readonly paginationField?: F;
}

/** `RestEndpoint`, or a class that extends it. */
export interface RestEndpointClass {
  new (options: Value): AnyRestEndpoint;
}

/** The type of `createResource`. If text follows the last parameter of the path, `getList` and `create` are missing. */
export type CreateResource = <
  const P extends string,
  S extends DetailSchema,
  Q = AnySearch | undefined,
  B = EntityInput<Denormalize<RecordOf<S>>>,
  L extends SchemaInput = S[],
>(
  options: ResourceOptions<P, S, Q, B, L>,
) => HasTail<P> extends true ? DetailResource<P, S, B> : Resource<P, S, Q, B, L>;

/** The type of `resource`. If text follows the last parameter of the path, `getList` and `create` are missing. */
export type MakeResource = <
  const P extends string,
  S extends ResourceSchema,
  Q = AnySearch | undefined,
  B = EntityInput<Denormalize<S>>,
  const F extends string | undefined = undefined,
  L extends SchemaInput = Collection<S[]>,
>(
  options: CollectionResourceOptions<P, S, Q, B, F, L>,
) => HasTail<P> extends true ? DetailResource<P, S, B> : CollectionResource<P, S, Q, B, F, L>;

/**
 * Refuses a `static schema` that names a member which is no field of the entity, or has `Date` for a field of another
 * type. A class that is a type parameter is accepted.
 */
type CheckFields<S> = CheckedFields<S[keyof S & "schema"], S[keyof S & "prototype"]>;
type CheckedFields<F, E> = [Verdict<F, E>] extends ["unknown"]
  ? Invalid<`static schema names "${Exclude<keyof F, keyof E> & string}", which is no field of the entity`>
  : [Verdict<F, E>] extends ["no date"] ? Invalid<
      `static schema makes a Date of "${NoDates<F, E> & string}": write ${NoDates<F, E> & string} = new Date(0)`
    >
  : unknown;
type Verdict<F, E> = [keyof F] extends [keyof E] ? VerdictOnDates<NoDates<F, E>>
  : string extends keyof F ? "right"
  : "unknown";
// For a class that is a type parameter, `N` is `string`.
type VerdictOnDates<N> = [string] extends [N] ? "right" : [N] extends [never] ? "right" : "no date";
type NoDates<F, E> = {
  [K in keyof F]: F[K] extends DateConstructor ? Date extends E[K & keyof E] ? never : K : never;
}[keyof F];

/** The resource `R` with the members `E`, which replace its own or are added. */
export type WithMembers<R, E> = E extends infer M
  ? { readonly [K in keyof R | keyof M]: K extends keyof M ? M[K] : K extends keyof R ? R[K] : never }
  : never;

/** The member `K` after `extend` with options `P`. A new member extends `get`. */
export type ExtendedMember<R, K, P, X = Kept> = MemberOf<R, K> extends RestEndpoint<infer O>
  ? Extension<MemberOf<R, K>, O, P, X>
  : never;
type MemberOf<R, K> = K extends keyof R ? R[K] : R extends { readonly get: infer G } ? G : never;
type GenericsOf<R, K> = MemberOf<R, K> extends RestEndpoint<infer O> ? O : never;

/** The method `extend` of a resource, in three forms. Each returns a new resource; the present one stays as it is. */
export interface ExtendResource {
  /**
   * Extends one endpoint. A new name adds an endpoint, which extends `get`.
   *
   * @param name The name of the endpoint.
   * @param options The options to replace or add, as for `endpoint.extend`.
   */
  <R extends object, const K extends string, P extends RestExtendGenerics = object, X = Kept>(
    this: R,
    name: K,
    options: RestExtendOptions<GenericsOf<R, K>, P, X>,
  ): WithMembers<R, { readonly [name in K]: ExtendedMember<R, K, P, X> }>;
  /**
   * Replaces or adds members.
   *
   * @param make Gets the resource, and returns the members.
   */
  <R extends object, E extends object>(this: R, make: (base: R) => E): WithMembers<R, E>;
  /**
   * Extends several endpoints.
   *
   * @param options The options to replace or add, by the name of the endpoint.
   */
  <
    R extends object,
    const P extends { readonly [K in keyof R]?: unknown },
    X extends { readonly [K in keyof R]?: unknown },
  >(
    this: R,
    options:
      & { readonly [K in keyof P]: ExtendOptions<GenericsOf<R, K>, P[K]> & CheckName<R, K> }
      & { readonly [K in keyof X]: ExtendProcess<GenericsOf<R, K>, Get<P, K, object>, X[K]> },
  ): WithMembers<R, { readonly [K in keyof X]-?: ExtendedMember<R, K, Get<P, K, object>, GivenBy<X[K]>> }>;
}
// `X` is `unknown` if the options of a member have no `process`.
type GivenBy<X> = unknown extends X ? Kept : X;
type CheckName<R, K> = K extends keyof R ? unknown : Invalid<`the resource has no member ${K & string}`>;
