import {
  Component,
  type ComponentChildren,
  type ComponentType,
  Fragment,
  h,
  type JSX,
  type VNode,
} from "../deps/preact.ts";
import { asError } from "./_as_error.ts";
import { afterCommit, catchPromises, firstNodeOf, waitersAt } from "./_internals.ts";
import { type FailedRead, failedReads } from "./context.ts";
import { FailedReadWatch } from "./_failed_read_watch.ts";
import { Hider } from "./_hider.ts";

/** What the component gets that shows an error. */
export interface ErrorFallbackProps {
  /** What was thrown below. */
  readonly error: Error;
  /** Renders the children again; the read that failed is asked again. */
  readonly resetErrorBoundary: () => void;
}

/** What {@linkcode AsyncBoundary} takes. */
export interface AsyncBoundaryProps {
  /** What may wait or fail. */
  readonly children?: ComponentChildren;
  /** Shown while something below waits for its data. Nothing by default. */
  readonly fallback?: ComponentChildren;
  /** Shown in place of the children when one of them throws. A message with a button by default. */
  readonly errorComponent?: ComponentType<ErrorFallbackProps> | undefined;
}

interface BoundaryState {
  /** What was thrown since the children were rendered last. */
  readonly failures: readonly Failure[];
}

/** What was thrown once: several reads may have failed with one error. */
interface Failure {
  readonly error: unknown;
  /** Of a read. */
  readonly watch: FailedReadWatch | undefined;
}

/**
 * Where waiting and errors of reads below are shown. While something waits, what was mounted stays mounted, with its
 * state, and is hidden; what had the focus has it again afterwards, unless it went elsewhere.
 *
 * A read that failed and is there later, whoever brought it, is shown without a click: what may pass by itself (no answer,
 * no answer in time, 5xx) is asked again meanwhile, other errors end when the read is invalidated or expired.
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
export class AsyncBoundary extends Component<AsyncBoundaryProps, BoundaryState> {
  override state: BoundaryState = { failures: [] };
  readonly #hider = new Hider();
  /** Stand in for the reads that have failed. */
  readonly #watches = new Set<FailedReadWatch>();
  #content: { readonly of: ComponentChildren; readonly node: VNode } | undefined;
  #start: Component | null = null;
  #end: Component | null = null;
  #isWaiting = false;

  /** Called by Preact with an error that was thrown below. */
  override componentDidCatch(thrown: unknown): void {
    // While it is caught: another component that throws the same may have read something else.
    const failure = this.#follow(thrown, readOf(thrown));
    this.setState(({ failures }) => ({ failures: [...failures, failure] }));
  }

  override componentWillUnmount(): void {
    hiding.delete(this);
    this.#forget();
  }

  override render(): JSX.Element {
    const { children, fallback, errorComponent = ErrorMessage } = this.props;
    const { failures } = this.state;
    if (failures.length > 0) {
      this.#content = undefined;
      this.#isWaiting = false;
      const error = asError(failures.at(-1)!.error);
      return h(errorComponent, { error, resetErrorBoundary: () => this.#retry(failures) });
    }
    this.#isWaiting = waitersAt(this) > 0;
    if (this.#isWaiting) hiding.add(this);
    // The same vnode for the same children: Preact then passes over them when only the fallback comes or goes.
    if (this.#content?.of !== children || this.#content === undefined) {
      this.#content = { of: children, node: h(Content, null, children) };
    }
    return h(
      Fragment,
      null,
      h(Content, { created: (start) => this.#start = start }, this.#content.node),
      // At rest it adds nothing to the page: what a server has rendered stays as it is.
      this.#isWaiting ? h(End, { created: (end) => this.#end = end }) : null,
      this.#isWaiting ? fallback : null,
    );
  }

  #retry(failures: readonly Failure[]): void {
    this.#forget();
    for (const { watch } of failures) {
      if (watch === undefined) continue;
      const { controller, view } = watch.read;
      controller.invalidateAll({ testKey: (key) => key === view.key });
    }
    this.setState({ failures: [] });
  }

  #follow(error: unknown, read: FailedRead | undefined): Failure {
    const watch = read && new FailedReadWatch(read, (next) => {
      this.#watches.delete(watch!);
      // The same read, once more: what shows the error stays where it is.
      if (next !== undefined) failedReads.set(next, read);
      const after = next === undefined ? [] : [this.#follow(next, read)];
      this.setState(({ failures }) => ({ failures: failures.flatMap((each) => each === failure ? after : [each]) }));
    });
    if (watch !== undefined) this.#watches.add(watch);
    const failure = { error, watch };
    return failure;
  }

  #forget(): void {
    for (const watch of this.#watches) watch.stop();
    this.#watches.clear();
  }

  /** Shows what waits no more, then hides what does: boundaries may be nested. */
  static #showAndHide(): void {
    for (const boundary of hiding) {
      if (boundary.#isWaiting) continue;
      hiding.delete(boundary);
      boundary.#hider.show();
    }
    for (const boundary of hiding) boundary.#hider.hide(firstNodeOf(boundary.#start), firstNodeOf(boundary.#end));
  }

  static {
    catchPromises(this);
    // With each rendering of anything: a component below may add elements while another one is waited for.
    afterCommit(() => this.#showAndHide());
  }
}

/** Boundaries at which something waits, or did when they were rendered before. */
const hiding = new Set<AsyncBoundary>();

interface Created {
  /** Gets the instance; `ref` means different things for classes in Preact 10 and 11. */
  readonly created?: (component: Component) => void;
}

/** Gives its children a component of their own, whose first DOM node is known. */
class Content extends Component<Created & { readonly children?: ComponentChildren }> {
  override componentWillMount(): void {
    this.props.created?.(this);
  }

  override render(): ComponentChildren {
    return this.props.children;
  }
}

/** An empty text: where the children end. */
class End extends Component<Created> {
  override componentWillMount(): void {
    this.props.created?.(this);
  }

  override render(): string {
    return "";
  }
}

function readOf(error: unknown): FailedRead | undefined {
  return typeof error === "object" && error !== null ? failedReads.get(error) : undefined;
}

function ErrorMessage({ error, resetErrorBoundary }: ErrorFallbackProps): JSX.Element {
  return h(
    "div",
    { role: "alert" },
    h("p", null, error.message),
    h("button", { type: "button", onClick: resetErrorBoundary }, "Try again"),
  );
}
