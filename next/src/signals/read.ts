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

/** A call that is read, once per answer: a signal of each thing that may be shown. */
export class Read {
  #data: ReadonlySignal<Value> | undefined;
  #error: ReadonlySignal<Error | undefined> | undefined;
  #isInFlight: ReadonlySignal<boolean> | undefined;
  #isExpired: ReadonlySignal<boolean> | undefined;
  #shown: ReadonlySignal<Shown> | undefined;
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
  get data(): ReadonlySignal<Value> {
    return this.#data ??= this.#signal((answer) => this.#look(answer).data);
  }
  /** The error of the last call, also while the next one is on its way. */
  get error(): ReadonlySignal<Error | undefined> {
    return this.#error ??= this.#signal((answer) =>
      answer.isSoft && this.#look(answer).data !== undefined ? undefined : answer.error
    );
  }
  get isInFlight(): ReadonlySignal<boolean> {
    return this.#isInFlight ??= this.#signal(({ flight }) => !!flight);
  }
  /** Something but time made it stale: what is mounted is asked again. */
  get isExpired(): ReadonlySignal<boolean> {
    return this.#isExpired ??= this.#signal((answer) => this.#isToBeAsked(answer));
  }
  /** All that is shown. While it is watched, the server is asked where that is needed. */
  get shown(): ReadonlySignal<Shown> {
    return this.#shown ??= this.#signal((answer) => {
      const next = this.#look(answer), last = this.#last;
      const isEqual = last && last.data === next.data && last.error === next.error && last.isMissing === next.isMissing;
      return isEqual ? last : this.#last = next;
    }, () => {
      if (this.#isToBeAsked(this.answer)) this.ask();
    });
  }
  #signal<T>(read: (answer: Answer) => T, told?: () => void): ReadonlySignal<T> {
    return new ReadSignal(this, read, told);
  }
  #isToBeAsked(answer: Answer): boolean {
    return !this.controller.store.freshUntil(answer) || this.#look(answer).isMissing;
  }
  #look(answer: Answer): Shown {
    const { endpoint, controller: { store } } = this, stored = store.data(answer);
    const isHidden = endpoint.invalidIfStale && now() >= store.freshUntil(answer), data = isHidden ? undefined : stored;
    // Of a reply that itself reads as `undefined` nothing is missing.
    const isMissing = data === undefined && (!answer.has || answer.isInvalid || isHidden || !!answer.kids[0]?.row);
    const isHiddenError = isMissing ? answer.flight : answer.isSoft && data !== undefined;
    return { read: this, data, error: isHiddenError ? undefined : answer.error, isMissing };
  }
  /** Asks the server, if the data are stale. While a mutation may change them, that would be too early. */
  ask(isHeld = false): void {
    const { answer, controller: { store } } = this, { has, isPending, isInvalid, flight } = answer;
    if (flight) return;
    const { isMissing, error } = this.#look(answer), isUnknown = isMissing && (!has || isInvalid) && !error;
    if (isUnknown || (now() >= store.freshUntil(answer) && !isPending)) this.refetch(isHeld);
  }
  /** Asks the server in any case; who does not look at the promise sees the error in the store. */
  readonly refetch = (isHeld = false): Promise<Value> => {
    const promise = this.controller.send(this.endpoint, this.args, isHeld);
    promise.catch(() => {});
    return promise;
  };
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

class ReadSignal<T> extends Stored<Answer, T> {
  constructor(
    readonly read: Read,
    override readonly look: (answer: Answer) => T,
    override readonly told: (() => void) | undefined,
  ) {
    super(read.controller.store);
  }
  find(): Answer {
    return this.read.answer;
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
    if (flight && !flight.isHeld && !flight.waiting) flight.abort.abort(new AbortError(702));
  });
}

const failed = new WeakMap<object, Read>();
/** What a component throws that cannot show the error of a read; a boundary finds the read. */
export function errorOfRead(read: Read, error: Error): Error {
  failed.set(error, read);
  return error;
}
export const readOfError = (error: unknown): Read | undefined => failed.get(Object(error));
