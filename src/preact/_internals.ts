import "../deps/signals.ts";
import { type Component, options } from "../deps/preact.ts";
import { useMemo } from "../deps/preact_hooks.ts";
import { UsageError } from "../errors/mod.ts";
import { isThenable } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";

/**
 * Fields of Preact without a public name, as the published builds of Preact 10 and 11 have them; `@preact/signals` and
 * `preact/compat` rely on the same ones.
 */
interface VNodeInternals {
  readonly type?: unknown;
  readonly props?: unknown;
  /** The parent. */
  __?: VNodeInternals | null;
  /** The children. */
  __k?: (VNodeInternals | null)[] | null;
  /** The component. */
  __c?: ComponentInternals | null;
  /** The first DOM node. */
  __e?: Value;
  /** Flags. */
  __u?: number;
}
interface ComponentInternals extends Component {
  /** Its vnode. */
  __v?: VNodeInternals;
  /** Its hooks, and the effects of this rendering. */
  __H?: { readonly __: readonly Hook[]; __h: Hook[] };
  /** Its layout effects, and callbacks. */
  __h?: Hook[];
  /** While it waits: `@preact/signals` lets it render, `preact/compat` calls it when the component goes. */
  __R?: (() => void) | undefined;
  /** Of a boundary of suspense: gets the promise, and the vnode that threw it. */
  __c?: (promise: PromiseLike<unknown>, vnode: VNodeInternals) => void;
}
/** One hook, with its value, and the arguments that it was made with. */
interface Hook {
  readonly __?: Memory;
  __H?: unknown;
}
interface OptionsInternals {
  /** A component is about to render. */
  __r?: (vnode: VNodeInternals) => void;
  /** Something was thrown below `vnode.__`. */
  __e: (thrown: unknown, vnode: VNodeInternals, ...rest: unknown[]) => void;
  /** A rendering is complete. */
  __c?: (...args: unknown[]) => void;
  diffed?: (vnode: VNodeInternals) => void;
  unmount?: (vnode: VNodeInternals) => void;
}
/** A vnode must be put in its place among its siblings. */
const INSERTED = 1 << 2;

/** What a hook keeps for a component: it outlives renderings that wait, and is told when the component goes. */
export interface Memory {
  stop?(): void;
}
/** Nothing that may change; also the mark of what is a memory. */
const NEVER: readonly unknown[] = [];
/** The memory of one hook of the component that renders. */
export const useMemory = <M extends object>(make: () => M): M => useMemo(make, NEVER);

interface Wait {
  readonly boundary: ComponentInternals;
  readonly promise: PromiseLike<unknown>;
  /** Its newest rendering threw. */
  isThrown: boolean;
}
const waits = new Map<ComponentInternals, Wait>(),
  /** Boundaries at which something waits, or did until this rendering, with what had the focus when it was hidden. */
  hiding = new Map<ComponentInternals, HTMLElement | undefined>(),
  /** The `display` that hidden elements have of their own. */
  displays = new WeakMap<HTMLElement, string>();

/** Makes a component a boundary of suspense: it renders again when something below begins or ends to wait. */
export function catchPromises(boundary: Component): void {
  (boundary as ComponentInternals).__c = wait; // `preact/debug` looks for it, too
}
export const isWaitedAt = (boundary: Component): boolean => {
  for (const wait of waits.values()) if (wait.boundary === boundary) return true;
  return false;
};

function wait(this: Component, promise: PromiseLike<unknown>, vnode: VNodeInternals): void {
  const component = vnode.__c!, isAgain = waits.get(component)?.promise === promise;
  if (vnode.__k?.length) {
    // What it rendered before stays in the tree, and in its place.
    for (const child of vnode.__k) if (child) child.__ = vnode;
    vnode.__u! |= INSERTED;
  }
  waits.set(component, { boundary: this, promise, isThrown: true });
  // Preact renders what threw again whenever the boundary renders.
  if (isAgain) return;
  hiding.set(this, hiding.get(this));
  component.__R = () => {};
  const again = () => waits.get(component)?.promise === promise && component.forceUpdate();
  promise.then(again, again);
  this.forceUpdate();
}
function stopWaiting(component: ComponentInternals): void {
  const boundary = waits.get(component)?.boundary;
  if (waits.delete(component)) component.__R = undefined;
  boundary?.forceUpdate();
}
/** Hides DOM nodes in place: a wrapper element would change the layout, and a style attribute breaks a strict CSP. */
function hide(vnode: VNodeInternals | null | undefined, boundary: ComponentInternals, isHidden: boolean): void {
  if (typeof vnode?.type == "function") return vnode.__k?.forEach((child) => hide(child, boundary, isHidden));
  const node = vnode?.__e, style: CSSStyleDeclaration = node?.style;
  if (!style) {
    if (node) node.data = isHidden ? "" : vnode!.props;
  } else if (isHidden !== !!style.getPropertyPriority("display")) {
    if (isHidden) {
      if (node.contains(document.activeElement)) hiding.set(boundary, document.activeElement as HTMLElement); // it can get it back
      displays.set(node, style.display);
      style.setProperty("display", "none", "important");
    } else style.display = displays.get(node)!;
  }
}

const hooks = options as unknown as OptionsInternals, // the private ones
  { __r: onRender, __e: onThrown, __c: onCommit, diffed: onDiffed, unmount: onUnmount } = hooks;
hooks.__r = (vnode) => {
  onRender?.(vnode);
  const own = waits.get(vnode.__c!);
  if (own) own.isThrown = false;
};
hooks.__e = (thrown, vnode, ...rest) => {
  if (isThenable(thrown)) {
    let above = vnode.__;
    while (above && !above.__c?.__c) above = above.__;
    // One of ours, or the Router of preact-iso.
    if (above) return above.__c!.__c!(thrown, vnode);
    thrown = new UsageError(802, [vnode]);
  }
  try {
    onThrown(thrown, vnode, ...rest);
  } catch (error) {
    // No boundary catches the error. Preact never unmounts a component that was never mounted.
    if (!vnode.__k?.length) hooks.unmount!(vnode);
    throw error;
  }
};
// With each rendering of anything: a component below a boundary may add elements while another one waits.
hooks.__c = (...args) => {
  onCommit?.(...args);
  // Shows first: boundaries may be nested.
  for (const [boundary, focused] of hiding) {
    if (isWaitedAt(boundary)) continue;
    hiding.delete(boundary);
    hide(boundary.__v?.__k?.[0], boundary, false);
    // Where the focus went elsewhere meanwhile, it stays.
    if (document.activeElement === document.body) focused?.focus({ preventScroll: true });
  }
  for (const boundary of hiding.keys()) hide(boundary.__v?.__k?.[0], boundary, true);
};
hooks.diffed = (vnode) => {
  onDiffed?.(vnode);
  const component = vnode.__c!, own = waits.get(component);
  if (!own) return;
  if (!own.isThrown) return stopWaiting(component);
  // The effects of a rendering that waits must not run: the next one has them again.
  for (const one of [component.__H, component]) {
    one?.__h?.forEach((effect) => effect.__H = undefined);
    if (one) one.__h = [];
  }
};
hooks.unmount = (vnode) => {
  const component = vnode.__c;
  for (const { __: memory, __H: of } of component?.__H?.__ ?? []) if (of === NEVER) memory!.stop?.();
  onUnmount?.(vnode);
  if (component) stopWaiting(component);
};
