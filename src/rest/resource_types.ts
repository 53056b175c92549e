/**
 * What a resource is, for the type checker. Every member's type is written out, so that hovers and messages stay short.
 *
 * @module
 */
import type { Invalid } from "../endpoint/endpoint_types.ts";
import type { Denormalize, EntityInput } from "../schemas/infer.ts";
import type { AnyEntity, Schema } from "../schemas/interface.ts";
import type { Collection } from "../collections/collection.ts";
import type { CollectionOptions } from "../collections/collection_options.ts";
import type { CollectionChange } from "../collections/collection_change.ts";
import type { Invalidate } from "../schemas/invalidate.ts";
import type { UnionSchemaObject } from "../schemas/union_types.ts";
import type { ExtendResource } from "./extend_resource.ts";
import type { AnySearch, CheckPath, HasTail, ShortenPath } from "./path_types.ts";
import type { RestEndpoint } from "./rest_endpoint.ts";
import type { AnyRestEndpoint, RestOptions } from "./rest_types.ts";

/** What a resource is of: an entity class, or a union of several. */
export type ResourceSchema = AnyEntity | UnionSchemaObject;

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
}

/**
 * The endpoints of one entity class. Members are replaced by spreading:
 * `{ ...base, getList: base.getList.extend({ … }) }`.
 *
 * `P` is the path, `S` the entity class, `Q` the search parameters of the list, `B` the body of `create` and `update`.
 *
 * @example An export with a type that is written out, as JSR asks for it
 * ```ts
 * import { assert } from "@std/assert";
 * import { createResource, Entity, type Resource } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const ArticleResource: Resource<"/articles/:id", typeof Article> = createResource({
 *   urlPrefix: "https://api.example.com",
 *   path: "/articles/:id",
 *   schema: Article,
 * });
 * assert(ArticleResource.getList.url({ tag: "deno" }) === "https://api.example.com/articles?tag=deno");
 * ```
 */
export interface Resource<
  P extends string,
  S extends ResourceSchema,
  Q = AnySearch | undefined,
  B = EntityInput<Denormalize<S>>,
> extends EnvelopeResource<P, S, Q, B, S[]> {}

/** A {@linkcode Resource} whose list has the schema `L`: what the option `list` gave. */
export interface EnvelopeResource<P extends string, S extends ResourceSchema, Q, B, L extends Schema>
  extends DetailResource<P, S, B> {
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

/** What `createResource` gives: without list and create where text follows the last parameter of the path. */
export type ResourceOf<P extends string, S extends ResourceSchema, Q, B, L = undefined> = HasTail<P> extends true
  ? DetailResource<P, S, B>
  : L extends Schema ? EnvelopeResource<P, S, Q, B, L>
  : Resource<P, S, Q, B>;

/**
 * What `resource` gives: a {@linkcode Resource} whose list grows by itself.
 *
 * `P` is the path, `S` the entity class, `Q` the search parameters of the list, `B` the body of `create` and `update`,
 * `F` the parameter that says which page is meant.
 */
export interface CollectionResource<
  P extends string,
  S extends ResourceSchema,
  Q = AnySearch | undefined,
  B = EntityInput<Denormalize<S>>,
  F extends string | undefined = undefined,
> extends EnvelopeCollectionResource<P, S, Q, B, F, Collection<S[]>> {}

/** A {@linkcode CollectionResource} whose list has the schema `L`: what the option `list` gave. */
export interface EnvelopeCollectionResource<
  P extends string,
  S extends ResourceSchema,
  Q,
  B,
  F extends string | undefined,
  L extends Schema,
> extends DetailResource<P, S, B> {
  /**
   * `GET` of the path without its last parameter: a list. What is not in the path goes to the search. Its verbs `push`,
   * `unshift`, `remove`, `move`, and `getPage`, are endpoints themselves.
   */
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
  /** The same resource with some members extended or replaced. */
  readonly extend: ExtendResource;
}

/** What `resource` gives: without list and create where text follows the last parameter of the path. */
export type CollectionResourceOf<
  P extends string,
  S extends ResourceSchema,
  Q,
  B,
  F extends string | undefined,
  L = undefined,
> = HasTail<P> extends true ? DetailResource<P, S, B> & { readonly extend: ExtendResource }
  : L extends Schema ? EnvelopeCollectionResource<P, S, Q, B, F, L>
  : CollectionResource<P, S, Q, B, F>;

/** A class that extends `Collection`. */
export interface CollectionClass {
  // deno-lint-ignore no-explicit-any -- a collection of any items, found by any arguments
  new (schema: any, options?: CollectionOptions): Collection<any, any>;
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
> extends
  ResourceOptions<P, S, Q, B, L, C>,
  Pick<CollectionOptions, "displayArgs" | "filters" | "nonFilterArgumentKeys"> {
  /** The class of the list's schema. Defaults to `Collection`. */
  readonly Collection?: CollectionClass | undefined;
  /**
   * The search parameter that says which page is meant: `getList.getPage` takes it. It is always among the
   * {@linkcode CollectionOptions.displayArgs}.
   */
  readonly paginationField?: F;
}

/** Options of `createResource`. Every option of a RestEndpoint that is not listed here goes to each member. */
export interface ResourceOptions<
  P extends string,
  S extends ResourceSchema,
  Q,
  B,
  L = unknown,
  C = S[],
> extends Omit<RestOptions, "fetch"> {
  /** Where one record is: `/articles/:id`. The list is where it is without its last parameter. */
  readonly path: P & CheckPath<P>;
  /** The entity class, or a union of several. */
  readonly schema: S & CheckFields<S>;
  /**
   * The type of the search parameters of `getList` and `create`, as a value of that type: `typed<{ tag?: string }>()`, or
   * `{} as { tag?: string }`. `undefined`: there are none. Not declared: any.
   */
  readonly searchParams?: Q;
  /**
   * The type of the body of `create` and `update`, as a value of that type; `partialUpdate` takes parts of it. Not
   * declared: the members of the entity.
   */
  readonly body?: B;
  /**
   * What holds the list in the answer of `getList`: `list: (articles) => ({ results: articles, total: 0 })`. Members beside
   * it may be left out; a value says what is read where the server sends none.
   *
   * @param list The schema of the list itself.
   */
  readonly list?: ((list: C) => L) | undefined;
  /** The class of the members. Defaults to `RestEndpoint`. */
  readonly Endpoint?: RestEndpointClass | undefined;
  /**
   * `true`: every mutation shows what it will do before the server answers, and takes it back when it refuses. What
   * `create` shows has a temporary pk until the server has named it.
   */
  readonly optimistic?: boolean | undefined;
}

/** `RestEndpoint`, or a class that extends it. */
export interface RestEndpointClass {
  // deno-lint-ignore no-explicit-any -- each class infers its own options
  new (options: any): AnyRestEndpoint;
}

/**
 * Refuses a `static schema` that names what is no field of the entity. A class that is a type parameter is compared with
 * the branch of what is right alone: see {@linkcode DefaultPk}.
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
