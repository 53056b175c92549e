import { Component, type ComponentChildren, type ComponentType, h, type VNode } from "../deps/preact.ts";
import { asError } from "../errors/errors.ts";
import { equal } from "../plain/equal.ts";
import { errorOf, failed, type Read } from "../signals/read.ts";

/** What the component gets that shows an error. */
export interface ErrorFallbackProps {
  /** What was thrown below; what is no `Error` is its cause. */
  readonly error: Error;
  /** Renders the children again; the read that failed is asked again. */
  readonly resetErrorBoundary: () => void;
}
/** What `ErrorBoundary` takes. */
export interface ErrorBoundaryProps {
  /** What may fail. */
  readonly children?: ComponentChildren;
  /** Shown in place of the children when one of them throws. A message with a button by default. */
  readonly errorComponent?: ComponentType<ErrorFallbackProps> | undefined;
  /** When one of them is another value, the error goes, as by `resetErrorBoundary`: the address of the page, say. */
  readonly resetKeys?: readonly unknown[] | undefined;
}
interface State {
  error?: Error | undefined;
  /** What failed, if it is a read. */
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
 * Shows errors that are thrown below it, of reads or of code, in place of its children. A read that failed counts as
 * mounted: it is asked again on focus and on reconnect, and the children come back with its answer.
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
    this.setState({ error: asError(thrown), read: failed.get(thrown as object) }); // another value is no key
  }
  // Before the children are rendered with what is new: an error of that is no error of before.
  override componentWillReceiveProps({ resetKeys }: Readonly<P>): void {
    if (!equal(resetKeys, this.props.resetKeys)) this.#retry();
  }
  #retry = (): void => {
    // This may run while the boundary is rendered, when no reader may be told. The children ask again, which tells all.
    if (this.state.read) Object.assign(this.state.read.node, { error: undefined, expiresAt: 0 });
    // What was thrown and is not shown yet goes, too.
    this.setState({ error: undefined, read: undefined });
  };
  override render(): ComponentChildren {
    const { children, errorComponent = Failed } = this.props, { state } = this;
    // While it is watched, it is asked again where that is needed; its error stays until the answer is there.
    if (state.read?.value) state.error = errorOf(state.read, state.read.node);
    if (!state.error) state.read = undefined;
    const { error } = state;
    return error ? h(errorComponent, { error, resetErrorBoundary: this.#retry }) : children;
  }
}
