import { type ComponentChild, Fragment, options, type VNode } from "../deps/preact.ts";
import { renderToString } from "../deps/render_to_string.ts";

/** What one rendering of a page has come to. */
export interface Rendering {
  /** What the components have rendered; of those that wait, nothing. */
  readonly html: string;
  /** What components wait for. */
  readonly waits: readonly PromiseLike<unknown>[];
}

type FunctionComponent = (this: unknown, props: unknown, context: unknown) => ComponentChild;

/** Of the options of Preact what has no public name, as `@preact/signals` and `preact/compat` use it, too. */
interface PreactOptions {
  /** A vnode is about to be rendered. */
  __b?: ((vnode: VNode) => void) | undefined;
  /** Error boundaries work on servers, too. */
  errorBoundaries?: boolean | undefined;
}

const hooks = options as PreactOptions;

/**
 * Renders a page as far as it can be. A component that throws a promise renders nothing, and those beside it begin what
 * they need at the same time: the renderer itself would wait for the first before it looks at the second.
 *
 * @param render Gives the page.
 * @throws What a component throws outside of any boundary.
 */
export function renderOnce(render: () => ComponentChild): Rendering {
  const waits: PromiseLike<unknown>[] = [];
  const { __b: onDiff, errorBoundaries } = hooks;
  const wrappers = new Map<FunctionComponent, FunctionComponent>();
  const changed = new Map<{ type: unknown }, FunctionComponent>();
  hooks.errorBoundaries = true;
  // Not before: a component may look at what its children are.
  hooks.__b = (vnode) => {
    onDiff?.(vnode);
    const { type } = vnode as { readonly type: unknown };
    const own = vnode as { type: unknown };
    // One that stands on the page twice is wrapped by then.
    if (!isFunctionComponent(type) || changed.has(own)) return;
    let wrapped = wrappers.get(type);
    if (wrapped === undefined) wrappers.set(type, wrapped = passingOver(type, waits));
    changed.set(own, type);
    own.type = wrapped;
  };
  try {
    return { html: renderToString(render() as VNode), waits };
  } catch (thrown) {
    // A class component.
    if (!isThenable(thrown)) throw thrown;
    waits.push(thrown);
    return { html: "", waits };
  } finally {
    Object.assign(hooks, { __b: onDiff, errorBoundaries });
    // One that an app has made once is rendered again.
    for (const [vnode, type] of changed) vnode.type = type;
  }
}

/** The same component, but where it throws a promise it renders nothing. */
function passingOver(type: FunctionComponent, waits: PromiseLike<unknown>[]): FunctionComponent {
  const wrapped: FunctionComponent = function (props, context) {
    try {
      return type.call(this, props, context);
    } catch (thrown) {
      if (!isThenable(thrown)) throw thrown;
      waits.push(thrown);
      return null;
    }
  };
  // Contexts and compat have members on theirs.
  return Object.assign(wrapped, type);
}

function isFunctionComponent(type: unknown): type is FunctionComponent {
  if (typeof type !== "function" || type === Fragment) return false;
  const { prototype } = type as { readonly prototype?: object };
  return prototype === undefined || !("render" in prototype);
}

function isThenable(thrown: unknown): thrown is PromiseLike<unknown> {
  return typeof (thrown as { readonly then?: unknown } | null | undefined)?.then === "function";
}
