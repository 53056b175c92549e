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
    if (isHidden(style)) return undefined;
    style.setProperty("display", "none", "important");
    return () => {
      // Somebody may have written another style meanwhile.
      if (isHidden(style)) style.setProperty(...before);
    };
  }
  if (node.nodeType !== TEXT || data === "" || Object.hasOwn(node, "data")) return undefined;
  node.data = "";
  // Preact compares with it, and writes another text here, an empty one too.
  Object.defineProperty(node, "data", { value: data, writable: true, configurable: true });
  return () => {
    const { data } = node;
    Reflect.deleteProperty(node, "data");
    node.data = data;
  };
}

function isHidden(style: CSSStyleDeclaration): boolean {
  return style.getPropertyValue("display") + style.getPropertyPriority("display") === "noneimportant";
}

const TEXT = 3;
