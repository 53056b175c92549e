import { Component, type ComponentChildren, type ComponentType, h, type VNode } from "../deps/preact.ts";
import { effect } from "../deps/signals_core.ts";
import { asError } from "../errors/errors.ts";
import { isThenable } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";
import { readOfError } from "../signals/read.ts";

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
  readonly error?: Error | undefined;
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
  #stop: (() => void) | undefined;

  override componentDidCatch(thrown: unknown): void {
    // It is waited for at a boundary above, if there is one: Preact goes on with what is thrown here.
    if (isThenable(thrown)) throw thrown;
    this.setState({ error: asError(thrown) });
  }
  // Before the children are rendered with what is new: an error of that is no error of before.
  override componentWillReceiveProps({ resetKeys = [] }: Readonly<P>): void {
    const { resetKeys: before = [] } = this.props;
    if (resetKeys.length !== before.length || resetKeys.some((key, at) => !Object.is(key, before[at]))) this.#retry();
  }
  override componentDidUpdate(): void {
    this.#stop?.();
    const { error } = this.state, read = readOfError(error);
    this.#stop = read && effect(() => {
      // While it is watched, it is asked again where that is needed.
      const next = read.shown.value.error;
      if (!read.answer.flight && next !== error) this.setState({ error: next && asError(next) });
    });
  }
  override componentWillUnmount(): void {
    this.#stop?.();
  }
  #retry = (): void => {
    this.#stop?.();
    const read = readOfError(this.state.error);
    // The new readers ask again.
    if (read) read.controller.invalidate(read.endpoint as Value, ...read.args); // any read
    // What was thrown and is not shown yet goes, too.
    this.setState({ error: undefined });
  };
  override render(): ComponentChildren {
    const { children, errorComponent = Failed } = this.props, { error } = this.state;
    return error ? h(errorComponent, { error, resetErrorBoundary: this.#retry }) : children;
  }
}
