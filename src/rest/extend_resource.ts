import type { AnySchema } from "../schemas/interface.ts";
import { findCollection } from "./collections_in.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import type { Extension, RestExtendGenerics, RestExtendOptions } from "./rest_types.ts";
import { RestEndpoint } from "./rest_endpoint.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";

/** A resource with other members: those of `E` in place of its own, or beside them. */
export type WithMembers<R, E> = E extends infer M
  ? { readonly [K in keyof R | keyof M]: K extends keyof M ? M[K] : K extends keyof R ? R[K] : never }
  : never;

/** A member after `extend` with options `P`; a member that is not there yet is made of `get`. */
export type ExtendedMember<R, K, P> = MemberOf<R, K> extends RestEndpoint<infer O> ? Extension<MemberOf<R, K>, O, P>
  : never;
type MemberOf<R, K> = K extends keyof R ? R[K] : R extends { readonly get: infer G } ? G : never;

/** How a resource is changed, in three forms. Each gives another resource; this one stays as it is. */
export interface ExtendResource {
  /**
   * Extends one member; a name that is not there yet is a new member, made of `get`.
   *
   * @param name Which one.
   * @param options What is different, as for `endpoint.extend`.
   */
  <R extends object, const K extends string, P extends RestExtendGenerics>(
    this: R,
    name: K,
    options: RestExtendOptions<P>,
  ): WithMembers<R, { readonly [name in K]: ExtendedMember<R, K, P> }>;
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
   * @throws {EndpointError} If there is no such member.
   */
  <R extends object, P extends { readonly [K in keyof R]?: RestExtendGenerics }>(
    this: R,
    options: P & { readonly [K in Exclude<keyof P, keyof R>]: never },
  ): WithMembers<R, { readonly [K in keyof P]: ExtendedMember<R, K, P[K]> }>;
}

/** `extend` of a resource. */
export const extendResource: ExtendResource = function extend(
  this: object,
  given: string | object | ((base: object) => object),
  options?: object,
): object {
  if (typeof given === "function") return { ...this, ...(given as (base: object) => object)(this) };
  const members = this as Readonly<Record<string, AnyRestEndpoint>>;
  const all: Given = typeof given === "string" ? { [given]: options ?? {} } : given as Given;
  const extended = Object.entries(all).map(([name, own]) => {
    if (typeof given === "string" && !Object.hasOwn(members, name)) {
      const { get } = members as { readonly get: AnyRestEndpoint };
      return [name, get.extend({ name: get.name.replace(/get$/, name), ...own })];
    }
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (member instanceof RestEndpoint) return [name, member.extend(own)];
    throw new EndpointError(name, said(507, { name, members }));
  });
  return withCreate(members, { ...members, ...Object.fromEntries(extended) }, all);
} as ExtendResource;

type Members = Readonly<Record<string, AnyRestEndpoint>>;
type Given = Readonly<Record<string, object>>;

/** What is created joins the list that the resource has now, where that was given a collection. */
function withCreate(before: Members, after: Members, given: Given): Members {
  const { create, getList } = before;
  const isGiven = Object.hasOwn(given, "getList") && Object.hasOwn(given.getList!, "schema");
  if (!isGiven || create === undefined || after.create !== create || create.schema !== pushOf(getList!)) return after;
  if (pushOf(after.getList!) === undefined) return after;
  const { schema, readReply } = after.getList!.push as AnyRestEndpoint;
  return { ...after, create: create.extend({ schema, readReply } as object) };
}

/** What adds an item to the list of an endpoint; of items by name, nobody knows the name of a new one. */
function pushOf({ schema }: AnyRestEndpoint): AnySchema {
  const collection = findCollection(schema as AnySchema);
  return collection?.key.startsWith("[") ? collection.push : undefined;
}
