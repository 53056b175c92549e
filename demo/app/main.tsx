import { readState } from "@rejoin/data/ssr";
import { hydrate, render } from "preact";
import { App, loadPlace } from "./app.tsx";
import { startRouting } from "./route.ts";

startRouting();
await loadPlace();
const root = document.getElementById("app")!;
const state = readState();
if (state) hydrate(<App state={state} />, root);
else render(<App />, root);
// From here on a click is heard: tests on a slow machine wait for it.
root.dataset.live = "";
