import type { AnyReadable } from "./interface.ts";

/** An endpoint and the arguments of a call. */
export interface WholeCall<E extends AnyReadable = AnyReadable> {
  readonly endpoint: E;
  readonly args: readonly unknown[];
}

/** The same, with what `endpoint.key(...args)` gives. */
export interface KeyedCall<E extends AnyReadable = AnyReadable> extends WholeCall<E> {
  readonly key: string;
}

/**
 * A call as schemas are to see it: of an endpoint whose arguments were bound, the call of the original.
 *
 * @param endpoint What is called.
 * @param args What it is called with.
 */
export function wholeCall<E extends AnyReadable>(endpoint: E, args: readonly unknown[]): WholeCall<E> {
  const { bound } = endpoint;
  return bound === undefined
    ? { endpoint, args }
    : wholeCall(bound.endpoint as AnyReadable as E, [...bound.args, ...args]);
}
