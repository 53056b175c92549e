import { Component, type ComponentChildren, h } from "../deps/preact.ts";
import { Controller } from "../controller/controller.ts";
import type { ControllerOptions } from "../controller/controller_types.ts";
import { focus } from "../parts/focus.ts";
import { memory } from "../parts/memory.ts";
import { ControllerContext } from "./use_controller.ts";

export interface DataProviderProps extends ControllerOptions {
  /** One that you made; else the provider makes one, with memory and refetches on focus. */
  readonly controller?: Controller | undefined;
  readonly children?: ComponentChildren;
}

/** Gives all components below one store. */
export class DataProvider extends Component<DataProviderProps> {
  readonly controller: Controller = this.props.controller ??
    new Controller({ ...this.props, use: [memory(), focus(), ...this.props.use ?? []] });
  override componentWillUnmount(): void {
    if (!this.props.controller) this.controller.cleanup();
  }
  override render(): any {
    return h(ControllerContext.Provider, { value: this.controller }, this.props.children);
  }
}
