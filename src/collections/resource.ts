import { Collection } from "./collection.ts";
import { type ArgumentNames, isNamed } from "./collection_options.ts";
import type { Denormalize, EntityInput } from "../schemas/infer.ts";
import type { AnySchema, Schema } from "../schemas/interface.ts";
import { ownMembers } from "../http/platform.ts";
import { makeResource } from "../rest/resource_members.ts";
import { extendResource } from "../rest/extend_resource.ts";
import { mapCollections } from "../rest/collections_in.ts";
import type { AnyRestEndpoint } from "../rest/rest_types.ts";
import type { AnySearch } from "../rest/path_types.ts";
import type { CollectionResourceOf, CollectionResourceOptions, ResourceSchema } from "../rest/resource_types.ts";

/**
 * The six endpoints of an entity class at a path, as {@linkcode createResource} gives them, with lists that grow by
 * themselves: what `create` makes joins the lists that it belongs to.
 *
 * `getList` has the schema `new Collection([schema])` and these members, each an endpoint of its own:
 *
 * | member | request | what becomes of the lists |
 * |---|---|---|
 * | `push`, `unshift` | `POST /articles` | the new record is last, or first, in the lists whose arguments it matches |
 * | `remove` | `PATCH /articles` | the record leaves the lists that the call does not exclude, and stays a record |
 * | `move` | `PATCH /articles/:id` | the record goes where it belongs now, and from where it does not |
 * | `getPage` | `GET /articles` | a page joins its list; with the option `paginationField` |
 *
 * They follow what the list is extended with: `getList.extend({ path, searchParams, schema, … }).push` is at the new
 * place, for the new schema. `create` is `push` of the list as the resource made it.
 *
 * Members are replaced by spreading, or by `extend`: `R.extend("getList", { schema })`, `R.extend({ get: { … } })`,
 * `R.extend((base) => ({ publish: base.update.extend({ … }) }))`.
 *
 * Where the server sends the list in an envelope, `list` says what holds it: `list: (todos) => ({ results: todos })`.
 *
 * A list belongs to its address (`urlPrefix` and path): `/users` and `/admins` are two lists also where they are of one
 * class. To have another endpoint share lists, give it the same schema: `schema: ArticleResource.getList.schema`.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, resource } from "@rejoin/data";
 *
 * class Todo extends Entity {
 *   id = "";
 *   userId = "";
 *   title = "";
 *   static key = "Todo";
 * }
 * const TodoResource = resource({
 *   urlPrefix: "https://api.example.com",
 *   path: "/todos/:id",
 *   schema: Todo,
 *   searchParams: {} as { userId?: string } | undefined,
 * });
 * const controller = new Controller();
 * controller.setResponse(TodoResource.getList, { userId: "1" }, []);
 * controller.setResponse(TodoResource.getList, { userId: "2" }, []);
 * controller.setResponse(TodoResource.create, { userId: "1", title: "Read" }, { id: "7", userId: "1", title: "Read" });
 * const titles = (userId: string) =>
 *   controller.getResponse(TodoResource.getList, { userId }).data?.map(({ title }) => title);
 * assert(titles("1")?.join() === "Read" && titles("2")?.length === 0);
 * assert(TodoResource.getList.extend({ path: "/users/:userId/todos" }).push.url({ userId: "1" }).endsWith("/1/todos"));
 * ```
 *
 * @param options Path, schema, what its lists are, and whatever all members have in common.
 * @returns The endpoints; named `Article.get` and so on, after the key of the entity.
 * @throws {UrlError} If the path is in the dialect of an older path-to-regexp.
 */
export function resource<
  const P extends string,
  S extends ResourceSchema,
  Q = AnySearch | undefined,
  B = EntityInput<Denormalize<S>>,
  const F extends string | undefined = undefined,
  L extends Schema | undefined = undefined,
>(options: CollectionResourceOptions<P, S, Q, B, F, L>): CollectionResourceOf<P, S, Q, B, F, L> {
  const { Collection: Class = Collection, displayArgs, filters, nonFilterArgumentKeys, paginationField, ...rest } =
    ownMembers(options);
  const isPaged = paginationField !== undefined;
  const isDisplay = isPaged ? withName(displayArgs, paginationField) : displayArgs;
  const listOptions = { displayArgs: isDisplay, filters, nonFilterArgumentKeys, isPaged };
  const members = makeResource(rest, ({ schema, path, ofMany, wrap, make }) => {
    const listAt = (key: string | undefined) =>
      make("getList", {
        ...ofMany,
        schema: wrap(new Class([schema], { ...listOptions, key })),
        method: "GET",
        movePath: path,
        paginationField,
        optimistic: rest.optimistic,
        extend: extendList,
      });
    // Where it is only the endpoint tells: its class may have a prefix of its own.
    const getList = listAt(addressOf(listAt(undefined)));
    return { getList, create: getList.push.extend({ name: getList.name.replace(/getList$/, "create") }) };
  });
  // Also the members that throw: they say why they are not there.
  const all = { ...Object.getOwnPropertyDescriptors(members), extend: { value: extendResource, enumerable: true } };
  return Object.defineProperties({}, all) as CollectionResourceOf<P, S, Q, B, F, L>;
}

/** Some names and one more; as a list where that can be, for the text of a function does not tell which one. */
function withName(names: ArgumentNames = [], one: string): ArgumentNames {
  return Array.isArray(names) ? [...names, one] : (name) => name === one || isNamed(names, name);
}

/** What tells the lists of one address from those of another with the same arguments. */
function addressOf({ urlPrefix, path }: { readonly urlPrefix?: unknown; readonly path?: unknown }): string {
  return `${urlPrefix ?? ""}${path}`;
}

/** `extend` of a list: one that is elsewhere is another list, unless the app says which it is. */
function extendList(this: AnyRestEndpoint, options: object): AnyRestEndpoint {
  const { extend } = Object.getPrototypeOf(this) as AnyRestEndpoint;
  const { urlPrefix = this.urlPrefix, path = this.path } = options as Partial<AnyRestEndpoint>;
  const from = addressOf(this);
  const to = addressOf({ urlPrefix, path });
  if (from === to || Object.hasOwn(options, "schema")) return extend.call(this, options);
  // Collections that were told apart by the old address are of the new one.
  const schema = mapCollections(
    this.schema as AnySchema,
    (collection) => collection.key.endsWith(`] ${from}`) ? collection.extend({ key: to }) : collection,
  );
  return extend.call(this, { ...options, schema } as object);
}
