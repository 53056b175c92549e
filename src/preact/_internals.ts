import "../deps/signals.ts";
import { type Component, options } from "../deps/preact.ts";
import { useMemo } from "../deps/preact_hooks.ts";
import { UsageError } from "../errors/mod.ts";
import { isThenable } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";

/**
 * Private fields of Preact, under the mangled names that they have in the published builds of Preact 10 and 11.
 * `@preact/signals` and `preact/compat` rely on the same names.
 */
interface VNodeInternals {
  readonly type?: unknown;
  props?: unknown;
  /** The parent vnode. */
  __?: VNodeInternals | null;
  /** The child vnodes. */
  __k?: (VNodeInternals | null)[] | null;
  /** The component of this vnode. */
  __c?: ComponentInternals | null;
  /** The first DOM node. */
  __e?: Value;
  /** The version of the diff; `null` after a render that threw. */
  __v?: number | null;
  /** Flags of the diff, such as `INSERTED`. */
  __u?: number;
}
interface ComponentInternals extends Component {
  /** The component's vnode. */
  __v?: VNodeInternals;
  /** The component's hooks (`__`), and the effects that this render has scheduled (`__h`). */
  __H?: { readonly __: readonly Hook[]; __h: Hook[] };
  /** The layout effects and callbacks that this render has scheduled. */
  __h?: Hook[];
  /** The DOM node that it renders into; none after it was unmounted. */
  readonly __P?: Value;
  /** Set while it is suspended, so that `@preact/signals` renders it; `preact/compat` calls it on unmount. */
  __R?: (() => void) | undefined;
  /** Set on a suspense boundary: receives a thrown promise, and the vnode that threw it. */
  __c?: (promise: PromiseLike<unknown>, vnode: VNodeInternals) => void;
}
/** The state of one hook: its value (`__`), and the dependencies that it was computed with (`__H`). */
interface Hook {
  readonly __?: Memory;
  __H?: unknown;
  /** The dependencies of a render that is not committed yet. */
  u?: unknown;
}
interface OptionsInternals {
  /** Called with what was thrown while `vnode` rendered. */
  __e: (thrown: unknown, vnode: VNodeInternals, ...rest: unknown[]) => void;
  /** Called when a render is committed to the DOM. */
  __c?: (...args: unknown[]) => void;
  diffed?: (vnode: VNodeInternals) => void;
  unmount?: (vnode: VNodeInternals) => void;
}
/** The flag of a vnode whose DOM must be inserted at its place among its siblings. */
const INSERTED = 1 << 2;
/** The flag of a vnode that takes over the DOM that a server sent. */
const HYDRATED = 1 << 5;

/** State of a hook that survives renders that suspend. `stop` is called when the component unmounts. */
export interface Memory {
  stop?(): void;
}
/** The dependencies of `useMemory`: empty, so that they never change. They also mark a hook as a memory. */
const NEVER: readonly unknown[] = [];
/** Returns the memory of this hook in this component; the first render makes it. */
export const useMemory = <M extends object>(make: () => M): M => useMemo(make, NEVER);

interface Wait {
  readonly boundary: ComponentInternals;
  readonly promise: PromiseLike<unknown>;
  /** The vnode whose render threw. */
  readonly vnode: VNodeInternals;
}
const waits = new Map<ComponentInternals, Wait>(),
  /** Boundaries whose content is suspended, or was until this render, with the focused element that was hidden. */
  hiding = new Map<ComponentInternals, HTMLElement | undefined>(),
  /** The inline `display` of hidden elements, to be restored. */
  displays = new WeakMap<HTMLElement, string>();

/** Makes a component a suspense boundary: it renders again when a component below suspends or resumes. */
export function catchPromises(boundary: Component): void {
  (boundary as ComponentInternals).__c = wait; // `preact/debug` looks for it, too
}
/** Whether a component below this boundary is suspended. */
export const isWaitedAt = (boundary: Component): boolean => {
  for (const wait of waits.values()) if (wait.boundary === boundary) return true;
  return false;
};

function wait(this: Component, promise: PromiseLike<unknown>, vnode: VNodeInternals): void {
  const component = vnode.__c!, isAgain = waits.get(component)?.promise === promise;
  if (vnode.__k?.length) {
    // The children that the component rendered before stay in the tree, and their DOM in its place.
    for (const child of vnode.__k) if (child) child.__ = vnode;
    vnode.__u! |= INSERTED;
  } else {
    // Preact gives the component the next node of the container. In hydration that is the fallback that the server sent,
    // otherwise a placeholder, or at the root of an app a node of the page, which stays.
    const { __P: parent } = component;
    if (vnode.__u! & HYDRATED ? [...parent.childNodes].includes(vnode.__e) : !parent?.__k) vnode.__e?.remove();
    vnode.__e = null;
    vnode.__u = 0;
  }
  waits.set(component, { boundary: this, promise, vnode });
  // The component threw the same promise again because its boundary rendered: it is registered already.
  if (isAgain) return;
  hiding.set(this, hiding.get(this));
  component.__R = () => {};
  const again = () => waits.get(component)?.promise === promise && component.forceUpdate();
  promise.then(again, again);
  this.forceUpdate();
}
/** The component has rendered without suspending, or is unmounted: its boundary renders again. */
function stopWaiting(component: ComponentInternals): void {
  const boundary = waits.get(component)?.boundary;
  if (waits.delete(component)) component.__R = undefined;
  if (boundary?.__P) boundary.forceUpdate();
}
/** Hides DOM nodes in place: a wrapper element would change the layout, and a style attribute breaks a strict CSP. */
function hide(vnode: VNodeInternals | null | undefined, boundary: ComponentInternals, isHidden = false): void {
  if (typeof vnode?.type == "function") return vnode.__k?.forEach((child) => hide(child, boundary, isHidden));
  const node = vnode?.__e, style: CSSStyleDeclaration = node?.style;
  if (!style) {
    // A signal changes its text without a render, so the vnode may have an older one.
    if (node?.data) vnode!.props = node.data;
    if (node) node.data = isHidden ? "" : vnode!.props;
  } else if (isHidden !== !!style.getPropertyPriority("display")) {
    if (isHidden) {
      if (node.contains(document.activeElement)) hiding.set(boundary, document.activeElement as HTMLElement); // it had the focus, so it can be focused
      displays.set(node, style.display);
      style.setProperty("display", "none", "important");
    } else style.display = displays.get(node)!;
  }
}

const hooks = options as unknown as OptionsInternals, // the private hooks of `options`
  { __e: onThrown, __c: onCommit, diffed: onDiffed, unmount: onUnmount } = hooks;
hooks.__e = (thrown, vnode, ...rest) => {
  if (isThenable(thrown)) {
    let above = vnode.__;
    while (above && !above.__c?.__c) above = above.__;
    // An AsyncBoundary, or the Router of preact-iso.
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
// Hides on every commit, because a component below a suspended boundary may add elements while another one is
// suspended.
hooks.__c = (...args) => {
  onCommit?.(...args);
  // Content that resumed is shown before anything is hidden: a boundary inside of it may still be suspended.
  for (const [boundary, focused] of hiding) {
    if (isWaitedAt(boundary)) continue;
    hiding.delete(boundary);
    hide(boundary.__v?.__k?.[0], boundary);
    // The focus returns only if the user has not moved it to another element meanwhile.
    if (document.activeElement === document.body) focused?.focus({ preventScroll: true });
  }
  for (const boundary of hiding.keys()) hide(boundary.__v?.__k?.[0], boundary, true);
};
hooks.diffed = (vnode) => {
  onDiffed?.(vnode);
  const component = vnode.__c!, own = waits.get(component);
  if (!own) return;
  // A render makes a new array of children; one that throws, or that Preact skips, keeps the array.
  if (own.vnode.__k !== vnode.__k) {
    // The next vnode copies the version of this one, and Preact moves no vnode without a version among its siblings.
    own.vnode.__v ||= Math.random();
    return stopWaiting(component);
  }
  // The effects of a render that suspended must not run. Without `__H` and `u` the next one schedules them again.
  for (const one of [component.__H, component]) {
    one?.__h?.forEach((effect) => effect.__H = effect.u = undefined);
    if (one) one.__h = [];
  }
};
hooks.unmount = (vnode) => {
  const component = vnode.__c;
  for (const { __: memory, __H: of } of component?.__H?.__ ?? []) if (of === NEVER) memory!.stop?.();
  onUnmount?.(vnode);
  if (component) stopWaiting(component);
};
