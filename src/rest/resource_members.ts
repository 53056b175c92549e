import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import { type AnyEntity, isEntity } from "../schemas/interface.ts";
import { InvalidateSchema } from "../schemas/invalidate_schema.ts";
import { named, sent, sentOverCurrent } from "./optimistic.ts";
import { orParams, readDeleteReply, readUpdateReply, replyReader, type ReplyReading } from "./mutation_replies.ts";
import { RestEndpoint } from "./rest_endpoint.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";
import type { CollectionResourceOptions } from "./resource_types.ts";
import { shortenPath } from "./shorten_path.ts";

// deno-lint-ignore no-explicit-any -- variance: the options of a resource of anything
type AnyOptions = CollectionResourceOptions<any, any, any, any, any, any, any>;

/** What the list of a resource is made with. */
export interface ListParts {
  readonly schema: AnyEntity;
  /** Where one record is. */
  readonly path: string;
  /** Where the list is. */
  readonly listPath: string;
  /** The options as they were given, own members only. */
  readonly options: Partial<AnyOptions>;
  /** `{ body }` where it was declared. */
  readonly bodyOption: { readonly body?: unknown };
  /**
   * Makes an endpoint of the resource's class, with what all members have in common.
   *
   * @param read How a mutation reads its reply.
   * @param shown What it shows before, where the resource is optimistic.
   */
  make(member: string, own: object, read?: ReplyReading, shown?: unknown): AnyRestEndpoint;
}

/** The endpoints of a resource: those of one record are the same whatever the list is. */
export function makeResource(
  options: AnyOptions,
  makeList: (parts: ListParts) => { readonly getList: AnyRestEndpoint; readonly create: AnyRestEndpoint },
): Record<string, AnyRestEndpoint> {
  // Own members only: nothing that somebody put on Object.prototype.
  const own: Partial<AnyOptions> = Object.assign(Object.create(null), options);
  const {
    path,
    schema,
    Endpoint = RestEndpoint,
    optimistic,
    searchParams: _,
    body,
    name,
    Collection: _collection,
    displayArgs: _display,
    filters: _filters,
    nonFilterArgumentKeys: _keys,
    paginationField: _field,
    list: _list,
    getMany,
    ...rest
  } = own;
  const label = name ?? (isEntity(schema) ? schema.key : String(path));
  const shared = { ...rest, recordPath: path };
  const listPath = shortenPath(path as string);

  const resource: Record<string, AnyRestEndpoint> = {};
  let lists: AnyRestEndpoint | undefined;
  const make: ListParts["make"] = (member, own, read, shown) =>
    new Endpoint({
      ...own,
      ...read && { readReply: replyReader(schema as AnyEntity, () => ({ get: resource.get, lists }), read) },
      ...optimistic && shown ? { getOptimisticResponse: shown } : {},
      // What the app gives for all members wins over what they have of their own.
      ...shared,
      name: `${label}.${member}`,
    }).settle();
  const bodyOption = Object.hasOwn(own, "body") ? { body } : {};
  const ofOne = { path, isDetail: true, schema };

  resource.get = make("get", { ...ofOne, method: "GET", getMany });
  if (listPath === undefined) {
    for (const member of ["getList", "create"]) {
      Object.defineProperty(resource, member, { get: noList(label, path, member) });
    }
  } else {
    const parts = { schema: schema as AnyEntity, path: path as string, listPath, options: own, bodyOption, make };
    const { getList, create } = makeList(parts);
    lists = getList;
    Object.assign(resource, { getList, create });
  }
  const updating = { ...ofOne, ...bodyOption };
  resource.update = make("update", { ...updating, method: "PUT" }, readUpdateReply, sent);
  resource.partialUpdate = make("partialUpdate", { ...updating, method: "PATCH" }, readUpdateReply, sentOverCurrent);
  const deleting = { ...ofOne, schema: new InvalidateSchema(schema), method: "DELETE" };
  resource.delete = orParams(make("delete", deleting, readDeleteReply, named));
  return resource;
}

/** The schema of a list, in what the app says that holds it. */
export function listSchema({ list }: ListParts["options"], schema: unknown): unknown {
  return list === undefined ? schema : list(schema as never);
}

/** For members that a path cannot have. Not enumerable, so that the resource can be spread. */
function noList(label: string, path: unknown, member: string): () => never {
  return () => {
    const name = `${label}.${member}`;
    throw new EndpointError(name, said(509, { name, path }));
  };
}
