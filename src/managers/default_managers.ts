import type { Manager } from "../controller/controller.ts";
import { DevToolsManager, type DevToolsManagerOptions } from "./dev_tools_manager.ts";
import { FocusManager, type FocusManagerOptions } from "./focus_manager.ts";
import { PollingManager } from "./polling_manager.ts";

/** What {@linkcode defaultManagers} is to leave out, or to make in another way. */
export interface DefaultManagersOptions {
  /** `false`: none. */
  readonly devTools?: DevToolsManagerOptions | false | undefined;
  /** `false`: none. */
  readonly focus?: FocusManagerOptions | false | undefined;
  /** `false`: none. */
  readonly polling?: false | undefined;
}

/**
 * The managers that most apps want: devtools (first: they see everything), refresh on focus and reconnect, polling.
 * Nothing in this library imports this by itself: what an app does not name is not in its bundle.
 *
 * @param options What to leave out.
 * @returns New managers, for `new Controller({ managers })` or `<DataProvider managers={managers}>`.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, defaultManagers, LogoutManager, stateOf } from "@rejoin/data";
 *
 * const managers = [...defaultManagers({ devTools: { name: "Cinema" } }), new LogoutManager()];
 * using controller = new Controller({ managers });
 * assert(managers.length === 4 && stateOf(controller).lastReset === 0);
 * ```
 */
export function defaultManagers(options: DefaultManagersOptions = {}): Manager[] {
  const { devTools, focus, polling } = options;
  const managers: Manager[] = [];
  if (devTools !== false) managers.push(new DevToolsManager(devTools));
  if (focus !== false) managers.push(new FocusManager(focus));
  if (polling !== false) managers.push(new PollingManager());
  return managers;
}
