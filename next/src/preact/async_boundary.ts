import { Component, type ComponentChildren, type ComponentType, h } from "../deps/preact.ts";
import type { Commit } from "../store/commit.ts";
import { catchPromises, isWaitedAt } from "./_internals.ts";
import { ControllerContext } from "./use_controller.ts";

export interface AsyncBoundaryProps {
  readonly fallback?: ComponentChildren;
  readonly errorComponent?: ComponentType<ErrorProps> | undefined;
  readonly children?: ComponentChildren;
}
export interface ErrorProps {
  readonly error: Error;
  resetErrorBoundary(): void;
}

const Failed = ({ error, resetErrorBoundary }: ErrorProps): any =>
  h(
    "p",
    { role: "alert" },
    `${error.message} `,
    h("button", { type: "button", onClick: resetErrorBoundary }, "Try again"),
  );

/** Shows its fallback while something below waits, which stays mounted; and errors of what is below. */
export class AsyncBoundary extends Component<AsyncBoundaryProps, { error?: any }> {
  static override contextType: any = ControllerContext;
  constructor(props: AsyncBoundaryProps, context: any) {
    super(props, context);
    catchPromises(this);
  }
  static override getDerivedStateFromError(error: any): any {
    return { error };
  }
  #reset = (): void => {
    // The new readers ask again for what failed.
    this.context?.store.write([], {}, ({ changed }: Commit) => {
      for (const answer of this.context.store.answers()) {
        if (answer.error) changed.push(Object.assign(answer, { error: undefined, expiresAt: 0 }));
      }
    });
    this.setState({ error: undefined });
  };
  override render(
    { fallback, errorComponent = Failed, children }: AsyncBoundaryProps,
    { error }: { error?: any },
  ): any {
    if (error) return h(errorComponent, { error, resetErrorBoundary: this.#reset });
    const isWaiting = isWaitedAt(this);
    return [h("div", { style: { display: isWaiting ? "none" : "contents" } }, children), isWaiting ? fallback : null];
  }
}
