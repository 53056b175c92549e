import { type ComponentChildren, h, type JSX } from "../deps/preact.ts";
import type { Controller } from "../controller/controller.ts";
import { ControllerContext } from "./context.ts";

/** What {@linkcode ControllerProvider} takes. */
export interface ControllerProviderProps {
  /** Made outside of rendering: with another one, everything below is mounted anew. */
  readonly controller: Controller;
  /** The app, or a part of the page. */
  readonly children?: ComponentChildren;
}

/**
 * Gives the components below it a controller that was made elsewhere, as it is: no memory comes with it, and nobody stops
 * it. For islands that share one store, and for who wants nothing of what `DataProvider` brings, which is 5 kB.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { Controller, memory } from "@rejoin/data";
 * import { ControllerProvider } from "@rejoin/data/preact";
 *
 * export const controller = new Controller({ use: [memory()] });
 * const island = (
 *   <ControllerProvider controller={controller}>
 *     <h1>Hello</h1>
 *   </ControllerProvider>
 * );
 * assert(island.type === ControllerProvider);
 * ```
 */
export function ControllerProvider({ controller, children }: ControllerProviderProps): JSX.Element {
  // Whoever is below reads its controller once: with another one it is another component.
  return h(ControllerContext.Provider, { key: controller, value: controller }, children);
}
