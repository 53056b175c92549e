import type { ReadonlySignal } from "../deps/signals_core.ts";
import type { Controller } from "../controller/controller.ts";
import type { RunEndpoint } from "../endpoint/endpoint_types.ts";
import { AbortError } from "../errors/mod.ts";
import type { Args, Value } from "../plain/value.ts";
import type { Answer } from "../store/answers.ts";
import { now } from "../store/store.ts";
import { Stored } from "./stored.ts";

/** What a call shows. */
export interface Shown {
  readonly read: Read | undefined;
  readonly data: Value;
  /** Not while there are no data, and the call is made again. */
  readonly error: Error | undefined;
  /** There are no data to show, though the server may have some. */
  readonly isMissing: boolean;
}

const nothing = (): void => {};

/** A call that is read, once per answer: the signal of all that it shows. While it is watched, the server is asked where that is needed. */
export class Read extends Stored<Answer, Shown> {
  #last: Shown | undefined;
  /** The signals of single things: see `follow`. */
  single: Map<unknown, ReadonlySignal<Value>> | undefined;

  constructor(
    readonly controller: Controller,
    readonly endpoint: RunEndpoint,
    readonly args: Args,
    readonly key: string,
  ) {
    super(controller.store);
  }
  find(): Answer {
    return this.controller.store.answer(this.endpoint, this.args, this.key);
  }
  /** The same object as long as the same is shown. */
  look(answer: Answer): Shown {
    const { endpoint, controller: { store } } = this, stored = store.data(answer), last = this.#last;
    const isHidden = endpoint.invalidIfStale && now() >= store.freshUntil(answer), data = isHidden ? undefined : stored;
    // Of a reply that itself reads as `undefined` nothing is missing.
    const isMissing = data === undefined && (!answer.has || answer.isInvalid || isHidden || !!answer.kids[0]?.row);
    const isHiddenError = isMissing ? answer.flight : answer.isSoft && data !== undefined;
    const error = isHiddenError ? undefined : answer.error;
    const isEqual = last && last.data === data && last.error === error && last.isMissing === isMissing;
    return isEqual ? last : this.#last = { read: this, data, error, isMissing };
  }
  override tell(): void {
    if (isExpired(this, this.node)) this.ask();
    super.tell();
  }
  /** A reader of the answer has gone: a request that nothing wants any more is aborted. */
  override left(answer: Answer): void {
    queueMicrotask(() => {
      const { flight, watcher } = answer;
      if (watcher) return;
      answer.read = undefined;
      if (flight && !flight.holders) flight.abort.abort(new AbortError(702));
    });
  }
  /** Asks the server, if the data are stale. While a mutation may change them, that would be too early. */
  ask(isHeld = false): void {
    const { node: answer, controller: { store } } = this, { has, isPending, isInvalid, flight } = answer;
    if (flight) return;
    const { isMissing, error } = this.look(answer), isUnknown = isMissing && (!has || isInvalid) && !error;
    if (!isUnknown && now() < store.freshUntil(answer)) return;
    if (isUnknown || !isPending) this.refetch(isHeld);
    // It is asked as soon as no mutation is pending.
    else Object.assign(answer, { expiresAt: 0, expiredAt: store.tick });
  }
  /** Asks the server in any case. */
  refetch(isHeld = false): Promise<Value> {
    return this.controller.send(this.endpoint, this.args, isHeld);
  }
  /**
   * Settles when there may be something to show; `undefined`: nothing will come. It never rejects, as a router may wait for
   * success only: the next rendering has the error.
   */
  get wait(): Promise<void> | undefined {
    const [first] = this.controller.flights, flight = this.node.flight ?? first;
    return flight && (flight.wait ??= flight.promise!.then(nothing, nothing));
  }
}

/** Says one thing of a call. */
type Look<T> = (read: Read, answer: Answer) => T;
export const dataOf = (read: Read, answer: Answer): Value => read.look(answer).data;
/** The error of the last call, also while the next one is on its way. */
export const errorOf = (read: Read, answer: Answer): Error | undefined => {
  const { error, isMissing } = read.look(answer);
  return isMissing ? answer.error : error;
};
export const isInFlight = (_read: Read, { flight }: Answer): boolean => !!flight;
/** Something but time made it stale: what is mounted is asked again. */
export const isExpired = (read: Read, answer: Answer): boolean => {
  const { isMissing, error } = read.look(answer);
  // An error that is stale by time alone is asked again by a mount, focus or reconnect, or it would be asked without end.
  return !read.controller.store.freshUntil(answer) || (isMissing && !error);
};

/** What one of these functions says of a call, as a signal. The server is not asked. */
export function follow<T>(read: Read, look: Look<T>): ReadonlySignal<T> {
  const signals = read.single ??= new Map();
  let signal = signals.get(look);
  if (!signal) signals.set(look, signal = new Single(read, look));
  return signal;
}
class Single<T> extends Stored<Answer, T> {
  constructor(readonly read: Read, readonly of: Look<T>) {
    super(read.controller.store);
  }
  find(): Answer {
    return this.read.find();
  }
  look(answer: Answer): T {
    return this.of(this.read, answer);
  }
  override left(answer: Answer): void {
    this.read.left(answer);
  }
}

export function readOf(controller: Controller, endpoint: RunEndpoint, args: Args): Read {
  const key = endpoint.key(...args), answer = controller.store.answer(endpoint, args, key);
  if (answer.read?.endpoint !== endpoint) answer.read = new Read(controller, endpoint, args, key);
  return answer.read;
}

/** The reads of errors that components have thrown which cannot show them. */
export const failed: WeakMap<object, Read> = /* @__PURE__ */ new WeakMap();
