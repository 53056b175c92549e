import { alwaysUpdate, mergeMembers } from "../store/schema.ts";
import type { Tables } from "../store/tables.ts";
import type { EntityInput } from "../store/infer.ts";
import type { DefaultPk, EntityPrototype, Pk } from "../store/pk_types.ts";
import { isObject } from "../plain/is_object.ts";
import { pkText } from "../plain/pk_text.ts";

declare abstract class AbstractPk {
  abstract pk(parent?: any, key?: string, args?: readonly any[]): DefaultPk<this>;
}
interface InheritedPk {
  pk(parent?: any, key?: string, args?: readonly any[]): DefaultPk<this>;
}
/** What an entity class may say of itself. */
export interface EntityStatics {
  /** Names the table. Defaults to the name of the class; bundlers rename classes. */
  key: string;
  /** Where other schemas are in its members. */
  schema: { readonly [member: string]: any };
  /** The pk of plain data. */
  pk(value: any, parent?: any, key?: string, args?: readonly any[]): Pk;
  /** What the server sent → what to keep; `undefined` leaves it out. */
  process(value: any, parent: any, key: any, args: readonly any[]): any;
  /** Makes one record of the stored one and a newer one. */
  merge(existing: any, incoming: any): any;
  /** `false`: what came is not written. */
  shouldUpdate(existingMeta: any, incomingMeta: any, existing: any, incoming: any): boolean;
  /** Truthy: this class has no data of the record. */
  validate(record: any): string | boolean | undefined | void;
  /** The instance of a stored record; `undefined` where it is invalid. */
  createIfValid(record: any): any;
  /** The pk that arguments name. */
  queryKey(args: readonly any[], tables: Tables): string | undefined;
}
interface Base {
  new (): AbstractPk & InheritedPk;
  /** One instance that has the default of each member. */
  readonly defaults: any;
}

const EntityBase: Base & EntityStatics = class {
  static schema = {};
  static get key(): string {
    return this.name;
  }
  // `Article.key = …` makes a member of its own.
  static set key(value: string) {
    Object.defineProperty(this, "key", { value, writable: true });
  }
  static get defaults(): any {
    return Object.hasOwn(this, "~defaults") ? (this as any)["~defaults"] : (this as any)["~defaults"] = new this();
  }
  static pk(value: any, parent?: any, key?: any, args?: any): Pk {
    return (this.prototype as any).pk.call(value, parent, key, args);
  }
  static process(value: any): any {
    return value;
  }
  static merge = mergeMembers;
  static shouldUpdate = alwaysUpdate;
  static validate(_record: any): any {}
  static createIfValid(record: any): any {
    return this.validate(record) ? undefined : copyMembers(new this(), record);
  }
  static queryKey(args: readonly any[]): string | undefined {
    const [first] = args;
    try {
      return pkText(isObject(first) ? this.pk(first, undefined, "", args) : first);
    } catch {
      // The arguments lack what `pk` needs: they name nothing.
    }
  }
  pk(): any {
    return (this as { id?: Pk }).id;
  }
};

/** A record of its own, by primary key: extend it, with the defaults of its members. */
export abstract class Entity extends EntityBase {
  /** An instance of the class with these members. */
  static fromJS<T>(this: { readonly prototype: T }, members?: EntityInput<T>): T {
    return copyMembers(new (this as unknown as new () => any)(), members);
  }
}

/** Puts members into an instance, except those that only its prototype has. */
function copyMembers(instance: any, members: any): any {
  for (const name in members) {
    const value = members[name];
    if (value !== undefined && (Object.hasOwn(instance, name) || !(name in instance))) instance[name] = value;
  }
  return instance;
}

export type { EntityPrototype };
