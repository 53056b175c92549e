import { type ComponentChildren, h, type VNode } from "../deps/preact.ts";
import { ErrorBoundary, type ErrorBoundaryProps } from "./error_boundary.ts";
import { Hider } from "./_hider.ts";
import { afterCommit, catchPromises, domOf, isWaitedAt } from "./_internals.ts";

/** What `AsyncBoundary` takes. */
export interface AsyncBoundaryProps extends ErrorBoundaryProps {
  /** Shown while something below waits for its data. Nothing by default. */
  readonly fallback?: ComponentChildren;
}

/** A component: Preact passes over it when its vnode is the same one. */
const Content = ({ children }: ContentProps): ComponentChildren => children;
interface ContentProps {
  readonly children: ComponentChildren;
}
/** Boundaries at which something waits, or did when they were rendered before. */
const hiding: Set<AsyncBoundary> = /* @__PURE__ */ new Set();

/**
 * Shows its fallback while something below waits for its data. What was mounted stays mounted, hidden in place, with its
 * state and its focus; what waits before it was ever mounted begins anew. Of errors it does what `ErrorBoundary` does.
 * It needs no `preact/compat`.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { AsyncBoundary } from "@rejoin/data/preact";
 *
 * const page = <AsyncBoundary fallback={<p>Loading …</p>}>What was loaded</AsyncBoundary>;
 * assert(page.type === AsyncBoundary);
 * ```
 */
export class AsyncBoundary extends ErrorBoundary<AsyncBoundaryProps> {
  readonly #hider = new Hider();
  #content: VNode<ContentProps> | undefined;
  #isWaiting = false;

  constructor(props: AsyncBoundaryProps) {
    super(props);
    catchPromises(this);
    afterCommit.add(AsyncBoundary.#update);
  }
  override componentWillUnmount(): void {
    super.componentWillUnmount();
    hiding.delete(this);
  }
  override render(): ComponentChildren {
    const { children, fallback } = this.props, { error } = this.state;
    this.#isWaiting = !error && isWaitedAt(this);
    if (error) {
      this.#content = undefined;
      return super.render();
    }
    if (this.#isWaiting) hiding.add(this);
    // The same vnode for the same children: then they are passed over when only the fallback comes or goes.
    if (!this.#content || this.#content.props.children !== children) this.#content = h(Content, { children });
    return [this.#content, this.#isWaiting ? fallback : null];
  }
  /** With each rendering of anything: a component below may add elements while another one waits. */
  static #update(): void {
    // Shows first: boundaries may be nested.
    for (const boundary of hiding) {
      if (boundary.#isWaiting) continue;
      hiding.delete(boundary);
      boundary.#hider.show(domOf(boundary.#content));
    }
    for (const boundary of hiding) boundary.#hider.hide(domOf(boundary.#content));
  }
}
