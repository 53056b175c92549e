import { type ComponentChildren, h, type JSX } from "../deps/preact.ts";
import type { Controller } from "../controller/controller.ts";
import { ControllerContext } from "./use_controller.ts";

/** Props of {@linkcode ControllerProvider}. */
export interface ControllerProviderProps {
  /** A controller made outside of rendering. If it is replaced, everything below is mounted again. */
  readonly controller: Controller;
  readonly children?: ComponentChildren;
}

/**
 * Gives the components below it an existing controller, for islands that share one store. It adds neither memory nor
 * focus to the controller, and does not clean it up.
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
  // The key mounts everything again for another controller, because a component reads its controller only once.
  return h(ControllerContext.Provider, { key: controller as never, value: controller }, children); // Preact compares keys by identity
}
