/**
 * What a schema gives, keeps and takes, for the type checker. Inference is a lookup: `S["prototype"]` of a class,
 * `S["~types"]` of a schema object; only arrays, objects and functions need a conditional.
 *
 * @module
 */
import type { AnyEntity, SchemaObject, Serializer } from "./interface.ts";
import type { UnionSchemaObject } from "./union_types.ts";

/** `"x"` → `string`: a literal in an object schema stands for its type, not for itself. */
export type Widen<T> = T extends string ? string
  : T extends number ? number
  : T extends boolean ? boolean
  : T extends bigint ? bigint
  : T;

/**
 * What a read of schema `S` gives when everything is there.
 *
 * ```ts
 * import { assert } from "@std/assert";
 * import { type Denormalize, Entity } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   static key = "User";
 * }
 * const page: Denormalize<{ users: (typeof User)[]; next: "" }> = { users: [new User()], next: "/page/2" };
 * assert(page.users[0]?.id === "");
 * ```
 */
export type Denormalize<S> = S extends AnyEntity ? S["prototype"]
  : S extends SchemaObject ? S["~types"]["data"]
  : S extends DateConstructor ? Date // before functions: Date() returns a string
  : S extends Serializer<infer T> ? T
  : S extends readonly (infer I)[] ? Denormalize<I>[]
  : S extends object ? Members<S>
  : Widen<S>;

/**
 * What a read of an object schema gives. The response may have some of its members only, and an entity that is absent
 * reads as `undefined`; one that has none of them is refused, so that the only member of a schema is there.
 */
type Members<S> = {
  -readonly [K in keyof S]: S[K] extends AnyEntity | UnionSchemaObject ? [keyof S] extends [K] ? Denormalize<S[K]>
    : Denormalize<S[K]> | undefined
    : Denormalize<S[K]>;
};

/** What a read of schema `S` gives when there may be nothing to read, or entities may be absent. */
export type DenormalizeNullable<S> = S extends AnyEntity ? S["prototype"] | undefined
  : S extends SchemaObject ? S["~types"]["nullable"]
  : S extends DateConstructor ? Date | undefined
  : S extends Serializer<infer T> ? T | undefined
  : S extends readonly (infer I)[] ? Denormalize<I>[] | undefined
  : S extends object ? { -readonly [K in keyof S]: NullableMember<S[K]> } | undefined
  : Widen<S>;

/** A member of an object schema: an absent array reads as `[]`, an absent object as its members, a literal as itself. */
export type NullableMember<S> = S extends AnyEntity ? S["prototype"] | undefined
  : S extends SchemaObject ? S["~types"] extends { readonly member: infer M } ? M : S["~types"]["nullable"]
  : S extends Serializer ? DenormalizeNullable<S>
  : S extends readonly (infer I)[] ? Denormalize<I>[]
  : S extends object ? { -readonly [K in keyof S]: NullableMember<S[K]> }
  : Widen<S>;

/** What the store keeps of a response of schema `S`: pks in the original shape. */
export type Normalize<S> = S extends AnyEntity ? string
  : S extends SchemaObject ? S["~types"]["normalized"]
  // deno-lint-ignore no-explicit-any -- what a serializer is given is kept as received
  : S extends Serializer ? any
  : S extends readonly (infer I)[] ? Normalize<I>[]
  : S extends object ? { -readonly [K in keyof S]: Normalize<S[K]> }
  : Widen<S>;

/** Members of an entity, without its methods: what a body or a query may name. */
export type EntityInput<E> = {
  [K in keyof E as E[K] extends (...args: never) => unknown ? never : K]?: InputValue<E[K]> | undefined;
};

/** A value as it is sent: a `Date` as itself or as its text, an entity as itself, its members or its pk. */
export type InputValue<T> = T extends Date ? Date | string
  : T extends { pk(...args: never): unknown } ? T | EntityInput<T> | string | number
  : T extends readonly (infer I)[] ? readonly InputValue<I>[]
  : T;

/** What arguments alone can name, without a response: an entity, a schema object that can be asked, an object of them. */
export type Queryable = AnyEntity | SchemaObject | { readonly [member: string]: AnyEntity | SchemaObject };

/** Arguments by which schema `S` can be queried; those of any member, for an object of schemas. */
export type SchemaArgs<S> = S extends AnyEntity ? [args: EntityArgs<S["prototype"]>]
  : S extends SchemaObject ? S["~types"]["args"]
  : S extends readonly unknown[] ? []
  : S extends { readonly [member: string]: infer M } ? (M extends AnyEntity | SchemaObject ? MemberArgs<M> : never)
  : [];

type MemberArgs<M> = M extends AnyEntity ? [args: EntityArgs<M["prototype"]>]
  : M extends SchemaObject ? M["~types"]["args"]
  : never;

/** A pk by itself, or members of an entity that make its `pk()`; numbers and strings are interchangeable. */
export type EntityArgs<E> =
  | string
  | number
  | bigint
  | {
    readonly [K in keyof E as E[K] extends (...args: never) => unknown ? never : K]?:
      | (E[K] extends string | number ? string | number : E[K])
      | undefined;
  };

/** Arguments, or `null` for the first of them: inactive. */
export type NullableArgs<A extends readonly unknown[]> = A extends readonly [] ? [inactive?: null]
  : { [I in keyof A]: A[I] | null };
