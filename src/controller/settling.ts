import { clock } from "../deps/clock.ts";
import { isInstance } from "../errors/is_instance.ts";
import { OvertakenError } from "../errors/overtaken_error.ts";
import { TimeoutError } from "../errors/timeout_error.ts";
import { WriteError } from "../errors/write_error.ts";
import type { AnyEndpoint, CallReply } from "../endpoint/interface.ts";
import { originalOf } from "../endpoint/copy_plain.ts";
import type { Layer } from "../store/layer.ts";
import { graphBelow } from "../store/layers.ts";
import { Patch } from "../store/patch.ts";
import type { RenewAction } from "../store/reducers/mod.ts";
import type { Ticket, Written } from "../store/sequence.ts";
import { attempt } from "../errors/report_error.ts";
import type { Answer } from "../store/entry.ts";
import { NEVER } from "../store/slot.ts";
import { abandon, Doubts } from "./doubts.ts";
import type { Flight } from "./flight.ts";
import type { PartOf } from "./part.ts";

/** What becomes of a request in the end: its reply is written, or it fails, or nobody wants it; and what follows. */
export abstract class Settling extends Doubts {
  /** A reply has come: it is written, and whoever waits gets it. */
  arrive(flight: Flight, reply: CallReply): void {
    const { endpoint, layer } = flight;
    const { store } = this;
    // Own members only: nothing that somebody put on Object.prototype.
    const own: CallReply = Object.assign(Object.create(null), reply);
    const { value: response, memo, dataExpiryLength, note, renewal } = own;
    this.end(flight);
    const { released, scope, ticket } = flight;
    // What a middleware writes before it is written is later, and kept apart.
    store.sequence.show(ticket!);
    const isFollowed = scope !== undefined && [...this.flights].some((other) => other.scope === scope);
    const answer = { ...callOf(flight), reply: { memo, dataExpiryLength, note }, released, isFollowed };
    const failures: unknown[] = [];
    attempt(
      () =>
        void this.dispatch(
          renewal
            ? { type: "renew", ...answer, reduce: renewal.reduce as RenewAction["reduce"] }
            : { type: "setResponse", ...answer, response, layer },
        ),
      (reason) => failures.push(reason),
    );
    store.sequence.settle(ticket!);
    // What it became; nothing when a middleware has swallowed it.
    const { written } = ticket!;
    ticket!.written = undefined;
    if (failures.length > 0 && written === undefined) {
      const [reason] = failures;
      return this.fail(flight, endpoint.sideEffect ? new WriteError(endpoint.name, response, reason) : reason);
    }
    this.conclude(flight);
    attempt(() => {
      // A middleware threw after it was written: the store has the answer, the caller learns what went wrong.
      if (failures.length > 0) throw failures[0];
      const { args, key } = flight;
      const swallowed = () => renewal ? store.response(endpoint, args, key).read(store.graph).data : response;
      const answer = written === undefined ? swallowed() : this.#read(flight, written);
      // A read gives what hooks read.
      flight.resolve(endpoint.sideEffect ? originalOf(answer) : answer);
    }, flight.reject);
  }

  /** This call's own answer, as the store holds it now. */
  #read({ endpoint, args, key }: Flight, { result, stamp, value }: Written): unknown {
    const { name, schema, sideEffect } = endpoint;
    const { store, store: { graph } } = this;
    if (schema === undefined) return value;
    // A later answer may have taken the entry; what this call brought is then read by itself.
    const view = sideEffect ? undefined : store.response(endpoint, args, key);
    const isOwn = view?.entry?.hasResult && view.entry.seq === stamp.seq;
    const data = isOwn ? view!.read(graph).data : graph.readOnce(schema, result, args, value);
    if (data === undefined && store.isDeleted(schema, result)) throw new OvertakenError(name, "delete");
    // A pending mutation may hide it from readers; the caller is told what this call has brought.
    return data ?? graphBelow(new Patch(store, NEVER)).readOnce(schema, result, args, value);
  }

  /** No reply will come, or none that could be stored. */
  fail(flight: Flight, reason: unknown): void {
    // A call that ended by itself needs no abort; one that was given up does.
    this.end(flight, isInstance(reason, TimeoutError) ? reason : undefined);
    // What was shown is read before anything is marked.
    const expire = this.#doubt(flight, { reason });
    const { layer, released } = flight;
    // The caller is to learn why the request failed, not what failed after it.
    attempt(() => {
      this.dispatch({ type: "setError", ...callOf(flight), error: reason, layer, released });
      expire?.();
    });
    this.conclude(flight);
    flight.reject(reason);
  }

  /** Somebody else has written the answer, or the error, of a read that is in flight. */
  pass(flight: Flight, { data, error }: Answer): void {
    this.end(flight);
    this.conclude(flight);
    if (data === undefined && error !== undefined) flight.reject(error);
    else flight.resolve(data);
  }

  /**
   * Nobody is to get the replies: they have not failed. All of them end before any is tidied up after: what waits for one
   * of them is not to be sent for its last moment.
   */
  giveUp(flights: readonly Flight[], reasonFor: (endpoint: AnyEndpoint) => unknown): void {
    for (const flight of flights) {
      const reason = reasonFor(flight.endpoint);
      this.end(flight, reason);
      flight.reject(reason);
    }
    for (const flight of flights) this.conclude(flight, true);
  }

  /**
   * Takes a request out of all tables; what it may still bring is dropped.
   *
   * @param reason What the call is aborted with, if it goes on.
   * @param isOut The server has it all the same: what is read until it has answered stands behind it.
   */
  end(flight: Flight, reason?: unknown, isOut = false): void {
    this.flights.delete(flight);
    flight.released = [...flight.released, ...this.freedBy(flight)];
    flight.ended?.();
    this.leave(flight, reason, isOut);
  }

  /** The present attempt counts no more. */
  leave(flight: Flight, reason?: unknown, isOut = false): void {
    const { abort, ticket } = flight;
    flight.abort = undefined;
    flight.stopTimer?.();
    if (ticket !== undefined && !isOut) this.store.sequence.settle(ticket);
    if (reason !== undefined) abort?.abort(reason);
  }

  /**
   * Whatever became of a request, and whatever a middleware did about it: nothing stays that was there for its sake.
   *
   * @param isGivenUp Nobody waited for its end.
   */
  conclude(flight: Flight, isGivenUp = false): void {
    const { store, dispatch, perform } = this;
    this.over(flight);
    if (isGivenUp) attempt(() => this.#doubt(flight)?.());
    const isOver = (layer: Layer) => layer === flight.layer || flight.released.includes(layer);
    for (const send of [dispatch, perform]) attempt(() => abandon(send, store.layers.filter(isOver)));
    this.#rest(flight);
    attempt(() => this.flights.lines?.sendNext(flight.scope));
  }

  #doubt(flight: Flight, failure?: { readonly reason: unknown }): (() => void) | undefined {
    let expire: (() => void) | undefined;
    // A pk() or a key() of the app that throws: nothing is named.
    attempt(() => expire = this.raise(flight, failure));
    return expire;
  }

  /** Parts hear that a request is over. */
  over(flight: Flight): void {
    for (const part of this.store.parts as readonly PartOf<never>[]) part.ended?.(flight);
  }

  /** A mutation that was forgotten has been answered: nobody has written what it has changed. */
  forget(flight: Flight, ticket: Ticket): void {
    const { sequence, parts } = this.store;
    if (!sequence.settle(ticket)) return;
    // Before anything follows from it: what was read until now counts.
    for (const part of parts as readonly PartOf<never>[]) part.forgotten?.(ticket);
    flight.layer = undefined;
    this.#doubt(flight)?.();
    this.#rest(flight);
  }

  /** What was kept for the sake of a request goes; what was read while mutations were in flight is stale without them. */
  #rest({ endpoint: cause }: Flight): void {
    const { store } = this;
    const { behind, entries, overlaps, sequence } = store;
    store.fold();
    if (sequence.hasMutations()) return;
    overlaps.clear();
    // What was read again since is fresh by its own right.
    const keys = new Set([...behind].filter((key) => entries.of(key).some(({ expiresAt }) => expiresAt === 0)));
    behind.clear();
    if (keys.size === 0) return;
    const testKey = (key: string) => keys.has(key);
    attempt(() => this.dispatch({ type: "expire", testKey, cause, seq: sequence.take(), date: clock.now() }));
  }
}

/** What an action says of the request that it ends. */
function callOf({ endpoint, args, key, ticket }: Flight) {
  return { endpoint, args, key, seq: ticket!.seq, date: clock.now(), ticket };
}
