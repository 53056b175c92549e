import { Controller } from "../controller/controller.ts";
import type { ControllerOptions } from "../controller/controller_types.ts";
import type { Flight } from "../controller/flight.ts";
import type { ComponentChild } from "../deps/preact.ts";
import { renderOnce } from "./_render_once.ts";
import { stateScript, type StateScriptOptions } from "./state_script.ts";

/** What {@linkcode renderPage} takes beside the page: options of its controller, and of the element with the data. */
export interface RenderPageOptions extends ControllerOptions, StateScriptOptions {}

/** A page that was rendered. */
export interface Page {
  /** What the components have rendered. */
  readonly html: string;
  /** The element with the data, for `readState` in the browser; see `stateScript`. */
  readonly script: string;
  /** 200; where a read of the page has failed what its server has said (404 …), or 500. */
  readonly status: number;
  /** What reads of the page have failed with. */
  readonly errors: readonly unknown[];
}

/** A page whose components ask for something new each time they are rendered would never be done. */
const MOST_PASSES = 10;

/**
 * Renders a page with all of its data, for one request: with a store of its own, which nobody else's request shares.
 *
 * Components fetch as they do in the browser. What does not depend on each other is asked for at the same time; what a
 * read of an `AsyncBoundary` fails with is shown by its `errorComponent`. The page is rendered until a rendering asks for
 * nothing new, mostly twice.
 *
 * @param render Gives the page; its `DataProvider` is to take the controller.
 * @param options Of the controller, and of the element with the data.
 * @returns The page, its data, and with which status to answer.
 * @throws What a component throws outside of any boundary.
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
 * function ArticlePage({ id }: { id: string }) {
 *   return <h1>{useSuspense(getArticle, { id }).title}</h1>;
 * }
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
 */
export async function renderPage(
  render: (controller: Controller) => ComponentChild,
  { id, nonce, ...options }: RenderPageOptions = {},
): Promise<Page> {
  const controller = new PageController(options);
  try {
    const html = await renderWhole(controller, render);
    const errors = errorsOf(controller);
    return { html, script: stateScript(controller, { id, nonce }), status: statusOf(errors), errors };
  } finally {
    controller.cleanup();
  }
}

async function renderWhole(controller: PageController, render: (controller: Controller) => ComponentChild) {
  for (let pass = 1;; pass++) {
    const { asked } = controller;
    const { html, waits } = renderOnce(() => render(controller));
    if ((waits.length === 0 && controller.asked === asked) || pass >= MOST_PASSES) return html;
    await Promise.allSettled(waits);
    await controller.allSettled();
  }
}

/** The controller of one page: whoever has asked for something is rendered and gone before it comes. */
class PageController extends Controller {
  /** How many keys were asked for. */
  get asked(): number {
    return this.#keys.size;
  }

  readonly #keys = new Set<string>();

  override startRead(...args: Parameters<Controller["startRead"]>): Flight | undefined {
    const [endpoint, params, key] = args;
    const { data, error } = this.getResponseMeta(endpoint, ...params);
    // What was answered is of this page, however old it gets meanwhile.
    if (this.#keys.has(key) && (data !== undefined || error !== undefined)) return undefined;
    this.#keys.add(key);
    const flight = super.startRead(...args);
    if (flight !== undefined) this.hold(flight);
    return flight;
  }
}

function errorsOf({ store }: Controller): unknown[] {
  return [...store.entries.all()].flatMap(({ error }) => error === undefined ? [] : [error]);
}

function statusOf(errors: readonly unknown[]): number {
  if (errors.length === 0) return 200;
  const statuses = errors.map((error) => (error as { readonly status?: unknown } | null)?.status);
  const own = statuses.find((status) => typeof status === "number" && status >= 400 && status < 600);
  return own === undefined ? 500 : own as number;
}
