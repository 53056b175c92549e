/** Hides a row of DOM nodes in place: a wrapper element would change the app's layout. */
export class Hider {
  /** What is hidden, and how it is shown again. */
  readonly #hidden = new Map<ChildNode, () => void>();
  /** What had the focus when it was hidden; a browser takes it from what is not shown. */
  #focused: HTMLElement | undefined;

  /** Hides the nodes from `start` up to `end`, and once more what became visible since. */
  hide(start: ChildNode | null, end: ChildNode | null): void {
    for (let node = start; node !== null && node !== end; node = node.nextSibling) {
      const show = hideNode(node);
      if (show === undefined) continue;
      this.#hidden.set(node, show);
      const { activeElement } = node.ownerDocument!;
      if (activeElement !== null && node.contains(activeElement)) this.#focused = activeElement as HTMLElement;
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
function hideNode(node: ChildNode): (() => void) | undefined {
  const { style } = node as HTMLElement;
  if (style !== undefined) {
    const display = style.getPropertyValue("display");
    const priority = style.getPropertyPriority("display");
    if (display === "none" && priority === "important") return undefined;
    style.setProperty("display", "none", "important");
    return () => style.setProperty("display", display, priority);
  }
  const text = node as Text;
  if (typeof text.data !== "string" || text.nodeType !== TEXT || text.data === "") return undefined;
  const { data } = text;
  text.data = "";
  return () => {
    // Somebody may have written another text meanwhile.
    if (text.data === "") text.data = data;
  };
}

const TEXT = 3;
