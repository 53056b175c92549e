import type { Part } from "../controller/part.ts";
import { DevToolsManager, type DevToolsManagerOptions } from "./dev_tools_manager.ts";
import { focus } from "./focus.ts";

/** What {@linkcode defaultManagers} is to leave out, or to make in another way. */
export interface DefaultManagersOptions {
  /** `false`: none. */
  readonly devTools?: DevToolsManagerOptions | false | undefined;
  /** `false`: none. */
  readonly focus?: false | undefined;
}

/**
 * The parts that most apps without a `DataProvider` want: the Redux DevTools, and refresh on focus and reconnect.
 *
 * @example
 * ```ts
 * import { Controller, defaultManagers, LogoutManager } from "@rejoin/data";
 *
 * using _controller = new Controller({ use: [...defaultManagers({ devTools: { name: "Cinema" } }), new LogoutManager()] });
 * ```
 *
 * @param options What to leave out.
 * @returns New parts, for `new Controller({ use })` or `<DataProvider use={…}>`.
 */
export function defaultManagers({ devTools, focus }: DefaultManagersOptions = {}): Part[] {
  return [
    ...devTools === false ? [] : [new DevToolsManager(devTools)],
    ...focus === false ? [] : [new FocusManager()],
  ];
}

/** The name that {@linkcode focus} had: `use: [new FocusManager()]` is `use: [focus()]`. */
export class FocusManager {
  /** @param options Those of `focus`. */
  constructor(...options: Parameters<typeof focus>) {
    Object.assign(this, focus(...options));
  }
}
/** Its members are those of a part. */
export interface FocusManager extends Part {}
