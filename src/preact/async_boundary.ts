import { type ComponentChildren, Fragment, h, type VNode } from "../deps/preact.ts";
import type { Value } from "../plain/value.ts";
import { ErrorBoundary, type ErrorBoundaryProps } from "./error_boundary.ts";
import { catchPromises, isWaitedAt } from "./_internals.ts";

/** The props of `AsyncBoundary`. */
export interface AsyncBoundaryProps extends ErrorBoundaryProps {
  /** Shown while a component below waits for its data. Defaults to nothing. */
  readonly fallback?: ComponentChildren;
}

/**
 * Shows a fallback while a component below it waits for its data (`useSuspense`). Components that are mounted already
 * stay mounted, hidden, and keep their state and focus; a component that suspends in its first render starts anew.
 * Errors are shown as by `ErrorBoundary`. It works without `preact/compat`.
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
    // With the same vnode Preact skips the children when only the fallback appears or disappears.
    if (this.#content?.props.children !== children) this.#content = h(Fragment, null, children);
    // The content is the first child: `_internals` hides that one.
    return [this.#content, isWaitedAt(this) ? fallback : null];
  }
}
