import type { Controller, ControllerOptions } from "../controller/controller.ts";
import { clock } from "../deps/clock.ts";
import type { ComponentChild } from "../deps/preact.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { PageController } from "./_page_controller.ts";
import { Regions } from "./_regions.ts";
import { renderOnce } from "./_render_once.ts";

/** How long, and for whom, a page is rendered. */
export interface PageRunOptions extends ControllerOptions {
  /**
   * How long to wait for what the page asks for, in ms; what is not there then is left to the browser, and the fallback of
   * its boundary stands in its place. `Infinity`: as long as it takes. Default: 10,000.
   */
  readonly deadline?: number | undefined;
  /** Of the request: when the client has gone, what was asked for is given up, too. */
  readonly signal?: AbortSignal | undefined;
}

/** Whoever waits longer for a page has gone. */
const DEADLINE = 10_000;
/** A page whose components ask for something new each time they are rendered would never be done. */
const MOST_ROUNDS = 10;

/** The token of the page that a store was first shown on. */
const owners = /* @__PURE__ */ new WeakMap<Controller, string>();

/** One page, which is rendered until it is whole, with a store of its own. */
export class PageRun {
  readonly controller: PageController;
  /** The last rendering. */
  regions!: Regions;
  /** Everything is there. */
  isComplete = false;
  /** Nobody reads it any more. */
  hasLeft = false;
  readonly #render: (controller: Controller) => ComponentChild;
  readonly #signal: AbortSignal | undefined;
  readonly #token = [...crypto.getRandomValues(new Uint32Array(4))].join("x");
  /** Resolves when there is no more time, and rejects when the client has gone. */
  readonly #end: Promise<void>;
  /** The client has gone. */
  readonly leave: (reason: unknown) => void;
  readonly #aborted: () => void;
  #stopTimer: (() => void) | undefined;
  #isLate = false;
  #isPartial = false;
  #rounds = 0;

  constructor(
    render: (controller: Controller) => ComponentChild,
    { deadline = DEADLINE, signal, ...options }: PageRunOptions,
  ) {
    signal?.throwIfAborted();
    if (typeof deadline !== "number" || !(deadline >= 0)) {
      throw new RejoinError(`Cannot render a page: deadline must be a number of ms, not ${deadline}`);
    }
    this.#render = render;
    this.#signal = signal;
    this.controller = new PageController(options);
    let leave: (reason: unknown) => void;
    this.#end = new Promise((resolve, reject) => {
      leave = reject;
      this.#stopTimer = clock.setTimeout(() => {
        this.#isLate = true;
        resolve();
      }, deadline);
    });
    // Nobody may be waiting just then.
    this.#end.catch(() => {});
    this.leave = (reason) => {
      this.hasLeft = true;
      leave(reason);
    };
    this.#aborted = () => this.leave(signal!.reason);
    signal?.addEventListener("abort", this.#aborted);
  }

  /**
   * Renders the page with what there is.
   *
   * @returns Whether it is the last time, for one reason or another.
   */
  render(): boolean {
    const { controller } = this;
    const { asked } = controller;
    const regions = new Regions(this.#token);
    controller.keepErrors();
    controller.changing = (flight) => regions.change(flight);
    try {
      renderOnce(() => this.#render(controller), regions, (shown) => this.#claim(shown));
    } finally {
      controller.changing = undefined;
    }
    const isAsking = controller.asked !== asked;
    if (isAsking || !this.#isPartial) this.#rounds++;
    // Who has waited for all of it need not ask what is still in flight: a middleware may keep that for ever.
    const isChanging = (this.#isPartial || this.#isLate) && regions.flights.length > 0;
    this.isComplete = regions.waits.length === 0 && !isAsking && !isChanging;
    this.regions = regions;
    const isEndless = !this.isComplete && this.#rounds >= MOST_ROUNDS;
    if (isEndless && controller.asked === 0) {
      console.warn(
        "The page waits, and has asked nothing of its own store. Write <DataProvider controller={controller}>, with the " +
          "controller that the function you gave gets; or keep the promise that a component throws",
      );
    }
    return this.isComplete || this.#isLate || isEndless;
  }

  /**
   * Waits for what the last rendering has asked for.
   *
   * @throws The reason of the signal, when the client has gone.
   */
  async wait(): Promise<void> {
    await this.#until(Promise.allSettled(this.regions.waits).then(() => this.controller.allSettled()));
  }

  /**
   * Waits for some of it.
   *
   * @throws The reason of the signal, when the client has gone.
   */
  async waitForSome(): Promise<void> {
    this.#isPartial = true;
    const { waits, flights } = this.regions;
    const settled = [...waits, ...flights].map((wait) => wait.then(() => {}, () => {}));
    await this.#until(settled.length === 0 ? this.controller.allSettled() : Promise.race(settled));
    // What comes at the same time is rendered at the same time; and who throws promises that are kept blocks nobody.
    await this.#until(new Promise<void>((resolve) => clock.setTimeout(resolve, 0)));
  }

  async #until(moment: Promise<void>): Promise<void> {
    await Promise.race([this.#end, moment]);
    // Another may have won.
    if (this.hasLeft) await this.#end;
  }

  /** A store that two pages show has of one person what the other would see. */
  #claim(shown: Controller): void {
    const owner = owners.get(shown) ?? this.#token;
    owners.set(shown, owner);
    if (owner === this.#token) return;
    throw new RejoinError(
      "The page shows the store of another one: what it holds may be somebody else's. " +
        "Write <DataProvider controller={controller}>, with the controller that the function you gave gets",
    );
  }

  /** Gives up what is in flight. What is known can still be read. */
  stop(): void {
    this.#stopTimer?.();
    this.#signal?.removeEventListener("abort", this.#aborted);
    this.controller.cleanup();
  }
}
