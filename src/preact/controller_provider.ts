import { type ComponentChildren, h, type JSX } from "../deps/preact.ts";
import type { Controller } from "../controller/controller.ts";
import { ControllerContext } from "./use_controller.ts";

/** What `ControllerProvider` takes. */
export interface ControllerProviderProps {
  /** Made outside of rendering: with another one, everything below is mounted anew. */
  readonly controller: Controller;
  readonly children?: ComponentChildren;
}

/**
 * Gives the components below it a controller that was made elsewhere, as it is: no memory and no focus come with it, and
 * it is not cleaned up. For islands that share one store.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Controller, memory } from "@rejoin/data";
 * import { ControllerProvider } from "@rejoin/data/preact";
 *
 * const controller = new Controller({ use: [memory()] });
 * const island = <ControllerProvider controller={controller}><h1>Hello</h1></ControllerProvider>;
 * assert(island.type === ControllerProvider);
 * controller.cleanup();
 * ```
 */
export function ControllerProvider({ controller, children }: ControllerProviderProps): JSX.Element {
  // A component reads its controller once.
  return h(ControllerContext.Provider, { key: controller as never, value: controller }, children); // compared by identity
}
