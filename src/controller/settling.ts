import { clock } from "../deps/clock.ts";
import { isInstance } from "../errors/is_instance.ts";
import type { NetworkError } from "../errors/network_error.ts";
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
import type { Flights } from "./flights.ts";
import type { NetworkHost } from "./network_host.ts";
import type { PartOf } from "./part.ts";

/** What becomes of a request in the end: its reply is written, or it fails, or nobody wants it; and what follows. */
export class Settling {
  readonly #host: NetworkHost;
  readonly #flights: Flights;
  readonly #doubts: Doubts;

  /**
   * @param host Where replies go.
   * @param flights Those that have not settled.
   */
  constructor(host: NetworkHost, flights: Flights) {
    this.#host = host;
    this.#flights = flights;
    this.#doubts = new Doubts(host, flights);
  }

  /** Nothing is asked for any more, or all was forgotten. */
  clear(): void {
    this.#doubts.clear();
  }

  /** A reply has come: it is written, and whoever waits gets it. */
  arrive(flight: Flight, reply: CallReply): void {
    const { endpoint, args, key, layer } = flight;
    // Own members only: nothing that somebody put on Object.prototype.
    const own: CallReply = Object.assign(Object.create(null), reply);
    const { value: response, memo, dataExpiryLength, note, renewal } = own;
    const ticket = flight.ticket!;
    const { store, dispatch } = this.#host;
    this.end(flight, false);
    const { released, scope } = flight;
    const isFollowed = scope !== undefined && [...this.#flights].some((other) => other.scope === scope);
    const answer = {
      endpoint,
      args,
      key,
      seq: ticket.seq,
      date: clock.now(),
      ticket,
      reply: { memo, dataExpiryLength, note },
      released,
      isFollowed,
    };
    let failure: { readonly reason: unknown } | undefined;
    try {
      dispatch(
        renewal
          ? { type: "renew", ...answer, reduce: renewal.reduce as RenewAction["reduce"] }
          : { type: "setResponse", ...answer, response, layer },
      );
    } catch (reason) {
      failure = { reason };
    }
    // What it became; nothing when a middleware has swallowed it.
    const { written } = ticket;
    ticket.written = undefined;
    if (failure !== undefined && written === undefined) {
      const { reason } = failure;
      return this.#refuse(flight, endpoint.sideEffect ? new WriteError(endpoint.name, response, reason) : reason);
    }
    this.conclude(flight);
    // A middleware threw after it was written: the store has the answer, the caller learns what went wrong.
    if (failure !== undefined) flight.reject(failure.reason);
    else if (written !== undefined) this.#resolve(flight, written);
    else flight.resolve(renewal ? store.response(endpoint, args, key).read(store.graph).data : response);
  }

  /** Resolves with this call's own answer, as the store holds it now. */
  #resolve(flight: Flight, { result, stamp, value: given }: Written): void {
    const { endpoint, args, key } = flight;
    const { store } = this.#host;
    // A read gives what hooks read.
    const resolve = (value: unknown) => flight.resolve(endpoint.sideEffect ? originalOf(value) : value);
    if (endpoint.schema === undefined) return resolve(given);
    try {
      const view = endpoint.sideEffect ? undefined : store.response(endpoint, args, key);
      // A later answer may have taken the entry; what this call brought is then read by itself.
      const entry = view?.entry;
      const isOwn = entry !== undefined && entry.hasResult && entry.seq === stamp.seq;
      const data = isOwn ? view!.read(store.graph).data : store.graph.readOnce(endpoint.schema, result, args, given);
      if (data === undefined && store.isDeleted(endpoint.schema, result)) {
        flight.reject(new OvertakenError(endpoint.name, "delete"));
      } else if (data === undefined && store.layers.length > 0) {
        // A pending mutation may hide it from readers; the caller is told what this call has brought.
        resolve(graphBelow(new Patch(store, NEVER, 0)).readOnce(endpoint.schema, result, args, given));
      } else resolve(data);
    } catch (error) {
      flight.reject(error);
    }
  }

  /** No reply will come, or none that is wanted. */
  fail(flight: Flight, reason: unknown): void {
    // A call that ended by itself needs no abort; one that was given up does.
    this.end(flight, isInstance(reason, TimeoutError));
    this.#refuse(flight, reason);
  }

  /** Somebody else has written the answer, or the error, of a read that is in flight. */
  pass(flight: Flight, { data, error }: Answer): void {
    this.end(flight, false);
    this.conclude(flight);
    if (data === undefined && error !== undefined) flight.reject(error);
    else flight.resolve(data);
  }

  /** The request is over without an answer that could be stored. */
  #refuse(flight: Flight, reason: unknown): void {
    const { endpoint, args, key } = flight;
    const ticket = flight.ticket!;
    const isAccepted = isInstance(reason, WriteError);
    const isRefused = isOutdated(reason);
    // What was shown is read before anything is marked.
    const expire = isAccepted || isRefused || isUnknown(reason)
      ? this.#doubt(flight, isAccepted || isRefused, isRefused)
      : undefined;
    const { layer, released } = flight;
    const failed = { endpoint, args, key, error: reason, seq: ticket.seq, ticket, layer, released };
    // The caller is to learn why the request failed, not what failed after it.
    attempt(() => {
      this.#host.dispatch({ type: "setError", ...failed, date: clock.now() });
      expire?.();
    });
    this.conclude(flight);
    flight.reject(reason);
  }

  /**
   * Nobody is to get the replies: they have not failed. All of them end before any is tidied up after: what waits for one
   * of them is not to be sent for its last moment.
   */
  giveUp(flights: readonly Flight[], reasonFor: (endpoint: AnyEndpoint) => unknown): void {
    for (const flight of flights) {
      this.end(flight);
      flight.reject(reasonFor(flight.endpoint));
    }
    for (const flight of flights) this.conclude(flight, true);
  }

  /** Nobody knows whether the server has done what was asked: how to ask for what it may have changed. */
  #doubt(flight: Flight, isAccepted = false, isRefused = false): (() => void) | undefined {
    let expire: (() => void) | undefined;
    // A pk() or a key() of the app that throws: nothing is named.
    if (flight.isSent && flight.endpoint.sideEffect) {
      attempt(() => expire = this.#doubts.raise(flight, isAccepted, isRefused));
    }
    return expire;
  }

  /**
   * Takes a request out of all tables; what it may still bring is dropped.
   *
   * @param isOut The server has it all the same: what is read until it has answered stands behind it.
   */
  end(flight: Flight, aborts = true, isOut = false): void {
    this.#flights.delete(flight);
    flight.released = [...flight.released, ...this.#doubts.settle(flight)];
    flight.ended?.();
    this.leave(flight, aborts, isOut);
  }

  /** The present attempt counts no more. */
  leave(flight: Flight, aborts = true, isOut = false): void {
    const { abort, ticket } = flight;
    flight.abort = undefined;
    flight.stopTimer?.();
    if (ticket !== undefined && !isOut) this.#host.store.sequence.settle(ticket);
    if (aborts) abort?.abort(new DOMException(`"${flight.endpoint.name}" was given up`, "AbortError"));
  }

  /**
   * Whatever became of a request, and whatever a middleware did about it: nothing stays that was there for its sake.
   *
   * @param isGivenUp Nobody waited for its end.
   */
  conclude(flight: Flight, isGivenUp = false): void {
    const { store, dispatch, perform } = this.#host;
    this.over(flight);
    if (isGivenUp) attempt(() => this.#doubt(flight)?.());
    const isOver = (layer: Layer) => layer === flight.layer || flight.released.includes(layer);
    try {
      attempt(() => abandon(dispatch, store.layers.filter(isOver)));
      abandon(perform, store.layers.filter(isOver));
      this.#rest(flight);
    } finally {
      this.#flights.lines?.sendNext(flight.scope);
    }
  }

  /** Parts hear that a request is over. */
  over(flight: Flight): void {
    for (const part of this.#host.store.parts as readonly PartOf<never>[]) part.ended?.(flight);
  }

  /** A mutation that was forgotten has been answered: nobody has written what it has changed. */
  forget(flight: Flight, ticket: Ticket): void {
    const { sequence, parts } = this.#host.store;
    if (!sequence.settle(ticket)) return;
    // Before anything follows from it: what was read until now counts.
    for (const part of parts as readonly PartOf<never>[]) part.forgotten?.(ticket);
    flight.layer = undefined;
    this.#doubt(flight)?.();
    this.#rest(flight);
  }

  /** What was kept for the sake of a request goes; what was read while mutations were in flight is stale without them. */
  #rest({ endpoint: cause }: Flight): void {
    const { store, dispatch } = this.#host;
    const { behind, entries, overlaps, sequence } = store;
    store.fold();
    if (sequence.hasMutations()) return;
    overlaps.clear();
    // What was read again since is fresh by its own right.
    const keys = new Set([...behind].filter((key) => entries.of(key).some(({ expiresAt }) => expiresAt === 0)));
    behind.clear();
    if (keys.size === 0) return;
    const testKey = (key: string) => keys.has(key);
    attempt(() => dispatch({ type: "expire", testKey, cause, seq: sequence.take(), date: clock.now() }));
  }
}

/** Whether the server has refused because what it has is not what is here: the record is gone, or another version. */
function isOutdated(reason: unknown): boolean {
  if (!isInstance(reason, Error)) return false;
  const { name, status } = reason as Partial<NetworkError>;
  return /^(Network|Conflict)Error$/.test(name!) && [404, 410, 412].includes(status!);
}

/**
 * Whether a mutation that failed so may have been done all the same: nothing came back, or not from the server that was to
 * do it, or what came cannot be read. Asked by name, so that what a recording tells, or another copy of us, is an answer.
 */
function isUnknown(reason: unknown): boolean {
  if (!isInstance(reason, Error) && !isInstance(reason, DOMException)) return false;
  const { name, status = 504 } = reason as { readonly name: string; readonly status?: number };
  // A redirect that was not followed is mostly the answer of what was done.
  // A function of the app may do all of it by itself: what comes of `fetch` and `json()` is one of these.
  return /^(Timeout|Parse|Abort|Type|Syntax)Error$/.test(name) ||
    (name === "NetworkError" && (status > 501 || status < 400));
}
