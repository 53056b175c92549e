import type { Controller, Part } from "../controller/controller.ts";
import type { Flight } from "../controller/flight.ts";
import { clock } from "../deps/clock.ts";
import { type Signal, signal } from "../deps/signals_core.ts";
import type { AnyEndpoint, ReadEndpoint } from "../endpoint/interface.ts";
import type { ActiveArgs, FetchedEndpoint, InactiveArgs } from "../endpoint/readable.ts";
import type { ResponseView } from "../store/response_view.ts";
import { useMemory } from "./_internals.ts";
import { useController } from "./use_controller.ts";
import { useRead } from "./use_read.ts";

/**
 * What {@linkcode useDLE} gives: there is nothing to show yet, or the read has failed, or the data is there.
 *
 * `T` is the data, `N` what there may be of it beside an error.
 */
export type DLE<T, N> =
  | DLEState<T, undefined, true, undefined>
  | DLEState<T, N, false, Error>
  | DLEState<T, T, false, undefined>;

/** How a read of `T` stands, and what goes on behind what is shown. */
export interface DLEState<T, D, L extends boolean, E> {
  /** The data; beside an error what was there before, if anything was. */
  readonly data: D;
  /** It is asked for, and there is nothing to show. */
  readonly loading: L;
  /** What the read failed with; what is no `Error` is its cause. */
  readonly error: E;
  /** A request is in flight. Only a component that has looked at this while it rendered runs again when it changes. */
  readonly isFetching: boolean;
  /**
   * What is shown is due to be asked for again. Time passing alone runs nothing: it is as of this rendering. A component
   * that has looked at it, and was told so, runs again when a request begins or ends.
   */
  readonly isStale: boolean;
  /** Asks again, whatever its age; the same function at each rendering. What it fails with is also in `error`. */
  readonly refetch: () => Promise<T>;
}

/**
 * Data, loading and error of a read as values, for a component that shows all three itself. It fetches as `useSuspense`
 * does, and needs no boundary.
 *
 * @param endpoint What to read; no mutation.
 * @param args Its arguments; `null` as the first: nothing is fetched.
 * @returns The three, and whether it is being fetched. Stale data is shown while new data is fetched.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { createResource, Entity } from "@rejoin/data";
 * import { useDLE } from "@rejoin/data/preact";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const ArticleResource = createResource({ path: "/articles/:id", schema: Article });
 *
 * function ArticlePage({ id }: { id: string }) {
 *   const { data, loading, error, refetch } = useDLE(ArticleResource.get, { id });
 *   if (loading) return <p>Loading …</p>;
 *   if (error) return <p>{error.message} <button type="button" onClick={refetch}>Again</button></p>;
 *   return <h1>{data.title}</h1>;
 * }
 * assert(ArticlePage.length === 1);
 * ```
 */
export function useDLE<E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
  endpoint: FetchedEndpoint<E, G>,
  ...args: ActiveArgs<E["~types"]["args"], F>
): DLE<E["~types"]["data"], E["~types"]["nullable"]>;
/**
 * The same where the first argument may be `null`: then nothing is fetched, and nothing is loading.
 *
 * @param endpoint What to read; no mutation.
 * @param args Its arguments, or `null`.
 * @returns The three; as data what an object schema has without a response, or `undefined`, when inactive.
 */
export function useDLE<E extends ReadEndpoint, G = E, F extends readonly unknown[] = []>(
  endpoint: FetchedEndpoint<E, G>,
  ...args: InactiveArgs<E["~types"]["args"], F>
): DLE<E["~types"]["nullable"], E["~types"]["nullable"]>;
export function useDLE(endpoint: ReadEndpoint, ...args: readonly unknown[]): DLE<unknown, unknown> {
  const { view, data, error, loading } = useRead(endpoint, args, "useDLE");
  const controller = useController();
  const activity = useMemory(() => new Activity(controller));
  activity.look(view);
  const isLoading = loading !== undefined;
  const isStale = view !== undefined && clock.now() >= view.expiresAt();
  return {
    data,
    loading: isLoading,
    error: isLoading ? undefined : error,
    get isFetching() {
      return activity.isFetching;
    },
    get isStale() {
      // An answer that is equal is no other data, but it is fresh: whoever was shown that it is due learns that.
      if (isStale) void activity.isFetching;
      return isStale;
    },
    refetch: activity.refetch,
  } as DLE<unknown, unknown>;
}

/** The requests behind one hook of one component. */
class Activity {
  readonly #controller: Controller;
  #view: ResponseView | undefined;
  #fetching = this.#follow();

  constructor(controller: Controller) {
    this.#controller = controller;
  }

  readonly refetch = (): Promise<unknown> => {
    const view = this.#view;
    return view ? this.#controller.fetch(view.endpoint as AnyEndpoint, ...view.args) : Promise.resolve();
  };

  /** A rendering begins. */
  look(view: ResponseView | undefined): void {
    this.#view = view;
  }

  get isFetching(): boolean {
    // The signal has heard of nothing while nobody was subscribed. It is another one then: to set it would run who reads it.
    if (this.#fetching.peek() !== this.#isFetching) this.#fetching = this.#follow();
    // A rendering subscribes; who looks in a handler, or when the component is gone, is told, and runs nothing.
    return this.#fetching.value;
  }

  get #isFetching(): boolean {
    const view = this.#view;
    return view !== undefined && this.#controller.findRead(view.endpoint as AnyEndpoint, view.key) !== undefined;
  }

  /** A signal that hears of requests that start or end while somebody is subscribed. */
  #follow(): Signal<boolean> {
    let leave: () => void;
    const hear = ({ key }: Flight): void => {
      if (key === this.#view?.key) queueMicrotask(() => fetching.value = this.#isFetching);
    };
    const fetching = signal(this.#isFetching, {
      watched: () => leave = this.#controller.store.join({ started: hear, ended: hear } as Part),
      unwatched: () => leave(),
    });
    return fetching;
  }
}
