import type { Controller } from "../controller/controller.ts";
import type { ComponentChild } from "../deps/preact.ts";
import { PageRun, type PageRunOptions } from "./_page_run.ts";
import { StateWriter } from "./_state_writer.ts";
import type { StateScriptOptions } from "./state_script.ts";
import { STATE_ID } from "./_written.ts";

/** What {@linkcode renderPage} takes beside the page: options of its controller, and of the element with the data. */
export interface RenderPageOptions extends PageRunOptions, StateScriptOptions {}

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
  /** Nothing is left to the browser: neither the deadline nor requests without end have ended the rendering. */
  readonly isComplete: boolean;
}

/**
 * Renders a page with all of its data, for one request: with a store of its own, which nobody else's request shares.
 *
 * Components fetch as they do in the browser. What does not depend on each other is asked for at the same time; what a
 * read of an `AsyncBoundary` fails with is shown by its `errorComponent`. The page is rendered until a rendering asks for
 * nothing new, mostly twice. What is not there at the deadline is left to the browser, with the `fallback` of its
 * `AsyncBoundary` in its place.
 *
 * @param render Gives the page; its `DataProvider` is to take the controller.
 * @param options Of the controller, and of the element with the data.
 * @returns The page, its data, and with which status to answer.
 * @throws What a component throws outside of any boundary; the reason of `signal`, when that is aborted.
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
  { id = STATE_ID, nonce, ...options }: RenderPageOptions = {},
): Promise<Page> {
  const run = new PageRun(render, options);
  try {
    while (!run.render()) await run.wait();
    const { controller, regions, isComplete } = run;
    const { status, errors } = controller;
    const script = new StateWriter(controller, id, nonce).next(regions.late);
    return { html: regions.plainHtml, script, status, errors, isComplete };
  } finally {
    run.stop();
  }
}
