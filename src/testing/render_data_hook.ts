import type { Controller } from "../controller/controller.ts";
import { type ComponentChildren, type ComponentType, Fragment, h, type VNode } from "../deps/preact.ts";
import { UsageError } from "../errors/mod.ts";
import type { AsyncDisposable } from "../plain/value.ts";
import { isThenable } from "../plain/is_object.ts";
import { AsyncBoundary } from "../preact/async_boundary.ts";
import { DataProvider, type DataProviderProps } from "../preact/data_provider.ts";
import type { ErrorFallbackProps } from "../preact/error_boundary.ts";
import { useController } from "../preact/use_controller.ts";
import type { Fixtures } from "./fixtures.ts";
import { mount } from "./mount.ts";
import { settled, type SettledOptions } from "./settled.ts";

/** Its type counts where the hook has none for its parameter: one that is written there may be wider. */
type Unannotated<P> = P & (NonNullable<unknown> | null | undefined);

/** What {@linkcode renderDataHook} takes: what `MockResolver` does, and how the hook is called. */
export interface RenderDataHookOptions<P> extends Omit<MockResolverProps, "children"> {
  /** What the hook is called with first. */
  readonly initialProps?: Unannotated<P> | undefined;
  /** A controller made elsewhere; it is not stopped, and has its fixtures among its parts. */
  readonly controller?: Controller | undefined;
  /** Around the hook, inside of the provider: contexts, a boundary. */
  readonly wrapper?: ComponentType<{ readonly children?: ComponentChildren }> | undefined;
}

/** What a hook has given; live. */
export interface HookResult<R> {
  /** The last value; `undefined` while the hook waits, or where it has failed. */
  readonly current: R | undefined;
  /** What the boundary has caught; `undefined` once the hook gives a value again. */
  readonly error: Error | undefined;
  /** The hook has thrown a promise, and was not called since. */
  readonly isWaiting: boolean;
  /** All values, one for each rendering that gave one. */
  readonly history: readonly R[];
  /** How often the hook was called, those included that gave no value. */
  readonly renders: number;
}

/** A hook that runs in a component of a page. */
export interface RenderedHook<P, R> extends AsyncDisposable {
  /** What it has given. */
  readonly result: HookResult<R>;
  /** The controller that it reads of. */
  readonly controller: Controller;
  /** Renders it again, with other props, or with those that it has. */
  rerender(...props: [props?: P]): void;
  /** Waits until nothing is in flight, and what came was rendered: `settled(controller)`. */
  settled(options?: SettledOptions): Promise<void>;
  /** Takes it off the page; the controller stops, unless it was given. */
  unmount(): void;
}

/**
 * Runs a hook in a component, with a store, and an `AsyncBoundary` around it. The document is that of the test. At the end
 * of an `await using` it is unmounted, else by `cleanup()`.
 *
 * @param hook Calls the hook: it is called at each rendering, with the props.
 * @param options Fixtures, props, and what `DataProvider` takes.
 * @returns What it gives, and how to go on.
 * @throws {UsageError} If there is no document.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Window } from "happy-dom";
 * import { Entity, resource } from "@rejoin/data";
 * import { useSuspense } from "@rejoin/data/preact";
 * import { fixtures, renderDataHook } from "@rejoin/data/testing";
 *
 * Object.assign(globalThis, { document: new Window().document });
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const ArticleResource = resource({ urlPrefix: "https://api.example.com", path: "/articles/:id", schema: Article });
 * const api = fixtures([{ endpoint: ArticleResource.get, response: ({ id }) => ({ id, title: `Article ${id}` }) }]);
 *
 * await using hook = renderDataHook(({ id }) => useSuspense(ArticleResource.get, { id }).title, {
 *   fixtures: api,
 *   initialProps: { id: "5" },
 * });
 * assertEquals(hook.result.isWaiting, true);
 * await hook.settled();
 * hook.rerender({ id: "6" });
 * await hook.settled();
 * assertEquals(hook.result.history, ["Article 5", "Article 6"]);
 * assertEquals(hook.result.renders, 4);
 * ```
 */
export function renderDataHook<P, R>(
  hook: (props: P) => R,
  options: RenderDataHookOptions<P> = {},
): RenderedHook<P, R> {
  const { initialProps, controller: given, wrapper = Fragment, ...rest } = options;
  if (given !== undefined && rest.fixtures !== undefined) {
    throw new UsageError(1110);
  }
  const history: R[] = [];
  const result: { -readonly [K in keyof HookResult<R>]: HookResult<R>[K] } = {
    current: undefined,
    error: undefined,
    isWaiting: false,
    history,
    renders: 0,
  };
  let controller!: Controller;

  function Probe({ props }: { readonly props: P; readonly run: number }): null {
    result.renders++;
    result.current = undefined;
    try {
      result.isWaiting = true;
      history.push(result.current = hook(props));
      result.error = undefined;
      result.isWaiting = false;
    } catch (thrown) {
      result.isWaiting = isThenable(thrown);
      throw thrown;
    }
    return null;
  }
  function Failed({ error }: ErrorFallbackProps): null {
    result.error = error;
    result.current = undefined;
    return null;
  }
  function Inside({ children }: { readonly children?: ComponentChildren }): VNode {
    controller = useController();
    return h(Fragment, null, children);
  }

  let props = initialProps as P; // `undefined` where the hook takes none
  let run = 0;
  const page = (): VNode => {
    // With equal props it would not be rendered.
    const probe = h(Probe, { props, run: run++ });
    const inside = h(Inside, null, h(wrapper, null, h(AsyncBoundary, { errorComponent: Failed }, probe)));
    return given === undefined ? h(MockResolver, rest, inside) : h(DataProvider, { controller: given }, inside);
  };
  const mounted = mount(page());
  return {
    result,
    controller,
    rerender(...next) {
      if (next.length > 0) props = next[0] as P; // there is one
      mounted.render(page());
    },
    settled: (options) => settled(controller, options),
    unmount: mounted.unmount,
    [Symbol.asyncDispose]: () => mounted[Symbol.asyncDispose](),
  };
}

/** What {@linkcode MockResolver} takes: what `DataProvider` does, and fixtures. */
export interface MockResolverProps extends Omit<DataProviderProps, "controller"> {
  /** What calls are answered with: what `fixtures` gave. Read once. */
  readonly fixtures?: Fixtures | undefined;
}

/**
 * A `DataProvider` whose requests are answered by fixtures, for tests and stories. It has a store of its own, also below
 * another provider.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Entity, resource } from "@rejoin/data";
 * import { fixtures, MockResolver } from "@rejoin/data/testing";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const ArticleResource = resource({ urlPrefix: "https://api.example.com", path: "/articles/:id", schema: Article });
 *
 * const story = (
 *   <MockResolver fixtures={fixtures([{ endpoint: ArticleResource.getList, response: [{ id: "5", title: "Hello" }] }])}>
 *     <h1>Articles</h1>
 *   </MockResolver>
 * );
 * assert(story.type === MockResolver);
 * ```
 *
 * @param props Fixtures, and what `DataProvider` takes.
 */
export function MockResolver({ fixtures, use = [], children, ...options }: MockResolverProps): VNode {
  return h(DataProvider, { ...options, use: fixtures ? [...use, fixtures] : use }, children);
}
