import type { RunEndpoint } from "../endpoint/run_endpoint.ts";
import { AbortError, AbortOptimistic } from "../errors/mod.ts";
import { orAbort } from "../http/or_abort.ts";
import { copyPlain } from "../plain/copy_plain.ts";
import type { Args, Value } from "../plain/value.ts";
import { Commit } from "../store/commit.ts";
import { Layer } from "../store/layers.ts";
import type { StorePart } from "../store/answers.ts";
import type { Flight } from "./flight.ts";
import { Outcomes } from "./outcomes.ts";

/** The requests of a controller: equal reads are one, mutations never join. */
export abstract class Network extends Outcomes {
  /** The part that a function makes, for this controller. */
  abstract use<P extends StorePart>(make: () => P): P;

  /**
   * Sends a call, or joins an equal read in flight. For hooks and parts; apps call `fetch`.
   *
   * @param isHeld Goes on when nothing reads it.
   */
  send(endpoint: RunEndpoint, given: Args, isHeld: boolean): Promise<Value> {
    const { signal } = endpoint, args = given.map(copyPlain);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const inFlight = endpoint.sideEffect ? undefined : this.store.answer(endpoint, args).flight;
    const flight = inFlight ?? this.#start(endpoint, args);
    if (!signal || endpoint.sideEffect) {
      flight.isHeld ||= isHeld;
      return flight.promise!;
    }
    // The signal of one call ends its wait, and the request only if nothing else waits for that.
    flight.waiting = (flight.waiting ?? 0) + 1;
    return orAbort(signal, () => flight.promise!).finally(() => {
      const isWanted = --flight.waiting! || flight.isHeld ||
        (isHeld && this.store.answer(endpoint, args).watchers?.length);
      if (signal.aborted && !isWanted) flight.abort.abort(signal.reason);
    });
  }
  /** Notes that a request has started. */
  protected open(endpoint: RunEndpoint, args: Args): Flight {
    const { store } = this, answer = endpoint.sideEffect ? undefined : store.answer(endpoint, args);
    for (const make of [endpoint.part, endpoint.scope?.part]) if (make) this.use(make);
    const flight: Flight = {
      host: this,
      endpoint,
      args,
      started: ++store.tick,
      answer,
      subject: answer ? undefined : endpoint.subject?.(args, store),
      abort: new AbortController(),
      tables: answer ? [] : store.scope(endpoint.schema).tables,
    };
    for (const part of this.parts) part.start?.(flight);
    this.flights.add(flight);
    for (const table of flight.tables) table.pending++;
    return flight;
  }
  #start(endpoint: RunEndpoint, args: Args): Flight {
    const flight = this.open(endpoint, args), { answer } = flight;
    flight.promise = this.#run(flight);
    this.store.write(args, {}, (commit) => {
      if (answer) {
        answer.flight = flight;
        commit.changed.push(answer);
      } else if (endpoint.getOptimisticResponse) this.#show(flight, commit);
    });
    return flight;
  }
  /** Shows what a mutation will do. */
  #show(flight: Flight, commit: Commit): void {
    const { store, get, getResponse, getError } = this,
      { endpoint, args, subject, temporaryId, started } = flight,
      layer = new Layer(started);
    const snapshot = {
      get,
      getResponse,
      getError,
      fetchedAt: Date.now(),
      abort: new AbortOptimistic(),
      subject,
      temporaryId,
    };
    try {
      const shown = endpoint.getOptimisticResponse!(snapshot, ...args);
      new Commit(store, args, { layer, flight }).visit(endpoint.schema, shown);
      flight.layer = layer;
      store.layer(layer, commit, true);
    } catch (error) {
      if (!(error instanceof AbortOptimistic)) reportError(error);
    }
  }
  async #run(flight: Flight): Promise<Value> {
    const { abort, endpoint } = flight, { signal: own, sideEffect, deadline, retry } = endpoint, { defaults } = this;
    try {
      const signal = own && sideEffect ? AbortSignal.any([own, abort.signal]) : abort.signal;
      let send = (): Promise<Value> => {
        const call = Object.create(endpoint);
        Object.assign(call, {
          flight,
          signal,
          deadline: deadline ?? defaults.deadline,
          retry: retry ?? defaults.retry,
        });
        const real = () => call.fetch(...flight.args);
        return flight.answerInstead ? flight.answerInstead(real) : real();
      };
      for (const part of this.parts.toReversed()) {
        const next = send;
        if (part.send) send = () => part.send!(flight, next);
      }
      const response = await orAbort(signal, send);
      if (!this.flights.has(flight)) throw new AbortError(703);
      return this.receive(flight, response);
    } catch (error) {
      if (this.flights.has(flight)) this.refuse(flight, error);
      throw error;
    }
  }
  /** Aborts all requests; their promises reject, and nothing of them is written. */
  protected abortAll(): void {
    for (const { answer, abort } of this.flights) {
      if (answer) answer.flight = undefined;
      abort.abort(new AbortError(703));
    }
    // Before the promises reject, which is later.
    this.flights.clear();
  }
}
