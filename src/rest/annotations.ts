/**
 * Types that apps write out: of a parameter, a member, a constructor. Their names are those of the older line.
 *
 * @module
 */
import type { EndpointMembers, Get } from "../endpoint/endpoint_types.ts";
import type { Value } from "../plain/value.ts";
import type { AnySearch, PathArgs } from "./path_types.ts";
import type { RestArgs, RestGenerics } from "./rest_generics.ts";
import type { RestEndpointOptions } from "./rest_types.ts";

/** What a {@linkcode GetEndpoint} is of. Search parameters that are not declared: there are none. */
export interface GetGenerics extends Pick<RestGenerics, "path" | "schema" | "searchParams" | "paginationField"> {}
/** What a {@linkcode MutateEndpoint} is of. A body that is not declared: any. */
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

/** What is known of a RestEndpoint by its options `O` and its side effect `E`. Any that is called alike is one. */
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
/** What the instances of a class are, also of one with a private constructor. */
export type AbstractInstanceType<T> = T extends { readonly prototype: infer I } ? I : never;
/** What the constructor of a RestEndpoint takes: for a class that has one of its own. */
export type RestEndpointConstructorOptions<O extends RestGenerics = RestGenerics> = RestEndpointOptions<O>;
