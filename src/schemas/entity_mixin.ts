import { isMembers } from "./declared.ts";
import { Entity, entityDefaults, type OverridablePk, type OverridableStatics } from "./entity.ts";
import { isEntity } from "./interface.ts";
import type { EntityInstance, Pk } from "./pk_types.ts";

/** A class that can be made without arguments: it has none, or all of them have defaults. */
export interface MixinBase {
  new (): object;
}

/**
 * What {@linkcode EntityMixin} takes: the statics of the class that it makes, all optional. `key`, `schema` and `redact`
 * default to those of the base; without a `static key` the name of the class names the table: bundlers rename classes.
 */
export type EntityMixinOptions<B extends MixinBase> =
  & { readonly [K in Exclude<keyof OverridableStatics, "pk" | "indexes">]?: OverridableStatics[K] | undefined }
  & {
    /**
     * The name of the member that is the primary key, or what makes one of plain processed data. Defaults to the `pk()` of
     * the base class where it has one, else to `id`.
     */
    readonly pk?:
      | (keyof InstanceType<B> & string)
      // deno-lint-ignore no-explicit-any -- users annotate what their API sends
      | ((value: InstanceType<B>, parent?: any, key?: string, args?: readonly any[]) => Pk)
      | undefined;
    /** Members by which records can be found, besides the pk. */
    readonly indexes?: readonly (keyof InstanceType<B> & string)[] | undefined;
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
 * An entity class made of a class that has a base already: what `class User extends Entity` is for others.
 *
 * Promises: instances are made by the base's own constructor, so that they are `instanceof` it and have its methods,
 * getters and private fields; its statics are inherited, `key` and `schema` too. The other statics that an entity has are
 * the entity's, unless the base is one itself. Extend the result, or use it as it is; all statics may be replaced without
 * `override`.
 *
 * @param Base The class. Its constructor is called without arguments.
 * @param options Statics of the new class; `pk` may be the name of a member.
 * @returns The entity class, named as the base.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { denormalize, EntityMixin, normalize } from "@rejoin/data";
 *
 * class Person {
 *   #greeting = "Hello";
 *   login = "";
 *   greet() {
 *     return `${this.#greeting}, ${this.login}`;
 *   }
 * }
 * class User extends EntityMixin(Person, { pk: "login", key: "User" }) {
 *   isAdmin = false;
 * }
 * const { result, entities } = normalize(User, { login: "ann", isAdmin: true });
 * const user = denormalize(User, result, entities);
 * assert(result === "ann" && user instanceof Person && user.isAdmin);
 * assert(user.greet() === "Hello, ann");
 * ```
 */
export function EntityMixin<B extends MixinBase>(
  Base: B,
  options: EntityMixinOptions<B> & { readonly pk: unknown },
): MixedEntity<B, EntityInstance>;
/** The same for a class whose primary key is its own `pk()` or `id`. */
export function EntityMixin<B extends MixinBase>(
  Base: B,
  options?: EntityMixinOptions<B>,
): MixedEntity<B, OverridablePk>;
export function EntityMixin(Base: MixinBase, options: object = {}): unknown {
  const Mixed = class extends Base {};
  set(Mixed, "name", Base.name);
  const { prototype } = Mixed as { readonly prototype: object };
  if (!isEntity(Base)) {
    adopt(Mixed, entityDefaults);
    adopt(Mixed, Entity);
    const { key, schema } = Base as { readonly key?: unknown; readonly schema?: unknown };
    if (typeof key === "string" && key !== "") set(Mixed, "key", key);
    if (isMembers(schema)) set(Mixed, "schema", schema);
    if (!("pk" in prototype)) set(prototype, "pk", entityDefaults.prototype.pk);
  }
  const { pk, ...statics } = options as { readonly pk?: unknown };
  for (const [name, value] of Object.entries(statics)) if (value !== undefined) set(Mixed, name, value);
  if (pk !== undefined) {
    // One of the base, which is an entity itself, would be asked first.
    set(Mixed, "pk", entityDefaults.pk);
    set(
      prototype,
      "pk",
      function (this: Record<string, Pk>, ...rest: unknown[]): Pk {
        return typeof pk === "function" ? pk(this, ...rest) : this[pk as string];
      },
    );
  }
  return Mixed;
}

/** Sets a member as a class would: not enumerated, and without calling a setter of the base. */
function set(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
}

/** Gives a class the statics of another, getters included. */
function adopt(target: object, source: object): void {
  const { length: _length, name: _name, prototype: _prototype, ...statics } = Object.getOwnPropertyDescriptors(
    source,
  ) as {
    [name: PropertyKey]: PropertyDescriptor;
  };
  Object.defineProperties(target, statics);
}
