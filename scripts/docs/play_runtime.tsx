/**
 * What an example runs on in the page: the server that it declares, and a place to show its component.
 *
 * @module
 */
import { Controller, defaultManagers, PollingManager } from "@rejoin/data";
import { inspect } from "@rejoin/data/inspector";
import { AsyncBoundary, DataProvider } from "@rejoin/data/preact";
import { type ComponentChild, render } from "preact";

/** Answers what the example asks. */
type Handler = (request: Request) => Response | Promise<Response>;

const { dataset } = document.documentElement;
document.documentElement.style.colorScheme = dataset.theme ?? "";
document.body.style.font = "16px/1.5 system-ui, sans-serif";

let controller: Controller | undefined;
addEventListener("message", ({ data }) => {
  if (data === "inspect") inspect(controller!, { open: true });
  else dataset.server = String(data);
});

/** The server of an example: good, slow or failing, as the reader wants it. */
export function serve(handler: Handler): void {
  globalThis.fetch = async (input, init) => {
    const request = input instanceof Request
      ? new Request(input, init)
      : new Request(new URL(input, document.baseURI), init);
    const { server } = dataset;
    await sleep(server === "slow" ? 2_000 : 150, request.signal);
    return server === "failing" ? Response.json({}, { status: 500 }) : await handler(request);
  };
}

/** Shows a component, in a provider and a boundary. */
export function show(app: ComponentChild): void {
  controller = new Controller({ strict: true, managers: [...defaultManagers(), new PollingManager()] });
  render(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback={<p>Loading …</p>}>{app}</AsyncBoundary>
    </DataProvider>,
    document.getElementById("app")!,
  );
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, ms);
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}
