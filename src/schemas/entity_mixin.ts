import { type EntityPrototype, isEntity, type Pk } from "../store/schema.ts";
import type { Args, Value } from "../plain/value.ts";
import { Entity, EntityBase, type OverridablePk, type OverridableStatics } from "./entity.ts";

/** A class that can be constructed without arguments. */
export interface MixinBase {
  new (): object;
}

/** Options of `EntityMixin`: the statics of the new class. `key` and `schema` default to those of the base. */
export type EntityMixinOptions<B extends MixinBase> =
  & { readonly [K in Exclude<keyof OverridableStatics, "pk">]?: OverridableStatics[K] | undefined }
  & {
    /** The member that is the pk, or a function from data to pk. Defaults to the base's own `pk()`, else to `id`. */
    readonly pk?:
      | (keyof InstanceType<B> & string)
      | ((value: InstanceType<B>, parent?: Value, key?: string, args?: Args) => Pk)
      | undefined;
  };

/** The type of the class that `EntityMixin` returns: the base class, and an entity. */
export type MixedEntity<B extends MixinBase, P> =
  & {
    new (...args: ConstructorParameters<B>): InstanceType<B> & P;
    readonly prototype: InstanceType<B> & P;
  }
  & Omit<B, "prototype" | keyof OverridableStatics | "defaults" | "fromJS">
  & OverridableStatics
  & Pick<typeof Entity, "defaults" | "fromJS">;

/**
 * Makes an entity class of a class that cannot extend `Entity`, because it has another base. The class's own
 * constructor makes the instances, so that its methods, getters and private fields work.
 *
 * @param Base The class. Its constructor is called without arguments.
 * @param options The statics of the entity class; `pk` may be the name of a member.
 * @returns An entity class with the name of `Base`. Extend it, or use it as it is.
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
/** For a class whose own `pk()` or `id` is the primary key. */
export function EntityMixin<B extends MixinBase>(
  Base: B,
  options?: EntityMixinOptions<B>,
): MixedEntity<B, OverridablePk>;
export function EntityMixin(Base: MixinBase, options: { readonly pk?: Value } = {}): unknown {
  const Mixed = class extends Base {}, { prototype } = Mixed;
  put(Mixed, "name", Base.name);
  if (!isEntity(Base)) {
    const { key, schema }: { readonly key?: unknown; readonly schema?: unknown } = Base as Value; // any class may have such statics
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
    // If `Base` is an entity with a static `pk` of its own, that one would win over the new method.
    put(Mixed, "pk", EntityBase.pk);
    put(prototype, "pk", function (this: Value, ...rest: Args): Pk {
      return typeof pk == "function" ? pk(this, ...rest) : this[pk];
    });
  }
  return Mixed;
}

/** Defines a member as a class body does: it is not enumerable, and no setter of the base is called. */
function put(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
}
