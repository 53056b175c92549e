import { said } from "../errors/texts.ts";
import { isPosition, positionsOf } from "./collection_args.ts";
import type { CollectionItem } from "./collection_options.ts";
import { isEqual, type Match, Membership, type MembershipRules, UNCERTAIN } from "./collection_membership.ts";
import { type CollectionRecord, pickOf, referenceOf } from "./collection_rows.ts";
import type {
  AnyEntity,
  AnySchema,
  DenormalizeWalk,
  EntityStatics,
  ListEffect,
  NormalizeWalk,
  SchemaObject,
  SchemaTypes,
  StoredMembers,
} from "../schemas/interface.ts";

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
  /** How arguments say what is in a list. */
  readonly rules: () => MembershipRules;
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

  /** Its items may come by name. */
  get isNamed(): boolean {
    return !this.#parts.isList && this.verb !== "remove";
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
      this.#change(kept, walk);
      return Object.fromEntries(kept);
    }
    if (!isList && (verb === "assign" || verb === "move")) throw this.#failNameless(value, parent, key, walk);
    const values = Array.isArray(value) ? value : [value];
    const kept = values.map((each) => walk.visit(item, each, parent, key)).filter((one) => one !== undefined);
    const items = kept.map((one) => ["", one] as const);
    // A function of the app is asked for each of them.
    if (verb === "addWith" && this.#parts.filter === undefined) { for (const one of items) this.#change([one], walk); }
    else this.#change(items, walk);
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
    return this.isNamed && typeof value === "object" && value !== null &&
      !Array.isArray(value);
  }

  #failNameless(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): Error {
    return walk.fail(this, said(128, { verb: this.verb, value }), value, parent, key);
  }

  /** Changes every list once, whatever the number of items. */
  #change(items: readonly (readonly [name: string, one: unknown])[], walk: NormalizeWalk): void {
    const { collection, filter } = this.#parts;
    const rules = this.#parts.rules();
    const { args } = walk;
    const isFor = filter?.(...args);
    const before = walk.records(collection.rows);
    const membership = new Membership(rules, { records: before, record: (entity, pk) => walk.record(entity, pk) });
    // What is there is changed by its own pk as often as by the name of its list: that would say nothing.
    const positions = this.verb === "move" || this.verb === "remove" ? {} : positionsOf(args);
    const known = items.map(([name, one]) => ({ name, one, ...this.#recordOf(one, walk) }));
    walk.amend(collection.rows, {
      of: (record: StoredMembers) => {
        const list = record as CollectionRecord;
        if (list.args === undefined) return undefined;
        if (isFor !== undefined) return isFor(list.args) ? this.#effect(known, []) : undefined;
        const changed: Known[] = [];
        const gone: Known[] = [];
        let isUncertain = false;
        for (const item of known) {
          const becomes = this.#become(item, list, membership, args, positions);
          if (becomes.is !== undefined) (becomes.is === "gone" ? gone : changed).push(item);
          if (becomes.isUncertain) isUncertain = true;
        }
        if (changed.length + gone.length === 0) return isUncertain ? UNCERTAIN : undefined;
        return { ...this.#effect(changed, gone), isUncertain };
      },
    });
  }

  #effect(changed: readonly Known[], gone: readonly Known[]): ListEffect {
    const { isList, rows, rules, verb } = this.#parts;
    // The last that is put first is the first.
    const items = (verb === "unshift" ? changed.toReversed() : changed).map(({ name, one }) => [name, one] as const);
    const isNamed = !isList && verb !== "remove";
    const writes = [
      { entity: rules().leaving, incoming: { items: gone.map(({ one }) => one) } },
      { entity: rows, incoming: { items: isNamed ? Object.fromEntries(items) : items.map(([, one]) => one) } },
    ];
    return { writes: writes.filter((_, at) => (at === 0 ? gone : changed).length > 0) };
  }

  /** What becomes of an item in a list. */
  #become(
    { one, record, asRead }: Known,
    list: CollectionRecord,
    membership: Membership,
    args: readonly unknown[],
    positions: Readonly<Record<string, unknown>>,
  ): Becomes {
    const { collection: { item }, rules, verb } = this.#parts;
    if (verb === "remove") {
      return isExcluded(list, rules(), record, args) ? UNTOUCHED : { is: "gone", isUncertain: membership.isPart(list) };
    }
    const matchOf = (item: StoredMembers | undefined, ...others: readonly unknown[]): Match =>
      membership.match(
        list,
        item,
        (name) => isPosition(name) ? positions[name] : valueIn([record, args[1], args[0], ...others], name),
      );
    const { match, isGuess } = matchOf(record);
    // The server may know another value: it is asked, too.
    const isAssumed = !match && asRead !== undefined && matchOf(asRead, asRead).match === true;
    if (match === undefined && !isAssumed) return UNCERTAIN;
    if (!match && !isAssumed) {
      return verb === "move" ? { is: "gone", isUncertain: membership.isPart(list) } : isGuess ? UNCERTAIN : UNTOUCHED;
    }
    const reference = referenceOf(item, one);
    const isThere = () => reference !== undefined && membership.holds(list, reference);
    if (membership.isPaged(list)) return { isUncertain: isAssumed || !isThere() };
    // The place in a declared order, only the server knows; so it does what follows the pages that were asked for.
    const isPlaced = (verb === "unshift" || !membership.isPart(list)) &&
      (record === undefined || !membership.isOrderedBy(list, record, () => true));
    return { is: "changed", isUncertain: isAssumed || (!isPlaced && !isThere()) };
  }

  /** The item as it is stored: processed, and merged with what was known of it. */
  #recordOf(kept: unknown, walk: NormalizeWalk): Pick<Known, "asRead" | "record"> {
    const picked = pickOf(this.#parts.collection.item, kept);
    const record = typeof picked?.[1] === "string" ? walk.record(picked[0], picked[1]) : undefined;
    return { record, asRead: record && { ...(picked![0] as EntityStatics).defaults, ...record } };
  }
}

/** An item, under which name it comes, and as it is stored. */
interface Known {
  readonly name: string;
  readonly one: unknown;
  readonly record: StoredMembers | undefined;
  /** The same with the defaults of the class, as who reads it sees it. */
  readonly asRead: StoredMembers | undefined;
}

type Becoming = "changed" | "gone";

interface Becomes extends Pick<ListEffect, "isUncertain"> {
  readonly is?: Becoming;
}

const UNTOUCHED: Becomes = /* @__PURE__ */ Object.freeze({});

/**
 * Whether the parameters of a call say that an item stays in a list: what is removed leaves also one that it does not
 * match any more. Where there is no body, what the item has as a member says what becomes of it.
 */
function isExcluded(
  { args = {} }: CollectionRecord,
  rules: MembershipRules,
  item: StoredMembers | undefined,
  [params, ...others]: readonly unknown[],
): boolean {
  return Object.keys(args).some((name) => {
    if (rules.isDisplay(name) || (others.length === 0 && item?.[name] !== undefined)) return false;
    const value = valueIn([params], name);
    return value !== undefined && !isEqual(value, args[name]!);
  });
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
