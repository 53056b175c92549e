import type { Controller } from "../controller/controller.ts";
import type { Part, PartHost } from "../controller/part.ts";
import type { Value } from "../plain/value.ts";
import { events, type StoreEvent } from "./log_manager.ts";
import { stateOf } from "./state.ts";

/** How a {@linkcode DevToolsManager} shows a store. */
export interface DevToolsManagerOptions {
  /** What the store is called in the list of stores. Defaults to `"Rejoin"`. */
  readonly name?: string | undefined;
  /** How many events the extension keeps. Defaults to 50. */
  readonly maxAge?: number | undefined;
  /** Which events are shown. Defaults to all. */
  filter?(event: StoreEvent): boolean;
}

/** What the extension gives for one store. */
interface Connection {
  init(state: Value): void;
  send(action: object, state: Value): void;
  subscribe(listener: (message: { readonly type: string }) => void): (() => void) | undefined;
}

/**
 * A part that shows a store in the Redux DevTools extension: each event, and the state after it. Where the extension is
 * not installed it does nothing, and while its panel is closed it makes no state.
 *
 * @example
 * ```ts
 * import { Controller, DevToolsManager } from "@rejoin/data";
 *
 * using _controller = new Controller({ use: [new DevToolsManager({ name: "Cinema" })] });
 * ```
 */
export class DevToolsManager {
  /** @param options What is shown. */
  constructor({ name = "Rejoin", maxAge = 50, filter }: DevToolsManagerOptions = {}) {
    const { __REDUX_DEVTOOLS_EXTENSION__: extension } = globalThis as { // what the extension puts into the page
      readonly __REDUX_DEVTOOLS_EXTENSION__?: { connect(options: object): Connection };
    };
    if (!extension) return;
    let controller: Controller, connection: Connection, stop: (() => void) | undefined, isWatched = false;
    /** What happened while the panel was closed; without states, which would have to be made. */
    let unseen: object[] = [];
    const show = (action: object): void => {
      if (isWatched) connection.send(action, stateOf(controller));
      else unseen = [...unseen, action].slice(-maxAge);
    };
    const part: Part = {
      ...events((event) => {
        const { type, subject, ...rest } = event;
        if (filter?.(event) ?? true) show({ type: `${type} ${subject}`.trimEnd(), ...rest });
      }),
      install(host: PartHost) {
        controller = host as Controller; // no part is installed elsewhere
        // What is left out would make the extension run reducers, which it does not have.
        connection = extension.connect({ name, maxAge, features: { export: true } });
        connection.init(stateOf(controller));
        stop = connection.subscribe(({ type }) => {
          if (type === "START" && !isWatched) {
            isWatched = true;
            if (unseen[0]) show({ type: "earlier", actions: unseen });
            unseen = [];
          }
          if (type === "STOP") isWatched = false;
        });
      },
      cleanup: () => stop?.(),
    };
    Object.assign(this, part);
  }
}
/** Its members are those of a part. */
export interface DevToolsManager extends Part {}
