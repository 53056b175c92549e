import type { Policy, Reply, RunEndpoint } from "../endpoint/endpoint_types.ts";
import {
  AbortError,
  AbortOptimistic,
  asError,
  isEnding,
  NormalizeError,
  UrlError,
  ValidationError,
} from "../errors/mod.ts";
import { orAbort } from "../http/request.ts";
import { copyPlain } from "../plain/copy_plain.ts";
import { isObject } from "../plain/is_object.ts";
import type { Args, Value } from "../plain/value.ts";
import type { StorePart } from "../store/answers.ts";
import { Commit } from "../store/commit.ts";
import { join } from "../store/join.ts";
import { Layer } from "../store/layers.ts";
import { NONE, viewOf } from "../store/row.ts";
import { isEntity } from "../store/schema.ts";
import { now, Store } from "../store/store.ts";
import type { Flight, Part } from "./part.ts";

/**
 * The requests of a controller, from start to outcome, and what they write to the store. Equal reads in flight share
 * one request; each mutation has its own.
 */
export abstract class Network {
  readonly store: Store = new Store();
  /** The parts, in the order in which requests pass them. */
  readonly parts: Part[] = this.store.parts;
  /** The requests in flight, in order of start. */
  readonly flights: Set<Flight> = this.store.flights as Set<Flight>; // only this class adds to it

  declare readonly defaults: Policy;
  constructor(defaults: Policy) {
    this.defaults = defaults;
  }

  /** Adds the part that `make` creates, unless this controller has it already, and returns it. */
  abstract use<P extends StorePart>(make: () => P): P;

  /**
   * Sends a call, or joins an equal read in flight. Hooks and parts use it; apps use `fetch`.
   *
   * @param isHeld `true` keeps the request alive until it settles, even if its last reader unmounts.
   */
  send(endpoint: RunEndpoint, args: Args, isHeld: boolean): Promise<Value> {
    const promise = this.#join(endpoint, args, isHeld);
    // A failed read is no unhandled rejection, because the store keeps its error.
    if (!endpoint.sideEffect) promise.catch(() => {});
    return promise;
  }
  async #join(endpoint: RunEndpoint, args: Args, isHeld: boolean): Promise<Value> {
    const { signal, sideEffect } = endpoint;
    signal?.throwIfAborted();
    const inFlight = !sideEffect && this.store.answer(endpoint, args).flight,
      // An aborted request stays the flight of its answer until its promise rejects; a new read must not join it.
      flight = inFlight && !inFlight.abort.signal.aborted ? inFlight as Flight : this.#start(endpoint, args); // `open` made it
    if (isHeld) flight.holders++;
    try {
      // An abort of the endpoint's own signal rejects this call. The request itself goes on while others wait for it.
      return await (signal ? orAbort(signal, () => flight.promise!) : flight.promise);
    } finally {
      if (isHeld) flight.holders--;
      if (signal?.aborted && !flight.holders && !flight.answer?.watcher) flight.abort.abort(signal.reason);
    }
  }
  /** Makes the flight of a call, with a copy of the arguments. It takes the next tick; nothing is sent or shown yet. */
  protected open(endpoint: RunEndpoint, given: Args): Flight {
    const { store } = this, { schema, sideEffect } = endpoint, args = copyPlain(given), abort = new AbortController();
    for (const make of [endpoint.part, endpoint.scope?.part]) if (make) this.use(make);
    const call = Object.assign(Object.create(endpoint), { signal: abort.signal }), defaults: Value = this.defaults;
    // The controller's defaults lose to options of the endpoint, but win over those of its class.
    for (const name in defaults) if (!Object.hasOwn(endpoint, name)) call[name] = defaults[name];
    return call.flight = {
      host: this,
      endpoint,
      call,
      args,
      started: ++store.tick,
      abort,
      holders: 0,
      tables: sideEffect ? store.scope(schema).tables : [],
      ...sideEffect ? { subject: endpoint.subject?.(args, store) } : { answer: store.answer(endpoint, args) },
    };
  }
  #start(endpoint: RunEndpoint, given: Args): Flight {
    const { store } = this, flight = this.open(endpoint, given), { answer, args, tables } = flight;
    for (const part of this.parts) part.start?.(flight);
    this.flights.add(flight);
    for (const table of tables) table.pending++;
    flight.promise = this.#run(flight);
    store.write(args, {}, (commit) => {
      if (answer) {
        answer.flight = flight;
        commit.changed.push(answer);
      } else if (endpoint.getOptimisticResponse) {
        const layer = new Layer(flight.started, args.at(-1)),
          facts = { abort: new AbortOptimistic(), fetchedAt: Date.now() };
        try {
          // The snapshot has the members of the flight, too, because `showSent` reads `subject` and `temporaryId`.
          // `facts` replaces its `abort`: in a snapshot that is the error to throw.
          const snapshot = Object.assign(Object.create(this), flight, facts),
            shown = endpoint.getOptimisticResponse(snapshot, ...args);
          new Commit(store, args, { layer, flight }).visit(endpoint.schema, shown);
          flight.layer = layer;
          store.layer(layer, commit, true);
        } catch (error) {
          // Node has no `reportError`.
          if (!(error instanceof AbortOptimistic)) (globalThis.reportError ?? console.error)(error);
        }
      }
    });
    return flight;
  }
  async #run(flight: Flight): Promise<Value> {
    const { abort: { signal }, call } = flight;
    try {
      const send = this.parts.reduceRight<() => Promise<Value>>(
        (next, part) => part.send ? () => part.send!(flight, next) : next,
        // A part may have let the call wait until it was aborted.
        () => orAbort(signal, () => call.fetch(...flight.args)),
      );
      const response = await orAbort(signal, send);
      signal.throwIfAborted();
      return this.receive(flight, response);
    } catch (error) {
      if (this.flights.has(flight)) this.refuse(flight, error);
      throw error;
    }
  }

  /** Stores the reply of a request in one commit, and returns its data as the store reads them, not the raw reply. */
  protected receive(flight: Flight, response: Value): Value {
    const { store } = this, { endpoint, call, started, answer: own, subject } = flight, { schema } = endpoint;
    // The reply of a page is not stored in the page's own answer, but joins the answer of the list that it continues.
    const listArgs = endpoint.listArgs?.(...flight.args),
      args = listArgs ?? flight.args,
      answer = own && listArgs ? store.answer(endpoint.list, listArgs) : own;
    const { value, sent, isStale }: Reply = endpoint.readReply?.(response, args, subject) ?? { value: response };
    const expiresAt = now() + (call.dataExpiryLength ?? 6e4), edit = answer ? undefined : ++store.tick;
    const result = store.write(
      args,
      { started, edit, expiresAt, sent, isPage: !!listArgs, flight, key: answer?.key },
      (commit) => {
        const result = commit.visit(schema, value), [row] = commit.roots;
        if (isStale && row) commit.stale.push(row);
        if (answer && isEntity(schema)) {
          if (!row && isObject(value)) throw new NormalizeError(202, [schema.key, Object.keys(value)]);
          const reason = row?.next && schema.validate(row.next);
          if (reason) throw new ValidationError(301, [schema.key, reason]);
          // The record was deleted while it was asked for, so only the server knows whether it is there.
          commit.isOutdated ||= row?.next === null;
        }
        const expiring = !answer && endpoint.expires?.(args, response);
        if (expiring) store.expire(({ key }) => expiring.some((one) => one.testKey(key)), commit);
        return result;
      },
      (commit, result) => {
        if (!answer) { for (const row of commit.roots) commit.release(row); }
        else if (listArgs || answer.started <= started) {
          // A reply replaces the data of its answer. A page is added to them, unless the list has none yet.
          const { has, pages } = answer, isMore = listArgs && has;
          pages.set(isMore ? own!.key : "", result);
          own!.error = undefined;
          if (!isMore) {
            answer.has = true;
            answer.error = undefined;
            answer.isInvalid &&= started < answer.expiredAt;
            answer.settle(commit, commit.isOutdated || listArgs ? 0 : expiresAt);
          }
          store.keep(answer, [...pages.values()].reduce((list, page) => join(list, page, schema)), commit.told);
        }
        this.#end(flight, commit);
      },
    );
    // A flight of `setResponse` was never sent, so no caller waits for its data.
    if (!flight.promise) return;
    // The caller gets its own reply, even if the answer shows a newer one: then through a view of this reply.
    const view = viewOf(schema, result, args), data = store.readRoot(answer?.started === started ? answer : view);
    // The view is read once. Without kids it is no parent of its records, so they do not keep it.
    view.kids = NONE;
    return data;
  }
  /** Ends a failed request: stores the error of a read, and marks stale what a failed mutation may have changed. */
  protected refuse(flight: Flight, error: Value): void {
    const { store } = this, { call, args, answer, started, subject, tables } = flight;
    store.write(args, { started }, (commit) => {
      this.#end(flight, commit);
      if (answer) {
        if (isEnding(error) || answer.started > started) return;
        answer.error = asError(error);
        answer.settle(commit, now() + (call.errorExpiryLength ?? 1e3));
        answer.isSoft = call.errorPolicy?.(error) === "soft";
        return;
      }
      const rows = tables.flatMap((table) => table.rows.get(subject!) ?? []), { code, status = 504 } = error ?? {};
      // If no reply came, or one of a gateway, or one that cannot be read, the server may have carried the mutation
      // out. It has not after a `UrlError`, because nothing was sent.
      const isUnknown = (code === 604 || [502, 503, 504].includes(status)) && !(error instanceof UrlError);
      if (isUnknown) {
        const tick = ++store.tick;
        for (const table of tables) table.edited = tick;
        if (!rows[0]) store.expire((other) => tables.some((table) => other.tables.includes(table)), commit);
      }
      if (isUnknown || [404, 410, 412].includes(status)) commit.stale.push(...rows);
    });
  }
  /** Ends a flight in the commit of its outcome: takes its layer away, and counts it as pending no more. */
  #end(flight: Flight, commit: Commit): void {
    const { store } = this, { answer, layer, tables } = flight;
    // A flight of `setResponse` or `setError` was never in flight, so there is nothing to end.
    if (!this.flights.delete(flight)) return;
    store.tidy();
    if (layer) store.layer(layer, commit);
    if (answer) {
      if (answer.flight === flight) answer.flight = undefined;
      commit.changed.push(answer);
    } else {
      for (const table of tables) table.pending--;
      // While a mutation is pending, stale answers of its tables are not fetched. Their readers do that now.
      for (const other of store.answers()) if (!other.expiresAt && !other.isPending) commit.changed.push(other);
    }
    for (const part of this.parts) part.settle?.(flight);
  }
  /** Aborts all requests: their promises reject, their layers go, and neither replies nor errors are stored. */
  protected abortAll(): void {
    const { store } = this;
    for (const { answer, layer, abort } of this.flights) {
      if (answer) answer.flight = undefined;
      if (layer) store.write([], {}, (commit) => store.layer(layer, commit));
      abort.abort(new AbortError(703));
    }
    // The promises reject later. `#run` then finds its flight gone, and stores no error.
    this.flights.clear();
  }
}
