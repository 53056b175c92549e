/**
 * What a resource is, for the type checker. Every member's type is written out, so that hovers and messages stay short.
 *
 * @module
 */
import type { Get } from "../endpoint/endpoint_types.ts";
import type { Invalid, Value } from "../plain/value.ts";
import type { AnySearch, CheckPath, HasTail, ShortenPath } from "./path_types.ts";
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
import type { Denormalize, EntityInput, SchemaInput } from "../store/infer.ts";
import type { AnyEntity } from "../store/schema.ts";

/** What a resource is of: an entity class, or a union of several. */
export type ResourceSchema = AnyEntity | UnionSchema;

/** The members of a resource that address one record. */
export interface DetailResource<P extends string, S extends ResourceSchema, B = EntityInput<Denormalize<S>>> {
  /** `GET path`: one record. */
  readonly get: RestEndpoint<{ readonly path: P; readonly schema: S; readonly searchParams: undefined }>;
  /** `PUT path`: the record is replaced. */
  readonly update: RestEndpoint<
    { readonly path: P; readonly method: "PUT"; readonly schema: S; readonly searchParams: undefined; readonly body: B }
  >;
  /** `PATCH path`: the members that are sent are replaced. */
  readonly partialUpdate: RestEndpoint<
    {
      readonly path: P;
      readonly method: "PATCH";
      readonly schema: S;
      readonly searchParams: undefined;
      readonly body: Partial<B>;
    }
  >;
  /** `DELETE path`: the record is deleted, here too. */
  readonly delete: RestEndpoint<
    { readonly path: P; readonly method: "DELETE"; readonly schema: Invalidate<S>; readonly searchParams: undefined }
  >;
  /** The same resource with some members extended or replaced. */
  readonly extend: ExtendResource;
}

/**
 * What `createResource` gives. `P` is the path, `S` the entity class, `Q` the search parameters of the list, `B` the body
 * of `create` and `update`, `L` the schema of the list.
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
  S extends ResourceSchema,
  Q = AnySearch | undefined,
  B = EntityInput<Denormalize<S>>,
  L extends SchemaInput = S[],
> extends DetailResource<P, S, B> {
  /** `GET` of the path without its last parameter: a list. What is not in the path goes to the search. */
  readonly getList: RestEndpoint<{ readonly path: ShortenPath<P>; readonly schema: L; readonly searchParams: Q }>;
  /** `POST` to the path of the list: a new record. */
  readonly create: RestEndpoint<
    {
      readonly path: ShortenPath<P>;
      readonly method: "POST";
      readonly schema: S;
      readonly searchParams: Q;
      readonly body: B;
    }
  >;
}

/** What `resource` gives: a {@linkcode Resource} whose lists grow. `F` is the parameter that says which page is meant. */
export interface CollectionResource<
  P extends string,
  S extends ResourceSchema,
  Q = AnySearch | undefined,
  B = EntityInput<Denormalize<S>>,
  F extends string | undefined = undefined,
  L extends SchemaInput = Collection<S[]>,
> extends DetailResource<P, S, B> {
  /** `GET` of the path without its last parameter: a list. Its verbs `push`, `remove` …, and `getPage`, are endpoints. */
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
  /** `POST` to the path of the list: a new record, which joins the lists that it belongs to. */
  readonly create: RestEndpoint<
    {
      readonly path: ShortenPath<P>;
      readonly method: "POST";
      readonly schema: CollectionChange<S[]>;
      readonly searchParams: Q;
      readonly body: B;
    }
  >;
}

/** Options of `createResource`. Every option of a RestEndpoint that is not listed here goes to each member. */
export interface ResourceOptions<P extends string, S extends ResourceSchema, Q, B, L = unknown, C = S[]>
  extends Omit<RestOptions, "fetch"> {
  /** Where one record is: `/articles/:id`. The list is where it is without its last parameter. */
  readonly path: P & CheckPath<P>;
  /** The entity class, or a union of several. */
  readonly schema: S & CheckFields<S>;
  /** The type of the search of `getList` and `create`, as a value: `typed<{ tag?: string }>()`. Not declared: any. */
  readonly searchParams?: Q;
  /** The type of the body of `create` and `update`, as a value. Not declared: the members of the entity. */
  readonly body?: B;
  /** Where the list is in its answer: `(articles) => ({ results: articles, total: 0 })`. */
  readonly list?: ((list: C) => L) | undefined;
  /** The class of the members. Defaults to `RestEndpoint`. */
  readonly Endpoint?: RestEndpointClass | undefined;
  /** Details that are asked for at once are asked for together: `batch({ param: "ids" })`. */
  readonly getMany?: ((list: string) => object) | undefined;
  /** `true`: mutations show what they will do before the server answers, and take it back when it refuses. */
  readonly optimistic?: boolean | undefined;
}

/** Options of `resource`: those of `createResource`, and what its lists are. */
export interface CollectionResourceOptions<
  P extends string,
  S extends ResourceSchema,
  Q,
  B,
  F extends string | undefined = string | undefined,
  L = unknown,
  C = Collection<S[]>,
> extends ResourceOptions<P, S, Q, B, L, C>, Pick<CollectionOptions, "displayArgs" | "filters"> {
  /** The class of the list's schema. Defaults to `Collection`. */
  readonly Collection?: (new (schema: Value, options?: CollectionOptions) => Collection<Value, Value>) | undefined;
  /** As `displayArgs`: the name that it has elsewhere. */
  readonly nonFilterArgumentKeys?: readonly string[] | undefined;
  /** The search parameter that says which page is meant: `getList.getPage` takes it. */
  readonly paginationField?: F;
}

/** `RestEndpoint`, or a class that extends it. */
export interface RestEndpointClass {
  new (options: Value): AnyRestEndpoint;
}

/** `createResource`. Where text follows the last parameter of the path there are no `getList` and `create`. */
export type CreateResource = <
  const P extends string,
  S extends ResourceSchema,
  Q = AnySearch | undefined,
  B = EntityInput<Denormalize<S>>,
  L extends SchemaInput = S[],
>(
  options: ResourceOptions<P, S, Q, B, L>,
) => HasTail<P> extends true ? DetailResource<P, S, B> : Resource<P, S, Q, B, L>;

/** `resource`. */
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
 * Refuses a `static schema` that names what is no field of the entity, or makes a Date of what is none. A class that is a
 * type parameter is compared with the branch of what is right alone.
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
// Of a type parameter all names are in it.
type VerdictOnDates<N> = [string] extends [N] ? "right" : [N] extends [never] ? "right" : "no date";
type NoDates<F, E> = {
  [K in keyof F]: F[K] extends DateConstructor ? Date extends E[K & keyof E] ? never : K : never;
}[keyof F];

/** A resource with other members: those of `E` in place of its own, or beside them. */
export type WithMembers<R, E> = E extends infer M
  ? { readonly [K in keyof R | keyof M]: K extends keyof M ? M[K] : K extends keyof R ? R[K] : never }
  : never;

/** A member after `extend` with options `P`; a member that is not there yet is made of `get`. */
export type ExtendedMember<R, K, P, X = Kept> = MemberOf<R, K> extends RestEndpoint<infer O>
  ? Extension<MemberOf<R, K>, O, P, X>
  : never;
type MemberOf<R, K> = K extends keyof R ? R[K] : R extends { readonly get: infer G } ? G : never;
type GenericsOf<R, K> = MemberOf<R, K> extends RestEndpoint<infer O> ? O : never;

/** How a resource is changed, in three forms. Each gives another resource; this one stays as it is. */
export interface ExtendResource {
  /**
   * Extends one member; a name that is not there yet is a new member, made of `get`.
   *
   * @param name Which one.
   * @param options What is different, as for `endpoint.extend`.
   */
  <R extends object, const K extends string, P extends RestExtendGenerics = object, X = Kept>(
    this: R,
    name: K,
    options: RestExtendOptions<GenericsOf<R, K>, P, X>,
  ): WithMembers<R, { readonly [name in K]: ExtendedMember<R, K, P, X> }>;
  /**
   * Puts members in the place of others, or beside them.
   *
   * @param make Gets the resource, gives members.
   */
  <R extends object, E extends object>(this: R, make: (base: R) => E): WithMembers<R, E>;
  /**
   * Extends several members.
   *
   * @param options What is different, by the name of the member.
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
// Where a member has no process, nothing says what that gives.
type GivenBy<X> = unknown extends X ? Kept : X;
type CheckName<R, K> = K extends keyof R ? unknown : Invalid<`the resource has no member ${K & string}`>;
