import "../deps/signals.ts";
import { type Component, type Context, options, type VNode } from "../deps/preact.ts";
import { UsageError } from "../errors/mod.ts";
import { isThenable } from "../plain/is_object.ts";

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
  __e?: ChildNode | null;
  /** Flags. */
  __u?: number;
}
interface ComponentInternals extends Component {
  /** The state of its hooks, with the effects of this rendering. */
  __H?: { __h: Effect[] };
  /** Its layout effects, and callbacks. */
  __h?: Effect[];
  /** While it waits: `@preact/signals` lets it render, `preact/compat` calls it when the component goes. */
  __R?: (() => void) | undefined;
  /** Of a boundary of suspense: gets the promise, and the vnode that threw it. */
  __c?: (promise: PromiseLike<unknown>, vnode: VNodeInternals) => void;
}
/** An effect, with the arguments that it ran with. */
interface Effect {
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
interface Wait {
  readonly boundary: Component;
  promise: PromiseLike<unknown>;
  isThrown: boolean;
}
const memories = new WeakMap<Component, object[]>(),
  waits = new Map<Component, Wait>();
let rendering: ComponentInternals, position = 0;

/** The memory of one hook of the component that renders. */
export function useMemory<M extends object>(make: () => M): M {
  let list = memories.get(rendering);
  if (!list) memories.set(rendering, list = []);
  return (list[position++] ??= make()) as M; // the same hook made it: hooks keep their order
}
/** The value of a context that never changes: `useContext` would subscribe each component. */
export function readContext<T>(context: Context<T>): T | undefined {
  const { __c: id } = context as unknown as { readonly __c: string }; // the name under which components have the provider
  return rendering?.context[id]?.props.value;
}

/** Makes a component a boundary of suspense: it renders again when something below begins or ends to wait. */
export function catchPromises(boundary: Component): void {
  (boundary as ComponentInternals).__c = wait; // `preact/debug` looks for it, too
}
export const isWaitedAt = (boundary: Component): boolean => {
  for (const wait of waits.values()) if (wait.boundary === boundary) return true;
  return false;
};
/** The DOM nodes that a vnode stands for, and of texts what they show. */
export function domOf<P>(vnode: VNode<P> | undefined): (readonly [node: ChildNode, text: unknown])[] {
  const found: [ChildNode, unknown][] = [],
    queue: (VNodeInternals | null | undefined)[] = [vnode as VNodeInternals | undefined];
  for (const one of queue) {
    if (typeof one?.type == "function") queue.push(...one.__k ?? []);
    else if (one?.__e) found.push([one.__e, one.type === null ? one.props : undefined]);
  }
  return found;
}
/** Runs after each rendering of anything, when the DOM is as it will be seen. */
export const afterCommit: Set<() => void> = new Set();

function wait(this: Component, promise: PromiseLike<unknown>, vnode: VNodeInternals): void {
  const component = vnode.__c!, before = waits.get(component);
  if (vnode.__k?.length) {
    // What it rendered before stays in the tree, and in its place.
    for (const child of vnode.__k) if (child) child.__ = vnode;
    vnode.__u! |= INSERTED;
  }
  if (before) before.isThrown = true;
  // Preact renders what threw again whenever the boundary renders.
  if (before?.promise === promise) return;
  waits.set(component, { boundary: this, promise, isThrown: true });
  component.__R = () => {};
  const again = () => waits.get(component)?.promise === promise && component.forceUpdate();
  promise.then(again, again);
  this.forceUpdate();
}
/** Hands a promise to a boundary of another library, as that of `preact/compat` expects it. */
function suspend(
  boundary: ComponentInternals,
  promise: PromiseLike<unknown>,
  vnode: VNodeInternals,
  before: VNodeInternals | undefined,
): void {
  if (!vnode.__e) {
    vnode.__e = before?.__e ?? null;
    vnode.__k = before?.__k ?? null;
  }
  vnode.__k ??= [];
  boundary.__c!(promise, vnode);
}
/** The effects of a rendering that waits must not run: the next one has them again. */
function dropEffects(component: ComponentInternals): void {
  const { __H: state, __h: layout = [] } = component;
  for (const effect of [...state?.__h ?? [], ...layout]) effect.__H = undefined;
  if (state) state.__h = [];
  component.__h = [];
}
function stopWaiting(component: ComponentInternals): void {
  const boundary = waits.get(component)?.boundary;
  if (waits.delete(component)) component.__R = undefined;
  boundary?.forceUpdate();
}

const hooks = options as unknown as OptionsInternals, // the private ones
  { __r: onRender, __e: onThrown, __c: onCommit, diffed: onDiffed, unmount: onUnmount } = hooks;
hooks.__r = (vnode) => {
  onRender?.(vnode);
  rendering = vnode.__c!;
  position = 0;
  const own = waits.size ? waits.get(rendering) : undefined;
  if (own) own.isThrown = false;
};
hooks.__e = (thrown, vnode, ...rest) => {
  if (isThenable(thrown)) {
    let above = vnode.__;
    while (above && !above.__c?.__c) above = above.__;
    const boundary = above?.__c;
    // What an effect throws while its component goes has no component any more.
    if (vnode.__c && boundary?.__c === wait) return wait.call(boundary, thrown, vnode);
    // The Router of preact-iso: a bundle may lack the hook that hands it the promise.
    if (vnode.__c && boundary) return suspend(boundary, thrown, vnode, rest[0] as VNodeInternals | undefined);
    if (!boundary) thrown = new UsageError(802, [vnode]);
  }
  try {
    onThrown(thrown, vnode, ...rest);
  } catch (error) {
    // Nothing catches it: what was never mounted is never unmounted.
    if (!vnode.__k?.length) hooks.unmount!(vnode);
    throw error;
  }
};
hooks.__c = (...args) => {
  onCommit?.(...args);
  for (const run of afterCommit) run();
};
hooks.diffed = (vnode) => {
  onDiffed?.(vnode);
  const component = vnode.__c, own = component && waits.size ? waits.get(component) : undefined;
  if (own?.isThrown) dropEffects(component!);
  else if (own) stopWaiting(component!);
};
hooks.unmount = (vnode) => {
  onUnmount?.(vnode);
  const component = vnode.__c;
  if (!component) return;
  stopWaiting(component);
  memories.get(component)?.forEach((memory: Memory) => memory.stop?.());
  memories.delete(component);
};
