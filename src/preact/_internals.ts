import { type Component, type Context, options, type VNode } from "../deps/preact.ts";
import { SchemaError } from "../errors/schema_error.ts";
import { said } from "../errors/texts.ts";

/**
 * Fields of Preact that have no public name, as the published builds of Preact 10 and 11 have them; `@preact/signals`
 * and `preact/compat` rely on the same ones. Beside it, `src/ssr/_render_once.ts` looks inside Preact, and for tools of development `mounted.ts`.
 */
interface VNodeInternals {
  readonly type?: unknown;
  /** The parent. */
  __?: VNodeInternals | null;
  /** The children. */
  readonly __k?: readonly (VNodeInternals | null)[] | null;
  /** The component. */
  readonly __c?: ComponentInternals | null;
  /** The first DOM node. */
  readonly __e?: ChildNode | null;
  /** What is to be done with it. */
  __u?: number;
}

/** A vnode is to be put in its place among its siblings. */
const INSERTED = 1 << 2;

interface ComponentInternals extends Component {
  readonly __v?: VNodeInternals;
  /** The state of its hooks. */
  __H?: unknown;
  /** Set while it is suspended: `@preact/signals` then lets its parent render it again. */
  __R?: (() => void) | null;
  /** What makes it a boundary of suspense: gets the promise, and the vnode that threw it. */
  __c?: (promise: PromiseLike<unknown>, vnode: VNodeInternals) => void;
}

interface ContextInternals {
  /** Under which name components have the provider. */
  readonly __c: string;
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

/** The DOM node that a vnode was rendered to, where it has one. */
export function nodeOf(vnode: VNode | null): ChildNode | null {
  return (vnode as VNodeInternals | null)?.__e ?? null;
}

/**
 * The first DOM node of a vnode in a parent, where it has one. While a commit is told of, what is above a component that has
 * rendered by itself still has the first node of before.
 */
export function firstNodeIn(parent: ParentNode | null, vnode: VNodeInternals | null): ChildNode | null {
  for (const child of typeof vnode?.type === "function" && vnode.__k || []) {
    const node = firstNodeIn(parent, child);
    if (node !== null) return node;
  }
  const node = vnode?.__e;
  return node?.parentNode === parent ? node : null;
}

/**
 * What the nearest provider above the component that renders gives: for a context whose providers never give another
 * value. `useContext` would subscribe each component to a change that does not come: 8 % of a mount of 5,000 rows.
 */
export function readConstant<T>(context: Context<T | undefined>): T | undefined {
  const { __c: id } = context as unknown as ContextInternals;
  return (rendering?.context[id] as Component<{ readonly value: T }> | undefined)?.props.value;
}

/** Whether something is true of a component above another one. */
export function isBelow(component: Component, test: (above: Component) => boolean): boolean {
  for (let at = (component as ComponentInternals).__v?.__; at; at = at.__) if (at.__c && test(at.__c)) return true;
  return false;
}

/** What a hook keeps for one component and does not merely hold; see {@linkcode useMemory}. */
export interface Memory {
  /** The component is gone, mounted or not. */
  leave?(): void;
}

const memories = new WeakMap<Component, Memory[]>();
let rendering: ComponentInternals | undefined;
/** It has no state of hooks: it was not mounted yet, or uses none but ours. */
let isFirst = false;
/** The next memory of it. */
let position = 0;

/** Whether a component renders now, by the copy of Preact that this library uses. */
export function isRendering(): boolean {
  return rendering !== undefined;
}

/**
 * Like `useRef`, for what a hook must know of a component that is not mounted yet: it outlives a rendering that
 * suspends, and is told when the component goes, also when it was never mounted. An effect would do neither.
 *
 * @param make Makes it at the first rendering.
 */
export function useMemory<M extends object>(make: (component: Component) => M): M {
  const component = rendering!;
  let list = memories.get(component);
  if (list === undefined) memories.set(component, list = []);
  return (list[position++] ??= make(component)) as M;
}

/** One component that waits: from the rendering that threw a promise to the next one that throws none. */
interface Wait {
  readonly boundary: Component;
  promise: PromiseLike<unknown> | undefined;
  /** The last rendering threw it. */
  isThrown: boolean;
  /** Gives it back what {@linkcode holdState} took. */
  release?: (isShown: boolean) => void;
}

const waits = new Map<Component, Wait>();

/** Whether a component waits at a boundary. */
export function isWaitedAt(boundary: Component): boolean {
  return [...waits.values()].some((wait) => wait.boundary === boundary);
}

/**
 * Makes a class a boundary of suspense: its instances render again when a component below begins to wait, or waits no
 * more. It catches promises before any error boundary between it and the component that threw does, and before a
 * `Suspense` of `preact/compat` above it; `preact/debug` knows it, too.
 */
export function catchPromises(Class: { readonly prototype: Component }): void {
  (Class.prototype as ComponentInternals).__c = suspend;
}

function suspend(this: Component, promise: PromiseLike<unknown>, vnode: VNodeInternals): void {
  const component = vnode.__c!;
  if (vnode.__k?.length) {
    // What it has rendered before stays. Preact leaves that below the vnode of then, which it takes out of the tree: what
    // waits or fails in there would find no boundary.
    for (const child of vnode.__k) if (child) child.__ = vnode;
    // And Preact goes on before it, not behind it: what is new behind it would be put before it.
    vnode.__u! |= INSERTED;
  }
  // Effects of a component that is not mounted must not run. As in preact/compat, the state of all its hooks goes with them.
  if (component === rendering && isFirst) component.__H = undefined;
  let wait = waits.get(component);
  if (wait === undefined) {
    waits.set(component, wait = { boundary: this, promise: undefined, isThrown: true });
    component.__R = () => stopWaiting(component);
  }
  wait.isThrown = true;
  wait.release?.(false);
  if (wait.promise !== promise) {
    wait.promise = promise;
    const present = wait;
    const again = () => {
      if (present.promise !== promise) return;
      present.promise = undefined;
      component.forceUpdate();
    };
    promise.then(again, again);
  }
  this.setState({});
}

/**
 * What a component sets of its own state while it renders goes with that state when it waits on, before it was ever mounted:
 * to render for it would do the same again, without end.
 */
function holdState(component: ComponentInternals, wait: Wait): void {
  const { setState } = component;
  let isSet = false;
  component.setState = () => {
    isSet = true;
  };
  wait.release = (isShown) => {
    component.setState = setState;
    if (isShown && isSet) component.setState({});
  };
}

function stopWaiting(component: ComponentInternals): void {
  const wait = waits.get(component);
  if (wait === undefined) return;
  waits.delete(component);
  wait.promise = undefined;
  component.__R = null;
  wait.boundary.setState({});
}

const hooks = options as OptionsInternals;
const { __r: onRender, __e: onThrown, diffed: onDiffed, unmount: onUnmount } = hooks;

/** Calls a function after each rendering of anything, when the DOM is as it will be seen. */
export function afterCommit(run: () => void): void {
  const { __c: onCommit } = hooks;
  hooks.__c = (...args) => {
    onCommit?.(...args);
    run();
  };
}

hooks.__r = (vnode) => {
  onRender?.(vnode);
  const component = vnode.__c!;
  if (component.forceUpdate === undefined) standIn(component);
  // A component that sets its own state while it renders is rendered again at once.
  if (rendering !== component) {
    rendering = component;
    isFirst = !component.__H;
  }
  position = 0;
  const wait = waits.size > 0 ? waits.get(component) : undefined;
  if (wait === undefined) return;
  wait.isThrown = false;
  if (isFirst && wait.promise !== undefined) holdState(component, wait);
};

hooks.__e = (thrown, vnode, ...rest) => {
  const isPromise = isThenable(thrown);
  if (isPromise) {
    let above = vnode.__;
    while (above && !above.__c?.__c) above = above.__;
    const boundary = above?.__c;
    // What an effect throws while its component goes has no component any more.
    if (vnode.__c && boundary?.__c === suspend) return suspend.call(boundary, thrown, vnode);
  }
  // Nothing more may come of this rendering, when nobody catches.
  rendering = undefined;
  try {
    onThrown(thrown, vnode, ...rest);
  } catch (uncaught) {
    if (!isPromise || uncaught !== thrown) throw uncaught;
    throw new SchemaError(said(752));
  }
};

hooks.diffed = (vnode) => {
  onDiffed?.(vnode);
  rendering = undefined;
  const component = vnode.__c;
  const wait = component && waits.size > 0 ? waits.get(component) : undefined;
  if (wait?.isThrown !== false) return;
  stopWaiting(component!);
  wait.release?.(true);
};

hooks.unmount = (vnode) => {
  onUnmount?.(vnode);
  const component = vnode.__c;
  if (!component) return;
  stopWaiting(component);
  leave(component);
};

function leave(component: Component): void {
  const list = memories.get(component);
  memories.delete(component);
  list?.forEach((memory) => memory.leave?.());
}

/**
 * DevTools run a component once more, to see which hooks it has: on an object in its place that is never mounted, and
 * which nobody takes away.
 */
function standIn(component: ComponentInternals): void {
  // Also for signals, which tell it of each change.
  component.forceUpdate = component.setState = () => {};
  queueMicrotask(() => leave(component));
}

/** Whether something is a promise, or like one; `unknown` is the answer where it cannot be asked: it may be any proxy. */
export function isThenable(value: unknown, unknown = false): value is PromiseLike<unknown> {
  try {
    return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
  } catch {
    return unknown;
  }
}
