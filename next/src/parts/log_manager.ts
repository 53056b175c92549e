import type { Part } from "../controller/part.ts";
import { events, type StoreEvent } from "./events.ts";

/** How many records a line names. */
const MOST_NAMED = 5;

/** How a {@linkcode LogManager} works. */
export interface LogManagerOptions {
  /** Writes a line. Defaults to `console.log(line)`. */
  log?(line: string, event: StoreEvent): unknown;
  /** Which events are logged. Defaults to all but `fetch`. */
  filter?(event: StoreEvent): boolean;
}

/**
 * A part that writes one line for each thing that happens: its type, what it is about, how long it took, and which records
 * it wrote (`-` is gone).
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
  /** @param options Where lines go, and which. */
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
/** Its members are those of a part. */
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
