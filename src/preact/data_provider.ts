import { Component, type ComponentChildren, h } from "../deps/preact.ts";
import { Controller } from "../controller/controller.ts";
import type { ControllerOptions } from "../controller/controller_types.ts";
import { focus } from "../parts/focus.ts";
import { memory } from "../parts/memory.ts";
import { ControllerProvider } from "./controller_provider.ts";

/** All of them are read once. */
export interface DataProviderProps extends ControllerOptions {
  /** One that you made outside of rendering, and clean up; else the provider makes one. */
  readonly controller?: Controller | undefined;
  /** How long what nothing reads is kept; `false`: for ever. */
  readonly memory?: Parameters<typeof memory>[0] | false;
  readonly children?: ComponentChildren;
}

/**
 * Gives all components below it one store. Without a `controller` it makes one, with `memory` and refetches on focus and
 * reconnect, and cleans it up when it goes.
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
