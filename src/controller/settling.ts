import { clock } from "../deps/clock.ts";
import { isInstance } from "../errors/is_instance.ts";
import { OvertakenError } from "../errors/overtaken_error.ts";
import { TimeoutError } from "../errors/timeout_error.ts";
import { WriteError } from "../errors/write_error.ts";
import type { AnyEndpoint, CallReply } from "../endpoint/interface.ts";
import { originalOf } from "../endpoint/copy_plain.ts";
import { readBelow } from "../store/layers.ts";
import { Patch } from "../store/patch.ts";
import type { RenewAction } from "../store/reducers/renew.ts";
import type { SetResponseAction } from "../store/reducers/set_response.ts";
import type { Ticket } from "../store/places.ts";
import { reportError } from "../errors/report_error.ts";
import type { Answer } from "../store/response_view.ts";
import { NEVER } from "../store/tables.ts";
import { Doubts } from "./doubts.ts";
import type { Flight } from "./flight.ts";
import type { Flights } from "./flights.ts";
import type { Dispatch } from "./middleware.ts";
import type { NetworkHost } from "./network.ts";

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
    this.#doubts = new Doubts(host, (key) => flights.isReading(key));
  }

  /** Nothing is asked for any more, or all was forgotten. */
  clear(): void {
    this.#doubts.clear();
  }

  /**
   * A reply has come: it is written, and whoever waits gets it.
   *
   * @param isUnchanged The server said that nothing has changed.
   */
  arrive(flight: Flight, reply: CallReply, isUnchanged = false): void {
    const { endpoint, args, key, layer } = flight;
    // Own members only: nothing that somebody put on Object.prototype.
    const { value: response, memo, dataExpiryLength, note } = { ...NO_DETAILS, ...reply };
    const ticket = flight.ticket!;
    const { store, dispatch, takePatch } = this.#host;
    const { place } = ticket;
    this.end(flight, false);
    const details = { memo, dataExpiryLength, note };
    const { released } = flight;
    const answer = { endpoint, args, key, place, date: clock.now(), ticket, reply: details, released };
    const action: SetResponseAction | RenewAction = isUnchanged
      ? { type: "renew", ...answer }
      : { type: "setResponse", ...answer, response, layer };
    let failure: { readonly reason: unknown } | undefined;
    try {
      dispatch(action);
    } catch (reason) {
      failure = { reason };
    }
    const patch = takePatch(ticket);
    if (failure !== undefined && patch === undefined) {
      const { reason } = failure;
      return this.#refuse(
        flight,
        place,
        endpoint.sideEffect ? new WriteError(endpoint.name, response, reason) : reason,
      );
    }
    this.conclude(flight);
    // A middleware threw after it was written: the store has the answer, the caller learns what went wrong.
    if (failure !== undefined) flight.reject(failure.reason);
    else if (patch === undefined) {
      flight.resolve(isUnchanged ? store.response(endpoint, args, key).read(store.graph).data : response);
    } else this.#resolve(flight, patch);
  }

  /** Resolves with this call's own answer, as the store holds it now. */
  #resolve(flight: Flight, patch: Patch): void {
    const { endpoint, args, key } = flight;
    const { store } = this.#host;
    // A read gives what hooks read.
    const resolve = (value: unknown) => flight.resolve(endpoint.sideEffect ? originalOf(value) : value);
    if (endpoint.schema === undefined) return resolve(patch.value);
    try {
      const view = endpoint.sideEffect ? undefined : store.response(endpoint, args, key);
      // A later answer may have taken the entry; what this call brought is then read by itself.
      const entry = view?.entry;
      const isOwn = entry !== undefined && entry.hasResult && !entry.isInvalid && entry.place === patch.stamp.place;
      const data = isOwn
        ? view!.read(store.graph).data
        : store.graph.readOnce(endpoint.schema, patch.result, args, patch.value);
      if (data === undefined && store.isDeleted(endpoint.schema, patch.result)) {
        flight.reject(new OvertakenError(endpoint.name, "delete"));
      } else if (data === undefined && store.layers.length > 0) {
        // A pending mutation may hide it from readers; the caller is told what this call has brought.
        resolve(readBelow(new Patch(store, NEVER, 0), endpoint.schema, patch.result, args, patch.value));
      } else resolve(data);
    } catch (error) {
      flight.reject(error);
    }
  }

  /**
   * No reply will come, or none that is wanted.
   *
   * @param isAborted Those who asked for it have ended it: it has not failed.
   */
  fail(flight: Flight, reason: unknown, isAborted = false): void {
    const { place } = flight.ticket!;
    // A call that ended by itself needs no abort; one that was given up does.
    this.end(flight, isAborted || isInstance(reason, TimeoutError));
    if (!isAborted) return this.#refuse(flight, place, reason);
    this.conclude(flight, true);
    flight.reject(reason);
  }

  /** Somebody else has written the answer, or the error, of a read that is in flight. */
  pass(flight: Flight, { data, error }: Answer): void {
    this.end(flight, false);
    this.conclude(flight);
    if (data === undefined && error !== undefined) flight.reject(error);
    else flight.resolve(data);
  }

  /** The request is over without an answer that could be stored. */
  #refuse(flight: Flight, place: number, reason: unknown): void {
    const { endpoint, args, key, ticket } = flight;
    const isAccepted = isInstance(reason, WriteError);
    // What was shown is read before anything is marked.
    const expire = isAccepted || isUnknown(reason) ? this.#doubt(flight, isAccepted) : undefined;
    const { layer, released } = flight;
    const failed = { endpoint, args, key, error: reason, place, date: clock.now(), ticket, layer, released };
    try {
      this.#host.dispatch({ type: "setError", ...failed });
      expire?.();
    } catch (error) {
      // The caller is to learn why the request failed, not what failed after it.
      reportError(error);
    }
    this.conclude(flight);
    flight.reject(reason);
  }

  /**
   * Nobody is to get the replies. All of them end before any is tidied up after: what waits for one of them is not to be
   * sent for its last moment.
   */
  giveUp(flights: readonly Flight[], reasonFor: (endpoint: AnyEndpoint) => unknown): void {
    for (const flight of flights) {
      this.end(flight);
      flight.reject(reasonFor(flight.endpoint));
    }
    for (const flight of flights) this.conclude(flight, true);
  }

  /** Nobody knows whether the server has done what was asked: how to ask for what it may have changed. */
  #doubt(flight: Flight, isAccepted = false): (() => void) | undefined {
    if (!flight.isSent || !flight.endpoint.sideEffect) return undefined;
    try {
      return this.#doubts.raise(flight, isAccepted);
    } catch (error) {
      // A pk() or a key() of the app that throws: nothing is named.
      reportError(error);
    }
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
    for (const unlisten of flight.signals.values()) unlisten();
    flight.signals.clear();
    this.leave(flight, aborts, isOut);
  }

  /** The present attempt counts no more. */
  leave(flight: Flight, aborts = true, isOut = false): void {
    flight.attempt++;
    flight.stopTimer?.();
    if (flight.ticket !== undefined && !isOut) this.#host.store.places.settle(flight.ticket);
    if (aborts) flight.abort?.abort(new DOMException(`"${flight.endpoint.name}" was given up`, "AbortError"));
  }

  /**
   * Whatever became of a request, and whatever a middleware did about it: nothing stays that was there for its sake.
   *
   * @param isGivenUp Nobody waited for its end.
   */
  conclude(flight: Flight, isGivenUp = false): void {
    this.#flights.tap?.ended(flight);
    try {
      if (isGivenUp) this.#doubt(flight)?.();
    } catch (error) {
      reportError(error);
    }
    try {
      this.#tidy(flight);
    } finally {
      this.#flights.lines?.sendNext(flight.scope);
    }
  }

  #tidy({ layer: own, released }: Flight): void {
    const { store, dispatch, perform } = this.#host;
    const abandon = (send: Dispatch) => {
      const layers = store.layers.filter((layer) => layer === own || released.includes(layer));
      if (layers.length > 0) send({ type: "abandon", layers, place: layers[0]!.place, date: clock.now() });
    };
    try {
      abandon(dispatch);
    } catch (error) {
      reportError(error);
    }
    abandon(perform);
    this.#rest();
  }

  /** A mutation that was forgotten has been answered: nobody has written what it has changed. */
  forget(flight: Flight, ticket: Ticket): void {
    if (!this.#host.store.places.settle(ticket)) return;
    // Before anything follows from it: what was read until now counts.
    this.#flights.tap?.forgotten(ticket);
    flight.layer = undefined;
    this.#doubt(flight)?.();
    this.#rest();
  }

  #rest(): void {
    const { store, dispatch } = this.#host;
    store.fold();
    if (store.places.hasMutations()) return;
    store.overlaps.clear();
    if (store.behind.size === 0) return;
    try {
      dispatch({ type: "expireBehind", place: store.places.take(), date: clock.now() });
    } catch (error) {
      reportError(error);
    }
  }
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

const NO_DETAILS: Omit<CallReply, "value"> = { memo: undefined, dataExpiryLength: undefined, note: undefined };
