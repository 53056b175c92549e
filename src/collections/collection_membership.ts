import { tried } from "../errors/report_error.ts";
import type {
  Amendment,
  AnyEntity,
  AnySchema,
  ListEffect,
  NormalizeWalk,
  StoredMembers,
} from "../schemas/interface.ts";
import { asText, isPosition, type ListArgs } from "./collection_args.ts";
import { type CollectionRecord, referenceOf } from "./collection_items.ts";
import type { ListFilter } from "./collection_options.ts";
import { pick } from "../schemas/subjects.ts";

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

/** The lists of a table before a change. */
export interface ListsBefore {
  records(): readonly StoredMembers[];
  /** The arguments that an answer has shown to be no comparison. */
  readonly unknown?: ReadonlySet<string>;
  /** The record of an item. */
  record(entity: AnyEntity, pk: string): StoredMembers | undefined;
}

/** What the lists of a table, as they are, say about their arguments. */
export type Membership = ReturnType<typeof membershipIn>;
/** What is known of one list. */
export type KnownList = ReturnType<Membership["of"]>;

/**
 * Looks at the lists of a table.
 *
 * @param rules How arguments are meant.
 * @param lists The lists.
 */
export function membershipIn({ item, isDisplay, filterOf }: MembershipRules, lists: ListsBefore) {
  let known: readonly CollectionRecord[] | undefined;
  const records = () => known ??= lists.records() as readonly CollectionRecord[];
  /** An answer of some list has shown that an argument is no comparison with the member of its name. */
  const isUnknown = memo((name: string) =>
    lists.unknown?.has(name) ?? records().some(({ unknown }) => unknown?.includes(name))
  );
  /** Some list holds an item that has what the argument says. */
  const isConfirmed = memo((name: string) =>
    records().some(({ args, items }) => {
      const wanted = args?.[name];
      const value = wanted === undefined ? undefined : recordOf(item, Object.values(items)[0], lists)?.[name];
      return value !== undefined && isEqual(value, wanted!);
    })
  );
  const of = memo((list: CollectionRecord) => {
    const args = Object.entries(list.args ?? {});
    const filters = args.filter(([name]) => !isDisplay(name));
    const display = args.filter(([name]) => isDisplay(name));
    const isPaged = display.some(([name, value]) => PAGING.test(name) || /^\d+$/.test(value));
    const isPart = isPaged || list.isPaged === true || list.pages !== undefined;
    let references: ReadonlySet<string | undefined> | undefined;
    const isThere = (kept: unknown): boolean => {
      references ??= new Set(Object.values(list.items).map((one) => referenceOf(item, one)));
      const reference = referenceOf(item, kept);
      return reference !== undefined && references.has(reference);
    };
    return {
      args: list.args ?? {},
      /** Those that say what is in it. */
      filters,
      /** There may be more of it than what is there. */
      isPart,
      isThere,
      /** Those that say how it is shown. */
      display,
      /**
       * An item belongs to it. Where it is not there yet, its place on a page, or in a declared order, only the server
       * knows; so it does what follows the pages that were asked for.
       *
       * @param record The item as it is stored, if it is.
       * @param isInDoubt Whether it does is not sure.
       * @param canJoin Whether it may be put there.
       */
      joins(
        kept: unknown,
        record: StoredMembers | undefined,
        isInDoubt: boolean,
        canJoin = true,
        isFirst = false,
      ): Verdict {
        const isIn = (canJoin && !isPaged) || undefined;
        const isPlaced = () => isIn && (isFirst || !isPart) && !(record && isOrder(display, record));
        return { isIn, isUncertain: isInDoubt || (!isThere(kept) && !isPlaced()) };
      },
      /**
       * Compares an item with its arguments.
       *
       * @param item The item as it is stored; `undefined` where only the call says what it is.
       * @param valueOf What is known of a member.
       */
      match(item: unknown, valueOf: (name: string) => unknown): Match {
        let match: Match = "yes";
        for (const [name, wanted] of filters) {
          const filter = filterOf(name);
          const value = filter ? item : list.unknown?.includes(name) || isUnknown(name) ? undefined : valueOf(name);
          const isSame = value === undefined ? undefined : filter ? ask(filter, value, wanted) : isEqual(value, wanted);
          if (isSame) continue;
          if (isSame === undefined) match = match === "yes" ? "unknown" : match;
          else if (filter || isPosition(name) || (isConfirmed(name) && !isStructured(wanted))) return "no";
          else match = "guess";
        }
        return match;
      },
    };
  });
  /** Whether any list holds an item. */
  const isHeld = (kept: unknown) => records().some((list) => of(list).isThere(kept));
  return { of, isHeld };
}

/** An array, an object of members, or a row of values: any of several, a range. What it means, only the server says. */
function isStructured(wanted: string): boolean {
  return /^[[{]|,/.test(wanted);
}

/**
 * What several items mean for each list of a table.
 *
 * @param rules What a list is.
 * @param membership What is known of the lists.
 * @param items What refers to each, and its name where they stand under names.
 * @param verdictOf What becomes of one in a list.
 * @param change Changes a list; that of the rules unless there is one of its own.
 * @param isFirst What comes is first; of several, the last of them.
 */
export function effectsOf<I extends { readonly kept: unknown; readonly name?: string }>(
  { change: usual, isList }: MembershipRules,
  { of }: Membership,
  items: readonly I[],
  verdictOf: (list: KnownList, item: I) => Verdict,
  change: AnyEntity = usual,
  isFirst = false,
): ReturnType<Amendment> {
  return (record) => {
    // Without arguments it belongs to its entity alone.
    if (record.args === undefined) return undefined;
    const list = of(record as CollectionRecord);
    const come: [string, unknown][] = [];
    const gone: unknown[] = [];
    let [isUncertain, isMoved] = [false, false];
    for (const item of items) {
      const verdict = verdictOf(list, item);
      if (verdict.isIn) come.push([item.name!, item.kept]);
      else if (verdict.isIn === false) gone.push(item.kept);
      isUncertain ||= verdict.isUncertain ?? false;
      isMoved ||= verdict.isMoved ?? false;
    }
    if (come.length + gone.length === 0) return { isUncertain, isMoved };
    if (isFirst) come.reverse();
    const incoming = { items: isList ? come.map(([, kept]) => kept) : Object.fromEntries(come), gone, isFirst };
    return { writes: [{ entity: change, incoming }], isUncertain, isMoved };
  };
}

/**
 * Collections that share a table say what its arguments mean, each for all of its lists: one that only shows a list for
 * one of them does so for all.
 *
 * @param rules Those of each, by what it says; "": nothing.
 */
export function together(rules: ReadonlyMap<string, () => MembershipRules>): MembershipRules {
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

/**
 * Whether the order of a list depends on one of some members of an item, or on any: `sort=-rating,title`. One that names
 * none of its members may depend on any.
 */
export function isOrder(
  display: readonly (readonly [name: string, value: string])[],
  item: StoredMembers,
  isMember: (name: string) => boolean = () => true,
): boolean {
  const named = display.flatMap(([, value]) => value.match(/[\w$]+/g) ?? []).filter((name) =>
    Object.hasOwn(item, name)
  );
  return named.length > 0 ? named.some(isMember) : display.some(([name]) => ORDER.test(name));
}

/** One that throws cannot say. */
export function ask(filter: ListFilter, item: unknown, value: string): boolean | undefined {
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
  { item, isDisplay, filterOf }: MembershipRules,
  walk: NormalizeWalk,
): readonly string[] {
  return Object.keys(args).filter((name) =>
    !isDisplay(name) && !filterOf(name) && sent.some(([raw, kept]) => {
      // What it does not say of an item, it does not contradict.
      const value = Object.hasOwn(Object(raw), name) ? recordOf(item, kept, walk)?.[name] : undefined;
      return value !== undefined && !isEqual(value, args[name]!);
    })
  );
}

/** The item as it is stored. */
export function recordOf(
  item: AnySchema,
  kept: unknown,
  records: Pick<NormalizeWalk, "record">,
): StoredMembers | undefined {
  const [entity, pk] = pick(item, kept) ?? [];
  return typeof pk === "string" ? records.record(entity!, pk) : undefined;
}
