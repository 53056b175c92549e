import { Fragment, options } from "../deps/preact.ts";

/**
 * Fields of Preact and of its signals that have no public name, for tools of development. As in `_internals.ts`, they
 * are those of the published builds of Preact 10 and 11; what another build calls otherwise is not found, and nothing
 * breaks.
 */
interface VNodeInside {
  readonly type: unknown;
  readonly props: { readonly [name: string]: unknown } | string | number | null;
  /** The children. */
  readonly __k?: readonly (VNodeInside | null)[] | null;
  /** The component. */
  readonly __c?: ComponentInside | null;
  /** The first DOM node. */
  readonly __e?: Node | null;
}

interface ComponentInside {
  /** Its present vnode. */
  readonly __v?: VNodeInside;
  /** The effect that runs it again when a signal changes. */
  readonly __$u?: Reader;
}

/** An effect or a computed signal: `s` is the first of the signals it reads. */
interface Reader {
  readonly s?: Reading | undefined;
}

interface Reading {
  /** What is read. */
  readonly S: object & Reader;
  /** The next one. */
  readonly n?: Reading | undefined;
}

/** A component on the page. */
export interface MountedComponent {
  /** What it is called. */
  readonly name: string;
  /** What it was rendered with. */
  readonly props: readonly unknown[];
  /** The DOM nodes that it has rendered. */
  nodes(): Node[];
  /** Whether a change of one of these signals runs it again. */
  reads(signals: ReadonlySet<object>): boolean;
}

/** The components that are mounted in a document, each before those below it. */
export function* mountedComponents(page: Document): Iterable<MountedComponent> {
  const stack: VNodeInside[] = [];
  for (const element of page.querySelectorAll("*")) {
    const { __k: root } = element as { readonly __k?: VNodeInside };
    if (root === undefined) continue;
    stack.push(root);
    for (let vnode = stack.pop(); vnode !== undefined; vnode = stack.pop()) {
      if (isComponent(vnode)) yield componentOf(vnode);
      for (const child of vnode.__k ?? []) if (child) stack.push(child);
    }
  }
}

/**
 * Tells of each component that runs.
 *
 * @param told Is called before the component has rendered.
 * @returns How to end it.
 */
export function watchRenders(told: (component: object) => void): () => void {
  const hooks = options as { __r?: (vnode: VNodeInside) => void };
  const before = hooks.__r;
  let isOver = false;
  const hook = (vnode: VNodeInside) => {
    before?.(vnode);
    if (!isOver && isComponent(vnode)) told(vnode.__c!);
  };
  hooks.__r = hook;
  return () => {
    isOver = true;
    // Whoever has come since calls it: it stays, and does nothing.
    if (hooks.__r !== hook) return;
    if (before === undefined) delete hooks.__r;
    else hooks.__r = before;
  };
}

/** The component that {@linkcode watchRenders} has told of, when it has rendered; `undefined`: it is not there any more. */
export function mountedComponent(component: object): MountedComponent | undefined {
  const { __v: vnode } = component as ComponentInside;
  return vnode?.__e?.isConnected ? componentOf(vnode) : undefined;
}

function isComponent({ type, __c: component }: VNodeInside): boolean {
  return typeof type === "function" && type !== Fragment && component !== null && component !== undefined;
}

function componentOf(vnode: VNodeInside): MountedComponent {
  const { displayName, name } = vnode.type as { readonly displayName?: string; readonly name?: string };
  return {
    name: displayName || name || "component",
    props: Object.values(vnode.props ?? {}),
    nodes: () => nodesOf(vnode),
    reads: (signals) => reads(vnode.__c?.__$u, signals),
  };
}

function nodesOf(vnode: VNodeInside): Node[] {
  if (typeof vnode.type !== "function") return vnode.__e ? [vnode.__e] : [];
  return (vnode.__k ?? []).flatMap((child) => child ? nodesOf(child) : []);
}

/** Also by a computed signal. */
function reads(reader: Reader | undefined, signals: ReadonlySet<object>, depth = 3): boolean {
  for (let reading = reader?.s; reading !== undefined; reading = reading.n) {
    if (signals.has(reading.S) || (depth > 0 && reads(reading.S, signals, depth - 1))) return true;
  }
  return false;
}
