import { type Context, createContext } from "../deps/preact.ts";
import type { Answer } from "../store/entry.ts";
import type { ResponseView } from "../store/response_view.ts";
import type { Controller } from "../controller/controller.ts";

/** The controller of the nearest `DataProvider`. */
export const ControllerContext: Context<Controller | undefined> = createContext<Controller | undefined>(undefined);

/** Which read an error came from, so that a boundary can read on. */
export const failedReads = new WeakMap<object, FailedRead>();

/** What a reader knew of a read when it gave an error for it. */
export interface FailedRead {
  readonly controller: Controller;
  readonly view: ResponseView;
  readonly answer: Answer;
  /** Why there is nothing, where the store has no error. */
  readonly reason: Error | undefined;
}
