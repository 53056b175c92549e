import type { Controller } from "../controller/controller.ts";
import { isInactive } from "../controller/is_inactive.ts";
import type { Component } from "../deps/preact.ts";
import { copyArgs } from "../endpoint/copy_plain.ts";
import type { AnyEndpoint, ReadEndpoint } from "../endpoint/interface.ts";
import { ExpiryStatus } from "../store/freshness.ts";
import { checkGiven } from "./_check_given.ts";
import { type Memory, useMemory } from "./_internals.ts";
import { useController } from "./use_controller.ts";
import { Reader, type Reading } from "./use_read.ts";

type Args = readonly unknown[];
/** Nothing follows. */
export type Nothing = undefined | null | false | "" | 0;
type Step = (page: unknown, params: object) => object | Nothing;

/** Where the next page is; `InfiniteOptions` without the types of an endpoint. */
export interface Steps {
  readonly next: Step;
  readonly previous?: Step | undefined;
  readonly maxPages?: number | undefined;
}

/** Reads a list page by page, for a hook. */
export function usePages(endpoint: ReadEndpoint, args: Args | null, steps: Steps): ReturnType<PageWindow["read"]> {
  checkGiven(endpoint, "fetched", "useInfinite");
  const controller = useController();
  return useMemory((component) => new PageWindow(component, controller)).read(endpoint, args, steps);
}

/** One page that is wanted. */
class Slot implements Memory {
  /** What it is asked for by. */
  args: Args = [];
  /** What it was shown by last: it stays until the page that has taken its place is there. */
  shown: Args | undefined;
  /** What it fails with. */
  error: Error | undefined;
  readonly #reader: Reader;
  readonly #keeper: Reader;

  constructor(component: Component, controller: Controller) {
    this.#reader = new Reader(component, { controller });
    this.#keeper = new Reader(component, { controller });
  }

  /** What there is of the page that is wanted; it is fetched. */
  read(list: ReadEndpoint): Reading {
    const reading = this.#reader.read(list, this.args, "useInfinite");
    if (reading.isShown) this.shown = this.args;
    return reading;
  }

  /** What there still is of what it showed last. */
  keep(list: ReadEndpoint): Reading | undefined {
    const { shown } = this;
    return shown && this.#keeper.read(list, shown, undefined);
  }

  leave(): void {
    this.#reader.leave();
    this.#keeper.leave();
  }
}

/** A page that is not there: it is on its way, or has failed. */
interface Gap {
  readonly slot: Slot;
  readonly isPending: boolean;
  /** What can be waited for. */
  readonly pending?: Promise<unknown> | undefined;
}

/** The pages that one component shows: the first is known by its arguments, each other one by what is before it. */
class PageWindow implements Memory {
  readonly #component: Component;
  readonly #controller: Controller;
  #list!: ReadEndpoint;
  #steps!: Steps;
  /** The arguments of the list. */
  #args: Args = [];
  /** Names them; `undefined`: nothing is read. */
  #key: string | undefined;
  /** The arguments of the first page that is shown. */
  #start: Args = [];
  #slots: Slot[] = [];
  /** At which end there was one more last. */
  #isForward = true;
  /** Beyond it nothing is known of the pages that are wanted. */
  #gap: Gap | undefined;
  /** The arguments of the pages at both ends that are not shown; as of when there was no gap. */
  #after: Args | undefined;
  #before: Args | undefined;
  /** What the pages wait for that are behind one that is asked for again. */
  #ahead: Promise<unknown> | undefined;
  #pages: readonly unknown[] = [];
  #items: readonly unknown[] = [];

  constructor(component: Component, controller: Controller) {
    this.#component = component;
    this.#controller = controller;
  }

  /** Reads all pages that are wanted, as one: its data is what the hook gives; its error one that leaves nothing to show. */
  read(endpoint: ReadEndpoint, given: Args | null, steps: Steps): Pick<Reading, "data" | "error" | "loading"> {
    const args = given ?? [null];
    const isNone = isInactive(args);
    const pageOf = isNone ? undefined : (endpoint as AnyEndpoint).pageOf?.(args);
    const list = this.#list = (pageOf?.endpoint ?? endpoint) as ReadEndpoint;
    this.#steps = steps;
    const key = isNone ? undefined : list.key(...args);
    if (key !== this.#key) this.#begin(key, args);
    let gap: Gap | undefined;
    let at: Args | undefined = this.#start;
    const keys = new Set<string>();
    const pages: unknown[] = [];
    // A page is asked for again: where the next one is, its answer tells.
    let ahead: Promise<unknown> | undefined;
    for (const [index, slot] of this.#slots.entries()) {
      let reading: Reading | undefined;
      slot.error = undefined;
      if (at !== undefined && ahead === undefined) {
        slot.args = at;
        reading = slot.read(list);
        const { loading } = reading;
        const isPending = loading !== undefined;
        if (!isPending) slot.error = reading.error;
        if (!reading.isShown) gap = { slot, isPending, pending: loading };
        else if (slot !== this.#slots.at(-1)) ahead = reading.pending;
        at = reading.isShown ? this.#step(steps.next, reading.data, at, keys) : undefined;
      } else if (gap === undefined && ahead === undefined) {
        // The list ends here.
        for (const gone of this.#slots.splice(index)) gone.leave();
        break;
      }
      if (!reading?.isShown) reading = slot.keep(list);
      if (reading?.isShown) pages.push(reading.data);
      else gap ??= { slot, isPending: true, pending: ahead };
    }
    this.#goOn(ahead);
    this.#gap = gap;
    if (gap === undefined && key !== undefined) this.#look(pages);
    this.#pages = kept(this.#pages, pages);
    this.#items = kept(this.#items, rowsOf(pages));
    // Of those that are left: one too many may have gone.
    const error = this.#slots.find((slot) => slot.error !== undefined)?.error;
    const isEmpty = pages.length === 0;
    const added = gap?.isPending && gap.slot.shown === undefined && this.#slots.length > 1 ? gap.slot : null;
    const loading = isEmpty && gap?.isPending === true;
    const data = {
      pages: this.#pages,
      items: this.#items,
      loading,
      error,
      hasNext: !isEmpty && this.#after !== undefined,
      hasPrevious: !isEmpty && this.#before !== undefined,
      isFetchingNext: added === this.#slots.at(-1),
      isFetchingPrevious: added === this.#slots[0],
      next: this.#next,
      previous: this.#previous,
      refetch: this.#refetch,
    };
    return { data, loading: loading ? gap!.pending : undefined, error: isEmpty ? error : undefined };
  }

  leave(): void {
    for (const slot of this.#slots.splice(0)) slot.leave();
    this.#key = this.#gap = this.#ahead = undefined;
    this.#after = this.#before = undefined;
  }

  /** Asks for the pages behind one that is on its way when that is there, also where it is what it was. */
  #goOn(ahead: Promise<unknown> | undefined): void {
    if (ahead === this.#ahead) return;
    this.#ahead = ahead;
    const isThere = () => this.#ahead === ahead && this.#component.forceUpdate();
    ahead?.then(isThere, isThere);
  }

  /** Another list: its first page, and what follows it in the store. */
  #begin(key: string | undefined, args: Args): void {
    this.leave();
    this.#key = key;
    this.#args = this.#start = copyArgs(args);
    const { next, maxPages = Infinity } = this.#steps;
    const keys = new Set<string>();
    let at = key === undefined ? undefined : this.#start as Args | undefined;
    while (at !== undefined) {
      this.#slots.push(new Slot(this.#component, this.#controller));
      const data = this.#stored(at);
      at = data === undefined || this.#slots.length >= maxPages ? undefined : this.#step(next, data, at, keys);
      if (at !== undefined && this.#stored(at) === undefined) break;
    }
  }

  #stored(args: Args): unknown {
    const { data, expiryStatus } = this.#controller.getResponse(this.#list, ...args);
    return expiryStatus === ExpiryStatus.Valid ? data : undefined;
  }

  /** All pages are there: whether there is one too many, and what is at their ends. */
  #look(pages: unknown[]): void {
    const { next, previous, maxPages = Infinity } = this.#steps;
    const slots = this.#slots;
    while (slots.length > Math.max(1, maxPages)) {
      const gone = this.#isForward ? slots.shift()! : slots.pop()!;
      if (this.#isForward) pages.shift();
      else pages.pop();
      gone.leave();
    }
    const keys = new Set(slots.map(({ args }) => this.#list.key(...args)));
    this.#start = slots[0]!.args;
    this.#after = this.#step(next, pages.at(-1), slots.at(-1)!.args, keys);
    this.#before = previous && this.#step(previous, pages[0], this.#start, keys);
  }

  /** The arguments of the page beside another one; `undefined`: there is none, or it was there before. */
  #step(step: Step, page: unknown, args: Args, keys: Set<string>): Args | undefined {
    keys.add(this.#list.key(...args));
    const params = step(page, { ...args[0] as object });
    if (!params) return undefined;
    const [first, ...others] = this.#args;
    const beside = [{ ...first as object, ...params }, ...others];
    return keys.has(this.#list.key(...beside)) ? undefined : beside;
  }

  readonly #next = (): void => {
    if (this.#isBusy() || this.#after === undefined) return;
    this.#isForward = true;
    this.#slots.push(this.#wait());
  };

  readonly #previous = (): void => {
    if (this.#isBusy() || this.#before === undefined) return;
    this.#isForward = false;
    this.#start = this.#before;
    this.#slots.unshift(this.#wait());
  };

  /** Whether there is no page to be added now: one is not there. If it has failed, it is asked for again. */
  #isBusy(): boolean {
    const gap = this.#gap;
    if (gap !== undefined && !gap.isPending) this.#controller.invalidate(this.#list, ...gap.slot.args);
    return gap !== undefined;
  }

  #wait(): Slot {
    const slot = new Slot(this.#component, this.#controller);
    this.#gap = { slot, isPending: true };
    this.#component.forceUpdate();
    return slot;
  }

  readonly #refetch = (): Promise<void> => {
    const done = this.#fetchAll();
    // It is shown.
    done.catch(() => {});
    return done;
  };

  async #fetchAll(): Promise<void> {
    const key = this.#key;
    const keys = new Set<string>();
    let at: Args | undefined = this.#start;
    for (let left = this.#slots.length; left > 0 && at !== undefined && this.#key === key; left--) {
      const page: unknown = await this.#controller.fetch(this.#list, ...at);
      at = this.#step(this.#steps.next, page, at, keys);
    }
  }
}

/** The same array as before where it holds the same. */
function kept(before: readonly unknown[], now: readonly unknown[]): readonly unknown[] {
  return now.length === before.length && now.every((one, index) => one === before[index]) ? before : now;
}

/** The rows of all pages. A record may have moved on to the next page meanwhile: it is there once. */
function rowsOf(pages: readonly unknown[]): unknown[] {
  const seen = new Set<unknown>();
  return pages.flatMap((page) => Array.isArray(page) ? page : arrayIn(page)).filter((row) => {
    if (typeof row !== "object" || row === null) return true;
    return !seen.has(row) && seen.add(row);
  });
}

function arrayIn(page: unknown): readonly unknown[] {
  if (typeof page !== "object" || page === null) return [];
  return Object.values(page).find((member) => Array.isArray(member)) ?? [];
}
