import { Controller } from "../controller/controller.ts";
import type { ControllerOptions } from "../controller/controller_types.ts";
import type { Flight } from "../controller/part.ts";
import type { ComponentChild, VNode } from "../deps/preact.ts";
import { UsageError } from "../errors/errors.ts";
import { ControllerContext } from "../preact/use_controller.ts";
import { Regions, renderPass } from "./render_pass.ts";
import { stateScript, type StateScriptOptions } from "./state_script.ts";
import type { Value } from "../plain/value.ts";
import type { Answer } from "../store/answers.ts";

/** What {@linkcode renderPage} takes beside the page: options of its controller, and of the element with the data. */
export interface RenderPageOptions extends PageRunOptions, StateScriptOptions {}

/** A page that was rendered. */
export interface Page {
  /** What the components have rendered. */
  readonly html: string;
  /** The element with the data, for `readState` in the browser; see `stateScript`. */
  readonly script: string;
  /** 200; 500 where code has failed; where only reads have, what the first has answered (404 …), or 500. */
  readonly status: number;
  /** What has failed: reads, and code below a boundary. */
  readonly errors: readonly unknown[];
  /** Nothing is left to the browser: neither the deadline nor requests without end have ended the rendering. */
  readonly isComplete: boolean;
}

/**
 * Renders a page with all of its data, for one request: with a store of its own, which no other request shares.
 *
 * Components fetch as they do in the browser; what does not depend on each other is asked for at the same time. The page
 * is rendered until a rendering asks for nothing new, mostly twice. What fails below a boundary is shown by its
 * `errorComponent`; without one, the fallback stands there, and the browser tries again.
 *
 * @example
 * ```tsx
 * import { assertEquals } from "@std/assert";
 * import { type Controller, Endpoint, Entity } from "@rejoin/data";
 * import { AsyncBoundary, DataProvider, useSuspense } from "@rejoin/data/preact";
 * import { renderPage } from "@rejoin/data/ssr";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const getArticle = new Endpoint(
 *   async ({ id }: { id: string }) => await Promise.resolve({ id, title: "Hello" }),
 *   { name: "getArticle", schema: Article },
 * );
 * const ArticlePage = ({ id }: { id: string }) => <h1>{useSuspense(getArticle, { id }).title}</h1>;
 * const App = ({ controller }: { controller?: Controller }) => (
 *   <DataProvider controller={controller}>
 *     <AsyncBoundary fallback="…">
 *       <ArticlePage id="5" />
 *     </AsyncBoundary>
 *   </DataProvider>
 * );
 * const page = await renderPage((controller) => <App controller={controller} />);
 * assertEquals([page.html, page.status], ["<h1>Hello</h1>", 200]);
 * ```
 *
 * @param render Gives the page; its `DataProvider` is to take the controller.
 * @param options Of the controller, and of the element with the data.
 * @returns The page, its data, and with which status to answer.
 * @throws What a component throws outside of any boundary; the reason of `signal`, when that is aborted.
 */
export async function renderPage(
  render: (controller: Controller) => ComponentChild,
  { id, nonce, ...options }: RenderPageOptions = {},
): Promise<Page> {
  const run = new PageRun(render, options);
  try {
    while (!run.render()) await run.wait();
    const { controller, regions: { plainHtml }, status, errors, isComplete } = run;
    return { html: plainHtml, script: stateScript(controller, { id, nonce }), status, errors, isComplete };
  } finally {
    run.stop();
  }
}

/** How long, and for whom, a page is rendered. */
export interface PageRunOptions extends ControllerOptions {
  /**
   * How long to wait for what the page asks for, in ms. What is not there then is left to the browser, with the fallback of
   * its boundary in its place. 10,000 by default.
   */
  readonly deadline?: number | undefined;
  /** Of the request: when the client has gone, the requests of the page are aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** A page whose components ask for something new each time they are rendered would never be done. */
const MOST_ROUNDS = 10;

/** One page, with a store of its own, which is rendered until nothing in it waits. */
export class PageRun {
  readonly controller: Controller;
  /** Of the last rendering. */
  regions!: Regions;
  /** Nothing is left to the browser. */
  isComplete = false;
  /** What was thrown outside of any boundary after the first part was sent. */
  readonly late: unknown[] = [];
  readonly #render: (controller: Controller) => ComponentChild;
  readonly #token = crypto.randomUUID();
  /** Resolves when there is no more time, and rejects when the client has gone. */
  readonly #end: Promise<void>;
  readonly #over = new AbortController();
  /** The client has gone. */
  leave!: (reason: unknown) => void;
  #isRendering = false;
  #isLate = false;
  #rounds = 0;

  constructor(
    render: (controller: Controller) => ComponentChild,
    { deadline = 1e4, signal, use = [], ...options }: PageRunOptions,
  ) {
    signal?.throwIfAborted();
    this.#render = render;
    const answered = new Set<Answer>();
    this.controller = new Controller({
      ...options,
      use: [{
        // A component that asked is rendered and gone before the answer comes.
        start: (flight: Flight) => void flight.holders++,
        settle: ({ answer }: Flight) => answer && answered.add(answer),
      }, ...use],
    });
    const { store } = this.controller, find = store.answer.bind(store), freshUntil = store.freshUntil.bind(store);
    // What a component reads may still change: see `Region.awaited`.
    store.answer = (...args) => {
      const answer = find(...args);
      if (this.#isRendering) this.regions.current.reads.push(answer);
      return answer;
    };
    // What was answered is of this page, however soon it is stale.
    store.freshUntil = (answer) => answered.has(answer) ? Infinity : freshUntil(answer);
    this.#end = new Promise((resolve, reject) => {
      this.leave = reject;
      const timer = setTimeout(() => {
        this.#isLate = true;
        resolve();
      }, Math.min(deadline, 2e9));
      this.#over.signal.addEventListener("abort", () => clearTimeout(timer));
    });
    // It may reject while nothing waits for it.
    this.#end.catch(() => {});
    signal?.addEventListener("abort", () => this.leave(signal.reason), this.#over);
  }

  /** Renders the page with what there is. Returns whether it is the last time, for one reason or another. */
  render(): boolean {
    const regions = this.regions = new Regions(this.#token);
    this.#isRendering = true;
    try {
      renderPass(() => this.#render(this.controller), regions, (vnode) => this.#check(vnode));
    } finally {
      this.#isRendering = false;
    }
    this.isComplete = !regions.awaited.length;
    return this.isComplete || this.#isLate || ++this.#rounds >= MOST_ROUNDS;
  }
  /** Renders again what is being sent. What throws outside of any boundary then, the browser will meet, too. */
  tryRender(): boolean {
    const before = this.regions;
    try {
      return this.render();
    } catch (error) {
      this.late.push(error);
      this.regions = before;
      return true;
    }
  }
  /** The store of another page holds what another visitor may see, and one that is made here would never be filled. */
  #check({ type, props }: VNode<{ value?: unknown }>): void {
    if (type === ControllerContext.Provider && props.value !== this.controller) throw new UsageError(1101);
  }
  /** Waits for all that the last rendering has asked for, or for some of it. */
  async wait(isSome = false): Promise<void> {
    const { awaited } = this.regions;
    await Promise.race([this.#end, isSome ? Promise.race(awaited.map(settled)) : Promise.allSettled(awaited)]);
    // What comes at the same time is rendered at the same time; and a promise that is kept blocks nothing.
    await Promise.race([this.#end, new Promise((go) => setTimeout(go))]);
    if (isSome) this.#rounds -= 1;
  }

  /** What has failed while the page was rendered: reads, and code. */
  get errors(): readonly unknown[] {
    return [...new Set([...this.#readErrors, ...this.regions.thrown, ...this.late])];
  }
  /** 500 for code; else that of the first reply that failed. */
  get status(): number {
    const { errors } = this, reads: readonly Value[] = this.#readErrors;
    if (!errors.length) return 200;
    const status = reads.map((error) => error?.status).find((one) => one >= 400 && one < 600);
    return errors.every((error) => reads.includes(error)) && typeof status == "number" ? status : 500;
  }
  get #readErrors(): readonly unknown[] {
    return [...this.controller.store.answers()].flatMap(({ error }) => error === undefined ? [] : [error]);
  }

  /** Gives up what is in flight. What is known can still be read. */
  stop(): void {
    this.#over.abort();
    this.controller.cleanup();
  }
}
const settled = (promise: PromiseLike<unknown>): PromiseLike<unknown> => promise.then(() => {}, () => {});
