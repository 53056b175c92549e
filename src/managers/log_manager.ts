import type { Action, Dispatch } from "../controller/action.ts";
import type { Controller } from "../controller/controller.ts";
import { clock } from "../deps/clock.ts";
import type { PlainPatch } from "../store/plain_patch.ts";
import { Commits } from "./_commits.ts";
import { reasonFor, subjectOf } from "./subject_of.ts";
import { attempt } from "../errors/report_error.ts";
import { type Session, SessionManager } from "./_sessions.ts";

/** How many changed records a line names. */
const MOST_NAMED = 5;

/** How a {@linkcode LogManager} works. */
export interface LogManagerOptions {
  /**
   * Writes a line. Defaults to `console.log(line)`.
   *
   * @param line Type, key, duration, what changed.
   * @param action What happened.
   * @param patches What it became; empty where nothing was stored.
   */
  log?(line: string, action: Action, patches: readonly PlainPatch[]): unknown;
  /**
   * Which actions are logged. Defaults to all.
   *
   * @param action What happened.
   */
  filter?(action: Action): boolean;
}

/**
 * One line for each action: its type, what it is about, how long it took, and which records it changed. A `fetch` has
 * its line when it has settled.
 *
 * @example
 * ```ts
 * import { assertMatch } from "@std/assert";
 * import { Controller, Entity, LogManager } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const lines: string[] = [];
 * using controller = new Controller({ managers: [new LogManager({ log: (line) => lines.push(line) })] });
 * controller.set(Article, { id: "5" }, { title: "New" });
 * assertMatch(lines.join(), /^rejoin set Article · [\d.]+ ms · \+Article 5$/);
 * ```
 */
export class LogManager extends SessionManager {
  /** @param options Where lines go, and which. */
  constructor(options: LogManagerOptions = {}) {
    super((controller) => new Log(controller, options));
  }
}

/** The log of one controller. */
class Log extends Commits implements Session {
  readonly #options: LogManagerOptions;
  readonly #store: Controller["store"];

  constructor(controller: Controller, options: LogManagerOptions) {
    super(controller);
    this.#store = controller.store;
    this.#options = options;
  }

  /** Times each action; the first manager in the list counts what the others do. */
  handle(action: Action, next: Dispatch): unknown {
    const startedAt = clock.monotonic();
    let outcome = "";
    let made: readonly PlainPatch[] = [];
    const write = (): void =>
      attempt(() => {
        const { filter, log = (line: string) => console.log(line) } = this.#options;
        if (filter?.(action) === false) return;
        const took = `${roundMs(clock.monotonic() - startedAt)} ms`;
        const title = ["rejoin", action.type, subjectOf(action, this.#store)].filter((word) => word !== "").join(" ");
        log([title, took, outcome, changesOf(made)].filter((part) => part !== "").join(" · "), action, made);
      });
    const result = this.during(() => next(action), (patches, thrown) => {
      made = patches;
      if (thrown === undefined) return;
      outcome = `threw ${reasonFor(action, thrown.reason, this.#store)}`;
      write();
    });
    if (action.type === "setError") outcome = `failed: ${reasonFor(action, action.error, this.#store)}`;
    if (!(result instanceof Promise)) {
      write();
      return result;
    }
    result.then(write, (reason) => {
      outcome = `failed: ${reasonFor(action, reason, this.#store)}`;
      write();
    });
    return result;
  }
}

/** `+Article 5, -User 1, Film 2`: new, gone, changed. */
function changesOf(patches: readonly PlainPatch[]): string {
  const records = patches.flatMap((patch) => patch.records);
  const named = records.slice(0, MOST_NAMED).map(({ key, pk, before, after }) =>
    `${before === undefined ? "+" : after === undefined ? "-" : ""}${key} ${pk}`
  );
  if (records.length > MOST_NAMED) named.push(`and ${records.length - MOST_NAMED} more`);
  return [patches.some(({ reset }) => reset) ? "everything gone" : "", named.join(", ")]
    .filter((part) => part !== "").join(", ");
}

function roundMs(ms: number): number {
  return Math.round(ms * 100) / 100;
}
