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
import { viewOf } from "../store/row.ts";
import { isEntity } from "../store/schema.ts";
import { now, Store } from "../store/store.ts";
import type { Flight, Part } from "./part.ts";

/** The requests of a controller, and what becomes of the store: equal reads are one, mutations never join. */
export abstract class Network {
  readonly store: Store = new Store();
  /** What it uses, in order. */
  readonly parts: Part[] = this.store.parts;
  /** The requests in flight, in order of start. */
  readonly flights: Set<Flight> = this.store.flights as Set<Flight>; // the store sees of them when they started

  constructor(readonly defaults: Policy) {}

  /** The part that a function makes, for this controller. */
  abstract use<P extends StorePart>(make: () => P): P;

  /**
   * Sends a call, or joins an equal read in flight. For hooks and parts; apps call `fetch`.
   *
   * @param isHeld Goes on when nothing reads it.
   */
  send(endpoint: RunEndpoint, args: Args, isHeld: boolean): Promise<Value> {
    const promise = this.#join(endpoint, args, isHeld);
    // The store has the error of a read.
    if (!endpoint.sideEffect) promise.catch(() => {});
    return promise;
  }
  async #join(endpoint: RunEndpoint, args: Args, isHeld: boolean): Promise<Value> {
    const { signal, sideEffect } = endpoint;
    signal?.throwIfAborted();
    const inFlight = !sideEffect && this.store.answer(endpoint, args).flight,
      // What was aborted is in flight for a moment still.
      flight = inFlight && !inFlight.abort.signal.aborted ? inFlight as Flight : this.#start(endpoint, args); // only this class sets it
    if (isHeld) flight.holders++;
    try {
      // The signal of one call ends its wait, and the request only if nothing else waits for that.
      return await (signal ? orAbort(signal, () => flight.promise!) : flight.promise);
    } finally {
      if (isHeld) flight.holders--;
      if (signal?.aborted && !flight.holders && !flight.answer?.watchers) flight.abort.abort(signal.reason);
    }
  }
  /** What a request is before it starts. */
  protected open(endpoint: RunEndpoint, given: Args): Flight {
    const { store } = this, { schema, sideEffect } = endpoint, args = copyPlain(given), abort = new AbortController();
    for (const make of [endpoint.part, endpoint.scope?.part]) if (make) this.use(make);
    const call = Object.assign(Object.create(endpoint), { signal: abort.signal }), defaults: Value = this.defaults;
    // What all endpoints of a class have in common comes last.
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
        const layer = new Layer(flight.started), facts = { abort: new AbortOptimistic(), fetchedAt: Date.now() };
        try {
          // The function also sees what `showSent` needs of the request. Its `abort` is the error to throw.
          const snapshot = Object.assign(Object.create(this), flight, facts),
            shown = endpoint.getOptimisticResponse(snapshot, ...args);
          new Commit(store, args, { layer, flight }).visit(endpoint.schema, shown);
          flight.layer = layer;
          store.layer(layer, commit, true);
        } catch (error) {
          if (!(error instanceof AbortOptimistic)) reportError(error);
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
        () => call.fetch(...flight.args),
      );
      const response = await orAbort(signal, send);
      signal.throwIfAborted();
      return this.receive(flight, response);
    } catch (error) {
      if (this.flights.has(flight)) this.refuse(flight, error);
      throw error;
    }
  }

  /** The server has answered. Stores the reply in one commit; who waits gets it as the store reads it. */
  protected receive(flight: Flight, response: Value): Value {
    const { store } = this, { endpoint, call, started, answer: own, subject } = flight, { schema } = endpoint;
    // A page is an answer of its own only until it is here: then it joins the list that it continues.
    const listArgs = endpoint.listArgs?.(...flight.args),
      args = listArgs ?? flight.args,
      answer = own && listArgs ? store.answer(endpoint.list, listArgs) : own;
    const { value, sent, isStale }: Reply = endpoint.readReply?.(response, args, subject) ?? { value: response };
    const expiring = !answer && endpoint.expires?.(args, response);
    const expiresAt = now() + (call.dataExpiryLength ?? 6e4);
    const result = store.write(
      args,
      {
        started,
        edit: answer ? undefined : ++store.tick,
        expiresAt,
        sent,
        isPage: !!listArgs,
        flight,
        key: answer?.key,
      },
      (commit) => {
        const result = commit.visit(schema, value), [row] = commit.roots;
        if (isStale && row) commit.stale.push(row);
        if (answer && isEntity(schema)) {
          if (!row && isObject(value)) throw new NormalizeError(202, [schema.key, Object.keys(value)]);
          const reason = row?.next && schema.validate(row.next);
          if (reason) throw new ValidationError(301, [schema.key, reason]);
        }
        if (expiring) store.expire(({ key }) => expiring.some((one) => one.testKey(key)), commit);
        return result;
      },
      (commit, result) => {
        if (!answer) { for (const row of commit.roots) commit.release(row); }
        else if (listArgs || answer.started <= started) {
          // It becomes the data of the answer, or (a page) joins them.
          const { has, pages } = answer, isMore = listArgs && has;
          pages.set(isMore ? own!.key : "", result);
          if (!isMore) {
            answer.has = true;
            answer.error = undefined;
            answer.isInvalid &&= started < answer.expiredAt;
            answer.settle(commit, commit.isOutdated ? 0 : expiresAt);
          }
          store.keep(answer, [...pages.values()].reduce(join), commit.told);
        }
        this.#end(flight, commit);
      },
    );
    // `setResponse` gives nothing.
    if (!flight.promise) return;
    // An older reply is not what the answer shows: who asked gets it all the same.
    return store.readRoot(answer?.started === started ? answer : viewOf(schema, result, args));
  }
  /** The server has refused, or has not answered. */
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
      const rows = tables.flatMap((table) => table.rows.get(subject!) ?? []);
      // The server may have done what it was asked: it did not refuse, and there was a URL to send it to.
      const isUnknown = [502, 503, 504].includes(error?.status ?? 504) && !(error instanceof UrlError);
      if (isUnknown) {
        const tick = ++store.tick;
        for (const table of tables) table.edited = tick;
        if (!rows[0]) store.expire((other) => tables.some((table) => other.tables.includes(table)), commit);
      }
      if (isUnknown || [404, 410, 412].includes(error?.status)) commit.stale.push(...rows);
    });
  }
  /** The outcome of a request is in, with this commit. */
  #end(flight: Flight, commit: Commit): void {
    const { store } = this, { answer, layer, tables } = flight;
    // What `setResponse` and `setError` write was not in flight.
    if (!this.flights.delete(flight)) return;
    store.tidy();
    if (layer) store.layer(layer, commit);
    if (answer) {
      if (answer.flight === flight) answer.flight = undefined;
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
    const { store } = this;
    for (const { answer, layer, abort } of this.flights) {
      if (answer) answer.flight = undefined;
      if (layer) store.write([], {}, (commit) => store.layer(layer, commit));
      abort.abort(new AbortError(703));
    }
    // Before the promises reject, which is later.
    this.flights.clear();
  }
}
