import type { ReadonlySignal } from "../deps/signals_core.ts";
import type { Controller } from "../controller/controller.ts";
import type { RunEndpoint } from "../endpoint/endpoint_types.ts";
import { AbortError } from "../errors/mod.ts";
import type { Args, Value } from "../plain/value.ts";
import type { Answer } from "../store/answers.ts";
import { now } from "../store/store.ts";
import { Stored } from "./stored.ts";

/** The state of a call, as components see it. */
export interface Shown {
  readonly read: Read | undefined;
  readonly data: Value;
  /** The last error; not while the call without data is made again, nor a soft error beside data. */
  readonly error: Error | undefined;
  /** There are no data, though the server may have some. */
  readonly isMissing: boolean;
}

const nothing = (): void => {};

/** A signal of the state of a call, one per answer. While it is watched, it asks the server for data that are stale. */
export class Read extends Stored<Answer, Shown> {
  #last: Shown | undefined;
  /** The signals of single members of the state: see `follow`. */
  single: Map<unknown, ReadonlySignal<Value>> | undefined;

  declare readonly controller: Controller;
  declare readonly endpoint: RunEndpoint;
  declare readonly args: Args;
  declare readonly key: string;
  constructor(controller: Controller, endpoint: RunEndpoint, args: Args, key: string) {
    super(controller.store);
    Object.assign(this, { controller, endpoint, args, key });
  }
  find(): Answer {
    return this.controller.store.answer(this.endpoint, this.args, this.key);
  }
  /** The state of the answer now; the same object as long as its members are equal. */
  look(answer: Answer): Shown {
    const { endpoint, controller: { store } } = this, stored = store.data(answer), last = this.#last;
    const isHidden = endpoint.invalidIfStale && now() >= store.freshUntil(answer), data = isHidden ? undefined : stored;
    // A reply that itself is `undefined` is not missing.
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
  /** After the last reader left: aborts a request that no reader and no call waits for. */
  override left(answer: Answer): void {
    queueMicrotask(() => {
      const { flight, watcher } = answer;
      if (watcher) return;
      answer.read = undefined;
      if (flight && !flight.holders) flight.abort.abort(new AbortError(702));
    });
  }
  /** Asks the server if the data are stale; not while a mutation may change them, because that would be too early. */
  ask(isHeld = false): void {
    const { node: answer, controller: { store } } = this, { has, isPending, isInvalid, flight } = answer;
    if (flight) return;
    const { isMissing, error } = this.look(answer), isUnknown = isMissing && (!has || isInvalid) && !error;
    if (!isUnknown && now() < store.freshUntil(answer)) return;
    if (isUnknown || !isPending) this.refetch(isHeld);
    // The answer turns stale instead, so it is asked again when no mutation is pending.
    else Object.assign(answer, { expiresAt: 0, expiredAt: store.tick });
  }
  /** Asks the server even if the data are fresh. */
  refetch(isHeld = false): Promise<Value> {
    return this.controller.send(this.endpoint, this.args, isHeld);
  }
  /**
   * Resolves when there may be data or an error to show; `undefined`: no request is in flight. It never rejects,
   * because a router may wait for success only: the next rendering has the error.
   */
  get wait(): Promise<void> | undefined {
    const [first] = this.controller.flights, flight = this.node.flight ?? first;
    return flight && (flight.wait ??= flight.promise!.then(nothing, nothing));
  }
}

/** Picks one member of the state of a call. */
type Look<T> = (read: Read, answer: Answer) => T;
export const dataOf = (read: Read, answer: Answer): Value => read.look(answer).data;
/** The error of the last request, also while the next one is in flight. */
export const errorOf = (read: Read, answer: Answer): Error | undefined => {
  const { error, isMissing } = read.look(answer);
  return isMissing ? answer.error : error;
};
export const isInFlight = (_read: Read, { flight }: Answer): boolean => !!flight;
/** Whether a commit (not only time) made the answer stale: mounted reads ask again. */
export const isExpired = (read: Read, answer: Answer): boolean => {
  const { isMissing, error } = read.look(answer);
  // An error that only time made stale waits for a mount, focus or reconnect, or failing requests would repeat without
  // end.
  return !read.controller.store.freshUntil(answer) || (isMissing && !error);
};

/** A signal of one member of the state of a call. It never asks the server. */
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

/** The reads of errors that a component threw, so that an error boundary can retry them. */
export const failed: WeakMap<object, Read> = /* @__PURE__ */ new WeakMap();
