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

/** Keeps TypeScript from inferring `P` here if the hook annotates its parameter, whose type may be wider. */
type Unannotated<P> = P & (NonNullable<unknown> | null | undefined);

/** Options of {@linkcode renderDataHook}: those of `MockResolver`, and how the hook is called. */
export interface RenderDataHookOptions<P> extends Omit<MockResolverProps, "children"> {
  /** The props of the first call. */
  readonly initialProps?: Unannotated<P> | undefined;
  /** A controller of the test. It is not stopped, and the test adds fixtures to its parts. */
  readonly controller?: Controller | undefined;
  /** A component around the hook and inside of the provider, for contexts or a boundary. */
  readonly wrapper?: ComponentType<{ readonly children?: ComponentChildren }> | undefined;
}

/** The results of a hook, always up to date. */
export interface HookResult<R> {
  /** The last value; `undefined` while the hook suspends or after it threw. */
  readonly current: R | undefined;
  /** The error that the boundary caught; `undefined` after the hook has returned a value again. */
  readonly error: Error | undefined;
  /** Whether the last call of the hook threw a promise. */
  readonly isWaiting: boolean;
  /** All values, one for each rendering that returned one. */
  readonly history: readonly R[];
  /** How often the hook was called, including calls that returned no value. */
  readonly renders: number;
}

/** A hook that runs in a mounted component. */
export interface RenderedHook<P, R> extends AsyncDisposable {
  /** The results of the hook. */
  readonly result: HookResult<R>;
  /** The controller that the hook uses. */
  readonly controller: Controller;
  /** Renders again, with other props or with the same. */
  rerender(...props: [props?: P]): void;
  /** Waits until no request is in flight and all data are rendered: `settled(controller)`. */
  settled(options?: SettledOptions): Promise<void>;
  /** Unmounts the component. The controller stops, unless the test made it. */
  unmount(): void;
}

/**
 * Runs a hook in a component, with a store and an `AsyncBoundary` around it, in the document of the test. It is
 * unmounted at the end of an `await using`, else by `cleanup()`.
 *
 * @param hook A function that calls the hook. It runs at each rendering, with the props.
 * @param options Fixtures, props, and options of `DataProvider`.
 * @returns The results, and functions to go on with the test.
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

  let props = initialProps as P; // `undefined` is right if the hook takes no props
  let run = 0;
  const page = (): VNode => {
    // `run` makes the props differ, because Preact skips a component whose props are equal.
    const probe = h(Probe, { props, run: run++ });
    const inside = h(Inside, null, h(wrapper, null, h(AsyncBoundary, { errorComponent: Failed }, probe)));
    return given === undefined ? h(MockResolver, rest, inside) : h(DataProvider, { controller: given }, inside);
  };
  const mounted = mount(page());
  return {
    result,
    controller,
    rerender(...next) {
      if (next.length > 0) props = next[0] as P; // the length says that there is one
      mounted.render(page());
    },
    settled: (options) => settled(controller, options),
    unmount: mounted.unmount,
    [Symbol.asyncDispose]: () => mounted[Symbol.asyncDispose](),
  };
}

/** Props of {@linkcode MockResolver}: those of `DataProvider`, and fixtures. */
export interface MockResolverProps extends Omit<DataProviderProps, "controller"> {
  /** What `fixtures` returned. It is read once. */
  readonly fixtures?: Fixtures | undefined;
}

/**
 * A `DataProvider` whose requests are answered by fixtures, for tests and stories. It has its own store, also below
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
 * @param props Fixtures, and props of `DataProvider`.
 */
export function MockResolver({ fixtures, use = [], children, ...options }: MockResolverProps): VNode {
  return h(DataProvider, { ...options, use: fixtures ? [...use, fixtures] : use }, children);
}
