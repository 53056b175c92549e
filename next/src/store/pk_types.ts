import type { Invalid } from "../plain/invalid.ts";
import type { Args, Value } from "../plain/value.ts";

/** What `pk()` may return. `undefined`, `null` and `""` mean: not saved yet, kept in place. */
export type Pk = string | number | bigint | null | undefined;

/** Stands beside a pk where a class has fields, but neither `id` nor `pk()`. Never a value. */
export type NoPk = string & Invalid<"the entity has no id: write pk() { return this.… }">;

/** What the `pk()` of `Entity` gives for instances `T`: an `id` makes a primary key. */
export type DefaultPk<T> = [HasId<T>] extends ["no"] ? Pk | NoPk : Pk;
type HasId<T> = ["id"] extends [keyof T] ? [T["id" & keyof T]] extends [Pk] ? "yes" : "no"
  : [keyof T] extends ["pk"] ? "yes"
  : "no";

/** What the instances of an entity class have. */
export interface EntityPrototype {
  /** The primary key. */
  pk(parent?: Value, key?: string, args?: Args):
    | (string & { readonly "~invalid"?: never })
    | Exclude<Pk, string>;
}

/** What every instance of an entity has, also of one that is a type parameter. */
export interface EntityInstance {
  /** The primary key. */
  pk(parent?: Value, key?: string, args?: Args): Pk;
}
