import type { Invalid } from "./invalid.ts";

/** What `pk()` may return. `undefined`, `null`, `""`, and what a template makes of nothing, mean: not saved yet, kept in place. */
export type Pk = string | number | bigint | null | undefined;

/** What every instance of an entity has. */
export interface EntityInstance {
  /** The primary key. */
  // deno-lint-ignore no-explicit-any -- an override may take fewer or differently typed parameters
  pk(parent?: any, key?: string, args?: readonly any[]): Pk;
}

/** What stands beside a primary key where a class has fields, but neither `id` nor `pk()`. Never a value. */
export type NoPk = string & Invalid<"the entity has no id: write pk() { return this.… }">;

/**
 * What the `pk()` of `Entity` gives for instances `T`: an `id` makes a primary key. The mistake stands in the branch that a
 * type parameter never takes, so that whatever an override returns is compared with `Pk` alone.
 */
export type DefaultPk<T> = [HasId<T>] extends ["no"] ? Pk | NoPk : Pk;
type HasId<T> = ["id"] extends [keyof T] ? [T["id" & keyof T]] extends [Pk] ? "yes" : "no"
  // Entity itself, which a type parameter extends.
  : [keyof T] extends ["pk"] ? "yes"
  : "no";

/** What the instances of an entity class have: a `pk()` that gives a primary key. */
export interface EntityPrototype {
  /** The primary key. */
  // deno-lint-ignore no-explicit-any -- see EntityInstance
  pk(parent?: any, key?: string, args?: readonly any[]):
    | (string & { readonly "~invalid"?: never })
    | Exclude<Pk, string>;
}
