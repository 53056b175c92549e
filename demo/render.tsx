/** The page as its server sends it: with what it shows, and with the data for the browser. */
import { renderPage } from "@rejoin/data/ssr";

/** What of the page the server has made. */
export interface Rendered {
  /** For the element `#app`, and what stands behind it. */
  readonly html: string;
  readonly script: string;
  readonly status: number;
}

/** How long the page may wait for its own API, in ms; the browser asks for what is not there then. */
const DEADLINE = 1_000;

let last: Promise<unknown> = Promise.resolve();

/** Renders the page of an address. One after the other: the address is a signal that all components share. */
export function renderAt(url: URL): Promise<Rendered> {
  const rendered = last.then(() => run(url));
  last = rendered.catch(() => {});
  return rendered;
}

async function run(url: URL): Promise<Rendered> {
  // The addresses of the API are relative to the page, and so are the keys of its answers. Here is no page.
  Object.defineProperty(globalThis, "location", { value: url, configurable: true });
  const [{ App, loadPlace }, { goTo }] = await Promise.all([import("./app/app.tsx"), import("./app/route.ts")]);
  goTo(url);
  await loadPlace();
  return await renderPage((controller) => <App controller={controller} />, { deadline: DEADLINE });
}
