import type { Controller } from "../controller/controller.ts";
import type { Action, Dispatch, SubscribeAction, UnsubscribeAction } from "../controller/action.ts";
import type { Part } from "../controller/controller.ts";
import { clock } from "../deps/clock.ts";
import type { AnyEndpoint } from "../endpoint/interface.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import { isSameShape } from "../store/entry.ts";
import { setBack } from "../store/freshness.ts";
import type { Patch } from "../store/patch.ts";
import type { StorePart } from "../store/store.ts";
import { attempt } from "../errors/report_error.ts";
import { isAwake, listenToPage } from "./_page.ts";
import { type Session, SessionManager } from "./_sessions.ts";

/**
 * Asks again and again for what somebody has subscribed to, as often as the `pollFrequency` of the endpoint says. Of
 * several subscribers of one key the most impatient decides. The first time is reckoned from the last fetch. Nothing is
 * asked while the page is hidden or offline; what was due meanwhile is asked once when it is back.
 *
 * `useLive` and `useSubscription` bring one along: an app with these hooks need not name it. Polls are reads like others:
 * they join one in flight, an error is the key's error by the endpoint's own `errorPolicy`, and the request of the last
 * subscriber that leaves is aborted.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, onCommit, PollingManager } from "@rejoin/data";
 *
 * const getPrice = new Endpoint(async () => await Promise.resolve({ price: 5 }), {
 *   name: "getPrice",
 *   pollFrequency: 10,
 * });
 * using controller = new Controller({ managers: [new PollingManager()] });
 * const price = new Promise((resolve) => onCommit(controller, () => resolve(controller.getResponse(getPrice).data?.price)));
 * controller.subscribe(getPrice);
 * assert(await price === 5);
 * controller.unsubscribe(getPrice);
 * ```
 */
export class PollingManager extends SessionManager {
  constructor() {
    super((controller) => new Polls(controller));
  }
}

/**
 * For hooks: subscriptions that no manager in the list of a controller claims are polled from now on. So the hooks that
 * need polling bring it, and an app without them does not load it.
 */
export function servePolls(controller: Controller): void {
  const { store } = controller;
  if (store.parts.some(({ serve }: Part) => serve !== undefined)) return;
  let polls: Polls | undefined;
  const part: Part = {
    serve: (subscription) => (polls ??= new Polls(controller)).take(subscription),
    cleanup: () => polls?.stop(),
  };
  store.join(part);
}

function isSubscription(action: Action): action is SubscribeAction | UnsubscribeAction {
  return action.type === "subscribe" || action.type === "unsubscribe";
}

/** All that is polled for one controller. */
class Polls implements Session, StorePart {
  readonly #controller: Controller;
  readonly #byKey = new Map<string, Poll[]>();
  readonly #unlisten: () => void;
  readonly #leave: () => void;

  constructor(controller: Controller) {
    this.#controller = controller;
    this.#leave = controller.store.join(this);
    const look = (): void => {
      for (const polls of this.#byKey.values()) for (const poll of polls) poll.schedule();
    };
    this.#unlisten = listenToPage(look, "visibilitychange", "online", "offline");
  }

  stop(): void {
    this.#unlisten();
    this.#leave();
    for (const polls of this.#byKey.values()) for (const poll of polls) poll.stop();
    this.#byKey.clear();
  }

  /** What was taken away is due, as what was never there: who shows it need not read it in a way that asks. */
  committed({ reset, entries }: Patch, done: unknown): void {
    // An answer that was invalidated is so until the next one: that it could not be had is no reason to ask at once.
    const isTaken = (done as Action).type === "invalidate";
    if (!reset && !isTaken) return;
    for (const [key, polls] of this.#byKey) {
      const isGone = reset || entries.some((entry) => entry.key === key);
      if (isGone) { for (const poll of polls) poll.begin(); }
    }
  }

  /** Claims the subscriptions of endpoints that have a `pollFrequency`. */
  handle(action: Action, next: Dispatch): unknown {
    return isSubscription(action) && this.take(action) ? undefined : next(action);
  }

  /** Whether a subscription is served here. */
  take(action: SubscribeAction | UnsubscribeAction): boolean {
    const { endpoint, args, key } = action;
    const { pollFrequency } = endpoint;
    if (pollFrequency === undefined) return false;
    const polls = this.#byKey.get(key) ?? [];
    let poll = polls.find((other) => isSameShape(other.endpoint, endpoint));
    if (action.type === "subscribe") {
      if (typeof pollFrequency !== "number" || !(pollFrequency > 0)) {
        throw new EndpointError(endpoint.name, said(701, { name: endpoint.name, frequency: pollFrequency }));
      }
      if (poll === undefined) {
        polls.push(poll = new Poll(this.#controller, key));
        this.#byKey.set(key, polls);
      }
      poll.add(endpoint, args, pollFrequency);
      return true;
    }
    if (poll === undefined) return false;
    if (poll.remove(pollFrequency)) {
      poll.stop();
      polls.splice(polls.indexOf(poll), 1);
      if (polls.length === 0) this.#byKey.delete(key);
    }
    return true;
  }
}

/** What was just asked for is asked for again after so many ms at the earliest, however often it is taken away. */
const REST = 1_000;

/** What is asked again and again for one key and shape. */
class Poll {
  /** That of the last subscriber: a hook may have given it another token. */
  endpoint!: AnyEndpoint;
  readonly #controller: Controller;
  readonly #key: string;
  #args: readonly unknown[] = [];
  /** How many subscribers want which frequency. */
  readonly #wanted = new Map<number, number>();
  /** When it was last asked for, in ms of the clock that never jumps. */
  #askedAt: number | undefined;
  /** It is not asked for before, in the same ms. */
  #restUntil = -Infinity;
  #stopTimer: (() => void) | undefined;
  /** Lets the last request go that was asked for. */
  #release: (() => void) | undefined;

  constructor(controller: Controller, key: string) {
    this.#controller = controller;
    this.#key = key;
  }

  add(endpoint: AnyEndpoint, args: readonly unknown[], frequency: number): void {
    this.endpoint = endpoint;
    this.#args = args;
    this.#wanted.set(frequency, (this.#wanted.get(frequency) ?? 0) + 1);
    this.schedule();
  }

  /** As if it had never been asked for, but that is not so long ago: whoever takes away what fails would do so for ever. */
  begin(): void {
    if (this.#askedAt !== undefined) this.#restUntil = this.#askedAt + Math.min(REST, this.#frequency);
    this.#askedAt = undefined;
    this.schedule();
  }

  /** Whether nobody is left. */
  remove(frequency: number): boolean {
    const count = this.#wanted.get(frequency) ?? 0;
    if (count > 1) this.#wanted.set(frequency, count - 1);
    else this.#wanted.delete(frequency);
    this.schedule();
    return this.#wanted.size === 0;
  }

  stop(): void {
    this.#wanted.clear();
    this.schedule();
    this.#release?.();
  }

  /** Sets the timer by what is wanted and by what the page does now. */
  schedule(): void {
    this.#stopTimer?.();
    if (this.#wanted.size === 0 || !isAwake()) return;
    // A reader may have asked meanwhile.
    const go = (): void => this.#wait() > 0 ? this.schedule() : this.#ask();
    this.#stopTimer = clock.setTimeout(go, Math.max(0, this.#wait()));
  }

  /** How long until it is due, in ms. */
  #wait(): number {
    const frequency = this.#frequency;
    this.#askedAt ??= this.#lastAsked();
    const dueAt = Math.max(this.#restUntil, (this.#askedAt ?? -Infinity) + frequency);
    return frequency === Infinity ? Infinity : dueAt - clock.monotonic();
  }

  get #frequency(): number {
    return Math.min(...this.#wanted.keys());
  }

  #ask(): void {
    this.#askedAt = clock.monotonic();
    // First of all: whatever becomes of this request, there is a next one.
    this.schedule();
    attempt(() => {
      const flight = this.#controller.startRead(this.endpoint, this.#args, this.#key);
      // Nobody is there any more.
      if (flight === undefined || this.#wanted.size === 0) return;
      const before = this.#release;
      this.#release = this.#controller.hold(flight);
      // It may be the same one, still on its way.
      before?.();
    });
  }

  /** When the answer that is there was asked for, as far as the store knows; `undefined`: it is due. */
  #lastAsked(): number | undefined {
    const { store } = this.#controller;
    const entry = store.entries.get(this.#key, this.endpoint);
    if (entry === undefined || !entry.hasResult) return undefined;
    const age = clock.now() - (entry.fetchedAt + setBack(entry));
    // It is of a clock that is ahead: nobody knows how old it is.
    return age >= 0 ? clock.monotonic() - age : undefined;
  }
}
