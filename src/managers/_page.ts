/**
 * What the platform says of the page: whether anybody sees it, and whether there is a network. Where there is no page
 * (Deno, Node, a worker), it is seen; where nobody says, there is a network.
 *
 * @module
 */

/** As much of a page as is used: its types are not there for whoever checks without them. */
interface Page {
  readonly document?: Partial<EventTarget> & { readonly visibilityState?: string };
  readonly navigator?: { readonly onLine?: boolean };
}

const page = globalThis as Page & Partial<EventTarget>;

/** It was hidden, or is seen again; its window has the focus; the network came, or went. */
export type PageEvent = "visibilitychange" | "focus" | "online" | "offline";

/** Whether the page may be seen. */
export function isVisible(): boolean {
  return page.document?.visibilityState !== "hidden";
}

/** Whether there may be a network. */
export function isOnline(): boolean {
  return page.navigator?.onLine !== false;
}

/** Whether both hold, so that there is a reason to ask for something. */
export function isAwake(): boolean {
  return isVisible() && isOnline();
}

/**
 * Listens to the page.
 *
 * @param run What to call, with what has happened.
 * @param types When.
 * @returns How to stop it.
 */
export function listenToPage(
  run: (event: { readonly type: string }) => void,
  ...types: readonly PageEvent[]
): () => void {
  const { document } = page;
  // Node has no events of the global object.
  const each = (method: "addEventListener" | "removeEventListener"): void => {
    for (const type of types) (type === "visibilitychange" ? document : page)?.[method]?.(type, run);
  };
  each("addEventListener");
  return () => each("removeEventListener");
}
