import { Component, type ComponentChildren, h } from "../deps/preact.ts";
import { Controller } from "../controller/controller.ts";
import type { ControllerOptions } from "../controller/controller_types.ts";
import { focus } from "../parts/focus.ts";
import { memory } from "../parts/memory.ts";
import { ControllerProvider } from "./controller_provider.ts";

/** Props of {@linkcode DataProvider}. Each is read once. */
export interface DataProviderProps extends ControllerOptions {
  /** A controller that the app makes outside of rendering and cleans up. By default the provider makes its own. */
  readonly controller?: Controller | undefined;
  /** How long data that nothing reads are kept; `false` keeps them for ever. */
  readonly memory?: Parameters<typeof memory>[0] | false;
  readonly children?: ComponentChildren;
}

/**
 * Gives all components below it one store. Without a `controller` it makes one, with `memory` and with refetches on
 * focus and reconnect, and cleans it up when it is unmounted.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { DataProvider } from "@rejoin/data/preact";
 *
 * const app = <DataProvider><h1>Hello</h1></DataProvider>;
 * assert(app.type === DataProvider);
 * ```
 */
export class DataProvider extends Component<DataProviderProps> {
  #own: Controller | undefined;
  override componentWillUnmount(): void {
    this.#own?.cleanup();
  }
  override render(): ComponentChildren {
    const { props } = this, { controller = this.#own ??= make(props), children } = props;
    return h(ControllerProvider, { controller }, children);
  }
}
const make = ({ use = [], memory: kept, ...options }: DataProviderProps): Controller =>
  new Controller({ ...options, use: [...kept === false ? [] : [memory(kept)], focus(), ...use] });
