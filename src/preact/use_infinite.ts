import type { Controller } from "../controller/controller.ts";
import type { Component } from "../deps/preact.ts";
import type { AnyEndpoint, ReadEndpoint } from "../endpoint/interface.ts";
import type { FetchedEndpoint } from "../endpoint/readable.ts";
import type { NullableArgs } from "../schemas/infer.ts";
import { ExpiryStatus } from "../store/freshness.ts";
import { asError } from "./_as_error.ts";
import { checkGiven } from "./_check_given.ts";
import { type Memory, useMemory, withMemories } from "./_internals.ts";
import { useController } from "./use_controller.ts";
import { useRead } from "./use_read.ts";

/** The parameters by which a page of a list is asked for: those of the list, and of its `getPage` where it has one. */
export type PageParams<E extends ReadEndpoint> =
  & Params<First<E>>
  & (E extends { readonly getPage: infer P } ? P extends AnyEndpoint ? Params<First<P>> : unknown : unknown);
type Params<P> = { readonly [K in keyof P]?: P[K] | undefined };
type First<E extends AnyEndpoint> = NonNullable<E["~types"]["args"][0 & keyof E["~types"]["args"]]>;

/** Nothing follows. */
type Nothing = undefined | null | false | "" | 0;

/** A row of a page: of an array, or of the array in an object. */
export type PageItem<T> = T extends readonly (infer I)[] ? I
  : { [K in keyof T]: NonNullable<T[K]> extends readonly (infer I)[] ? I : never }[keyof T];

/** What {@linkcode useInfinite} is told. */
export interface InfiniteOptions<E extends ReadEndpoint> {
  /**
   * What is to be asked for after a page: the parameters that differ from those of the list, `undefined` for one that it
   * has and the page has not. Nothing (`null`, `false`, `""` …) after the last one. Pure: it is called at each rendering.
   */
  readonly next: (page: E["~types"]["data"], params: PageParams<E>) => PageParams<E> | Nothing;
  /** The same before a page, for lists that begin in the middle, or forget their first pages by `maxPages`. */
  readonly previous?: ((page: E["~types"]["data"], params: PageParams<E>) => PageParams<E> | Nothing) | undefined;
  /** How many pages are shown at most: with one more at one end, one goes at the other. Any number by default. */
  readonly maxPages?: number | undefined;
}

/** What {@linkcode useInfinite} gives. */
export interface Infinite<T> {
  /** What each page was answered with, in order. The same array while it holds the same. */
  readonly pages: readonly T[];
  /**
   * The rows of all pages, a record once: of a page that is an object, those of its first member that is an array. The same
   * array while it holds the same.
   */
  readonly items: readonly PageItem<T>[];
  /** There is nothing to show yet. */
  readonly loading: boolean;
  /** What the first page that failed has failed with; what is no `Error` is its cause. */
  readonly error: Error | undefined;
  /** There is a page after the last one. */
  readonly hasNext: boolean;
  /** There is a page before the first one. */
  readonly hasPrevious: boolean;
  /** The page after the last one is on its way. */
  readonly isFetchingNext: boolean;
  /** The page before the first one is on its way. */
  readonly isFetchingPrevious: boolean;
  /** Shows one page more, or tries the one again that has failed. Does nothing where there is none, or one is on its way. */
  readonly next: () => void;
  /** The same at the other end. */
  readonly previous: () => void;
  /** Asks for all pages again, one after another: each says where the next one is. Rejects with what the first one fails with. */
  readonly refetch: () => Promise<void>;
}

/**
 * A list that is asked for page by page, and shown as one. Each page is a read of its own: its request is shared, its
 * records change as everywhere, and it is asked for again when it is stale, invalidated or expired. Where a page then
 * leads to another one than before, that is fetched, and what was shown stays until it is there. Pages that are stored
 * already are there at once when the component is mounted again.
 *
 * @param endpoint The list; no mutation. Of `getPage` or `paginated` the list itself is read.
 * @param args Its arguments for the first page; `null`, or `null` as the first: nothing is fetched.
 * @param options Where the next page is; `next` gets the last one.
 * @returns Pages, rows, and what to call for more. The functions are the same at each rendering.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Entity, RestEndpoint, typed } from "@rejoin/data";
 * import { useInfinite } from "@rejoin/data/preact";
 *
 * class Film extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Film";
 * }
 * const getFilms = new RestEndpoint({
 *   path: "/films",
 *   searchParams: typed<{ genre: string; cursor?: string }>(),
 *   schema: { results: [Film], nextCursor: "" as string | null },
 * });
 *
 * function Films({ genre }: { genre: string }) {
 *   const { items, loading, error, hasNext, isFetchingNext, next } = useInfinite(getFilms, [{ genre }], {
 *     next: ({ nextCursor }) => nextCursor && { cursor: nextCursor },
 *   });
 *   if (loading) return <p>Loading …</p>;
 *   return (
 *     <section>
 *       <ul>{items.map((film) => <li key={film.id}>{film.title}</li>)}</ul>
 *       {error && <p role="alert">{error.message}</p>}
 *       {hasNext && <button type="button" disabled={isFetchingNext} onClick={next}>More</button>}
 *     </section>
 *   );
 * }
 * assert(Films.length === 1);
 * ```
 */
export function useInfinite<E extends ReadEndpoint, G = E>(
  endpoint: FetchedEndpoint<E, G>,
  args: NullableArgs<E["~types"]["args"]> | null,
  options: InfiniteOptions<E>,
): Infinite<E["~types"]["data"]>;
export function useInfinite(
  endpoint: ReadEndpoint,
  args: Args | null,
  options: InfiniteOptions<ReadEndpoint>,
): unknown {
  checkGiven(endpoint, "fetched", "useInfinite");
  const controller = useController();
  return useMemory((component) => new PageWindow(component, controller)).read(endpoint, args, options as Steps);
}

type Args = readonly unknown[];
type Step = (page: unknown, params: object) => object | Nothing;

interface Steps {
  readonly next: Step;
  readonly previous?: Step | undefined;
  readonly maxPages?: number | undefined;
}

/** One page that is wanted. */
class Slot implements Memory {
  /** What it is asked for by. */
  args: Args = [];
  /** What it was shown by last: it stays until the page that has taken its place is there. */
  shown: Args | undefined;
  /** What it fails with. */
  error: object | undefined;
  readonly #reads: Memory[] = [];
  readonly #keeps: Memory[] = [];

  /** What there is of the page that is wanted; it is fetched. */
  read(list: ReadEndpoint): ReturnType<typeof useRead> {
    const reading = withMemories(this.#reads, () => useRead(list, this.args, "useInfinite"));
    if (reading.isShown) this.shown = this.args;
    return reading;
  }

  /** What there still is of what it showed last. */
  keep(list: ReadEndpoint): ReturnType<typeof useRead> | undefined {
    const { shown } = this;
    return shown && withMemories(this.#keeps, () => useRead(list, shown, undefined));
  }

  leave(): void {
    for (const memory of [...this.#reads, ...this.#keeps]) memory.leave?.();
  }
}

/** A page that is not there: it is on its way, or has failed. */
interface Gap {
  readonly slot: Slot;
  readonly isPending: boolean;
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
  #pages: readonly unknown[] = [];
  #items: readonly unknown[] = [];

  constructor(component: Component, controller: Controller) {
    this.#component = component;
    this.#controller = controller;
  }

  read(endpoint: ReadEndpoint, given: Args | null, steps: Steps): unknown {
    const isInactive = given === null || given.length > 0 && given[0] === null;
    const args = given ?? [];
    const pageOf = isInactive ? undefined : (endpoint as AnyEndpoint).pageOf?.(args);
    const list = this.#list = (pageOf?.endpoint ?? endpoint) as ReadEndpoint;
    this.#steps = steps;
    const key = isInactive ? undefined : list.key(...args);
    if (key !== this.#key) this.#begin(key, args);
    let gap: Gap | undefined;
    let at: Args | undefined = this.#start;
    const keys = new Set<string>();
    const pages: unknown[] = [];
    for (const [index, slot] of this.#slots.entries()) {
      let reading: ReturnType<typeof useRead> | undefined;
      slot.error = undefined;
      if (at !== undefined) {
        slot.args = at;
        reading = slot.read(list);
        const isPending = !reading.isShown && reading.pending !== undefined;
        if (!isPending) slot.error = reading.error;
        if (!reading.isShown) gap = { slot, isPending };
        at = reading.isShown ? this.#step(steps.next, reading.data, at, keys) : undefined;
      } else if (gap === undefined) {
        // The list ends here.
        for (const gone of this.#slots.splice(index)) gone.leave();
        break;
      }
      if (!reading?.isShown) reading = slot.keep(list);
      if (reading?.isShown) pages.push(reading.data);
    }
    this.#gap = gap;
    if (gap === undefined && key !== undefined) this.#look(pages);
    this.#pages = kept(this.#pages, pages);
    this.#items = kept(this.#items, rowsOf(pages));
    const { length } = this.#slots;
    const { error } = this.#slots.find((slot) => slot.error !== undefined) ?? {};
    const isEmpty = pages.length === 0;
    const isNew = gap?.isPending && gap.slot.shown === undefined && length > 1;
    return {
      pages: this.#pages,
      items: this.#items,
      loading: isEmpty && gap?.isPending === true,
      error: error === undefined ? undefined : asError(error),
      hasNext: !isEmpty && this.#after !== undefined,
      hasPrevious: !isEmpty && this.#before !== undefined,
      isFetchingNext: isNew === true && gap!.slot === this.#slots[length - 1],
      isFetchingPrevious: isNew === true && gap!.slot === this.#slots[0],
      next: this.#next,
      previous: this.#previous,
      refetch: this.#refetch,
    };
  }

  leave(): void {
    for (const slot of this.#slots.splice(0)) slot.leave();
    this.#key = this.#gap = undefined;
    this.#after = this.#before = undefined;
  }

  /** Another list: its first page, and what follows it in the store. */
  #begin(key: string | undefined, args: Args): void {
    this.leave();
    this.#key = key;
    this.#args = this.#start = args;
    const { next, maxPages = Infinity } = this.#steps;
    const keys = new Set<string>();
    let at: Args | undefined = key === undefined ? undefined : args;
    while (at !== undefined) {
      this.#slots.push(new Slot());
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
    const slot = new Slot();
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
    for (
      let left = this.#slots.length;
      left > 0 && at !== undefined && key !== undefined && this.#key === key;
      left--
    ) {
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
