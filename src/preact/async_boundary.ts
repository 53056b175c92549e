import { type ComponentChildren, Fragment, h, type VNode } from "../deps/preact.ts";
import type { Value } from "../plain/value.ts";
import { ErrorBoundary, type ErrorBoundaryProps } from "./error_boundary.ts";
import { catchPromises, isWaitedAt } from "./_internals.ts";

/** What `AsyncBoundary` takes. */
export interface AsyncBoundaryProps extends ErrorBoundaryProps {
  /** Shown while something below waits for its data. Nothing by default. */
  readonly fallback?: ComponentChildren;
}

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
  #content: VNode<Value> | undefined;
  override render(): ComponentChildren {
    const { children, fallback } = this.props, shown = super.render();
    catchPromises(this);
    if (this.state.error) return shown;
    // The same vnode for the same children: they are passed over when only the fallback comes or goes.
    if (this.#content?.props.children !== children) this.#content = h(Fragment, null, children);
    // The content comes first: it is what is hidden.
    return [this.#content, isWaitedAt(this) ? fallback : null];
  }
}
