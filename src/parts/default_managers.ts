import type { Part } from "../controller/part.ts";
import { DevToolsManager, type DevToolsManagerOptions } from "./dev_tools_manager.ts";
import { focus } from "./focus.ts";

/** Options of {@linkcode defaultManagers}. */
export interface DefaultManagersOptions {
  /** Options of the DevTools; `false` leaves them out. */
  readonly devTools?: DevToolsManagerOptions | false | undefined;
  /** `false` leaves it out. */
  readonly focus?: false | undefined;
}

/**
 * The parts for an app without a `DataProvider`: the Redux DevTools, and a refresh of stale data on focus and
 * reconnect.
 *
 * @example
 * ```ts
 * import { Controller, defaultManagers, LogoutManager } from "@rejoin/data";
 *
 * using _controller = new Controller({ use: [...defaultManagers({ devTools: { name: "Cinema" } }), new LogoutManager()] });
 * ```
 *
 * @param options Which parts to leave out.
 * @returns New parts, for `new Controller({ use })` or `<DataProvider use={…}>`.
 */
export function defaultManagers({ devTools, focus }: DefaultManagersOptions = {}): Part[] {
  return [
    ...devTools === false ? [] : [new DevToolsManager(devTools)],
    ...focus === false ? [] : [new FocusManager()],
  ];
}

/** The former name of {@linkcode focus}: write `use: [focus()]` instead of `use: [new FocusManager()]`. */
export class FocusManager {
  /** @param options The options of `focus`. */
  constructor(...options: Parameters<typeof focus>) {
    Object.assign(this, focus(...options));
  }
}
/** It has the members of a part. */
export interface FocusManager extends Part {}
