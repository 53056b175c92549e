/** What becomes of an attribute: `false` takes it away, `true` is an empty one. */
type Attributes = Readonly<Record<string, string | boolean>>;

/** An element. Texts become text nodes: nothing of what a server sends is ever parsed. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(made, name, value);
  made.append(...children);
  return made;
}

/** A button, and what it does. */
export function button(
  attributes: Attributes,
  act: () => void,
  ...children: readonly (Node | string)[]
): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, ...children);
  made.addEventListener("click", act);
  return made;
}

/** Sets an attribute, if it is another one. */
export function setAttribute(target: Element, name: string, value: string | boolean): void {
  if (value === false) target.removeAttribute(name);
  else if (target.getAttribute(name) !== String(value === true ? "" : value)) {
    target.setAttribute(name, value === true ? "" : value);
  }
}

/** Sets a text, if it is another one. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

const kept = new WeakMap<Element, Map<string | number, HTMLElement>>();

/**
 * Makes the children of an element those of some items. Who is there already stays the same element, with its focus.
 *
 * @param parent Has no other children.
 * @param idOf Tells an item from the others.
 * @param make Makes the element of a new one.
 * @param update Brings an element up to date.
 */
export function setItems<T>(
  parent: Element,
  items: Iterable<T>,
  idOf: (item: T) => string | number,
  make: (item: T) => HTMLElement,
  update: (made: HTMLElement, item: T) => void = () => {},
): void {
  const before = kept.get(parent) ?? new Map<string | number, HTMLElement>();
  const after = new Map<string | number, HTMLElement>();
  for (const item of items) {
    const id = idOf(item);
    if (after.has(id)) continue;
    const made = before.get(id) ?? make(item);
    after.set(id, made);
    update(made, item);
  }
  for (const [id, made] of before) if (!after.has(id)) made.remove();
  let next = parent.firstElementChild;
  for (const made of after.values()) {
    // What stands where it belongs is not moved: that would take its focus.
    if (made === next) next = next.nextElementSibling;
    else parent.insertBefore(made, next);
  }
  kept.set(parent, after);
}

/** The place of a node on the screen; `undefined`: it has none. */
export function boxOf(nodes: readonly Node[]): DOMRect | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const node of nodes) {
    if (!node.isConnected) continue;
    const box = rectOf(node);
    if (box.width === 0 && box.height === 0) continue;
    left = Math.min(left, box.left);
    top = Math.min(top, box.top);
    right = Math.max(right, box.right);
    bottom = Math.max(bottom, box.bottom);
  }
  return left > right ? undefined : new DOMRect(left, top, right - left, bottom - top);
}

function rectOf(node: Node): DOMRect {
  if (node.nodeType === Node.ELEMENT_NODE) return (node as Element).getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(node);
  return range.getBoundingClientRect();
}
