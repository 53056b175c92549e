import type { Controller } from "../controller/controller.ts";
import type { ComponentChild } from "../deps/preact.ts";
import { PageRun } from "./_page_run.ts";
import { PageSender } from "./_page_sender.ts";
import { nonceText, StateWriter } from "./_state_writer.ts";
import type { Page, RenderPageOptions } from "./render_page.ts";
import { STATE_ID } from "./_written.ts";

/** What {@linkcode renderPageToStream} takes beside the page. */
export interface RenderPageToStreamOptions extends RenderPageOptions {
  /** The whole document around what the components have rendered. */
  readonly document: (html: string) => string;
}

/** A page that is being sent. */
export interface PageStream {
  /** The document, for `new Response(body)`. Who cancels it gives up what the page has asked for. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** As of a {@linkcode Page}, of what has failed before the first part was sent. */
  readonly status: number;
  /** Resolves when the last part was sent, or the client has gone. It never rejects. */
  readonly done: Promise<Pick<Page, "errors" | "isComplete">>;
}

/**
 * Renders a page as {@linkcode renderPage} does, and sends each part when it is there. First comes what waits for nothing,
 * with the fallbacks of what does; then, as soon as all that an `AsyncBoundary` holds is there, that takes the place of its
 * fallback, with its data. What stands in no boundary is waited for before anything is sent.
 *
 * The page is hydrated when all of it has come, as scripts of `type="module"` are: nothing changes then, and nothing is
 * asked for.
 *
 * @param render Gives the page; its `DataProvider` is to take the controller.
 * @param options The document around it; of the controller, and of the elements with the data.
 * @returns The document, when its first part is there.
 * @throws What a component throws outside of any boundary before that; the reason of `signal`, when that is aborted.
 *
 * @example
 * ```tsx
 * import { assertStringIncludes } from "@std/assert";
 * import { type Controller, Endpoint } from "@rejoin/data";
 * import { AsyncBoundary, DataProvider, useSuspense } from "@rejoin/data/preact";
 * import { renderPageToStream } from "@rejoin/data/ssr";
 *
 * const getNews = new Endpoint(async () => await Promise.resolve("Rain"), { name: "getNews" });
 * const News = () => <p>{useSuspense(getNews)}</p>;
 * const App = ({ controller }: { controller?: Controller }) => (
 *   <DataProvider controller={controller}>
 *     <h1>News</h1>
 *     <AsyncBoundary fallback={<p>…</p>}>
 *       <News />
 *     </AsyncBoundary>
 *   </DataProvider>
 * );
 * const { body, status } = await renderPageToStream((controller) => <App controller={controller} />, {
 *   document: (html) => `<!doctype html><body><div id="app">${html}</div></body>`,
 * });
 * assertStringIncludes(await new Response(body, { status }).text(), "<template><p>Rain</p></template>");
 * ```
 */
export async function renderPageToStream(
  render: (controller: Controller) => ComponentChild,
  { document, id = STATE_ID, nonce, ...options }: RenderPageToStreamOptions,
): Promise<PageStream> {
  const run = new PageRun(render, options);
  let isLast: boolean;
  try {
    while (!(isLast = run.render()) && !run.regions.page.isSettled) await run.waitForSome();
  } catch (error) {
    run.stop();
    throw error;
  }
  const { status } = run.controller;
  const sender = new PageSender(run, document, new StateWriter(run.controller, id, nonce), nonceText(nonce));
  let finish: (end: Pick<Page, "errors" | "isComplete">) => void;
  const done = new Promise<Pick<Page, "errors" | "isComplete">>((resolve) => finish = resolve);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async start(stream) {
      const errors: unknown[] = [];
      const write = (text: string) => text !== "" && stream.enqueue(encoder.encode(text));
      try {
        write(sender.first(isLast));
        while (!isLast) {
          await run.waitForSome();
          try {
            isLast = run.render();
          } catch (error) {
            // The browser will meet it, too. What was sent stays as it is.
            errors.push(error);
            break;
          }
          if (!isLast) write(sender.next());
        }
        write(sender.last());
        stream.close();
      } catch (error) {
        errors.push(error);
        // Nothing, where who reads it has cancelled it.
        stream.error(error);
      } finally {
        const { controller, isComplete } = run;
        run.stop();
        finish({ errors: [...controller.errors, ...errors], isComplete: isComplete && errors.length === 0 });
      }
    },
    cancel: (reason) => run.leave(reason),
  });
  return { body, status, done };
}
