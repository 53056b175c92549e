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
  readonly errors: readonly unknown[];
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
  override state: BoundaryState = { errors: [] };
  readonly #hider = new Hider();
  /** What is known of the errors that came from reads. */
  readonly #failures = new Map<unknown, FailedReadWatch>();
  #content: { readonly of: ComponentChildren; readonly node: VNode } | undefined;
  #start: Component | null = null;
  #end: Component | null = null;
  #isWaiting = false;

  /** Called by Preact with an error that was thrown below. */
  override componentDidCatch(thrown: unknown): void {
    const read = readOf(thrown);
    if (read !== undefined && !this.#failures.has(thrown)) this.#follow(thrown, read);
    this.setState(({ errors }) => ({ errors: [...errors, thrown] }));
  }

  override componentWillUnmount(): void {
    hiding.delete(this);
    this.#forget();
  }

  override render(): JSX.Element {
    const { children, fallback, errorComponent = ErrorMessage } = this.props;
    const { errors } = this.state;
    if (errors.length > 0) {
      this.#content = undefined;
      this.#isWaiting = false;
      const error = asError(errors.at(-1));
      return h(errorComponent, { error, resetErrorBoundary: () => this.#retry(errors) });
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
      h(End, { created: (end) => this.#end = end }),
      this.#isWaiting ? fallback : null,
    );
  }

  #retry(errors: readonly unknown[]): void {
    this.#forget();
    for (const error of errors) {
      const read = readOf(error);
      read?.controller.invalidateAll({ testKey: (key) => key === read.view.key });
    }
    this.setState({ errors: [] });
  }

  #follow(error: unknown, read: FailedRead): void {
    const watch = new FailedReadWatch(read, (next) => {
      this.#failures.delete(error);
      // The same read, once more: what shows the error stays where it is.
      if (next !== undefined) {
        failedReads.set(next, read);
        this.#follow(next, read);
      }
      this.setState(({ errors }) => ({
        errors: errors.flatMap((each) => each !== error ? [each] : next === undefined ? [] : [next]),
      }));
    });
    this.#failures.set(error, watch);
  }

  #forget(): void {
    for (const watch of this.#failures.values()) watch.stop();
    this.#failures.clear();
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
