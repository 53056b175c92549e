import { tried } from "../errors/report_error.ts";
import {
  type AnyEntity,
  type AnySchema,
  type ChangedRecord,
  isEntity,
  type ListEffect,
  type ListsBefore,
  type MembershipJudge,
  type RowsDeclaration,
  type StoredMembers,
} from "../schemas/interface.ts";
import { onceFor } from "../schemas/once_for.ts";
import { asText, isPosition, type ListArgs } from "./collection_args.ts";
import { pickOf, referenceOf } from "./collection_items.ts";
import type { CollectionRecord, RowsChange } from "./collection_rows.ts";

/**
 * Whether an item, as it is stored, belongs to a list with a value of an argument; the value is text, as the address has
 * it. `undefined`: nobody can say. Pure.
 */
// deno-lint-ignore no-explicit-any -- the app annotates what its API sends
export type ListFilter = (item: any, value: any) => boolean | undefined;

/** How the arguments of a collection's lists say what is in them. */
export interface MembershipRules {
  /** What each item is. */
  readonly item: AnySchema;
  /** The items stand in a row, and not under names. */
  readonly isList: boolean;
  /** Changes a list. */
  readonly change: AnyEntity;
  /** Whether an argument says only how a list is shown. */
  isDisplay(name: string): boolean;
  /** The matcher that was given for an argument. */
  filterOf(name: string): ListFilter | undefined;
  /** Which lists a change is for, only a call says. */
  readonly isByCall: boolean;
}

/**
 * How an item meets the arguments of one list: it has what they ask for; has something else; has something else, but
 * nothing has shown that the argument is compared with the member; nobody knows.
 */
export type Match = "yes" | "no" | "guess" | "unknown";

/** What becomes of one item in a list. */
export interface Verdict extends Omit<ListEffect, "writes"> {
  /** It is in the list from now on, or is not. */
  readonly isIn?: boolean | undefined;
}

/** Nothing. */
export const UNTOUCHED: Verdict = /* @__PURE__ */ Object.freeze({});
/** The list may have changed, and only the server knows how. */
export const UNCERTAIN: Verdict = /* @__PURE__ */ Object.freeze({ isUncertain: true });

/** Names of arguments that are the order of a list. */
export const ORDER = /^_?(order|sort)/i;
/** Names of arguments that cut a part out of a list. */
const PAGING =
  /^[_$]?(page|per_?page|page_?(size|number|token)|limit|offset|cursor|skip|take|first|last|after|before)$/i;

/** Computes something once for each of what it is asked with. */
export function memo<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    if (!known.has(key)) known.set(key, make(key));
    return known.get(key)!;
  };
}

/** What the lists of a table, as they are, say about their arguments. */
export class Membership {
  readonly #rules: MembershipRules;
  readonly #lists: ListsBefore;
  /** There are no lists of such items elsewhere. */
  readonly isOnly: boolean;

  /**
   * @param rules How arguments are meant.
   * @param lists The lists.
   */
  constructor(rules: MembershipRules, lists: ListsBefore) {
    this.#rules = rules;
    this.#lists = lists;
    this.isOnly = lists.isOnly ?? false;
  }

  /**
   * Compares an item with the arguments of a list.
   *
   * @param list The list.
   * @param item The item as it is stored; `undefined` where only the call says what it is.
   * @param valueOf What is known of a member.
   */
  match({ args = {}, unknown = [] }: CollectionRecord, item: unknown, valueOf: (name: string) => unknown): Match {
    let match: Match = "yes";
    for (const [name, wanted] of Object.entries(args)) {
      if (this.#rules.isDisplay(name)) continue;
      const filter = this.#rules.filterOf(name);
      const value = filter ? item : unknown.includes(name) || this.#isUnknown(name) ? undefined : valueOf(name);
      const isSame = value === undefined ? undefined : filter ? ask(filter, value, wanted) : isEqual(value, wanted);
      if (isSame) continue;
      if (isSame === undefined) match = match === "yes" ? "unknown" : match;
      else if (filter || isPosition(name) || this.#isConfirmed(name)) return "no";
      else match = "guess";
    }
    return match;
  }

  /** Whether an argument cuts a part out of a list. */
  isPaged({ args = {} }: CollectionRecord): boolean {
    return Object.entries(args).some(([name, value]) =>
      this.#rules.isDisplay(name) && (PAGING.test(name) || /^\d+$/.test(value))
    );
  }

  /** Whether there may be more of a list than what is there. */
  isPart(list: CollectionRecord): boolean {
    return list.isPaged === true || list.pages !== undefined || this.isPaged(list);
  }

  /**
   * Whether the order of a list depends on one of some members of an item, or on any: `sort=-rating,title`. One that names
   * none of its members may depend on any.
   */
  isOrderedBy({ args = {} }: CollectionRecord, item: StoredMembers, isMember?: (name: string) => boolean): boolean {
    const display = Object.keys(args).filter((name) => this.#rules.isDisplay(name));
    const named = display.flatMap((name) => membersIn(args[name]!, item));
    return named.length > 0 ? isMember === undefined || named.some(isMember) : display.some((name) => ORDER.test(name));
  }

  /** Whether a list holds what a text stands for. */
  holds(list: CollectionRecord, reference: string | undefined): boolean {
    return reference !== undefined && this.#references(list).has(reference);
  }

  /** Whether any list does. */
  isHeld(reference: string): boolean {
    return this.#records.some((list) => this.holds(list, reference));
  }

  /** The item as it is stored. */
  recordOf(kept: unknown): StoredMembers | undefined {
    const [entity, pk] = pickOf(this.#rules.item, kept) ?? [];
    return typeof pk === "string" ? this.#lists.record(entity!, pk) : undefined;
  }

  get #records(): readonly CollectionRecord[] {
    return this.#lists.records as readonly CollectionRecord[];
  }

  readonly #references = memo((list: CollectionRecord): ReadonlySet<string | undefined> =>
    new Set(Object.values(list.items).map((kept) => referenceOf(this.#rules.item, kept)))
  );

  /** An answer of some list has shown that an argument is no comparison with the member of its name. */
  readonly #isUnknown = memo((name: string): boolean =>
    this.#lists.unknown?.has(name) ?? this.#records.some(({ unknown = [] }) => unknown.includes(name))
  );

  /** Some list holds an item that has what the argument says. */
  readonly #isConfirmed = memo((name: string): boolean =>
    this.#records.some(({ args, items }) => {
      const wanted = args?.[name];
      const value = wanted === undefined ? undefined : this.recordOf(Object.values(items)[0])?.[name];
      return value !== undefined && isEqual(value, wanted!);
    })
  );
}

/**
 * What several items mean for a list.
 *
 * @param items What refers to each, and its name where they stand under names.
 * @param verdictOf What becomes of one.
 * @param rules What a list is.
 * @param change Changes a list; that of the rules unless there is one of its own.
 * @param isFirst What comes is first; of several, the last of them.
 */
export function effectOf<I extends { readonly kept: unknown; readonly name?: string }>(
  items: readonly I[],
  verdictOf: (item: I) => Verdict,
  { isList, change: usual }: MembershipRules,
  change: AnyEntity = usual,
  isFirst = false,
): ListEffect {
  const verdicts = items.map((item) => ({ ...item, ...verdictOf(item) }));
  const joining = verdicts.filter(({ isIn }) => isIn);
  const gone = verdicts.filter(({ isIn }) => isIn === false).map(({ kept }) => kept);
  const incoming: RowsChange = {
    items: isList
      ? (isFirst ? joining.toReversed() : joining).map(({ kept }) => kept)
      : Object.fromEntries(joining.map(({ kept, name = "" }) => [name, kept])),
    gone,
    isFirst,
  };
  return {
    writes: joining.length + gone.length > 0 ? [{ entity: change, incoming: incoming as object as StoredMembers }] : [],
    isUncertain: verdicts.some(({ isUncertain }) => isUncertain),
    isMoved: verdicts.some(({ isMoved }) => isMoved),
  };
}

const declared = /* @__PURE__ */ onceFor<Map<string, () => MembershipRules>>();

/**
 * Collections that share a table say what its arguments mean, each for all of its lists.
 *
 * @param rows The table.
 * @param said What a collection says, as text: who says the same again takes its place. "": nothing.
 * @param read Gives its rules.
 * @returns Gives those of all of them.
 */
export function addRules(rows: RowsDeclaration, said: string, read: () => MembershipRules): () => MembershipRules {
  const known = declared(rows, "", () => new Map()).set(said, read);
  const all = () => together(known);
  rows.judge ??= judgeBy(all);
  return all;
}

/** The rules of several collections as one: an argument that only shows a list for one of them does so for all. */
function together(rules: ReadonlyMap<string, () => MembershipRules>): MembershipRules {
  const all = [...rules].filter(([said]) => said !== "" || rules.size === 1).map(([, read]) => read());
  const last = all.at(-1)!;
  if (all.length === 1) return last;
  return {
    ...last,
    isDisplay: (name) => all.some((each) => each.isDisplay(name)),
    filterOf: (name) => all.findLast((each) => each.filterOf(name))?.filterOf(name),
    isByCall: all.some(({ isByCall }) => isByCall),
  };
}

/** Judges what mutations and `set` have made of records, whatever their schema was. */
function judgeBy(rulesOf: () => MembershipRules): MembershipJudge {
  return (changes, lists) => {
    const rules = rulesOf();
    const items = changes
      .filter((change) => isConcerned(rules, lists, change))
      .map((change) => ({ ...change, kept: keptAs(rules.item, change) }))
      .filter(({ kept }) => kept !== undefined);
    if (items.length === 0) return undefined;
    const membership = new Membership(rules, lists);
    return (list) =>
      // Without arguments it belongs to its entity alone.
      list.args === undefined
        ? undefined
        : effectOf(items, (item) => judge(rules, membership, list as CollectionRecord, item), rules);
  };
}

/** Whether a change may mean anything for any list: most edits are of members that no argument names. */
function isConcerned(
  { filterOf, isByCall, isDisplay }: MembershipRules,
  { args, unknown }: ListsBefore,
  { before, after, isChanged }: ChangedRecord,
): boolean {
  if (args === undefined || before === undefined || after === undefined || isByCall) return true;
  return [...args].some(([name, values]) =>
    !isDisplay(name)
      ? filterOf(name) || isChanged(name) || after[name] === undefined || unknown?.has(name)
      : [...values].some((value) => {
        const named = membersIn(value, after);
        return named.length > 0 ? named.some(isChanged) : ORDER.test(name);
      })
  );
}

/** The members of an item that an argument names: `-rating,title`. */
function membersIn(value: string, item: StoredMembers): readonly string[] {
  return (value.match(/[\w$]+/g) ?? []).filter((name) => Object.hasOwn(item, name));
}

/** What a change of one record means for one list. */
function judge(
  rules: MembershipRules,
  membership: Membership,
  list: CollectionRecord,
  { before, after, isChanged, isSent, kept }: ChangedRecord & { readonly kept: unknown },
): Verdict {
  const args = list.args!;
  const names = Object.keys(args);
  if (names.length === 0 && before !== undefined && after !== undefined) return UNTOUCHED;
  if (rules.isByCall) return names.length > 0 ? UNCERTAIN : UNTOUCHED;
  const present = after ?? before;
  const match = membership.match(list, present, (name) => present?.[name]);
  const isPart = membership.isPart(list);
  if (after === undefined) {
    // Whoever is at another place of it moves up.
    return match === "no" ? UNTOUCHED : { isUncertain: match !== "yes" || isPart, isMoved: true };
  }
  if (match === "unknown") return UNCERTAIN;
  const isTouched = names.some((name) => {
    if (rules.isDisplay(name)) return false;
    const filter = rules.filterOf(name);
    return isChanged(name) ||
      (filter && (isSent || ask(filter, before, args[name]!) !== ask(filter, after, args[name]!)));
  });
  if (match !== "yes") return isTouched ? { isIn: false, isUncertain: match === "guess" || isPart } : UNTOUCHED;
  const isReordered = membership.isOrderedBy(list, after, isChanged);
  const reference = referenceOf(rules.item, kept)!;
  const isThere = membership.holds(list, reference);
  if (!isTouched) return { isUncertain: isReordered || (before === undefined && !isThere) };
  const canJoin = rules.isList && !membership.isPaged(list);
  if (isThere) return { isIn: canJoin || undefined, isUncertain: isReordered };
  // In no list of this address: those of another may have the same arguments.
  const isHeld = membership.isHeld(reference);
  if (!canJoin || !(isHeld || membership.isOnly)) return UNCERTAIN;
  return { isIn: true, isUncertain: !isHeld || isPart || membership.isOrderedBy(list, after) };
}

/** What refers to a record in a list of items; `undefined` where none can. */
function keptAs(item: AnySchema, { key, pk }: ChangedRecord): unknown {
  if (isEntity(item)) return item.key === key ? pk : undefined;
  const { mapping = {} } = item as { readonly mapping?: { readonly [tag: string]: AnyEntity } };
  const tag = Object.keys(mapping).find((each) => mapping[each]!.key === key);
  return tag === undefined ? undefined : { id: pk, schema: tag };
}

/** One that throws cannot say. */
function ask(filter: ListFilter, item: unknown, value: string): boolean | undefined {
  return tried(() => filter(item, value));
}

/** A list of values has each of them: `label=bug` holds what is labelled with that, among others. */
export function isEqual(value: unknown, wanted: string): boolean {
  return (Array.isArray(value) && value.some((one) => typeof one !== "object" && String(one) === wanted)) ||
    asText(value) === wanted;
}

/**
 * The arguments that the list's own answer shows to be no comparison with the member of their name: `title=star` brought
 * a title that is another.
 */
export function contradicted(
  args: ListArgs,
  sent: readonly (readonly [sent: unknown, kept: unknown])[],
  { filterOf, isDisplay }: MembershipRules,
  membership: Membership,
): readonly string[] {
  return Object.entries(args).filter(([name, wanted]) =>
    !isDisplay(name) && filterOf(name) === undefined && sent.some(([raw, kept]) => {
      // What it does not say of an item, it does not contradict.
      if (typeof raw !== "object" || raw === null || !Object.hasOwn(raw, name)) return false;
      const value = membership.recordOf(kept)?.[name];
      return value !== undefined && !isEqual(value, wanted);
    })
  ).map(([name]) => name);
}
