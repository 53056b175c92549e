import "../deps/signals.ts";
import { type Component, options } from "../deps/preact.ts";

/**
 * Fields of Preact without a public name, as the published builds of Preact 10 and 11 have them; `@preact/signals` and
 * `preact/compat` rely on the same ones.
 */
interface VNodeInternals {
  /** The parent. */
  __?: VNodeInternals | null;
  /** The children. */
  __k?: (VNodeInternals | null)[] | null;
  /** The component. */
  __c?: ComponentInternals | null;
  /** Flags. */
  __u?: number;
}
interface ComponentInternals extends Component {
  /** The state of its hooks. */
  __H?: unknown;
  /** While it waits: `@preact/signals` lets it render, `preact/compat` calls it when the component goes. */
  __R?: (() => void) | undefined;
  /** By context id, the providers above. */
  context: any;
}
/** A vnode must be put in its place among its siblings. */
const INSERTED = 1 << 2;

/** What a hook keeps for a component: it outlives renderings that wait, and is told when the component goes. */
export interface Memory {
  stop(): void;
}
interface Wait {
  readonly boundary: Component;
  promise: PromiseLike<unknown>;
  isThrown: boolean;
}
const memories = new WeakMap<Component, Memory[]>(),
  waits = new Map<Component, Wait>(),
  boundaries = new WeakSet<object>();
let rendering: ComponentInternals, position = 0;

/** The memory of one hook of the component that renders. */
export function useMemory<M extends Memory>(make: () => M): M {
  let list = memories.get(rendering);
  if (!list) memories.set(rendering, list = []);
  return (list[position++] ??= make()) as M;
}
/** The value of a context that never changes: `useContext` would subscribe each component. */
export const readContext = (context: any): any => rendering.context[context.__c]?.props.value;

/** Makes a component a boundary of suspense: it renders again when something below begins or ends to wait. */
export const catchPromises = (boundary: Component): unknown => boundaries.add(boundary);
export const isWaitedAt = (boundary: Component): boolean =>
  [...waits.values()].some((wait) => wait.boundary === boundary);

function wait(boundary: Component, promise: PromiseLike<unknown>, vnode: VNodeInternals): void {
  const component = vnode.__c!, before = waits.get(component);
  if (vnode.__k?.length) {
    // What it rendered before stays in the tree, and in its place.
    for (const child of vnode.__k) if (child) child.__ = vnode;
    vnode.__u! |= INSERTED;
  } else {
    // It was never mounted: effects of this rendering must not run.
    component.__H = undefined;
  }
  if (before) before.isThrown = true;
  // Preact renders what threw again whenever the boundary renders.
  if (before?.promise === promise) return;
  waits.set(component, { boundary, promise, isThrown: true });
  component.__R = () => {};
  const again = () => waits.get(component)?.promise === promise && component.forceUpdate();
  promise.then(again, again);
  boundary.forceUpdate();
}
function stopWaiting(component: ComponentInternals): void {
  const boundary = waits.get(component)?.boundary;
  if (waits.delete(component)) component.__R = undefined;
  boundary?.forceUpdate();
}

const hooks: any = options, { __r: onRender, __e: onThrown, diffed: onDiffed, unmount: onUnmount } = hooks;
hooks.__r = (vnode: VNodeInternals) => {
  onRender?.(vnode);
  rendering = vnode.__c!;
  position = 0;
  const own = waits.get(rendering);
  if (own) own.isThrown = false;
};
hooks.__e = (thrown: any, vnode: VNodeInternals, ...rest: unknown[]) => {
  let above = typeof thrown?.then == "function" && vnode.__;
  while (above && !boundaries.has(above.__c!)) above = above.__;
  if (above) return wait(above.__c!, thrown, vnode);
  try {
    onThrown(thrown, vnode, ...rest);
  } catch (error) {
    // Nothing catches it: what was never mounted is never unmounted.
    if (!vnode.__k?.length) hooks.unmount(vnode);
    throw error;
  }
};
hooks.diffed = (vnode: VNodeInternals) => {
  onDiffed?.(vnode);
  const component = vnode.__c;
  if (component && waits.get(component)?.isThrown === false) stopWaiting(component);
};
hooks.unmount = (vnode: VNodeInternals) => {
  onUnmount?.(vnode);
  const component = vnode.__c;
  if (!component) return;
  stopWaiting(component);
  memories.get(component)?.forEach((memory) => memory.stop());
  memories.delete(component);
};
