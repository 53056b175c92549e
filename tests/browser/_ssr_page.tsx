// The page of `ssr_test.tsx`: hydrates what a server has rendered, and watches what that does to the document.
import { readState } from "@rejoin/data/ssr";
import { hydrate } from "preact";
import { App } from "./_ssr_app.tsx";

/** What the page gives to the test. */
export interface HydratedPage {
  /** What has changed in the document since before it was hydrated. */
  readonly changes: readonly string[];
  /** What violated the policy of the page. */
  readonly violations: readonly string[];
}

const changes: string[] = [];
const violations = (globalThis as { violations?: string[] }).violations ?? [];
Object.assign(globalThis, { hydrated: { changes, violations } satisfies HydratedPage });

const root = document.querySelector("#app")!;
new MutationObserver((records) => {
  for (const { type, target, addedNodes, removedNodes, attributeName, oldValue } of records) {
    const names = (nodes: NodeList) =>
      [...nodes].map(({ nodeName, textContent }) => `${nodeName} ${textContent}`).join();
    const before = oldValue === null ? "" : `${oldValue} → ${target.textContent}`;
    changes.push(
      `${type} ${target.nodeName} ${attributeName ?? ""} +${names(addedNodes)} -${names(removedNodes)}${before}`,
    );
  }
}).observe(root, {
  subtree: true,
  childList: true,
  attributes: true,
  characterData: true,
  characterDataOldValue: true,
});

hydrate(<App origin={location.origin} path={location.pathname} state={readState()} />, root);
