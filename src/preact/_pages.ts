import { effect, type Signal, signal, untracked } from "../deps/signals_core.ts";
import type { Controller } from "../controller/controller.ts";
import type { RunEndpoint } from "../endpoint/endpoint_types.ts";
import { asError, checks } from "../errors/mod.ts";
import { copyPlain } from "../plain/copy_plain.ts";
import { isObject } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import { dataOf, errorOf, follow, isExpired, isInFlight, type Read, readOf } from "../signals/read.ts";
import { useMemory } from "./_internals.ts";
import type { Infinite } from "./hook_types.ts";
import { useController } from "./use_controller.ts";

type Step = (page: Value, params: Value) => object | false | null | undefined | "" | 0;
/** Where the next page is. */
export interface Steps {
  readonly next: Step;
  readonly previous?: Step | undefined;
  readonly maxPages?: number | undefined;
}
/** What the hook gives. */
type Shown = Infinite<Value>;
/** One page that is wanted. */
interface Slot {
  /** The page that is asked for. */
  read?: Read;
  /** The one that it showed last: it stays until the other is there. */
  kept?: Read;
}

/** The pages of one list, as one component shows them: each is a read of its own, and says where the next one is. */
export class Pages {
  readonly shown: Signal<Shown>;
  steps: Steps;
  /** The page that is not there: it is on its way, or has failed. */
  gap: Read | undefined;
  readonly #end: () => void;
  readonly #controller: Controller;
  readonly #list: RunEndpoint;
  readonly #args: Args;
  /** The arguments of the first page that is shown, and of those at both ends that are not. */
  #start: Args;
  #after: Args | undefined;
  #before: Args | undefined;
  readonly #slots: Slot[] = [];
  /** Moves when other pages are wanted. */
  readonly #wanted: Signal<number> = signal(0);
  #isForward = true;

  constructor(controller: Controller, list: RunEndpoint, args: Args, steps: Steps) {
    this.#controller = controller;
    this.#list = list;
    this.#args = this.#start = args;
    this.steps = steps;
    const keys = new Set<string>(), { maxPages = Infinity } = steps;
    // Those that are stored already are there at once.
    for (let at: Args | undefined = args; at && this.#slots.length < maxPages;) {
      const data: Value = controller.getResponse(list as Value, ...at).data; // any endpoint
      if (data === undefined && this.#slots[0]) break;
      this.#slots.push({});
      at = data === undefined ? undefined : this.#step(steps.next, data, at, keys);
    }
    this.shown = signal<Shown>({
      pages: [],
      items: [],
      loading: true,
      error: undefined,
      hasNext: false,
      hasPrevious: false,
      isFetchingNext: false,
      isFetchingPrevious: false,
      next: () => this.#more(true),
      previous: () => this.#more(false),
      refetch: () => {
        const done = this.#refetch();
        // The error is shown.
        done.catch(() => {});
        return done;
      },
    });
    this.#end = effect(() => this.#look());
  }
  stop(): void {
    this.#end();
    this.#slots.length = 0;
    this.gap = this.#after = this.#before = undefined;
  }
  /** Reads all pages, and asks for them in order: each says where the next one is. */
  #look(): void {
    void this.#wanted.value;
    const slots = this.#slots, keys = new Set<string>(), pages: Value[] = [];
    let at: Args | undefined = this.#start, isAhead = false, gap: Slot | undefined, error: unknown;
    for (const [index, slot] of slots.entries()) {
      let data: Value;
      if (at) {
        const read = readOf(this.#controller, this.#list, at), isNew = read !== slot.read;
        slot.read = read;
        const isStale = follow(read, isExpired).value;
        if (!isAhead && (isNew || isStale)) untracked(() => read.ask());
        data = follow(read, dataOf).value;
        const isAsked = follow(read, isInFlight).value, failure = follow(read, errorOf).value;
        if (!isAsked) error ??= failure;
        isAhead ||= isAsked;
        if (data !== undefined) slot.kept = read;
        at = data === undefined ? undefined : this.#step(this.steps.next, data, at, keys);
        if (data === undefined) gap ??= slot;
      } else if (!gap) {
        // The list ends here.
        slots.length = index;
        break;
      }
      data ??= slot.kept && follow(slot.kept, dataOf).value;
      if (data !== undefined) pages.push(data);
    }
    this.gap = gap?.read;
    if (!gap) this.#trim(pages);
    const isFetching = gap && !gap.kept && slots.length > 1 && gap.read && follow(gap.read, isInFlight).value;
    this.#show({
      pages: same(this.shown.peek().pages, pages),
      items: same(this.shown.peek().items, rowsOf(pages)),
      loading: !pages.length && !error,
      error: error === undefined ? undefined : asError(error),
      hasNext: !!pages.length && !!this.#after,
      hasPrevious: !!pages.length && !!this.#before,
      isFetchingNext: !!isFetching && gap === slots.at(-1),
      isFetchingPrevious: !!isFetching && gap === slots[0],
    });
  }
  /** All pages are there: how many may stay, and what is at their ends. */
  #trim(pages: Value[]): void {
    const slots = this.#slots, { next, previous, maxPages = Infinity } = this.steps;
    while (slots.length > Math.max(1, maxPages)) {
      for (const list of [slots, pages]) {
        if (this.#isForward) list.shift();
        else list.pop();
      }
    }
    const keys = new Set(slots.map(({ read }) => read!.key)), [first] = slots, last = slots.at(-1);
    this.#start = first!.read!.args;
    this.#after = this.#step(next, pages.at(-1), last!.read!.args, keys);
    this.#before = previous && this.#step(previous, pages[0], this.#start, keys);
  }
  #show(next: Partial<Shown>): void {
    const last: Shown = this.shown.peek(), names = Object.keys(next) as (keyof Shown)[]; // its own
    if (names.some((name) => next[name] !== last[name])) this.shown.value = { ...last, ...next };
  }
  /** The arguments of the page beside one; `undefined`: there is none, or it was there before. */
  #step(step: Step, page: Value, args: Args, keys: Set<string>): Args | undefined {
    keys.add(this.#list.key(...args));
    const params = step(page, { ...args[0] }), [first, ...others] = this.#args;
    const beside = [{ ...first, ...params || {} }, ...others];
    return params && !keys.has(this.#list.key(...beside)) ? beside : undefined;
  }
  #more(isForward: boolean): void {
    const { gap } = this, start = isForward ? this.#after : this.#before;
    // Where a page is on its way no other is asked for; one that has failed is tried again.
    if (gap) return follow(gap, isInFlight).peek() ? undefined : void gap.refetch();
    if (!start) return;
    this.#isForward = isForward;
    if (isForward) this.#slots.push({});
    else {
      this.#start = start;
      this.#slots.unshift({});
    }
    this.#wanted.value++;
  }
  async #refetch(): Promise<void> {
    const keys = new Set<string>();
    let at: Args | undefined = this.#start;
    for (let left = this.#slots.length; left > 0 && at; left--) {
      const page: Value = await this.#controller.send(this.#list, at, true);
      at = this.#step(this.steps.next, page, at, keys);
    }
  }
}
/** The list of before, where it holds the same. */
const same = (before: readonly Value[], now: readonly Value[]): readonly Value[] =>
  now.length === before.length && now.every((one, at) => one === before[at]) ? before : now;
/** A record may have moved on to the next page meanwhile: it is there once. */
function rowsOf(pages: readonly Value[]): Value[] {
  const rows = pages.flatMap((page) =>
    Array.isArray(page) ? page : isObject(page) ? Object.values(page).find(Array.isArray) ?? [] : []
  );
  const seen = new Set<Value>();
  return rows.filter((row) => !isObject(row) || (!seen.has(row) && seen.add(row)));
}

const INACTIVE: Shown = {
  pages: [],
  items: [],
  loading: false,
  error: undefined,
  hasNext: false,
  hasPrevious: false,
  isFetchingNext: false,
  isFetchingPrevious: false,
  next() {},
  previous() {},
  refetch: () => Promise.resolve(),
};
/** The pages of a list, for a hook; with `null` none. */
export function usePages(
  given: RunEndpoint,
  args: Args | null,
  steps: Steps,
  hook: string,
): { readonly shown: Shown; readonly gap: Read | undefined } {
  checks.given?.(given, "fetched", hook);
  const controller = useController(), isInactive = !args || args[0] === null;
  const list = given.list ?? given, own = useMemory(() => new Own());
  const of = isInactive ? [] : given.listArgs?.(...args) ?? args, key = isInactive ? undefined : list.key(...of);
  if (key !== own.key) {
    own.stop();
    own.key = key;
    own.pages = isInactive ? undefined : new Pages(controller, list, copyPlain(of), steps);
  }
  const { pages } = own;
  if (pages) pages.steps = steps;
  return { shown: pages ? pages.shown.value : INACTIVE, gap: pages?.gap };
}
class Own {
  key: string | undefined;
  pages: Pages | undefined;
  stop(): void {
    this.pages?.stop();
    this.pages = undefined;
  }
}
