import { type EntityPrototype, isEntity, type Pk } from "../store/schema.ts";
import type { Args, Value } from "../plain/value.ts";
import { Entity, EntityBase, type OverridablePk, type OverridableStatics } from "./entity.ts";

/** A class that can be made without arguments. */
export interface MixinBase {
  new (): object;
}

/** Statics of the class that `EntityMixin` makes; `key` and `schema` default to those of the base. */
export type EntityMixinOptions<B extends MixinBase> =
  & { readonly [K in Exclude<keyof OverridableStatics, "pk">]?: OverridableStatics[K] | undefined }
  & {
    /** The member that is the pk, or what makes one of plain data. Defaults to the base's own `pk()`, else to `id`. */
    readonly pk?:
      | (keyof InstanceType<B> & string)
      | ((value: InstanceType<B>, parent?: Value, key?: string, args?: Args) => Pk)
      | undefined;
  };

/** A class that is an entity and has the members, the statics and the constructor of another. */
export type MixedEntity<B extends MixinBase, P> =
  & {
    new (...args: ConstructorParameters<B>): InstanceType<B> & P;
    readonly prototype: InstanceType<B> & P;
  }
  & Omit<B, "prototype" | keyof OverridableStatics | "defaults" | "fromJS">
  & OverridableStatics
  & Pick<typeof Entity, "defaults" | "fromJS">;

/**
 * An entity class made of a class that has a base already: what `class User extends Entity` is for others. Instances are
 * made by the base's own constructor, so that its methods, getters and private fields work.
 *
 * @param Base The class. Its constructor is called without arguments.
 * @param options Statics of the new class; `pk` may be the name of a member.
 * @returns The entity class, named as the base. Extend it, or use it as it is.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { denormalize, EntityMixin, normalize } from "@rejoin/data";
 *
 * class Person {
 *   login = "";
 *   greet() {
 *     return `Hello, ${this.login}`;
 *   }
 * }
 * class User extends EntityMixin(Person, { pk: "login", key: "User" }) {}
 * const { result, entities } = normalize(User, { login: "ann" });
 * assert(denormalize(User, result, entities)?.greet() === "Hello, ann");
 * ```
 */
export function EntityMixin<B extends MixinBase>(
  Base: B,
  options: EntityMixinOptions<B> & { readonly pk: unknown },
): MixedEntity<B, EntityPrototype>;
/** The same for a class whose primary key is its own `pk()` or `id`. */
export function EntityMixin<B extends MixinBase>(
  Base: B,
  options?: EntityMixinOptions<B>,
): MixedEntity<B, OverridablePk>;
export function EntityMixin(Base: MixinBase, options: { readonly pk?: Value } = {}): unknown {
  const Mixed = class extends Base {}, { prototype } = Mixed;
  put(Mixed, "name", Base.name);
  if (!isEntity(Base)) {
    const { key, schema }: { readonly key?: unknown; readonly schema?: unknown } = Base as Value; // statics of any class
    for (const source of [EntityBase, Entity]) {
      for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(source))) {
        if (!["length", "name", "prototype"].includes(name)) Object.defineProperty(Mixed, name, property);
      }
    }
    if (typeof key == "string" && key) put(Mixed, "key", key);
    if (schema) put(Mixed, "schema", schema);
    if (!("pk" in prototype)) put(prototype, "pk", EntityBase.prototype.pk);
  }
  const { pk, ...statics } = options;
  for (const [name, value] of Object.entries(statics)) if (value !== undefined) put(Mixed, name, value);
  if (pk !== undefined) {
    // One of a base that is an entity itself would be asked first.
    put(Mixed, "pk", EntityBase.pk);
    put(prototype, "pk", function (this: Value, ...rest: Args): Pk {
      return typeof pk == "function" ? pk(this, ...rest) : this[pk];
    });
  }
  return Mixed;
}

/** Sets a member as a class would: not enumerated, and without calling a setter of the base. */
function put(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
}
