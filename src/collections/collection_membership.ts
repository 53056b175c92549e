import { argsKey } from "../schemas/args_key.ts";
import { isPosition, type ListArgs } from "./collection_args.ts";
import { type CollectionRecord, pickOf, referenceOf } from "./collection_rows.ts";
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
  /** Puts items at the end of a list. */
  readonly joining: AnyEntity;
  /** Takes items out. */
  readonly leaving: AnyEntity;
  /** Whether an argument says only how a list is shown. */
  isDisplay(name: string): boolean;
  /** The matcher that was given for an argument. */
  filterOf(name: string): ListFilter | undefined;
  /** Which lists a change is for, only a call says. */
  readonly isByCall: boolean;
}

/** How an item meets the arguments of one list. */
export interface Match {
  /** It has what they ask for, has something else, or nobody knows. */
  readonly match: boolean | undefined;
  /** That something else is no answer yet: nothing has shown that the argument is compared with the member. */
  readonly isGuess: boolean;
}

/** Names of arguments that are the order of a list. */
export const ORDER = /^_?(order|sort)/i;
/** Names of arguments that cut a part out of a list. */
const PAGING =
  /^[_$]?(page|per_?page|page_?(size|number|token)|limit|offset|cursor|skip|take|first|last|after|before)$/i;

/** What the lists of a table, as they are, say about their arguments. */
export class Membership {
  readonly #rules: MembershipRules;
  readonly #lists: ListsBefore;
  readonly #confirmed = new Map<string, boolean>();
  readonly #references = new Map<CollectionRecord, ReadonlySet<string | undefined>>();
  #unknown: ReadonlySet<string> | undefined;

  /**
   * @param rules How arguments are meant.
   * @param lists The lists.
   */
  constructor(rules: MembershipRules, lists: ListsBefore) {
    this.#rules = rules;
    this.#lists = lists;
  }

  /**
   * Compares an item with the arguments of a list.
   *
   * @param list The list.
   * @param item The item as it is stored; `undefined` where only the call says what it is.
   * @param valueOf What is known of a member.
   */
  match({ args = {}, unknown = [] }: CollectionRecord, item: unknown, valueOf: (name: string) => unknown): Match {
    let match: boolean | undefined = true;
    let isGuess = false;
    for (const name of Object.keys(args)) {
      if (this.#rules.isDisplay(name)) continue;
      const filter = this.#rules.filterOf(name);
      let one: boolean | undefined;
      if (filter !== undefined) one = item === undefined ? undefined : ask(filter, item, args[name]!);
      else if (!unknown.includes(name) && !this.#isUnknown(name)) {
        const value = valueOf(name);
        one = value === undefined ? undefined : isEqual(value, args[name]!);
      }
      if (one) continue;
      if (one === undefined) {
        if (match) match = undefined;
      } else if (filter !== undefined || isPosition(name) || this.#isConfirmed(name)) {
        return { match: false, isGuess: false };
      } else [match, isGuess] = [false, true];
    }
    return { match, isGuess };
  }

  /** Whether an argument cuts a part out of a list. */
  isPaged({ args = {} }: CollectionRecord): boolean {
    return Object.keys(args).some((name) =>
      this.#rules.isDisplay(name) && (PAGING.test(name) || /^\d+$/.test(args[name]!))
    );
  }

  /** Whether there may be more of a list than what is there. */
  isPart(list: CollectionRecord): boolean {
    return list.isPaged === true || list.pages !== undefined || this.isPaged(list);
  }

  /**
   * Whether the order of a list depends on one of some members of an item: `sort=-rating,title`. One that names none of
   * its members may depend on any.
   */
  isOrderedBy({ args = {} }: CollectionRecord, item: StoredMembers, isMember: (name: string) => boolean): boolean {
    const display = Object.keys(args).filter((name) => this.#rules.isDisplay(name));
    const named = display.flatMap((name) => membersIn(args[name]!, item));
    return named.length > 0 ? named.some(isMember) : display.some((name) => ORDER.test(name));
  }

  /** Whether a list holds what a text stands for. */
  holds(list: CollectionRecord, reference: string): boolean {
    let references = this.#references.get(list);
    if (references === undefined) {
      references = new Set(Object.values(list.items).map((kept) => referenceOf(this.#rules.item, kept)));
      this.#references.set(list, references);
    }
    return references.has(reference);
  }

  /** Whether any list does. */
  isHeld(reference: string): boolean {
    return this.#records().some((list) => this.holds(list, reference));
  }

  /** There are no lists of such items elsewhere. */
  get isOnly(): boolean {
    return this.#lists.isOnly ?? false;
  }

  #records(): readonly CollectionRecord[] {
    return this.#lists.records as readonly CollectionRecord[];
  }

  /** An answer of some list has shown that an argument is no comparison with the member of its name. */
  #isUnknown(name: string): boolean {
    this.#unknown ??= this.#lists.unknown ?? new Set(this.#records().flatMap(({ unknown = [] }) => unknown));
    return this.#unknown.has(name);
  }

  /** Some list holds an item that has what the argument says. */
  #isConfirmed(name: string): boolean {
    let isConfirmed = this.#confirmed.get(name);
    if (isConfirmed === undefined) {
      isConfirmed = this.#records().some(({ args, items }) => {
        const picked = args?.[name] === undefined ? undefined : pickOf(this.#rules.item, Object.values(items)[0]);
        const item = typeof picked?.[1] === "string" ? this.#lists.record(picked[0], picked[1]) : undefined;
        return item?.[name] !== undefined && isEqual(item[name], args![name]!);
      });
      this.#confirmed.set(name, isConfirmed);
    }
    return isConfirmed;
  }
}

/** The list may have changed, and only the server knows how. */
export const UNCERTAIN: ListEffect = /* @__PURE__ */ Object.freeze({ isUncertain: true });

const declared = /* @__PURE__ */ new WeakMap<RowsDeclaration, Map<string, () => MembershipRules>>();

/**
 * Collections that share a table say what its arguments mean, each for all of its lists.
 *
 * @param rows The table.
 * @param said What a collection says, as text: who says the same again takes its place. "": nothing.
 * @param read Gives its rules.
 * @returns Gives those of all of them.
 */
export function addRules(rows: RowsDeclaration, said: string, read: () => MembershipRules): () => MembershipRules {
  let rules = declared.get(rows);
  if (rules === undefined) declared.set(rows, rules = new Map());
  const known = rules.set(said, read);
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
    filterOf: (name) => all.findLast((each) => each.filterOf(name) !== undefined)?.filterOf(name),
    isByCall: all.some(({ isByCall }) => isByCall),
  };
}

/** Judges what mutations and `set` have made of records, whatever their schema was. */
function judgeBy(rulesOf: () => MembershipRules): MembershipJudge {
  return (changes, lists) => {
    const rules = rulesOf();
    const relevant = changes.flatMap((change) => {
      const kept = keptAs(rules.item, change);
      return kept === undefined || !isConcerned(rules, lists, change) ? [] : [{ change, kept }];
    });
    if (relevant.length === 0) return undefined;
    const membership = new Membership(rules, lists);
    return (record) => {
      const list = record as CollectionRecord;
      // It belongs to its entity alone.
      if (list.args === undefined) return undefined;
      const join: unknown[] = [];
      const leave: unknown[] = [];
      let [isUncertain, isMoved] = [false, false];
      for (const { change, kept } of relevant) {
        const verdict = judge(rules, membership, list, change, kept);
        if (verdict.isIn !== undefined) (verdict.isIn ? join : leave).push(kept);
        if (verdict.isUncertain) isUncertain = true;
        if (verdict.isMoved) isMoved = true;
      }
      const writes = [{ entity: rules.leaving, incoming: { items: leave } }, {
        entity: rules.joining,
        incoming: { items: join },
      }];
      return { writes: writes.filter(({ incoming: { items } }) => items.length > 0), isUncertain, isMoved };
    };
  };
}

/** Whether a change may mean anything for any list: most edits are of members that no argument names. */
function isConcerned(
  { filterOf, isByCall, isDisplay }: MembershipRules,
  { args, unknown }: ListsBefore,
  { before, after, isChanged }: ChangedRecord,
): boolean {
  if (args === undefined || before === undefined || after === undefined || isByCall) return true;
  for (const [name, values] of args) {
    if (!isDisplay(name)) {
      if (filterOf(name) || isChanged(name) || after[name] === undefined || unknown?.has(name)) return true;
      continue;
    }
    for (const value of values) {
      const named = membersIn(value, after);
      if (named.length > 0 ? named.some(isChanged) : ORDER.test(name)) return true;
    }
  }
  return false;
}

/** The members of an item that an argument names: `-rating,title`. */
function membersIn(value: string, item: StoredMembers): readonly string[] {
  return (value.match(/[\w$]+/g) ?? []).filter((name) => Object.hasOwn(item, name));
}

/** What a change of one record means for one list. */
interface Verdict extends Omit<ListEffect, "writes"> {
  /** It is in the list from now on, or is not. */
  readonly isIn?: boolean;
}

const UNTOUCHED: Verdict = /* @__PURE__ */ Object.freeze({});

function judge(
  rules: MembershipRules,
  membership: Membership,
  list: CollectionRecord,
  { before, after, isChanged, isSent }: ChangedRecord,
  kept: unknown,
): Verdict {
  const names = Object.keys(list.args!);
  if (names.length === 0 && before !== undefined && after !== undefined) return UNTOUCHED;
  if (rules.isByCall) return names.length > 0 ? UNCERTAIN : UNTOUCHED;
  const present = after ?? before;
  const { match, isGuess } = membership.match(list, present, (name) => present?.[name]);
  // Whoever is at another place of it moves up.
  const isPaged = membership.isPaged(list);
  const isPart = membership.isPart(list);
  if (after === undefined) {
    if (match === false && !isGuess) return UNTOUCHED;
    return { isUncertain: match !== true || isPart, isMoved: true };
  }
  if (match === undefined) return UNCERTAIN;
  const isTouched = names.some((name) => {
    if (rules.isDisplay(name)) return false;
    const filter = rules.filterOf(name);
    return isChanged(name) || (filter !== undefined && (isSent || !isSameFor(filter, name)));
  });
  if (match === false) return isTouched ? { isIn: false, isUncertain: isGuess || isPart } : UNTOUCHED;
  const isReordered = membership.isOrderedBy(list, after, isChanged);
  const reference = referenceOf(rules.item, kept)!;
  if (!isTouched) return { isUncertain: isReordered || (before === undefined && !membership.holds(list, reference)) };
  if (membership.holds(list, reference)) {
    return { isUncertain: isReordered, ...!isPaged && rules.isList && { isIn: true } };
  }
  // In no list of this address: those of another may have the same arguments.
  const isHeld = membership.isHeld(reference);
  if (isPaged || !rules.isList || !(isHeld || membership.isOnly)) return UNCERTAIN;
  return { isIn: true, isUncertain: !isHeld || isPart || membership.isOrderedBy(list, after, () => true) };

  function isSameFor(filter: ListFilter, name: string): boolean {
    return ask(filter, before, list.args![name]!) === ask(filter, after, list.args![name]!);
  }
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
  try {
    return filter(item, value);
  } catch {
    return undefined;
  }
}

/** A list of values has each of them: `label=bug` holds what is labelled with that, among others. */
export function isEqual(value: unknown, wanted: string): boolean {
  if (Array.isArray(value) && value.some((one) => typeof one !== "object" && String(one) === wanted)) return true;
  return typeof value === "object" && value !== null ? argsKey(value) === wanted : String(value) === wanted;
}

/**
 * The arguments that the list's own answer shows to be no comparison with the member of their name: `title=star` brought
 * a title that is another.
 */
export function contradicted(
  args: ListArgs,
  sent: readonly (readonly [sent: unknown, kept: unknown])[],
  rules: Pick<MembershipRules, "isDisplay" | "filterOf">,
  recordOf: (kept: unknown) => StoredMembers | undefined,
): readonly string[] {
  return Object.keys(args).filter((name) =>
    !rules.isDisplay(name) && rules.filterOf(name) === undefined && sent.some(([raw, kept]) => {
      // What it does not say of an item, it does not contradict.
      if (typeof raw !== "object" || raw === null || !Object.hasOwn(raw, name)) return false;
      const value = recordOf(kept)?.[name];
      return value !== undefined && !isEqual(value, args[name]!);
    })
  );
}
