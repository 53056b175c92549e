/**
 * Requests that wait for the test: what an endpoint was asked, and when it is answered.
 *
 * @module
 */
import { flush } from "./clock.ts";

/** One call of an endpoint. */
export interface WireCall {
  /** What the call was named. */
  readonly name: string;
  /** Its arguments. */
  readonly args: readonly unknown[];
  /** Aborted when nobody needs it any more. */
  readonly signal: AbortSignal | undefined;
  /** Answers, and lets everything run that waits for it. */
  reply(value: unknown): Promise<void>;
  /** Rejects, and lets everything run that waits for it. */
  fail(reason?: unknown): Promise<void>;
}

/** The functions of endpoints, whose calls are kept until the test settles them. */
export class Wire {
  /** All calls so far, in order. */
  readonly calls: WireCall[] = [];

  /**
   * A function for an endpoint.
   *
   * @param name Names its calls.
   */
  fn<A extends readonly unknown[] = []>(name: string): (this: unknown, ...args: A) => Promise<unknown> {
    const { calls } = this;
    return function (this: unknown, ...args: A): Promise<unknown> {
      return new Promise((resolve, reject) => {
        calls.push({
          name,
          args,
          signal: (this as { signal?: AbortSignal }).signal,
          reply: (value) => (resolve(value), flush()),
          fail: (reason = new Error("failed")) => (reject(reason), flush()),
        });
      });
    };
  }

  /** The last call. */
  get last(): WireCall {
    return this.calls.at(-1)!;
  }
}
