import type { ReadonlySignal } from "../deps/signals_core.ts";
import type { Controller } from "../controller/controller.ts";
import type { RunEndpoint } from "../endpoint/run_endpoint.ts";
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

/** A call that is read, once per answer: a signal of each thing that is looked at. */
export class Read {
  readonly #signals: Map<Look<Value>, ReadonlySignal<Value>> = new Map();
  #last: Shown | undefined;
  #wait: { readonly of: Promise<Value>; readonly promise: Promise<void> } | undefined;
  constructor(
    readonly controller: Controller,
    readonly endpoint: RunEndpoint,
    readonly args: Args,
    readonly key: string,
  ) {}

  /** Memory may have removed the one of before. */
  get answer(): Answer {
    return this.controller.store.answer(this.endpoint, this.args, this.key);
  }
  /** What one of the functions below says of the call, as a signal. */
  follow<T>(look: Look<T>): ReadonlySignal<T> {
    let signal = this.#signals.get(look);
    if (!signal) this.#signals.set(look, signal = new ReadSignal(this, look));
    return signal;
  }
  /** All that is shown. While it is watched, the server is asked where that is needed. */
  get shown(): ReadonlySignal<Shown> {
    return this.follow(shownOf);
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
  /** Asks the server, if the data are stale. While a mutation may change them, that would be too early. */
  ask(isHeld = false): void {
    const { answer, controller: { store } } = this, { has, isPending, isInvalid, flight } = answer;
    if (flight) return;
    const { isMissing, error } = this.look(answer), isUnknown = isMissing && (!has || isInvalid) && !error;
    if (isUnknown || (now() >= store.freshUntil(answer) && !isPending)) this.refetch(isHeld);
  }
  /** Asks the server in any case; who does not look at the promise sees the error in the store. */
  readonly refetch = (isHeld = false): Promise<Value> => this.controller.send(this.endpoint, this.args, isHeld);
  /** Settles when there may be something to show; `undefined`: nothing will come. */
  get promise(): Promise<Value> | undefined {
    const { controller, answer } = this;
    return answer.flight?.promise ?? (controller.flights.size ? controller.allSettled() : undefined);
  }
  /** The same for boundaries. It never rejects, as a router may wait for success only: the next rendering has the error. */
  get wait(): Promise<void> | undefined {
    const { promise } = this;
    if (promise && this.#wait?.of !== promise) this.#wait = { of: promise, promise: promise.then(nothing, nothing) };
    return promise && this.#wait?.promise;
  }
}

/** Says one thing of a call. */
type Look<T> = (read: Read, answer: Answer) => T;
const shownOf = (read: Read, answer: Answer): Shown => read.look(answer);
export const dataOf = (read: Read, answer: Answer): Value => read.look(answer).data;
/** The error of the last call, also while the next one is on its way. */
export const errorOf = (read: Read, answer: Answer): Error | undefined =>
  answer.isSoft && read.look(answer).data !== undefined ? undefined : answer.error;
export const isInFlight = (_read: Read, { flight }: Answer): boolean => !!flight;
/** Something but time made it stale: what is mounted is asked again. */
export const isExpired = (read: Read, answer: Answer): boolean =>
  !read.controller.store.freshUntil(answer) || read.look(answer).isMissing;

class ReadSignal<T> extends Stored<Answer, T> {
  constructor(readonly read: Read, readonly of: Look<T>) {
    super(read.controller.store);
  }
  find(): Answer {
    return this.read.answer;
  }
  look(answer: Answer): T {
    return this.of(this.read, answer);
  }
  override tell(): void {
    const { read } = this;
    if (this === read.shown && isExpired(read, read.answer)) read.ask();
    super.tell();
  }
  left(answer: Answer): void {
    release(answer);
  }
}

export function readOf(controller: Controller, endpoint: RunEndpoint, args: Args): Read {
  const key = endpoint.key(...args), answer = controller.store.answer(endpoint, args, key);
  if (answer.read?.endpoint !== endpoint) answer.read = new Read(controller, endpoint, args, key);
  return answer.read;
}

/** A reader of an answer has gone: a request that nothing wants any more is aborted. */
function release(answer: Answer): void {
  queueMicrotask(() => {
    const { flight, watchers } = answer;
    if (watchers?.length) return;
    answer.read = undefined;
    if (flight && !flight.holders) flight.abort.abort(new AbortError(702));
  });
}

const failed = new WeakMap<object, Read>();
/** What a component throws that cannot show the error of a read; a boundary finds the read. */
export function errorOfRead(read: Read, error: Error): Error {
  failed.set(error, read);
  return error;
}
export const readOfError = (error: unknown): Read | undefined => failed.get(Object(error));
