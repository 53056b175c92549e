/**
 * Types for apps that write out the type of a parameter, a member or a constructor. The names are those of data-client.
 *
 * @module
 */
import type { EndpointMembers, Get } from "../endpoint/endpoint_types.ts";
import type { Value } from "../plain/value.ts";
import type { AnySearch, PathArgs } from "./path_types.ts";
import type { RestArgs, RestGenerics } from "./rest_generics.ts";
import type { RestEndpointOptions } from "./rest_types.ts";

/** The options that decide the type of a {@linkcode GetEndpoint}. Search parameters must be declared. */
export interface GetGenerics extends Pick<RestGenerics, "path" | "schema" | "searchParams" | "paginationField"> {}
/** The options that decide the type of a {@linkcode MutateEndpoint}. Without `body`, any body is accepted. */
export interface MutateGenerics extends GetGenerics, Pick<RestGenerics, "method" | "body"> {}

/**
 * A read of a REST API: `GetEndpoint<{ path: "/articles/:id"; schema: typeof Article }>`.
 *
 * ```ts
 * import { assert } from "@std/assert";
 * import { createResource, Entity, type GetEndpoint } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   static key = "Article";
 * }
 * const ArticleResource = createResource({ path: "/articles/:id", schema: Article });
 * const get: GetEndpoint<{ path: "/articles/:id"; schema: typeof Article }> = ArticleResource.get;
 * assert(get.url({ id: 5 }) === "/articles/5");
 * ```
 */
export type GetEndpoint<O extends GetGenerics = GetGenerics> = AnnotatedEndpoint<O, undefined>;
/** A mutation of a REST API: `MutateEndpoint<{ path: "/articles/:id"; schema: typeof Article; body: Partial<Article> }>`. */
export type MutateEndpoint<O extends MutateGenerics = MutateGenerics> = AnnotatedEndpoint<O, true>;

/** A RestEndpoint with options `O` and side effect `E`. Each endpoint with the same arguments is assignable to it. */
export interface AnnotatedEndpoint<O extends MutateGenerics, E>
  extends EndpointMembers<ArgsOf<O, E>, Value, Get<O, "schema", Value>, E> {
  readonly path: O["path"];
  readonly method: string;
  url(params?: AnySearch): string;
}
type ArgsOf<O extends MutateGenerics, E> = string extends O["path"] ? Value : RestArgs<
  & { readonly path: O["path"]; readonly searchParams: Get<O, "searchParams", undefined> }
  & (E extends true ? { readonly method: Get<O, "method", "POST">; readonly body: Get<O, "body", Value> }
    : { readonly method: "GET" })
>;

/** The names of the parameters of a path. */
export type PathKeys<P extends string> = keyof PathArgs<P> & string;
/** The type of the instances of a class, even if its constructor is private. */
export type AbstractInstanceType<T> = T extends { readonly prototype: infer I } ? I : never;
/** The argument of the constructor of a RestEndpoint, for subclasses that have a constructor. */
export type RestEndpointConstructorOptions<O extends RestGenerics = RestGenerics> = RestEndpointOptions<O>;
