import { UsageError } from "../errors/errors.ts";
import type { Controller } from "../controller/controller.ts";
import type { ComponentChild } from "../deps/preact.ts";
import { type Page, PageRun, type RenderPageOptions } from "./render_page.ts";
import { PageSender } from "./page_sender.ts";
import { nonceText, stateScript } from "./state_script.ts";

/** Options of {@linkcode renderPageToStream}. */
export interface RenderPageToStreamOptions extends RenderPageOptions {
  /** Returns the whole document, given the HTML of the components. */
  readonly document: (html: string) => string;
}

/** A page that is being sent. */
export interface PageStream {
  /** The document, for `new Response(body)`. Cancelling the stream aborts the page's requests. */
  readonly body: ReadableStream<Uint8Array>;
  /** The status as in {@linkcode Page}, for errors before the first part was sent. */
  readonly status: number;
  /** Resolves when the last part was sent or the client has gone. It never rejects. */
  readonly done: Promise<Pick<Page, "errors" | "isComplete">>;
}

/**
 * Renders a page as `renderPage` does, and sends each part as soon as it is ready. The first part has the fallbacks of
 * all boundaries that wait. When everything in an `AsyncBoundary` is ready, it is sent and replaces the fallback. The data
 * come last. Nothing is sent before the components outside of all boundaries are ready.
 *
 * Hydrate after the whole page has come; scripts of `type="module"` run then.
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
 *
 * @param render Returns the page. Its `DataProvider` must get the controller.
 * @param options The document, and options of the controller and of the element that holds the data.
 * @returns The stream and its status, when the first part is ready.
 * @throws An error that a component throws outside of any boundary before that; the reason of `signal` when that is aborted.
 */
export async function renderPageToStream(
  render: (controller: Controller) => ComponentChild,
  { document, id, nonce, ...options }: RenderPageToStreamOptions,
): Promise<PageStream> {
  if (typeof document != "function") throw new UsageError(1111, ["renderPageToStream()", "{ document: (html) => … }"]);
  const run = new PageRun(render, options), sender = new PageSender(nonceText(nonce));
  let isLast: boolean;
  try {
    while (!(isLast = run.render()) && run.regions.page.awaited.length) await run.wait(true);
  } catch (error) {
    run.stop();
    throw error;
  }
  const { status } = run;
  let resolve: (outcome: Pick<Page, "errors" | "isComplete">) => void;
  const done = new Promise<Pick<Page, "errors" | "isComplete">>((settle) => resolve = settle);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(stream) {
      const write = (text: string) => text && stream.enqueue(encoder.encode(text));
      try {
        const whole = document(isLast ? run.regions.plainHtml : sender.first(run.regions));
        const found = [...whole.matchAll(/<\/body>/gi)].at(-1)?.index ?? whole.length;
        let text = whole.slice(0, found) + (isLast ? "" : sender.script);
        while (!isLast) {
          write(text);
          await run.wait(true);
          isLast = run.tryRender();
          text = sender.changes(run.regions, isLast);
        }
        write(text + stateScript(run.controller, { id, nonce }) + whole.slice(found));
        stream.close();
      } catch (error) {
        // The client has gone.
        run.late.push(error);
        stream.error(error);
      } finally {
        run.stop();
        resolve({ errors: run.errors, isComplete: run.isComplete && !run.late.length });
      }
    },
    cancel: (reason) => run.leave(reason),
  });
  return { body, status, done };
}
