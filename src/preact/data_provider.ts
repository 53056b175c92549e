import { Component, type ComponentChildren, h, type JSX } from "../deps/preact.ts";
import { Controller } from "../controller/controller.ts";
import type { ControllerOptions } from "../controller/controller.ts";
import type { MemoryOptions } from "../parts/memory/collector.ts";
import { memory } from "../parts/memory/memory.ts";
import { FocusManager } from "../managers/focus_manager.ts";
import { hasTexts } from "../errors/texts.ts";
import { ControllerProvider } from "./controller_provider.ts";

/**
 * What {@linkcode DataProvider} takes: a controller, or how to make one, which is read once; `strict` by default. A
 * `FocusManager` among `managers` takes the place of the one that it brings.
 */
export interface DataProviderProps extends ControllerOptions {
  /** How long what nobody watches is kept, and how much; `false`: for ever. See `memory()`. */
  readonly memory?: MemoryOptions | false | undefined;
  /**
   * A controller that lives longer than the provider; several roots may share it. The provider does not stop it. With
   * another one, everything below is mounted anew: make it outside of rendering.
   */
  readonly controller?: Controller | undefined;
  /** The app. */
  readonly children?: ComponentChildren;
}

/**
 * Gives the components below it a store. Without `controller` it makes one of its own, and stops it when it unmounts.
 *
 * Its own one has what an app needs: `memory()`, so that what nobody shows goes after a while; a `FocusManager`, so that
 * what is shown and stale is asked for again when somebody comes back to the page, or the network does; and in development
 * it is strict: what a read gives is frozen, and warnings are in the console. `strict={false}` saves the freezing.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { DataProvider } from "@rejoin/data/preact";
 *
 * const app = (
 *   <DataProvider>
 *     <h1>Hello</h1>
 *   </DataProvider>
 * );
 * assert(app.type === DataProvider);
 * ```
 */
export function DataProvider({ controller, children, ...options }: DataProviderProps): JSX.Element {
  return controller === undefined ? h(OwnProvider, options, children) : h(ControllerProvider, { controller }, children);
}

/** Makes a controller, and stops it when it goes. */
class OwnProvider extends Component<Omit<DataProviderProps, "controller">> {
  readonly #controller = controllerOf(this.props);

  // An effect would not run for a provider that is gone before the first frame.
  override componentWillUnmount(): void {
    this.#controller.cleanup();
  }

  override render(): JSX.Element {
    return h(ControllerProvider, { controller: this.#controller }, this.props.children);
  }
}

function controllerOf({ children: _, memory: kept, ...options }: OwnProvider["props"]): Controller {
  const { managers = [], strict = hasTexts(), use = [] } = options;
  // On a server nobody comes back, and no provider is unmounted.
  const isOwn = !("document" in globalThis) || managers.some((manager) => manager instanceof FocusManager);
  const all = isOwn ? managers : [...managers, new FocusManager()];
  return new Controller({ ...options, managers: all, strict, use: kept === false ? use : [memory(kept), ...use] });
}
