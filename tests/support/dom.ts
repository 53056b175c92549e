/**
 * A document for tests of components, without a browser. To be imported before anything that renders.
 *
 * @module
 */
import { Window } from "happy-dom";
import { holdFrames } from "../../src/testing/effects.ts";

export { flush as rendered, mount, type Mounted, settled } from "@rejoin/data/testing";

Object.assign(globalThis, { document: new Window().document });
// Effects run when the test says so, by `settled()`.
holdFrames();
