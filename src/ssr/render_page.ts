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

/** Options of {@linkcode renderPage}, of the page's controller, and of the element that holds the data. */
export interface RenderPageOptions extends PageRunOptions, StateScriptOptions {}

/** A rendered page. */
export interface Page {
  /** The HTML of the components. */
  readonly html: string;
  /** The element with the data, for `readState` in the browser; see `stateScript`. */
  readonly script: string;
  /** 200; 500 if code failed; if only reads failed, the first status that one of them was answered with (404 …), or 500. */
  readonly status: number;
  /** The errors of reads, and of code below a boundary. */
  readonly errors: readonly unknown[];
  /** Whether all data are on the page. It is false when the deadline or the limit of ten renderings ended the work. */
  readonly isComplete: boolean;
}

/**
 * Renders a page with all of its data for one request. The page has its own store, which no other request shares.
 *
 * Components fetch as they do in the browser, and requests that do not depend on each other run at the same time. The
 * page is rendered again until no component waits, mostly twice. An error below a boundary is shown by the boundary's
 * `errorComponent`; without one, the page shows the fallback, and the browser tries again.
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
 * @param render Returns the page. Its `DataProvider` must get the controller.
 * @param options Options of the controller, and of the element that holds the data.
 * @returns The page, its data, and the status for the response.
 * @throws An error that a component throws outside of any boundary; the reason of `signal` when that is aborted.
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

/** Options of one page: its controller, its deadline and the signal of its request. */
export interface PageRunOptions extends ControllerOptions {
  /**
   * How long to wait for the page's requests, in ms. After that, boundaries that still wait show their fallback, and the
   * browser fetches their data. 10,000 by default.
   */
  readonly deadline?: number | undefined;
  /** The signal of the incoming request: when the client has gone, the page's own requests are aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** A limit, because a page whose components request something new in each rendering would never end. */
const MOST_ROUNDS = 10;

/** One page with its own store, rendered until no component in it waits. */
export class PageRun {
  readonly controller: Controller;
  /** The regions of the last rendering. */
  regions!: Regions;
  /** Whether nothing waited in the last rendering. */
  isComplete = false;
  /** Errors thrown outside of any boundary after the first part was sent. */
  readonly late: unknown[] = [];
  readonly #render: (controller: Controller) => ComponentChild;
  readonly #token = crypto.randomUUID();
  /** Resolves at the deadline, and rejects when the client has gone. */
  readonly #end: Promise<void>;
  readonly #over = new AbortController();
  /** To be called when the client has gone. */
  leave!: (reason: unknown) => void;
  #isRendering = false;
  #isLate = false;
  #rounds = 0;

  constructor(
    render: (controller: Controller) => ComponentChild,
    { deadline = 1e4, signal, use = [], ...options }: PageRunOptions,
  ) {
    if (typeof render != "function") throw new UsageError(1111, ["renderPage()", "a function that returns the page"]);
    signal?.throwIfAborted();
    this.#render = render;
    const answered = new Set<Answer>();
    this.controller = new Controller({
      ...options,
      use: [{
        // A read without holders is aborted, and the component that asked for it is gone before the reply comes.
        start: (flight: Flight) => void flight.holders++,
        settle: ({ answer }: Flight) => answer && answered.add(answer),
      }, ...use],
    });
    const { store } = this.controller, find = store.answer.bind(store), freshUntil = store.freshUntil.bind(store);
    // A region waits for the answers that its components read, because a request in flight may change them.
    store.answer = (...args) => {
      const answer = find(...args);
      if (this.#isRendering) this.regions.current.reads.push(answer);
      return answer;
    };
    // An answer that came for this page is fresh until the page is done; else the page would fetch it again.
    store.freshUntil = (answer) => answered.has(answer) ? Infinity : freshUntil(answer);
    this.#end = new Promise((resolve, reject) => {
      this.leave = reject;
      const timer = setTimeout(() => {
        this.#isLate = true;
        resolve();
      }, Math.min(deadline, 2e9));
      this.#over.signal.addEventListener("abort", () => clearTimeout(timer));
    });
    // It may reject while nothing awaits it, which must not be an unhandled rejection.
    this.#end.catch(() => {});
    signal?.addEventListener("abort", () => this.leave(signal.reason), this.#over);
  }

  /** Renders the page with the data so far. Returns whether it is the last time: nothing waits, or a limit is reached. */
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
  /** Renders again while the page is sent. An error outside of any boundary is kept: the browser will meet it, too. */
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
  /** A provider must use this page's store: another page's store holds another visitor's data, a new one stays empty. */
  #check({ type, props }: VNode<{ value?: unknown }>): void {
    if (type === ControllerContext.Provider && props.value !== this.controller) throw new UsageError(1101);
  }
  /** Waits for all requests of the last rendering; with `isSome`, for the first of them. */
  async wait(isSome = false): Promise<void> {
    const { awaited } = this.regions;
    await Promise.race([this.#end, isSome ? Promise.race(awaited.map(settled)) : Promise.allSettled(awaited)]);
    // Replies that come together are rendered together, and the deadline's timer runs even if all promises are settled.
    await Promise.race([this.#end, new Promise((go) => setTimeout(go))]);
    if (isSome) this.#rounds -= 1;
  }

  /** The errors of reads and of code while the page was rendered. */
  get errors(): readonly unknown[] {
    return [...new Set([...this.#readErrors, ...this.regions.thrown, ...this.late])];
  }
  /** 500 if code failed; else the first status of a failed read. */
  get status(): number {
    const { errors } = this, reads: readonly Value[] = this.#readErrors;
    if (!errors.length) return 200;
    const status = reads.map((error) => error?.status).find((one) => one >= 400 && one < 600);
    return errors.every((error) => reads.includes(error)) && typeof status == "number" ? status : 500;
  }
  get #readErrors(): readonly unknown[] {
    return [...this.controller.store.answers()].flatMap(({ error }) => error === undefined ? [] : [error]);
  }

  /** Aborts the requests in flight. The store can still be read. */
  stop(): void {
    this.#over.abort();
    this.controller.cleanup();
  }
}
const settled = (promise: PromiseLike<unknown>): PromiseLike<unknown> => promise.then(() => {}, () => {});
