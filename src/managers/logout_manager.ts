import type { Action, Dispatch, FetchAction } from "../controller/action.ts";
import type { Controller } from "../controller/controller.ts";
import { said } from "../errors/texts.ts";
import { originOf, ownOrigin } from "./_origin.ts";
import { attempt } from "../errors/report_error.ts";
import { type Session, SessionManager } from "./_sessions.ts";

/** How a {@linkcode LogoutManager} works. */
export interface LogoutManagerOptions {
  /**
   * Where somebody is logged in: `["https://api.example.com"]`. A 401 of elsewhere is no logout. Left out, it is everywhere
   * but at an origin that has answered nothing while another one has.
   */
  readonly origins?: readonly string[] | undefined;
  /**
   * Whether an error means that nobody is logged in any more. Defaults to `error.status === 401`, of a read, and of one of
   * the `origins`: that of a mutation may be the login form's own.
   *
   * @param error What a fetch failed with.
   * @param call What failed: endpoint, arguments and key.
   */
  isLogout?(error: unknown, call: Pick<FetchAction, "endpoint" | "args" | "key">): boolean;
  /**
   * What to do. Defaults to `controller.resetEntireStore()`.
   *
   * @param controller Whose fetch it was.
   * @param error What it failed with.
   */
  onLogout?(controller: Controller, error: unknown): unknown;
}

/**
 * Empties the store when the server says 401 to a read: what the last person saw is nobody else's business.
 *
 * Requests that were on their way together are one logout, and so is what mounted components ask for after it: as long
 * as nothing says that somebody is logged in again (a mutation that succeeds, or an answer to what was refused), a 401 of
 * what has no answer does not empty the store anew.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Controller, LogoutManager } from "@rejoin/data";
 *
 * const seen: unknown[] = [];
 * const logout = new LogoutManager({
 *   isLogout: (error) => [401, 419].includes((error as { status?: number }).status ?? 0),
 *   onLogout: (controller) => {
 *     controller.resetEntireStore();
 *     seen.push("please log in");
 *   },
 * });
 * using controller = new Controller({ managers: [logout] });
 * assertEquals(seen, []);
 * ```
 */
export class LogoutManager extends SessionManager {
  /** @param options What a logout is, and what to do. */
  constructor(options: LogoutManagerOptions = {}) {
    super((controller) => new Login(controller, options));
  }
}

/** Whether somebody is logged in, as far as the answers of the server tell. */
class Login implements Session {
  readonly #controller: Controller;
  readonly #options: LogoutManagerOptions;
  /** Counts logouts, and logins after them: the 401 of what was asked for before says nothing of now. */
  #count = 0;
  /** The count at the start of a request, by the arguments of its call. */
  readonly #startedAt = new WeakMap<readonly unknown[], number>();
  /** Nothing has said since the last logout that somebody is logged in. */
  #isOut = false;
  /** The origins that have answered. */
  readonly #answered = new Set<string>();
  /** What was refused since then. */
  readonly #refused = new Set<string>();

  constructor(controller: Controller, options: LogoutManagerOptions) {
    this.#controller = controller;
    this.#options = options;
  }

  stop(): void {
    this.#refused.clear();
  }

  handle(action: Action, next: Dispatch): unknown {
    // Reads that join one in flight leave it as old as it is.
    if (action.type === "fetch") this.#startedAt.set(action.args, this.#count);
    if (action.type === "setResponse" || action.type === "renew") {
      const { endpoint, args, key, ticket } = action;
      if (ticket !== undefined) this.#answered.add(originOf(endpoint, args));
      if (this.#isOut && (endpoint.sideEffect || this.#refused.has(key))) {
        this.#isOut = false;
        this.#count++;
        this.#refused.clear();
      }
    }
    if (action.type !== "setError") return next(action);
    const { endpoint, key, args, error } = action;
    const hadAnswer = this.#controller.store.entries.get(key, endpoint)?.hasResult ?? false;
    const result = next(action);
    const isOld = (this.#startedAt.get(args) ?? this.#count) < this.#count;
    if (!isOld && this.#means(error, { endpoint, args, key }, hadAnswer)) this.#refuse(key, error, hadAnswer);
    return result;
  }

  #refuse(key: string, error: unknown, hadAnswer: boolean): void {
    const isKnown = this.#isOut && !hadAnswer;
    this.#isOut = true;
    this.#refused.add(key);
    if (isKnown) return;
    this.#count++;
    const { onLogout = (controller: Controller) => controller.resetEntireStore() } = this.#options;
    attempt(() => onLogout(this.#controller, error));
  }

  #means(error: unknown, call: Pick<FetchAction, "endpoint" | "args" | "key">, hadAnswer: boolean): boolean {
    let isLogout = false;
    attempt(() => {
      isLogout = this.#options.isLogout === undefined
        ? (error as { readonly status?: unknown } | null)?.status === 401 && !call.endpoint.sideEffect &&
          this.#isOwn(originOf(call.endpoint, call.args, error), hadAnswer)
        : this.#options.isLogout(error, call);
    });
    return isLogout;
  }

  /** Whether it is where somebody is logged in. */
  #isOwn(origin: string, hadAnswer: boolean): boolean {
    const { origins } = this.#options;
    if (origins !== undefined) return origins.includes(origin);
    const isOwn = hadAnswer || origin === "" || origin === ownOrigin() || this.#answered.size === 0 ||
      this.#answered.has(origin) || this.#hasOf(origin);
    if (!isOwn) {
      this.#controller.store.warnOnce(`401 of ${origin}`, said(700, { origin, answered: this.#answered }));
    }
    return isOwn;
  }

  /** Whether an answer of an origin is stored that came another way: with a state from elsewhere, or by hand. */
  #hasOf(origin: string): boolean {
    for (const { hasResult, key } of this.#controller.store.entries.all()) {
      if (hasResult && key.includes(origin)) return true;
    }
    return false;
  }
}
