import type { ReadonlySignal } from "../deps/signals_core.ts";
import type { Controller } from "../controller/controller.ts";
import { AbortError } from "../errors/errors.ts";
import type { Answer } from "../store/answers.ts";
import { now } from "../store/store.ts";
import { stored } from "./stored.ts";

/** What a call shows. */
export interface Shown {
  readonly data: any;
  readonly error: any;
  /** There are no data to show, though the server may have some. */
  readonly isMissing: boolean;
}

/** A call that is read, once per answer: a signal of each thing that may be shown. */
export class Read {
  #data: ReadonlySignal<any> | undefined;
  #error: ReadonlySignal<any> | undefined;
  #isInFlight: ReadonlySignal<boolean> | undefined;
  #shown: ReadonlySignal<Shown> | undefined;
  #last: Shown | undefined;
  #idle: Promise<void> | undefined;
  constructor(readonly controller: Controller, readonly endpoint: any, readonly args: readonly any[]) {}

  get answer(): Answer {
    return this.controller.store.answer(this.endpoint, this.args);
  }
  get data(): ReadonlySignal<any> {
    return this.#data ??= this.#signal((answer) => this.#look(answer).data);
  }
  get error(): ReadonlySignal<any> {
    return this.#error ??= this.#signal((answer) => this.#look(answer).error);
  }
  get isInFlight(): ReadonlySignal<boolean> {
    return this.#isInFlight ??= this.#signal(({ flight }) => !!flight);
  }
  /** All that is shown. While it is watched, the server is asked where that is needed. */
  get shown(): ReadonlySignal<Shown> {
    return this.#shown ??= this.#signal((answer) => {
      const next = this.#look(answer), last = this.#last;
      const isEqual = last && last.data === next.data && last.error === next.error && last.isMissing === next.isMissing;
      return isEqual ? last : this.#last = next;
    }, () => {
      const { answer } = this;
      if (!this.controller.store.freshUntil(answer) || this.#look(answer).isMissing) this.ask();
    });
  }
  #signal<T>(read: (answer: Answer) => T, told?: () => void): ReadonlySignal<T> {
    return stored(this.controller.store, () => this.answer, read, release, told);
  }
  #look(answer: Answer): Shown {
    const { endpoint, controller: { store } } = this, stored = store.data(answer);
    const isHidden = endpoint.invalidIfStale && now() >= store.freshUntil(answer), data = isHidden ? undefined : stored;
    return {
      data,
      error: answer.isSoft && data !== undefined ? undefined : answer.error,
      // Of a reply that itself reads as `undefined` nothing is missing.
      isMissing: data === undefined && (!answer.has || answer.isInvalid || isHidden || !!answer.kids[0]?.row),
    };
  }
  /** Asks the server, if the data are stale. While a mutation may change them, that would be too early. */
  ask(): void {
    const { answer, controller: { store } } = this, { has, isPending, isInvalid, flight } = answer;
    if (flight) return;
    const { isMissing, error } = this.#look(answer), isUnknown = isMissing && (!has || isInvalid) && !error;
    if (isUnknown || (now() >= store.freshUntil(answer) && !isPending)) this.refetch();
  }
  /** Asks the server in any case. */
  readonly refetch = (): void => {
    this.controller.send(this.endpoint, this.args, false).catch(() => {});
  };
  /** Settles when there may be something to show. */
  get promise(): Promise<any> {
    return this.answer.flight?.promise ??
      (this.#idle ??= this.controller.allSettled().then(() => this.#idle = undefined));
  }
}

export function readOf(controller: Controller, endpoint: any, args: readonly any[]): Read {
  const answer = controller.store.answer(endpoint, args);
  if (answer.read?.endpoint !== endpoint) answer.read = new Read(controller, endpoint, args);
  return answer.read;
}

/** A reader of an answer has gone: a request that nothing wants any more is aborted. */
function release(answer: Answer): void {
  queueMicrotask(() => {
    const { flight, watchers } = answer;
    if (watchers?.length) return;
    answer.read = undefined;
    if (flight && !flight.isHeld) flight.abort.abort(new AbortError(702));
  });
}
