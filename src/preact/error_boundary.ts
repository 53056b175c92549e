import { Component, type ComponentChildren, type ComponentType, h, type VNode } from "../deps/preact.ts";
import { asError } from "../errors/errors.ts";
import { equal } from "../plain/equal.ts";
import { errorOf, failed, type Read } from "../signals/read.ts";

/** The props of an `errorComponent`. */
export interface ErrorFallbackProps {
  /** The error that was thrown below. A thrown value that is no `Error` is wrapped in one, as its `cause`. */
  readonly error: Error;
  /** Renders the children again. A read that failed is fetched again. */
  readonly resetErrorBoundary: () => void;
}
/** The props of `ErrorBoundary`. */
export interface ErrorBoundaryProps {
  /** The content, which may throw. */
  readonly children?: ComponentChildren;
  /** Shown in place of the children after an error. Defaults to the error's message with a button "Try again". */
  readonly errorComponent?: ComponentType<ErrorFallbackProps> | undefined;
  /** The error is reset when one of these values changes: `[url]`, for instance. */
  readonly resetKeys?: readonly unknown[] | undefined;
}
interface State {
  error?: Error | undefined;
  /** The read that failed, if the error is that of a read. */
  read?: Read | undefined;
}

const Failed = ({ error, resetErrorBoundary }: ErrorFallbackProps): VNode =>
  h(
    "div",
    { role: "alert" },
    h("p", null, error.message),
    h("button", { type: "button", onClick: resetErrorBoundary }, "Try again"),
  );

/**
 * Catches errors of reads and of code below it, and shows them in place of its children. A read that failed is fetched
 * again on focus and on reconnect, and the children return with its data.
 *
 * @example
 * ```tsx
 * import { assert } from "@std/assert";
 * import { ErrorBoundary } from "@rejoin/data/preact";
 *
 * const page = <ErrorBoundary errorComponent={({ error }) => <p>{error.message}</p>}>It works</ErrorBoundary>;
 * assert(page.type === ErrorBoundary);
 * ```
 */
export class ErrorBoundary<P extends ErrorBoundaryProps = ErrorBoundaryProps> extends Component<P, State> {
  override state: State = {};
  override componentDidCatch(thrown: unknown): void {
    this.setState({ error: asError(thrown), read: failed.get(thrown as object) }); // `get` gives undefined for other values
  }
  // The error is reset before the children render with the new keys, so that an error of theirs is kept.
  override componentWillReceiveProps({ resetKeys }: Readonly<P>): void {
    if (!equal(resetKeys, this.props.resetKeys)) this.#retry();
  }
  #retry = (): void => {
    // The fields are changed directly, since this may run during a render, when no reader may be told. The children
    // then fetch again, which tells all readers.
    if (this.state.read) Object.assign(this.state.read.node, { error: undefined, expiresAt: 0 });
    // `setState` also replaces an error that was caught and is not rendered yet.
    this.setState({ error: undefined, read: undefined });
  };
  override render(): ComponentChildren {
    const { children, errorComponent = Failed } = this.props, { state } = this;
    // `read.value` is a signal: reading it here watches the answer, which counts as mounted. The error stays until the
    // read succeeds.
    if (state.read?.value) state.error = errorOf(state.read, state.read.node);
    if (!state.error) state.read = undefined;
    const { error } = state;
    return error ? h(errorComponent, { error, resetErrorBoundary: this.#retry }) : children;
  }
}
