import type { Flight, Part } from "../controller/part.ts";
import type { Args, Value } from "../plain/value.ts";
import { redactedNames, withoutMembers } from "./state.ts";

/** The most records that a line names. */
const MOST_NAMED = 5;

/** Options of {@linkcode LogManager}. */
export interface LogManagerOptions {
  /** Writes a line. Defaults to `console.log(line)`. */
  log?(line: string, event: StoreEvent): unknown;
  /** Which events are logged. Defaults to all but `fetch`. */
  filter?(event: StoreEvent): boolean;
}

/**
 * A part that logs one line for each event: its type and subject, how long it took, and the records that it wrote. A
 * deleted record has a `-` before it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Controller, Entity, LogManager } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const lines: string[] = [];
 * using controller = new Controller({ use: [new LogManager({ log: (line) => lines.push(line) })] });
 * controller.set(Article, { id: "5" }, { title: "New" });
 * assertEquals(lines, ["rejoin set · Article 5"]);
 * ```
 */
export class LogManager {
  /** @param options Where lines go, and which events are logged. */
  constructor(options: LogManagerOptions = {}) {
    const { log = (line: string) => console.log(line), filter = ({ type }: StoreEvent) => type !== "fetch" } = options;
    Object.assign(
      this,
      events((event) => {
        if (filter(event)) log(lineOf(event), event);
      }),
    );
  }
}
/** It has the members of a part. */
export interface LogManager extends Part {}

function lineOf({ type, subject, ms, error, records }: StoreEvent): string {
  const more = records.length - MOST_NAMED, named = records.slice(0, MOST_NAMED);
  return [
    ["rejoin", type, subject].filter((word) => word).join(" "),
    ms !== undefined && `${ms} ms`,
    error && `failed: ${error}`,
    [...named, ...more > 0 ? [`and ${more} more`] : []].join(", "),
  ].filter((part) => part).join(" · ");
}

/** One event of a store, for logs. Members in `static redact` of a class are left out. */
export interface StoreEvent {
  /**
   * `fetch`: a request starts. `setResponse`, `setError`: it succeeds or fails. `set`: the app writes. `reset`: the
   * store is emptied.
   */
  readonly type: "fetch" | "setResponse" | "setError" | "set" | "reset";
  /** The key of a read, the name of a mutation, or the empty text. */
  readonly subject: string;
  readonly args?: Args;
  readonly error?: string;
  /** The time since the request started, in ms. */
  readonly ms?: number;
  /** The records that were written, as `Article 5`; a deleted one is `-Article 5`. */
  readonly records: readonly string[];
}

/** Makes a part that calls `tell` for each event. */
export function events(tell: (event: StoreEvent) => void): Part {
  const startedAt = new WeakMap<Flight, number>(), errors = new WeakMap<Flight, Value>();
  let settled: Flight | undefined;
  const about = (flight: Flight) => {
    const { endpoint, args: given, answer } = flight,
      args = withoutMembers(given, redactedNames(flight.host.store));
    // The key and the message of the error may contain the secret argument, so they are left out then.
    const isWhole = args === given, error = errors.get(flight), ms = startedAt.get(flight);
    return {
      subject: isWhole && answer ? answer.key : endpoint.name,
      args,
      ...error !== undefined && { error: isWhole ? `${error}` : error.name },
      ...ms !== undefined && { ms: Math.round((performance.now() - ms) * 100) / 100 },
    };
  };
  return {
    start(flight) {
      tell({ type: "fetch", ...about(flight), records: [] });
      startedAt.set(flight, performance.now());
    },
    async send(flight, next) {
      try {
        return await next();
      } catch (error) {
        errors.set(flight, error);
        throw error;
      }
    },
    settle: (flight) => void (settled = flight),
    commit({ options: { flight, key }, touched, edit }) {
      const records = touched.filter(({ table }) => !table.key.includes(" ")).map(({ rec, table, pk }) =>
        `${rec ? "" : "-"}${table.key} ${pk}`
      );
      const failed = settled;
      settled = undefined;
      if (flight) tell({ type: "setResponse", ...about(flight as Flight), records }); // the store knows no type of requests
      else if (failed) tell({ type: "setError", ...about(failed), records });
      else if (records[0]) {
        tell({ type: key === undefined && edit ? "set" : "setResponse", subject: key ?? "", records });
      }
    },
    reset: () => tell({ type: "reset", subject: "", records: [] }),
  };
}
