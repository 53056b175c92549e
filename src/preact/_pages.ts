import { effect, type Signal, signal, untracked } from "../deps/signals_core.ts";
import type { Controller } from "../controller/controller.ts";
import type { RunEndpoint } from "../endpoint/endpoint_types.ts";
import { asError, checks } from "../errors/mod.ts";
import { copyPlain } from "../plain/copy_plain.ts";
import { isObject } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import { dataOf, errorOf, follow, isExpired, isInFlight, type Read, readOf } from "../signals/read.ts";
import type { Answer } from "../store/answers.ts";
import { useMemory } from "./_internals.ts";
import type { Infinite } from "./hook_types.ts";
import { useController } from "./use_controller.ts";

type Step = (page: Value, params: Value) => object | false | null | undefined | "" | 0;
/** How to find the pages beside a page. */
export interface Steps {
  readonly next: Step;
  readonly previous?: Step | undefined;
  readonly maxPages?: number | undefined;
}
/** The result of the hook. */
type Shown = Infinite<Value>;
/** The place of one page that is shown or wanted. */
interface Slot {
  /** The read of the page that the slot should show. */
  read?: Read;
  /** The read whose data the slot shows, until those of `read` are there. */
  kept?: Read;
  /** The read that was asked for when its turn came. */
  asked?: Read;
}

/** The pages of one list in one component. Each page is its own read, and gives the parameters of the next one. */
export class Pages {
  readonly shown: Signal<Shown>;
  steps: Steps;
  /** The read of the first page without data, which is in flight or has failed. */
  gap: Read | undefined;
  readonly #end: () => void;
  readonly #controller: Controller;
  readonly #list: RunEndpoint;
  readonly #args: Args;
  /** The arguments of the first page, and of the pages after the last and before the first one, which are not shown. */
  #start: Args;
  #after: Args | undefined;
  #before: Args | undefined;
  readonly #slots: Slot[] = [];
  /** Changes when a slot is added, so that the effect runs again. */
  readonly #wanted: Signal<number> = signal(0);
  #isForward = true;

  constructor(controller: Controller, list: RunEndpoint, args: Args, steps: Steps) {
    this.#controller = controller;
    this.#list = list;
    this.#args = this.#start = args;
    this.steps = steps;
    const keys = new Set<string>(), { maxPages = Infinity } = steps;
    // Pages that are in the store already are shown in the first rendering.
    for (let at: Args | undefined = args; at && this.#slots.length < maxPages;) {
      const data: Value = controller.getResponse(list as Value, ...at).data; // its arguments are not known here
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
        // The hook shows the error, so a caller need not handle it.
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
  /** Reads all pages and fetches stale ones in order, because each page gives the parameters of the next. */
  #look(): void {
    void this.#wanted.value;
    const slots = this.#slots, keys = new Set<string>(), pages: Value[] = [];
    let at: Args | undefined = this.#start, isAhead = false, isOpen = false, gap: Slot | undefined, error: unknown;
    for (const [index, slot] of slots.entries()) {
      let data: Value;
      if (at) {
        const read = slot.read = readOf(this.#controller, this.#list, at);
        const since = follow(read, dueSince).value;
        if (!isAhead && (read !== slot.asked || since !== undefined)) untracked(() => (slot.asked = read).ask());
        data = follow(read, dataOf).value;
        const isAsked = follow(read, isInFlight).value, failure = follow(read, errorOf).value;
        if (!isAsked) error ??= failure;
        isAhead ||= isAsked;
        // A deleted row may be all that a page lacks: only the server knows whether the list ends there.
        isOpen = isAsked || !!read.node.error || read.node.isPending || isExpired(read, read.node);
        if (data !== undefined) slot.kept = read;
        at = data === undefined ? undefined : this.#step(this.steps.next, data, at, keys);
        if (data === undefined) gap ??= slot;
      } else if (!gap && !(isOpen && slot.read)) {
        // The list has become shorter and ends here.
        slots.length = index;
        break;
      } else gap ??= slot;
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
  /** Called when all pages are there: drops those beyond `maxPages`, and finds the pages beside the ends. */
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
    const last: Shown = this.shown.peek(), names = Object.keys(next) as (keyof Shown)[]; // `next` has only members of `Shown`
    if (names.some((name) => next[name] !== last[name])) this.shown.value = { ...last, ...next };
  }
  /** The arguments of the page beside one; `undefined` if there is none, or if it was visited already. */
  #step(step: Step, page: Value, args: Args, keys: Set<string>): Args | undefined {
    keys.add(this.#list.key(...args));
    const params = step(page, { ...args[0] }), [first, ...others] = this.#args;
    const beside = [{ ...first, ...params || {} }, ...others];
    return params && !keys.has(this.#list.key(...beside)) ? beside : undefined;
  }
  #more(isForward: boolean): void {
    const { gap } = this, start = isForward ? this.#after : this.#before;
    // While a page is in flight no other is requested. A page that has failed is fetched again.
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
/** When a page expired that is to be fetched again, so that each time is another value; `undefined` while it is not. */
const dueSince = (read: Read, answer: Answer): number | undefined =>
  isExpired(read, answer) && !answer.isPending ? answer.expiredAt : undefined;
/** Returns the old list if it has the same items, so that readers see no change. */
const same = (before: readonly Value[], now: readonly Value[]): readonly Value[] =>
  now.length === before.length && now.every((one, at) => one === before[at]) ? before : now;
/** Each record once, because it may have moved to the next page between the two requests. */
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
/** The pages of a list, for a hook; no pages if `args` is `null`. */
export function usePages(
  given: RunEndpoint,
  args: Args | null,
  steps: Steps,
  hook: string,
): { readonly shown: Shown; readonly gap: Read | undefined } {
  checks.given?.(given?.list ?? given, "fetched", hook);
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
