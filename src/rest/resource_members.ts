import { ownMembers } from "../http/platform.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import { type AnyEntity, isEntity } from "../schemas/interface.ts";
import { InvalidateSchema } from "../schemas/invalidate_schema.ts";
import { named, sent, sentOverCurrent } from "./optimistic.ts";
import { orParams, readDeleteReply, readUpdateReply, replyReader, type ReplyReading } from "./mutation_replies.ts";
import { RestEndpoint } from "./rest_endpoint.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";
import type { ResourceOptions } from "./resource_types.ts";
import { shortenPath } from "./shorten_path.ts";

// deno-lint-ignore no-explicit-any -- variance: the options of a resource of anything
type AnyOptions = ResourceOptions<any, any, any, any, any, any>;

/** What the list of a resource is made with. */
export interface ListParts {
  readonly schema: AnyEntity;
  /** Where one record is. */
  readonly path: string;
  /** What endpoints of the list have: where it is, and `body` where it was declared. */
  readonly ofMany: { readonly path: string; readonly body?: unknown };
  /** The schema of the list, in what the app says that holds it. */
  wrap(schema: unknown): unknown;
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
  const own: Partial<AnyOptions> = ownMembers(options);
  const { path, schema, Endpoint = RestEndpoint, optimistic, searchParams: _, body, name, list, getMany, ...rest } =
    own;
  const label = name ?? (isEntity(schema) ? schema.key : String(path));
  const shared = { ...rest, recordPath: path };
  const listPath = shortenPath(path as string);

  const resource: Record<string, AnyRestEndpoint> = {};
  let lists: AnyRestEndpoint | undefined;
  const make: ListParts["make"] = (member, own, read, shown) => {
    const made: AnyRestEndpoint = new Endpoint({
      ...own,
      ...optimistic && shown ? { getOptimisticResponse: shown } : {},
      // What the app gives for all members wins over what they have of their own.
      ...shared,
      name: `${label}.${member}`,
    }).settle();
    // So does what its class says of replies: for what is made of the list, too.
    const reader = read && replyReader(schema as AnyEntity, () => ({ get: resource.get, lists }), read);
    const { readReply = reader } = made;
    if (readReply === undefined || Object.hasOwn(made, "readReply")) return made;
    return made.extend({ readReply } as object) as AnyRestEndpoint;
  };
  const bodyOption = Object.hasOwn(own, "body") ? { body } : {};
  const ofOne = { path, isDetail: true, schema };

  resource.get = make("get", { ...ofOne, method: "GET", getMany });
  if (listPath === undefined) {
    for (const member of ["getList", "create"]) {
      Object.defineProperty(resource, member, { get: noList(label, path, member) });
    }
  } else {
    const ofMany = { path: listPath, ...bodyOption };
    const wrap = (schema: unknown) => list === undefined ? schema : list(schema as never);
    const { getList, create } = makeList({ schema: schema as AnyEntity, path: path as string, ofMany, wrap, make });
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

/** For members that a path cannot have. Not enumerable, so that the resource can be spread. */
function noList(label: string, path: unknown, member: string): () => never {
  return () => {
    const name = `${label}.${member}`;
    throw new EndpointError(name, said(509, { name, path }));
  };
}
