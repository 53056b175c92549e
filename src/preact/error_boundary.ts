import { Component, type ComponentChildren, type ComponentType, h, type JSX } from "../deps/preact.ts";
import { asError } from "./_as_error.ts";
import { isBelow, isThenable, useMemory } from "./_internals.ts";
import { type FailedRead, failedReads } from "./context.ts";
import { Reader } from "./use_read.ts";

/** What the component gets that shows an error. */
export interface ErrorFallbackProps {
  /** What was thrown below. */
  readonly error: Error;
  /** Renders the children again; the read that failed is asked again. */
  readonly resetErrorBoundary: () => void;
}

/** What {@linkcode ErrorBoundary} takes. */
export interface ErrorBoundaryProps {
  /** What may fail. */
  readonly children?: ComponentChildren;
  /** Shown in place of the children when one of them throws. A message with a button by default. */
  readonly errorComponent?: ComponentType<ErrorFallbackProps> | undefined;
  /** When one of them is another value, an error goes as it does by `resetErrorBoundary`: the address of the page, say. */
  readonly resetKeys?: readonly unknown[] | undefined;
}

interface BoundaryState {
  /** What was thrown since the children were rendered last. */
  readonly failures: readonly Failure[];
}

/** What was thrown once: several reads may have failed with one error. */
interface Failure {
  readonly error: unknown;
  /** Which read has failed. */
  readonly read: FailedRead | undefined;
}

/**
 * Where errors of reads below are shown, and of anything else that throws while it renders. Waiting is for the
 * `AsyncBoundary` above, which is one of these, too.
 *
 * A read that failed and is there later, whoever brought it, is shown without a click: what may pass by itself (no answer,
 * no answer in time, 5xx) is asked again meanwhile, other errors end when the read is invalidated or expired.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { ErrorBoundary } from "@rejoin/data/preact";
 *
 * const ratings = (
 *   <ErrorBoundary errorComponent={({ error }) => <p role="alert">{error.message}</p>}>
 *     <p>What may fail by itself, and leave the page</p>
 *   </ErrorBoundary>
 * );
 * assert(ratings.type === ErrorBoundary);
 * ```
 */
export class ErrorBoundary<P extends ErrorBoundaryProps = ErrorBoundaryProps> extends Component<P, BoundaryState> {
  override state: BoundaryState = { failures: [] };
  #hasFailed = false;

  /** Called by Preact with an error that was thrown below. */
  override componentDidCatch(thrown: unknown): void {
    // Nobody above it waits: Preact goes on with what is thrown here, up to who says so.
    if (isThenable(thrown)) throw thrown;
    this.#hasFailed = true;
    // While it is caught: another component that throws the same may have read something else.
    const failure = { error: thrown, read: failedReads.get(thrown as object) };
    this.setState(({ failures }) => ({ failures: [...failures, failure] }));
  }

  /** Whether a component stands beside what has failed, or in place of it: a server renders the one not, Preact both late. */
  static isInFailed(component: Component): boolean {
    return isBelow(component, (above) => #hasFailed in above && above.#hasFailed);
  }

  // Before the children are rendered with what is new: what fails of that is no error of before.
  override componentWillReceiveProps({ resetKeys = [] }: Readonly<P>): void {
    const { resetKeys: before = [] } = this.props;
    if (resetKeys.length !== before.length || resetKeys.some((key, at) => !Object.is(key, before[at]))) this.#retry();
  }

  override render(): ComponentChildren {
    const { children, errorComponent = ErrorMessage } = this.props;
    const { failures } = this.state;
    const last = failures.at(-1);
    if (last === undefined) return children;
    return [
      h(errorComponent, { error: asError(last.error), resetErrorBoundary: () => this.#retry() }),
      ...failures.map((failure) => {
        const { error, read } = failure;
        // The same read, once more: what shows the error stays where it is.
        const changed = (next: object | undefined) =>
          this.setState(({ failures }) => ({
            failures: failures.flatMap((each) => each !== failure ? [each] : next ? [{ error: next, read }] : []),
          }));
        return read && h(StandIn, { key: read, error, read, changed });
      }),
    ];
  }

  #retry(): void {
    // What was thrown and not shown yet goes, too.
    this.setState(({ failures }) => {
      for (const { read } of failures) read?.controller.invalidateAll({ testKey: (key) => key === read.view.key });
      return failures.length === 0 ? null : { failures: [] };
    });
  }
}

interface StandInProps extends Failure {
  readonly read: FailedRead;
  /** Is told when the read is no longer as it was, with the error that it fails with now, if it does. */
  readonly changed: (error: object | undefined) => void;
}

/** Goes on reading in place of the component that was unmounted because its read failed. */
function StandIn({ error, read, changed }: StandInProps): null {
  const { endpoint, args } = read.view;
  const reader = useMemory((component) => new Reader(component, read));
  const { error: next } = reader.read(endpoint, args, "ErrorBoundary");
  if (next !== error) changed(next);
  return null;
}

function ErrorMessage({ error, resetErrorBoundary }: ErrorFallbackProps): JSX.Element {
  return h(
    "div",
    { role: "alert" },
    h("p", null, error.message),
    h("button", { type: "button", onClick: resetErrorBoundary }, "Try again"),
  );
}
