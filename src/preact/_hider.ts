/** Hides a row of DOM nodes in place: a wrapper element would change the app's layout. */
export class Hider {
  /** What is hidden, and how it is shown again. */
  readonly #hidden = new Map<ChildNode, () => void>();
  /** What had the focus when it was hidden; a browser takes it from what is not shown. */
  #focused: HTMLElement | undefined;

  /** Hides the nodes from `start` up to `end`, and once more what became visible since. */
  hide(start: ChildNode | null, end: ChildNode | null): void {
    for (let node = start; node !== null && node !== end; node = node.nextSibling) {
      const show = hideNode(node as HTMLElement & Text);
      if (show === undefined) continue;
      this.#hidden.set(node, show);
      const { activeElement } = node.ownerDocument!;
      if (node.contains(activeElement)) this.#focused = activeElement as HTMLElement;
    }
  }

  /** Shows everything again. */
  show(): void {
    for (const show of this.#hidden.values()) show();
    this.#hidden.clear();
    const focused = this.#focused;
    this.#focused = undefined;
    if (!focused?.isConnected) return;
    const { activeElement, body } = focused.ownerDocument;
    // Whoever moved the focus meanwhile keeps it.
    if (activeElement === null || activeElement === body) focused.focus({ preventScroll: true });
  }
}

/** Hides a node, unless it is. Returns how to show it. */
function hideNode(node: HTMLElement & Text): (() => void) | undefined {
  const { style, data } = node;
  if (style !== undefined) {
    const before = ["display", style.getPropertyValue("display"), style.getPropertyPriority("display")] as const;
    if (before.join() === "display,none,important") return undefined;
    style.setProperty("display", "none", "important");
    return () => style.setProperty(...before);
  }
  if (node.nodeType !== TEXT || data === "") return undefined;
  node.data = "";
  return () => {
    // Somebody may have written another text meanwhile.
    if (node.data === "") node.data = data;
  };
}

const TEXT = 3;
