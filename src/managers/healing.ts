import type { Controller } from "../controller/controller.ts";
import type { Action } from "../controller/action.ts";
import { clock } from "../deps/clock.ts";
import type { AnyEndpoint } from "../endpoint/interface.ts";
import type { Patch } from "../store/patch.ts";
import type { ResponseView } from "../store/response_view.ts";
import type { StorePart } from "../store/store.ts";
import { originOf } from "./_origin.ts";
import { isAwake, listenToPage } from "./_page.ts";

/** The first wait, in ms, and the longest: a server that is down is asked ever more rarely. */
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 60_000;
/** Whoever comes back is not met by all requests at once: they begin within this time, in ms, and so many at a time. */
const SPREAD = 500;
const AT_ONCE = 4;

/** Whether what a read failed with may pass by itself. */
export function isPassing({ entry }: ResponseView): boolean {
  return entry?.error !== undefined && entry.errorPolicy === "soft";
}

/**
 * Somebody shows a read that has failed softly: it is asked again when its origin answers something, when the page is
 * looked at, or when the network is back; and where there is no data, or it has failed again, after 1 s · 2ⁿ, at most a
 * minute. Never while the page is hidden or offline.
 *
 * @param controller Whose read.
 * @param view Which one; watched by whoever shows it.
 * @returns How to let it go.
 */
export function keepAsking(controller: Controller, view: ResponseView): () => void {
  const { store } = controller;
  let healing = store.parts.find((part) => part instanceof Healing);
  if (healing === undefined) store.join(healing = new Healing(controller));
  return healing.add(view);
}

/** One read that has failed. */
interface Failure {
  readonly view: ResponseView;
  readonly origin: string;
  /** How many show it. */
  holders: number;
  error: unknown;
  /** How many waits it has had. */
  waits: number;
  /** How often its origin has come back: what fails all the same is broken by itself. */
  ups: number;
  /** Its origin has not come back since it failed. */
  isDown: boolean;
  /** When it failed last, and when it is asked again, in ms of the clock that never jumps. */
  failedAt: number;
  dueAt: number;
  /** Lets the request go by which it is asked; `undefined`: none is on its way. */
  release: (() => void) | undefined;
}

/** The failed reads of one controller that somebody shows. Where there are none it does not listen to the page. */
class Healing implements StorePart {
  readonly #controller: Controller;
  readonly #failures = new Map<ResponseView, Failure>();
  #stopTimer: (() => void) | undefined;
  #unlisten: (() => void) | undefined;

  constructor(controller: Controller) {
    this.#controller = controller;
  }

  add(view: ResponseView): () => void {
    const failures = this.#failures;
    if (failures.size === 0) {
      const look = (): void => this.#hasten(() => FIRST_WAIT);
      this.#unlisten = listenToPage(look, "visibilitychange", "focus", "online", "offline");
    }
    let failure = failures.get(view)!;
    if (failure === undefined) {
      const origin = originOf(view.endpoint as AnyEndpoint, view.args, view.entry?.error);
      const none = { error: undefined, isDown: true, failedAt: 0, dueAt: 0, release: undefined };
      failures.set(view, failure = { view, origin, holders: 0, waits: 0, ups: 0, ...none });
      this.#failed(failure);
      this.#schedule();
    }
    failure.holders++;
    return () => {
      if (--failure.holders > 0) return;
      failures.delete(view);
      failure.release?.();
      this.#schedule();
      if (failures.size === 0) this.#unlisten?.();
    };
  }

  /** What a commit tells of reads that others have asked for, and of an origin. */
  committed(_patch: Patch, done: unknown): void {
    if (this.#failures.size === 0) return;
    const action = done as Action;
    for (const failure of this.#failures.values()) {
      if (!failure.release && failure.view.entry?.error !== failure.error) this.#failed(failure);
    }
    const isAnswer = (action.type === "setResponse" || action.type === "renew") && action.ticket !== undefined;
    if (!isAnswer) return this.#schedule();
    const origin = originOf(action.endpoint, action.args);
    this.#hasten((failure) => {
      if (failure.origin !== origin || !failure.isDown) return Infinity;
      failure.isDown = false;
      return failure.ups++ === 0 ? 0 : waitAfter(failure.ups - 2);
    });
  }

  #failed(failure: Failure, isAgain = false): void {
    const { view } = failure;
    failure.error = view.entry?.error;
    failure.isDown = true;
    failure.failedAt = clock.monotonic();
    // What fails for good is for somebody to repeat by hand. Old data that is shown is no reason to ask as time passes.
    const waits = isPassing(view) && (isAgain || !view.read(this.#controller.store.graph).hasData);
    failure.dueAt = waits ? failure.failedAt + waitAfter(failure.waits++) * (1 + clock.random()) / 2 : Infinity;
  }

  /** What has failed is asked soon, but not before it has rested so many ms since. */
  #hasten(rest: (failure: Failure) => number): void {
    for (const failure of this.#failures.values()) {
      const soon = Math.max(clock.monotonic() + clock.random() * SPREAD, failure.failedAt + rest(failure));
      failure.dueAt = Math.min(failure.dueAt, soon);
    }
    this.#schedule();
  }

  #schedule(): void {
    this.#stopTimer?.();
    let asked = 0;
    let next: Failure | undefined;
    // It is done for each answer, however many have failed: they are not sorted.
    for (const failure of this.#failures.values()) {
      if (failure.release) asked++;
      else if (next === undefined || failure.dueAt < next.dueAt) next = failure;
    }
    if (!isAwake() || next === undefined || next.dueAt === Infinity || asked >= AT_ONCE) return;
    // It keeps no process alive: a server that renders pages shows nothing to anybody.
    this.#stopTimer = clock.setIdle(() => this.#ask(next!), Math.max(0, next.dueAt - clock.monotonic()));
  }

  #ask(failure: Failure): void {
    const { view } = failure;
    const settled = (): void => {
      failure.release = undefined;
      this.#failed(failure, true);
      this.#schedule();
    };
    failure.dueAt = Infinity;
    try {
      // Otherwise nobody is told of what comes, or it is there.
      if (view.watchers !== undefined && isPassing(view)) {
        const flight = this.#controller.startRead(view.endpoint as AnyEndpoint, view.args, view.key);
        // A middleware may keep it for itself.
        if (flight === undefined) return settled();
        failure.release = this.#controller.hold(flight);
        flight.promise.then(settled, settled);
      }
    } catch {
      // The controller has stopped, or the arguments make no request any more.
    }
    this.#schedule();
  }
}

/** In ms. */
function waitAfter(waits: number): number {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** waits);
}
