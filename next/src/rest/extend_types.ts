/**
 * `extend` of a resource, for the type checker.
 *
 * @module
 */
import type { Invalid } from "../plain/invalid.ts";
import type { Get } from "../endpoint/endpoint_types.ts";
import type {
  ExtendOptions,
  ExtendProcess,
  Extension,
  Kept,
  RestEndpoint,
  RestExtendGenerics,
  RestExtendOptions,
} from "./rest_types.ts";

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
