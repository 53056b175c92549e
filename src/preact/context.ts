import { createContext } from "../deps/preact.ts";
import type { Controller } from "../controller/controller.ts";

/** The controller of the nearest `DataProvider`. */
export const ControllerContext = createContext<Controller | undefined>(undefined);

/** Which read an error came from, so that a boundary can have it asked again. */
export const failedReads = new WeakMap<object, { readonly controller: Controller; readonly key: string }>();
