import type { Controller } from "../controller/controller.ts";
import type { ComponentChild } from "../deps/preact.ts";
import { PageRun, type PageRunOptions } from "./page_run.ts";
import { stateScript, type StateScriptOptions } from "./state_script.ts";

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
