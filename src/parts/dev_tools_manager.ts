import type { Controller } from "../controller/controller.ts";
import type { Part, PartHost } from "../controller/part.ts";
import type { Value } from "../plain/value.ts";
import { events, type StoreEvent } from "./log_manager.ts";
import { stateOf } from "./state.ts";

/** Options of {@linkcode DevToolsManager}. */
export interface DevToolsManagerOptions {
  /** The name of the store in the extension's list. Defaults to `"Rejoin"`. */
  readonly name?: string | undefined;
  /** How many events the extension keeps. Defaults to 50. */
  readonly maxAge?: number | undefined;
  /** Which events are shown. Defaults to all. */
  filter?(event: StoreEvent): boolean;
}

/** The connection to the extension for one store. */
interface Connection {
  init(state: Value): void;
  send(action: object, state: Value): void;
  subscribe(listener: (message: { readonly type: string }) => void): (() => void) | undefined;
}

/**
 * A part that shows each event of a store in the Redux DevTools extension, with the state after it. Without the
 * extension it does nothing, and while the extension's panel is closed it makes no states.
 *
 * @example
 * ```ts
 * import { Controller, DevToolsManager } from "@rejoin/data";
 *
 * using _controller = new Controller({ use: [new DevToolsManager({ name: "Cinema" })] });
 * ```
 */
export class DevToolsManager {
  /** @param options Name and filter. */
  constructor({ name = "Rejoin", maxAge = 50, filter }: DevToolsManagerOptions = {}) {
    const { __REDUX_DEVTOOLS_EXTENSION__: extension } = globalThis as { // the extension defines it
      readonly __REDUX_DEVTOOLS_EXTENSION__?: { connect(options: object): Connection };
    };
    if (!extension) return;
    let controller: Controller, connection: Connection, stop: (() => void) | undefined, isWatched = false;
    /** Events while the panel was closed. They have no states, because making a state is costly. */
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
        controller = host as Controller; // every host of a part is a Controller
        // Only export is offered, because the extension's other features need a reducer, and this store has none.
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
/** It has the members of a part. */
export interface DevToolsManager extends Part {}
