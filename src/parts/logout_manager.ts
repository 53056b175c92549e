import { page } from "./page.ts";
import type { Controller } from "../controller/controller.ts";
import type { Flight, Part, PartHost } from "../controller/part.ts";
import type { RunEndpoint } from "../endpoint/endpoint_types.ts";
import type { Args, Value } from "../plain/value.ts";

/** A call that failed. */
export interface FailedCall {
  readonly endpoint: RunEndpoint;
  readonly args: Args;
  readonly key: string;
}

/** Options of {@linkcode LogoutManager}. */
export interface LogoutManagerOptions {
  /**
   * The origins of the API, as in `["https://api.example.com"]`. A 401 from elsewhere is no logout. By default all
   * count.
   */
  readonly origins?: readonly string[] | undefined;
  /**
   * Whether an error means that the session has ended. By default it does if `error.status === 401`, the call is a
   * read, and the response comes from one of the `origins`. A 401 of a mutation may come from the login form itself.
   */
  isLogout?(error: unknown, call: FailedCall): boolean;
  /** What to do at a logout. Defaults to `controller.resetEntireStore()`. */
  onLogout?(controller: Controller, error: unknown): unknown;
}

/**
 * A part that empties the store when a read gets a 401, so that the next user does not see the data of the last one.
 *
 * Several requests that fail together are one logout, and so are the requests of mounted components after it: a 401 is
 * an ordinary error until a mutation succeeds or a refused read is answered. After that, a 401 of a read that started
 * earlier is no logout. As at any reset, requests in flight reject with an ending (`isEnding`), and so does the refused
 * read itself; `onLogout` gets the error.
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
  /** Whether there was a logout, and no reply since has shown a new session. */
  #isOut = false;
  /** The tick when a reply showed the new session. */
  #since = 0;
  /** The keys of the reads that were refused since the logout. */
  readonly #refused = new Set<string>();

  /** @param options What counts as a logout, and what to do then. */
  constructor(options: LogoutManagerOptions = {}) {
    this.#options = options;
  }

  /** Takes the controller that it empties. */
  install(controller: PartHost): void {
    this.#controller = controller as Controller; // every host of a part is a Controller
  }

  /** Checks the outcome of each request. */
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
