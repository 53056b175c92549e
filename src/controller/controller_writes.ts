import { clock } from "../deps/clock.ts";
import { copyArgs, copyNested } from "../endpoint/copy_plain.ts";
import type { AnyEndpoint, AnyReadable, ReadEndpoint } from "../endpoint/interface.ts";
import type { KeyedCall } from "../endpoint/whole_call.ts";
import type { NullableArgs, Queryable, SchemaArgs } from "../schemas/infer.ts";
import { shapeOf } from "../store/entry.ts";
import type { MarkAction } from "../store/reducers/mark.ts";
import type { StoreAction } from "../store/reducers/mod.ts";
import type { Action } from "./action.ts";
import { ControllerReads } from "./controller_reads.ts";
import type { SetValue, Updater, WithLast } from "./controller_types.ts";
import { isInactive } from "./is_inactive.ts";

type Unnumbered<A> = A extends unknown ? Omit<A, "seq" | "date"> : never;

/** What changes a store without asking a server: each method sends one action through the middleware. */
export abstract class ControllerWrites extends ControllerReads {
  /**
   * Sends an action through the middleware, for managers.
   *
   * @param action What happened.
   * @returns For `fetch` a promise of the result, for others nothing.
   */
  abstract dispatch(action: Action): unknown;

  /**
   * Writes a value by hand: an entity, or whatever a schema stores. It counts as newer than all that was asked for before.
   *
   * @param schema Where it belongs.
   * @param rest What names it, then the value; or a function of the present value, of whose result only what differs is
   *   written. Members that the arguments name may be left out of the value.
   * @throws {NormalizeError} If the value does not fit or names no pk; nothing is written.
   */
  set<S extends Queryable>(schema: S, ...rest: [...args: SchemaArgs<S>, value: SetValue<S> | Updater<S>]): void {
    const value: unknown = rest.pop();
    const seq = this.store.sequence.take();
    // Written out: to spread what is made for each write would cost a quarter of it.
    this.dispatch({ type: "set", schema, args: rest, value: copyNested(value), seq, date: clock.now() });
  }

  /**
   * Writes a response as if the endpoint had just brought it.
   *
   * @param endpoint Whose response it is.
   * @param rest Its arguments, then the response.
   * @throws {NormalizeError} If the response has another shape than the schema declares; nothing is written.
   */
  setResponse<E extends AnyEndpoint>(endpoint: E, ...rest: WithLast<E["~types"]["args"]>): void {
    const response: unknown = rest.pop();
    this.change({ type: "setResponse", ...this.callToWrite(endpoint, rest), response });
  }

  /**
   * Keeps an error as if the endpoint had just failed with it.
   *
   * @param endpoint Which one.
   * @param rest Its arguments, then the error.
   */
  setError<E extends AnyEndpoint>(endpoint: E, ...rest: WithLast<E["~types"]["args"]>): void {
    const error: unknown = rest.pop();
    this.change({ type: "setError", ...this.callToWrite(endpoint, rest), error });
  }

  /**
   * Hides the answer of an endpoint: who reads it fetches again, and a request in flight starts anew. `null` does nothing.
   *
   * @param endpoint Which one.
   * @param args Its arguments.
   */
  invalidate<E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<E["~types"]["args"]>): void {
    if (!isInactive(args)) this.change({ type: "invalidate", ...this.#oneKey(endpoint, args) });
  }

  /**
   * Hides the answers of every key that passes.
   *
   * @param test An endpoint, for all its arguments, or anything that tests keys.
   */
  invalidateAll(test: { testKey(key: string): boolean }): void {
    this.change({ type: "invalidate", testKey: (key) => test.testKey(key) });
  }

  /**
   * Marks the answer of an endpoint stale: it stays visible, and what is mounted fetches again; also one that is read
   * from records. `null` does nothing.
   *
   * @param endpoint Which one.
   * @param args Its arguments.
   *
   * @example
   * ```ts
   * import { assert } from "@std/assert";
   * import { Controller, Endpoint } from "@rejoin/data";
   *
   * const getTime = new Endpoint(async () => await Promise.resolve(12), { name: "getTime" });
   * const controller = new Controller();
   * await controller.fetch(getTime);
   * controller.expire(getTime);
   * const { data, expiresAt } = controller.getResponse(getTime);
   * assert(data === 12 && expiresAt === 0);
   * ```
   */
  expire<E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<E["~types"]["args"]>): void {
    if (!isInactive(args)) this.change({ type: "expire", ...this.#oneKey(endpoint, args) });
  }

  /**
   * Marks the answers of every key that passes stale: they stay visible, and what is mounted fetches again.
   *
   * @param test An endpoint, for all its arguments, or anything that tests keys.
   */
  expireAll(test: { testKey(key: string): boolean }): void {
    this.change({ type: "expire", testKey: (key) => test.testKey(key) });
  }

  /**
   * Asks for the answer of an endpoint to be kept up to date, by polling or by whatever its manager knows, until
   * {@linkcode Controller.unsubscribe} is called as often. `null` does nothing.
   *
   * @param endpoint Which one.
   * @param args Its arguments.
   * @throws {EndpointError} If the manager cannot serve it: a `pollFrequency` that is no number of ms.
   */
  subscribe<E extends ReadEndpoint>(endpoint: E, ...args: NullableArgs<E["~types"]["args"]>): void {
    if (!isInactive(args)) {
      this.dispatch({ type: "subscribe", endpoint, args: copyArgs(args), key: endpoint.key(...args) });
    }
  }

  /**
   * Takes one {@linkcode Controller.subscribe} back.
   *
   * @param endpoint Which one.
   * @param args Its arguments.
   */
  unsubscribe<E extends ReadEndpoint>(endpoint: E, ...args: NullableArgs<E["~types"]["args"]>): void {
    if (!isInactive(args)) this.dispatch({ type: "unsubscribe", endpoint, args, key: endpoint.key(...args) });
  }

  /** Forgets everything; what is in flight rejects with `OvertakenError`. What is mounted fetches again. */
  resetEntireStore(): void {
    this.change({ type: "reset" });
  }

  /** A call whose arguments may be kept: they are values, whatever becomes of what was passed. */
  protected callToWrite<E extends AnyReadable>(endpoint: E, args: readonly unknown[]): KeyedCall<E> {
    return this.store.callOf(endpoint, copyArgs(args));
  }

  /** Sends an action with the next sequence number. */
  protected change(action: Unnumbered<StoreAction>): void {
    this.dispatch({ ...action, seq: this.store.sequence.take(), date: clock.now() } as StoreAction);
  }

  /** What an action about the answers of one call is about. */
  #oneKey(given: AnyEndpoint, givenArgs: readonly unknown[]): Pick<MarkAction, "testKey" | "only"> {
    const { endpoint, args, key } = this.callToWrite(given, givenArgs);
    // A key with a name that the server has not given is no key that could be kept.
    const only = this.store.tables.hasId(key) ? undefined : { key, shape: shapeOf(endpoint), endpoint, args };
    return { testKey: (other) => other === key, only };
  }
}
