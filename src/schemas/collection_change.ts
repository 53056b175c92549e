import { argsKey } from "./args_key.ts";
import { isPlace, type ListArgs, placesOf } from "./collection_args.ts";
import type { CollectionItem } from "./collection.ts";
import { type CollectionRecord, pickOf } from "./collection_rows.ts";
import type {
  AnyEntity,
  AnySchema,
  DenormalizeWalk,
  NormalizeWalk,
  SchemaObject,
  SchemaTypes,
  StoredMembers,
} from "./interface.ts";
import { describe } from "./plan.ts";

/**
 * What becomes of an item in one list. `match`: it has what the arguments of the list ask for (`true`), something else
 * (`false`), or nobody knows (`undefined`).
 */
export type Joining = (match: boolean | undefined) => "change" | "remove" | undefined;

/** The types of {@linkcode CollectionChange}. */
export interface CollectionChangeTypes<D> extends SchemaTypes {
  readonly data: D;
  readonly nullable: D | undefined;
  readonly normalized: string;
  readonly args: readonly [];
}

/** What a change is made of. */
export interface CollectionChangeParts {
  /** What is changed. */
  readonly collection: { readonly item: AnySchema; readonly rows: AnyEntity };
  /** Names it in messages. */
  readonly verb: string;
  /** The items stand in a row, and not under names. */
  readonly isList: boolean;
  /** Merges what comes into a list. */
  readonly rows: AnyEntity;
  /** Takes it out. */
  readonly removing: AnyEntity;
  /** What becomes of an item by how it matches. */
  readonly join: Joining;
  /** Whether an argument says what is in a list. */
  readonly isFilter: (name: string) => boolean;
  /** In place of the comparison of arguments. */
  readonly filter: ((...args: readonly unknown[]) => (listArgs: object) => boolean) | undefined;
}

/** The schema of an endpoint that changes lists: it stores the item, and puts it where it belongs. */
export class CollectionChange<S, D = CollectionItem<S>> implements SchemaObject {
  declare readonly "~types": CollectionChangeTypes<D>;
  readonly #parts: CollectionChangeParts;

  /** @param parts What the change is made of. */
  constructor(parts: CollectionChangeParts) {
    this.#parts = parts;
  }

  /** What is changed. */
  get collection(): CollectionChangeParts["collection"] {
    return this.#parts.collection;
  }

  /** What its items are. */
  get subject(): AnySchema {
    return this.#parts.collection.item;
  }

  /** Names it in messages: `push`, `remove` … */
  get verb(): string {
    return this.#parts.verb;
  }

  /** Stores one item, or each of an array (of `Values`: of an object), and changes the lists. */
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    const { collection: { item }, isList, verb } = this.#parts;
    if (this.#isByName(value)) {
      // The members of one item would be taken for pks.
      if (verb === "move" && !Object.values(value).every((each) => each === undefined || typeof each === "object")) {
        throw this.#failNameless(value, parent, key, walk);
      }
      const kept = Object.entries(value)
        .map(([name, each]) => [name, walk.visit(item, each, value, name)] as const)
        .filter(([, one]) => one !== undefined);
      for (const [name, one] of kept) this.#change(one, { [name]: one }, walk);
      return Object.fromEntries(kept);
    }
    if (!isList && (verb === "assign" || verb === "move")) throw this.#failNameless(value, parent, key, walk);
    const values = Array.isArray(value) ? value : [value];
    const kept = values.map((each) => walk.visit(item, each, parent, key)).filter((one) => one !== undefined);
    if (this.#parts.filter === undefined) { for (const one of kept) this.#change(one, [one], walk); }
    else this.#change(undefined, kept, walk);
    return Array.isArray(value) ? kept : kept[0];
  }

  /** The item, or the items, in a row or by name as they came. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    const { item } = this.#parts.collection;
    if (this.#isByName(normalized)) {
      const items = Object.entries(normalized).map(([name, one]) => [name, walk.visit(item, one)] as const);
      return Object.fromEntries(items.filter(([, one]) => one !== undefined));
    }
    if (Array.isArray(normalized)) {
      return normalized.map((one) => walk.visit(item, one)).filter((one) => one !== undefined);
    }
    return walk.visit(item, normalized);
  }

  /** Whether it is items by name. */
  #isByName(value: unknown): value is { readonly [name: string]: unknown } {
    return !this.#parts.isList && this.verb !== "remove" && typeof value === "object" && value !== null &&
      !Array.isArray(value);
  }

  #failNameless(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): Error {
    const problem = `${this.verb} expected items by name, got ${describe(value)}: give { name: item }`;
    return walk.fail(this, problem, value, parent, key);
  }

  #change(one: unknown, items: CollectionRecord["items"], walk: NormalizeWalk): void {
    const { collection, rows, removing, join, filter } = this.#parts;
    const { args } = walk;
    const isFor = filter?.(...args);
    // What is removed leaves also a list that it does not match any more: only the call can exclude one.
    const sources = this.verb === "remove" ? [args[1], args[0]] : [this.#recordOf(one, walk), args[1], args[0]];
    // What is there is changed by its own pk as often as by the name of its list: that would say nothing.
    const places = this.verb === "remove" || this.verb === "move" ? {} : placesOf(args);
    walk.amend(collection.rows, {
      of: (record: StoredMembers) => {
        const listArgs = (record as CollectionRecord).args;
        const match = listArgs === undefined
          ? undefined
          : isFor !== undefined
          ? isFor(listArgs)
          : this.#match(listArgs, sources, places);
        const effect = join(match);
        if (effect === undefined) return undefined;
        return { entity: effect === "remove" ? removing : rows, incoming: { items } };
      },
    });
  }

  /** The item as it is stored: processed, and merged with what was known of it. */
  #recordOf(kept: unknown, walk: NormalizeWalk): unknown {
    const picked = pickOf(this.#parts.collection.item, kept);
    return typeof picked?.[1] === "string" ? walk.record(picked[0], picked[1]) : undefined;
  }

  #match(listArgs: ListArgs, sources: readonly unknown[], places: ListArgs): boolean | undefined {
    let isKnown = true;
    for (const name of Object.keys(listArgs)) {
      if (!this.#parts.isFilter(name)) continue;
      const value = isPlace(name) ? places[name] : valueIn(sources, name);
      if (value === undefined) isKnown = false;
      else if (!isEqual(value, listArgs[name]!)) return false;
    }
    return isKnown ? true : undefined;
  }
}

/** The value of the first that has the member: the item itself, what was sent, the parameters. */
function valueIn(sources: readonly unknown[], name: string): unknown {
  for (const source of sources) {
    if (typeof source !== "object" || source === null) continue;
    const value = isForm(source)
      ? source.get(name) ?? undefined
      : Object.hasOwn(source, name)
      ? (source as StoredMembers)[name]
      : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

function isForm(source: object): source is FormData | URLSearchParams {
  const kind = Object.prototype.toString.call(source);
  return kind === "[object FormData]" || kind === "[object URLSearchParams]";
}

/** A list of values has each of them: `label=bug` holds what is labelled with that, among others. */
function isEqual(value: unknown, wanted: string): boolean {
  if (Array.isArray(value) && value.some((one) => typeof one !== "object" && String(one) === wanted)) return true;
  return typeof value === "object" && value !== null ? argsKey(value) === wanted : String(value) === wanted;
}
