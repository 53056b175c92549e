import { type ComponentChildren, type Context, Fragment, h, type VNode } from "../deps/preact.ts";
import type { Controller } from "../controller/controller.ts";
import { afterCommit, catchPromises, firstNodeIn, isWaitedAt, nodeOf } from "./_internals.ts";
import { lateBoundaries } from "../controller/late_boundaries.ts";
import { ControllerContext } from "./context.ts";
import { ErrorBoundary, type ErrorBoundaryProps } from "./error_boundary.ts";
import { Hider } from "./_hider.ts";

/** What {@linkcode AsyncBoundary} takes. */
export interface AsyncBoundaryProps extends ErrorBoundaryProps {
  /** Shown while something below waits for its data. Nothing by default. */
  readonly fallback?: ComponentChildren;
}

/**
 * Where waiting and errors of reads below are shown. While something waits, what was mounted stays mounted, with its
 * state, and is hidden; what had the focus has it again afterwards, unless it went elsewhere.
 *
 * Of errors it does what an `ErrorBoundary` does.
 *
 * It catches both by itself, without `preact/compat`, whose mere import would change the `onChange` of every input.
 * Any other component that throws a promise is waited for as well. A component that waits before it was ever mounted
 * begins anew when it goes on: effects do not run for it, and the state of its hooks is not kept.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { AsyncBoundary } from "@rejoin/data/preact";
 *
 * const page = (
 *   <AsyncBoundary fallback={<p>Loading …</p>}>
 *     <p>What was loaded</p>
 *   </AsyncBoundary>
 * );
 * assert(page.type === AsyncBoundary);
 * ```
 */
export class AsyncBoundary extends ErrorBoundary<AsyncBoundaryProps> {
  static override contextType: Context<Controller | undefined> = ControllerContext;
  readonly #hider = new Hider();
  #content: { readonly of: ComponentChildren; readonly node: VNode } | undefined;
  #start: VNode | null = null;
  #end: VNode | null = null;
  #isWaiting = false;
  /** A server has rendered its fallback: it is that which is to be hydrated. What waits is mounted next to it, then. */
  #isLate = false;

  override componentWillMount(): void {
    const late = lateBoundaries.get(this.context!);
    if (late?.length && !ErrorBoundary.isInFailed(this)) this.#isLate = late.shift() === 1;
  }

  override componentDidMount(): void {
    if (!this.#isLate) return;
    this.#isLate = false;
    this.forceUpdate();
  }

  override componentWillUnmount(): void {
    hiding.delete(this);
  }

  override render(): ComponentChildren {
    if (this.state.failures.length > 0) {
      this.#content = undefined;
      this.#isWaiting = false;
      return super.render();
    }
    const { children, fallback } = this.props;
    if (this.#isLate) return [null, null, fallback];
    this.#isWaiting = isWaitedAt(this);
    if (this.#isWaiting) hiding.add(this);
    // The same vnode for the same children: Preact then passes over them when only the fallback comes or goes.
    if (this.#content?.of !== children || this.#content === undefined) {
      this.#content = { of: children, node: h(Content, null, children) };
    }
    this.#start = h(Fragment, null, this.#content.node);
    // At rest it adds nothing to the page: what a server has rendered stays as it is.
    this.#end = this.#isWaiting ? h(Fragment, null, "") : null;
    return [this.#start, this.#end, this.#isWaiting && fallback];
  }

  /** Shows what waits no more, then hides what does: boundaries may be nested. */
  static #showAndHide(): void {
    for (const boundary of hiding) {
      if (boundary.#isWaiting) continue;
      hiding.delete(boundary);
      boundary.#hider.show();
    }
    for (const boundary of hiding) {
      const end = nodeOf(boundary.#end);
      if (end !== null) boundary.#hider.hide(firstNodeIn(end.parentNode, boundary.#start), end);
    }
  }

  static {
    catchPromises(this);
    // With each rendering of anything: a component below may add elements while another one is waited for.
    afterCommit(this.#showAndHide);
  }
}

/** Boundaries at which something waits, or did when they were rendered before. */
const hiding = new Set<AsyncBoundary>();

/** A component, so that Preact passes over the same vnode; it does not with a fragment. */
function Content({ children }: { readonly children?: ComponentChildren }): ComponentChildren {
  return children;
}
