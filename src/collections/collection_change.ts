import { said } from "../errors/texts.ts";
import { membersOf } from "../rest/call.ts";
import type {
  AnyEntity,
  AnySchema,
  DenormalizeWalk,
  EntityStatics,
  NormalizeWalk,
  SchemaObject,
  SchemaTypes,
  StoredMembers,
} from "../schemas/interface.ts";
import { positionsOf } from "./collection_args.ts";
import {
  effectsOf,
  isEqual,
  type KnownList,
  membershipIn,
  type MembershipRules,
  memo,
  recordOf,
  UNCERTAIN,
  UNTOUCHED,
  type Verdict,
} from "./collection_membership.ts";
import type { CollectionItem } from "./collection_options.ts";
import { pick } from "../schemas/subjects.ts";

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
  /** How items that come meet those that are there; `undefined`: as the verb says. */
  readonly rows: AnyEntity | undefined;
  /** How arguments say what is in a list. */
  readonly rules: () => MembershipRules;
  /** In place of the comparison of arguments. */
  readonly filter: ((...args: readonly unknown[]) => (listArgs: object) => boolean) | undefined;
}

/** An item, and under which name it comes. */
interface Item {
  readonly name: string;
  readonly kept: unknown;
}

/** The same as it is stored: processed, and merged with what was known of it. */
interface Known extends Item {
  readonly record: StoredMembers | undefined;
  /** The same with the defaults of the class, as who reads it sees it. */
  readonly asRead: StoredMembers | undefined;
}

/** What may have a member: the item itself, what was sent, the parameters, the arguments by their positions. */
type Sources = readonly (StoredMembers | undefined)[];

/** The schema of an endpoint that changes lists: it stores the item, and puts it where it belongs. */
export class CollectionChange<S, D = CollectionItem<S>> implements SchemaObject {
  declare readonly "~types": CollectionChangeTypes<D>;
  readonly #parts: CollectionChangeParts;
  /** What is changed. */
  readonly collection: CollectionChangeParts["collection"];
  /** What its items are. */
  readonly subject: AnySchema;
  /** Names it in messages: `push`, `remove` … */
  readonly verb: string;
  /** Its items may come by name. */
  readonly isNamed: boolean;

  /** @param parts What the change is made of. */
  constructor(parts: CollectionChangeParts) {
    this.#parts = parts;
    this.collection = parts.collection;
    this.subject = parts.collection.item;
    this.verb = parts.verb;
    this.isNamed = !parts.isList && parts.verb !== "remove";
  }

  /** Stores one item, or each of an array (of `Values`: of an object), and changes the lists. */
  normalize(value: unknown, parent: unknown, key: string | undefined, walk: NormalizeWalk): unknown {
    const { subject, verb } = this;
    const isByName = this.#isByName(value);
    if (!this.#parts.isList && (verb === "assign" || verb === "move")) {
      // The members of one item would be taken for pks.
      const mayBe = (each: unknown) => verb === "assign" || each === undefined || typeof each === "object";
      if (!isByName || !Object.values(value).every(mayBe)) {
        throw walk.fail(this, said(128, { verb, value }), value, parent, key);
      }
    }
    const items = this.#items(
      value,
      (each, name) => walk.visit(subject, each, isByName ? value : parent, isByName ? name : key),
    );
    // A function of the app is asked for each of them.
    const each = verb === "addWith" && this.#parts.filter === undefined && !isByName;
    for (const some of each ? items.map((item) => [item]) : [items]) this.#change(some, walk);
    return this.#shaped(value, items);
  }

  /** The item, or the items, in a row or by name as they came. */
  denormalize(normalized: unknown, walk: DenormalizeWalk): unknown {
    return this.#shaped(normalized, this.#items(normalized, (each) => walk.visit(this.subject, each)));
  }

  /** Each of the items that a value is, by its name; without those that are nothing. */
  #items(value: unknown, keep: (each: unknown, name: string) => unknown): readonly Item[] {
    return Object.entries(this.#isByName(value) || Array.isArray(value) ? value : [value])
      .map(([name, each]) => ({ name, kept: keep(each, name) }))
      .filter(({ kept }) => kept !== undefined);
  }

  /** Items in the shape of what they came as. */
  #shaped(value: unknown, items: readonly Item[]): unknown {
    if (this.#isByName(value)) return Object.fromEntries(items.map(({ name, kept }) => [name, kept]));
    return Array.isArray(value) ? items.map(({ kept }) => kept) : items[0]?.kept;
  }

  /** Whether it is items by name. */
  #isByName(value: unknown): value is { readonly [name: string]: unknown } {
    return this.isNamed && typeof value === "object" && value !== null && !Array.isArray(value);
  }

  /** Changes every list once, whatever the number of items. */
  #change(items: readonly Item[], walk: NormalizeWalk): void {
    const { collection, filter, rows, verb } = this.#parts;
    const rules = this.#parts.rules();
    const { args } = walk;
    const [params, body] = args.map(membersOf);
    const isFor = filter?.(...args);
    // What is there is changed by its own pk as often as by the name of its list: that would say nothing.
    const sent = [body, params, verb === "move" || verb === "remove" ? undefined : positionsOf(args)];
    const known = items.map((item): Known => {
      const record = recordOf(this.subject, item.kept, walk);
      const { defaults } = pick(this.subject, item.kept)?.[0] as EntityStatics | undefined ?? {};
      return { ...item, record, asRead: record && { ...defaults, ...record } };
    });
    const isMeant = memo((list: KnownList) => isFor?.(list.args));
    const verdictOf = (list: KnownList, item: Known): Verdict =>
      isFor === undefined ? this.#judge(item, list, sent) : { isIn: isMeant(list) ? verb !== "remove" : undefined };
    walk.amend(collection.rows, (before) => {
      const record = (entity: AnyEntity, pk: string) => walk.record(entity, pk);
      const membership = membershipIn(rules, { records: () => before, record });
      return effectsOf(rules, membership, known, verdictOf, rows, verb === "unshift");
    });
  }

  /** What becomes of an item in a list. */
  #judge({ kept, record, asRead }: Known, list: KnownList, sent: Sources): Verdict {
    const { verb } = this;
    const leaves = { isIn: false, isUncertain: list.isPart };
    if (verb === "remove") return isExcluded(list, record, sent) ? UNTOUCHED : leaves;
    const matchOf = (item: StoredMembers | undefined, sources: Sources) =>
      list.match(item, (name) => valueIn(sources, name));
    const sources = [record, ...sent];
    const match = matchOf(record, sources);
    // The server may know another value than the default: it is asked, too.
    const isAssumed = match !== "yes" && asRead !== undefined && matchOf(asRead, [...sources, asRead]) === "yes";
    if (match !== "yes" && !isAssumed) {
      if (match !== "no") return match === "guess" && verb === "move" ? { ...UNCERTAIN, isIn: false } : UNCERTAIN;
      return verb === "move" ? leaves : UNTOUCHED;
    }
    return list.joins(kept, record, isAssumed, true, verb === "unshift");
  }
}

/**
 * Whether the parameters of a call say that an item stays in a list: what is removed leaves also one that it does not
 * match any more. Where there is no body, what the item has as a member says what becomes of it.
 */
function isExcluded(
  { filters }: KnownList,
  item: StoredMembers | undefined,
  [body, params]: Sources,
): boolean {
  return filters.some(([name, wanted]) => {
    const value = body === undefined && item?.[name] !== undefined ? undefined : valueIn([params], name);
    return value !== undefined && !isEqual(value, wanted);
  });
}

/** The value of the first that has the member. */
function valueIn(sources: Sources, name: string): unknown {
  return sources.find((source) => source && Object.hasOwn(source, name) && source[name] !== undefined)?.[name];
}
