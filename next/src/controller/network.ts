import { copyPlain } from "../plain/copy_plain.ts";
import { AbortError } from "../errors/errors.ts";
import { orAbort } from "../http/request.ts";
import type { Answer } from "../store/answers.ts";
import { Commit } from "../store/commit.ts";
import { Layer } from "../store/layers.ts";
import { Store } from "../store/store.ts";
import type { Table } from "../store/table.ts";
import type { Flight } from "./flight.ts";
import type { Part } from "./part.ts";

/** The requests of a controller: equal reads are one, mutations never join. */
export abstract class Network {
  readonly store: Store = new Store();
  readonly parts: Part[] = this.store.parts = [];
  readonly flights: Set<Flight> = this.store.flights as Set<Flight>;
  /** The part that a function makes, for this controller. */
  abstract use<P extends Part>(make: () => P): P;
  /** Stores the reply of a request, or its error. */
  protected abstract receive(endpoint: any, args: readonly any[], response: any, flight?: Flight): any;
  protected abstract refuse(flight: Flight, error: any): void;

  send(endpoint: any, given: readonly any[], isHeld: boolean): Promise<any> {
    const args = given.map(copyPlain), answer = endpoint.sideEffect ? undefined : this.store.answer(endpoint, args);
    if (endpoint.part) this.use(endpoint.part);
    if (endpoint.scope) this.use(endpoint.scope.part);
    const flight = answer?.flight ?? this.#start(endpoint, args, answer);
    flight.isHeld ||= isHeld;
    return flight.promise!;
  }
  #start(endpoint: any, args: readonly any[], answer: Answer | undefined): Flight {
    const { store } = this, abort = new AbortController();
    const tables = answer ? [] : store.scope(endpoint.schema).tables,
      subject = answer ? undefined : endpoint.subject?.(args, store);
    const flight: Flight = { host: this, endpoint, args, started: ++store.tick, answer, subject, abort, tables };
    this.flights.add(flight);
    for (const part of this.parts) part.start?.(flight);
    for (const table of tables) table.pending++;
    flight.promise = this.#run(flight);
    store.write(args, {}, (commit) => {
      if (answer) {
        answer.flight = flight;
        commit.changed.push(answer);
      } else this.#show(flight, commit);
    });
    return flight;
  }
  /** Shows what a mutation will do. */
  #show(flight: Flight, commit: Commit): void {
    const { store } = this, { endpoint, args } = flight, layer = new Layer(flight.started), abort = new Error();
    if (!endpoint.getOptimisticResponse) return;
    const { subject, temporaryId } = flight,
      snapshot = Object.assign(Object.create(this), { abort, fetchedAt: Date.now(), subject, temporaryId });
    try {
      const shown = endpoint.getOptimisticResponse(snapshot, ...args);
      new Commit(store, args, { layer, flight }).visit(endpoint.schema, shown);
      flight.layer = layer;
      store.layer(layer, commit, true);
    } catch (error) {
      if (error !== abort) reportError(error);
    }
  }
  async #run(flight: Flight): Promise<any> {
    const { abort: { signal }, endpoint } = flight;
    try {
      let send = (): Promise<any> => {
        const call = Object.create(endpoint), own = endpoint.signal;
        call.flight = flight;
        call.signal = own ? AbortSignal.any([own, signal]) : signal;
        return call.fetch(...flight.args);
      };
      for (const part of this.parts.toReversed()) {
        const next = send;
        if (part.send) send = () => part.send!(flight, next);
      }
      return this.receive(endpoint, flight.args, await orAbort(signal, send), flight);
    } catch (error) {
      if (this.flights.has(flight)) this.refuse(flight, error);
      throw error;
    }
  }
  /** The outcome of a request is in, with this commit. */
  protected end(flight: Flight, commit: Commit): void {
    const { store } = this, { answer, layer, tables } = flight;
    this.flights.delete(flight);
    store.tidy();
    if (layer) store.layer(layer, commit);
    if (answer) {
      answer.flight = undefined;
      commit.changed.push(answer);
    } else {
      for (const table of tables) table.pending--;
      // What waited for this is asked again now, where it is mounted.
      for (const other of store.answers()) if (!other.expiresAt && !other.isPending) commit.changed.push(other);
    }
    for (const part of this.parts) part.settle?.(flight);
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
