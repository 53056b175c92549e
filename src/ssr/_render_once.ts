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

/** What options.vnode, and the renderer, do with Preact beside its public names. */
interface PreactOptions {
  vnode?: ((vnode: VNode) => void) | undefined;
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
  const { vnode: onVNode, errorBoundaries } = hooks;
  const waiting = new Map<FunctionComponent, FunctionComponent>();
  hooks.errorBoundaries = true;
  hooks.vnode = (vnode) => {
    onVNode?.(vnode);
    const { type } = vnode as { readonly type: unknown };
    if (isFunctionComponent(type)) {
      let wrapped = waiting.get(type);
      if (wrapped === undefined) waiting.set(type, wrapped = passingOver(type, waits));
      (vnode as { type: unknown }).type = wrapped;
    }
  };
  try {
    return { html: renderToString(render() as VNode), waits };
  } catch (thrown) {
    // A class component, or one that was made before.
    if (!isThenable(thrown)) throw thrown;
    waits.push(thrown);
    return { html: "", waits };
  } finally {
    Object.assign(hooks, { vnode: onVNode, errorBoundaries });
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
