import { readState } from "@rejoin/data/ssr";
import { hydrate, render } from "preact";
import { App, loadPlace } from "./app.tsx";
import { startRouting } from "./route.ts";

startRouting();
await loadPlace();
const root = document.getElementById("app");
const state = readState();
if (root) {
  // A page without a server was written before anybody knew where it would be: from here on its addresses are of this place.
  for (const link of document.querySelectorAll<HTMLAnchorElement | HTMLLinkElement>("#app a[href], link[rel=icon]")) {
    const { pathname, search, hash } = new URL(link.href);
    link.setAttribute("href", pathname + search + hash);
  }
  if (state) hydrate(<App state={state} />, root);
  else render(<App />, root);
  // From here on a click is heard: tests on a slow machine wait for it.
  root.dataset.live = "";
}
