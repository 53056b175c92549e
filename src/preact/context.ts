import { type Context, createContext } from "../deps/preact.ts";
import type { ResponseView } from "../store/response_view.ts";
import type { Controller } from "../controller/controller.ts";

/** The controller of the nearest `DataProvider`. */
export const ControllerContext: Context<Controller | undefined> = createContext<Controller | undefined>(undefined);

/** Which read an error came from, so that a boundary can have it asked again, and sees when it is there. */
export const failedReads = new WeakMap<object, FailedRead>();

/** A read that somebody was to be told of as an error. */
export interface FailedRead {
  readonly controller: Controller;
  readonly view: ResponseView;
}
