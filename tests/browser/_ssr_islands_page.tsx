// The page of `ssr_test.tsx` with islands: one store, and a root for each.
import { Controller, hydrate as hydrateState, memory } from "@rejoin/data";
import { ControllerProvider } from "@rejoin/data/preact";
import { readState } from "@rejoin/data/ssr";
import { hydrate } from "preact";
import { Island } from "./_ssr_islands.tsx";

const controller = new Controller({ use: [hydrateState(readState() ?? null), memory()], strict: true });
const before = document.querySelector("#app")!.innerHTML;
for (const element of document.querySelectorAll<HTMLElement>("[data-island]")) {
  hydrate(
    <ControllerProvider controller={controller}>
      <Island origin={location.origin} id={element.dataset.island!} />
    </ControllerProvider>,
    element,
  );
}
Object.assign(globalThis, { before, at: [...document.querySelectorAll("[data-island]")].map((it) => it.innerHTML) });
document.documentElement.classList.add("alive");
