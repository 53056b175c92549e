import type { MutationReply, Snapshot } from "../endpoint/interface.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { type AnyEntity, type EntityStatics, isEntity } from "../schemas/interface.ts";
import type { EntityInput } from "../schemas/infer.ts";
import { Invalidate } from "../schemas/invalidate.ts";
import {
  pkOf,
  readCreateReply,
  readDeleteReply,
  readUpdateReply,
  type ReplyContext,
  sentMembers,
} from "./mutation_replies.ts";
import type { AnySearch } from "./path_types.ts";
import { PathTemplate } from "./path_template.ts";
import type { ResourceOf, ResourceOptions } from "./resource_types.ts";
import { RestEndpoint } from "./rest_endpoint.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";
import { shortenPath } from "./shorten_path.ts";

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
 *   pk() {
 *     return this.id;
 *   }
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
  S extends AnyEntity,
  Q = AnySearch | undefined,
  B = EntityInput<S["prototype"]>,
>(options: ResourceOptions<P, S, Q, B>): ResourceOf<P, S, Q, B> {
  // Own members only: nothing that somebody put on Object.prototype.
  const own: Partial<ResourceOptions<P, S, Q, B>> = Object.assign(Object.create(null), options);
  const { path, schema, Endpoint = RestEndpoint, optimistic, searchParams: _, body, name, ...shared } = own;
  const label = name ?? (isEntity(schema) ? schema.key : String(path));
  new PathTemplate(path as string, { name: label });
  const listPath = shortenPath(path as string);

  const make = (member: string, own: object): AnyRestEndpoint =>
    // what the app gives for all members wins over what they have of their own
    new Endpoint({ ...own, ...shared, name: `${label}.${member}` }).settle();
  const bodyOption = Object.hasOwn(own, "body") ? { body } : {};

  const resource: Record<string, AnyRestEndpoint> = { get: make("get", { path, schema, method: "GET" }) };
  let lists: AnyRestEndpoint | undefined;
  if (listPath === undefined) {
    for (const member of ["getList", "create"]) {
      Object.defineProperty(resource, member, { get: noList(label, path, member) });
    }
  } else {
    lists = resource.getList = make("getList", { path: listPath, schema: [schema], method: "GET" });
    resource.create = make("create", {
      path: listPath,
      schema,
      method: "POST",
      ...bodyOption,
      readReply: replyReader(schema, lists, readCreateReply),
    });
  }
  const updating = { path, schema, ...bodyOption, readReply: replyReader(schema, lists, readUpdateReply) };
  resource.update = make("update", { ...updating, method: "PUT", ...optimistic && { getOptimisticResponse: sent } });
  resource.partialUpdate = make("partialUpdate", {
    ...updating,
    method: "PATCH",
    ...optimistic && { getOptimisticResponse: sentOverCurrent },
  });
  resource.delete = make("delete", {
    path,
    schema: new Invalidate(schema as AnyEntity),
    method: "DELETE",
    readReply: replyReader(schema, lists, readDeleteReply),
    ...optimistic && { getOptimisticResponse: named },
  });
  return resource as unknown as ResourceOf<P, S, Q, B>;
}

/** For members that a path cannot have. Not enumerable, so that the resource can be spread. */
function noList(label: string, path: unknown, member: string): () => never {
  return () => {
    throw new EndpointError(
      `${label}.${member}`,
      `Cannot use "${label}.${member}": text follows the last parameter of ${path}, so it does not say where the list is. ` +
        "Make a RestEndpoint with a path of its own",
    );
  };
}

type ReadReply = (reply: unknown, context: ReplyContext, snapshot: Snapshot) => MutationReply;

/** Reads replies as long as the endpoint has the schema that they are about: an `extend` may give it another one. */
function replyReader(schema: unknown, lists: AnyRestEndpoint | undefined, read: ReadReply) {
  return function (this: AnyRestEndpoint, reply: unknown, args: readonly unknown[], snapshot: Snapshot): MutationReply {
    const entity = entityOf(this);
    if (entity === undefined || entity !== schema) return { value: reply };
    return read(reply, { entity, name: this.name, parts: this.readArgs(args), args, lists }, snapshot);
  };
}

function entityOf({ schema }: AnyRestEndpoint): EntityStatics | undefined {
  const entity = schema instanceof Invalidate ? schema.entity : schema;
  return isEntity(entity) ? entity : undefined;
}

/** Shows what is sent. */
function sent(this: AnyRestEndpoint, snapshot: Snapshot, ...args: readonly unknown[]): unknown {
  const parts = this.readArgs(args);
  const value = { ...parts.params, ...sentMembers(parts) };
  const entity = entityOf(this);
  if (entity === undefined || pkOf(entity, value, args) === undefined) throw snapshot.abort;
  return value;
}

/** Shows what is sent over the record that is there; nothing when there is none. Writing merges the two. */
function sentOverCurrent(this: AnyRestEndpoint, snapshot: Snapshot, ...args: readonly unknown[]): unknown {
  const entity = entityOf(this);
  if (entity === undefined) throw snapshot.abort;
  const parts = this.readArgs(args);
  const value = { ...parts.params, ...sentMembers(parts) };
  const pk = pkOf(entity, value, args);
  const current = pk === undefined ? snapshot.get(entity, parts.params) : snapshot.get(entity, pk);
  if (current === undefined) throw snapshot.abort;
  // Without a pk in what is sent, the record found by other members says which it is.
  return pk === undefined ? { ...current, ...value } : value;
}

/** Shows that the record of the parameters is gone. */
function named(this: AnyRestEndpoint, snapshot: Snapshot, ...args: readonly unknown[]): unknown {
  const { params } = this.readArgs(args);
  const entity = entityOf(this);
  if (entity === undefined || pkOf(entity, params, args) === undefined) throw snapshot.abort;
  return params;
}
