import { page } from "./page.ts";
import type { Controller } from "../controller/controller.ts";
import type { Flight, Part, PartHost } from "../controller/part.ts";
import type { RunEndpoint } from "../endpoint/endpoint_types.ts";
import type { Args, Value } from "../plain/value.ts";

/** What failed. */
export interface FailedCall {
  readonly endpoint: RunEndpoint;
  readonly args: Args;
  readonly key: string;
}

/** How a {@linkcode LogoutManager} works. */
export interface LogoutManagerOptions {
  /** Where people log in: `["https://api.example.com"]`. A 401 of elsewhere is no logout. Left out: everywhere. */
  readonly origins?: readonly string[] | undefined;
  /**
   * Whether an error means that the session has ended. Defaults to `error.status === 401`, of a read, and of one of
   * the `origins`: that of a mutation may be the login form's own.
   */
  isLogout?(error: unknown, call: FailedCall): boolean;
  /** What to do. Defaults to `controller.resetEntireStore()`. */
  onLogout?(controller: Controller, error: unknown): unknown;
}

/**
 * A part that empties the store when the server says 401 to a read: the next person must not see what the last one saw.
 *
 * Requests that were on their way together are one logout, and so is what mounted components ask for after it: until a
 * mutation succeeds, or what was refused is answered, a 401 is an error like any other. One of a read that was asked for
 * before that says nothing of now. As at any reset, what is in flight rejects with an ending (`isEnding`), the refused read,
 * too: `onLogout` gets the error.
 *
 * @example
 * ```ts
 * import { Controller, Endpoint, LogoutManager, NetworkError } from "@rejoin/data";
 * import { assertEquals } from "@std/assert";
 *
 * const seen: unknown[] = [];
 * const logout = new LogoutManager({
 *   onLogout: (controller) => {
 *     controller.resetEntireStore();
 *     seen.push("please log in");
 *   },
 * });
 * const getMe = new Endpoint(async () => {
 *   await Promise.reject(Object.assign(new NetworkError(602), { status: 401 }));
 * }, { name: "getMe" });
 * using controller = new Controller({ use: [logout] });
 * await controller.fetch(getMe).catch(() => {});
 * assertEquals(seen, ["please log in"]);
 * ```
 */
export class LogoutManager implements Part {
  readonly #options: LogoutManagerOptions;
  #controller!: Controller;
  /** Since the last logout no answer has said that a session is there. */
  #isOut = false;
  /** The tick when that was said. */
  #since = 0;
  /** The keys of what was refused meanwhile. */
  readonly #refused = new Set<string>();

  /** @param options What a logout is, and what to do. */
  constructor(options: LogoutManagerOptions = {}) {
    this.#options = options;
  }

  /** Begins. */
  install(controller: PartHost): void {
    this.#controller = controller as Controller; // no part is installed elsewhere
  }

  /** Looks at each outcome. */
  async send(flight: Flight, next: () => Promise<Value>): Promise<Value> {
    const { endpoint, args, answer, host, started } = flight, key = answer?.key ?? endpoint.key(...args);
    try {
      const value = await next();
      if (this.#isOut && host.flights.has(flight) && (!answer || this.#refused.has(key))) {
        this.#isOut = false;
        this.#since = host.store.tick;
        this.#refused.clear();
      }
      return value;
    } catch (error) {
      const isOurs = host.flights.has(flight) && started > this.#since && this.#means(error, { endpoint, args, key });
      if (!isOurs) throw error;
      const isKnown = this.#isOut,
        { onLogout = (controller: Controller) => controller.resetEntireStore() } = this.#options;
      this.#isOut = true;
      this.#refused.add(key);
      if (!isKnown) onLogout(this.#controller, error);
      throw error;
    }
  }

  #means(error: unknown, call: FailedCall): boolean {
    const { isLogout, origins } = this.#options, { status, response } = Object(error);
    if (isLogout) return isLogout(error, call);
    if (status !== 401 || call.endpoint.sideEffect) return false;
    return !origins || origins.includes(originOf(response?.url) ?? page.location?.origin ?? "");
  }
}

const originOf = (url = ""): string | undefined => URL.canParse(url) ? new URL(url).origin : undefined;
