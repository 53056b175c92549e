/** Hides DOM nodes in place: a wrapper element would change the layout, and a style attribute breaks a strict CSP. */
export class Hider {
  /** The `display` that an element had of its own. */
  readonly #hidden: Map<HTMLElement | Text, string> = new Map();
  /** What had the focus when it was hidden: a browser takes it away. */
  #focused: Element | null = null;

  hide(nodes: readonly (readonly [node: ChildNode, text: unknown])[]): void {
    for (const [child] of nodes) {
      const node = child as HTMLElement & Text; // one of them
      const { style, ownerDocument: { activeElement } } = node;
      if (style ? isNone(style) : !node.data) continue;
      if (node.contains(activeElement)) this.#focused = activeElement;
      this.#hidden.set(node, style?.display);
      if (style) style.setProperty("display", "none", "important");
      else node.data = "";
    }
  }
  show(nodes: readonly (readonly [node: ChildNode, text: unknown])[]): void {
    const texts = new Map<ChildNode, unknown>(nodes);
    for (const [child, display] of this.#hidden) {
      const node = child as HTMLElement & Text; // one of them
      if (!node.style) node.data ||= `${texts.get(node) ?? ""}`;
      else if (isNone(node.style)) node.style.display = display;
    }
    this.#hidden.clear();
    const focused = this.#focused as HTMLElement | null; // what had the focus can get it
    const active = focused?.ownerDocument.activeElement;
    // Where the focus went elsewhere meanwhile, it stays.
    if (focused?.isConnected && (!active || active === focused.ownerDocument.body)) {
      focused.focus({ preventScroll: true });
    }
    this.#focused = null;
  }
}
const isNone = (style: CSSStyleDeclaration): boolean =>
  style.display === "none" && !!style.getPropertyPriority("display");
