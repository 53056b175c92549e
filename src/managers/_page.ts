/**
 * What the platform says of the page: whether anybody sees it, and whether there is a network. Where there is no page
 * (Deno, Node, a worker), it is seen; where nobody says, there is a network.
 *
 * @module
 */

/** What can be heard of the page. */
export interface PageListeners {
  /** It was hidden, or is seen again. */
  readonly visibility?: (() => void) | undefined;
  /** Its window has the focus. */
  readonly focus?: (() => void) | undefined;
  /** The network came or went. */
  readonly network?: (() => void) | undefined;
}

/** Whether the page may be seen. */
export function isVisible(): boolean {
  return page()?.visibilityState !== "hidden";
}

/** Whether there may be a network. */
export function isOnline(): boolean {
  const { navigator } = globalThis as { readonly navigator?: { readonly onLine?: boolean } };
  return navigator?.onLine !== false;
}

/**
 * Listens to the page.
 *
 * @param listeners What to call.
 * @returns How to stop it.
 */
export function listenToPage({ visibility, focus, network }: PageListeners): () => void {
  const stops = [
    listen(page(), "visibilitychange", visibility),
    listen(globalThis, "focus", focus),
    listen(globalThis, "online", network),
    listen(globalThis, "offline", network),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** As much of a page as is used: its types are not there for whoever checks without them. */
interface Page extends Partial<EventTarget> {
  readonly visibilityState?: string;
}

function page(): Page | undefined {
  return (globalThis as { readonly document?: Page }).document;
}

function listen(
  target: Partial<EventTarget> | undefined,
  type: string,
  listener: (() => void) | undefined,
): () => void {
  // Node has no events of the global object.
  if (listener === undefined || typeof target?.addEventListener !== "function") return () => {};
  target.addEventListener(type, listener);
  return () => target.removeEventListener!(type, listener);
}
