import { said, sentenceOf } from "../errors/texts.ts";
import type { Denormalize, EntityInput } from "../schemas/infer.ts";
import type { Schema } from "../schemas/interface.ts";
import { created } from "./optimistic.ts";
import { makeResource } from "./resource_members.ts";
import { readCreateReply, type ReplyReading } from "./mutation_replies.ts";
import type { AnySearch } from "./path_types.ts";
import type { ResourceOf, ResourceOptions, ResourceSchema } from "./resource_types.ts";

/**
 * The six endpoints of an entity class at a path: `get`, `getList`, `create`, `update`, `partialUpdate`, `delete`.
 *
 * | member | request | call | what the store learns |
 * |---|---|---|---|
 * | `get` | `GET /articles/:id` | `(params)` | the record |
 * | `getList` | `GET /articles` | `(params?)`; what is not in the path goes to the search | the records and their order |
 * | `create` | `POST /articles` | `(params?, body)` | the new record |
 * | `update` | `PUT /articles/:id` | `(params, body)` | the record |
 * | `partialUpdate` | `PATCH /articles/:id` | `(params, body)`, the changed members only | the record |
 * | `delete` | `DELETE /articles/:id` | `(params)` | that the record is gone, everywhere |
 *
 * Lists are arrays as the server gave them: a created record is in every `Query` and `All` at once, but in such a list
 * only when that is fetched again (`resource` has lists that grow by themselves). The list is at the path without its
 * last parameter: `/:first` shortens to `/`, a last group goes whole; where text follows the last parameter
 * (`/users/:id/settings`) there is no list and no create; a path without parameters is used by all.
 *
 * A mutation may be answered with nothing: then `update` and `partialUpdate` write what was sent and mark it stale,
 * `delete` takes the record from its parameters, and `create` lets the lists be fetched again.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { createResource, Entity } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const base = createResource({
 *   urlPrefix: "https://api.example.com",
 *   path: "/articles/:id",
 *   schema: Article,
 *   searchParams: {} as { tag?: string },
 *   optimistic: true,
 * });
 * const ArticleResource = { ...base, get: base.get.extend({ dataExpiryLength: Infinity }) };
 *
 * assert(ArticleResource.get.name === "Article.get");
 * assert(ArticleResource.get.key({ id: 5 }) === "GET https://api.example.com/articles/5");
 * assert(ArticleResource.getList.url({ tag: "deno" }) === "https://api.example.com/articles?tag=deno");
 * ```
 *
 * @param options Path, schema, and whatever all members have in common.
 * @returns The endpoints; named `Article.get` and so on, after the key of the entity.
 * @throws {UrlError} If the path is in the dialect of an older path-to-regexp.
 */
export function createResource<
  const P extends string,
  S extends ResourceSchema,
  Q = AnySearch | undefined,
  B = EntityInput<Denormalize<S>>,
  L extends Schema | undefined = undefined,
>(options: ResourceOptions<P, S, Q, B, L>): ResourceOf<P, S, Q, B, L> {
  return makeResource(options, ({ schema, ofMany, wrap, make }) => ({
    getList: make("getList", { ...ofMany, schema: wrap([schema]), method: "GET" }),
    create: make("create", { ...ofMany, schema, method: "POST" }, readPlainCreateReply, created),
  })) as unknown as ResourceOf<P, S, Q, B, L>;
}

/** In strict mode it says why a list on the page did not grow. */
const readPlainCreateReply: ReplyReading = (reply, call) => {
  const read = readCreateReply(reply, call);
  const { endpoint: { name }, entity: { key: entity }, lists } = call;
  return read.value === undefined
    ? read
    : { ...read, warnsReadersOf: lists, warning: sentenceOf(said(518, { name, entity })) };
};
