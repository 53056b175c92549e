import { clock, type TimerHandle } from "../deps/clock.ts";
import { OvertakenError } from "../errors/overtaken_error.ts";
import { TimeoutError } from "../errors/timeout_error.ts";
import { WriteError } from "../errors/write_error.ts";
import { isSameShape } from "../store/entry.ts";
import { noteOverlaps } from "../store/reducers/set_response.ts";
import type { SetResponseAction } from "../store/reducers/set_response.ts";
import type { Patch } from "../store/patch.ts";
import type { Ticket } from "../store/places.ts";
import { reportError, type Store } from "../store/store.ts";
import { Flight } from "./flight.ts";
import type { Dispatch, FetchAction } from "./middleware.ts";

/** How long a call may take that has no deadline of its own, in ms. */
const CALL_DEADLINE = 30_000;

/** What the network needs of its controller. */
export interface NetworkHost {
  readonly store: Store;
  /** Sends an action through the whole chain. */
  readonly dispatch: Dispatch;
  /** The end of the chain: for what must happen whatever a middleware does. */
  readonly perform: Dispatch;
  /** The patch that a reply became; `undefined` when a middleware swallowed it. */
  patchOf(ticket: Ticket): Patch | undefined;
}

/**
 * The last element of the chain: calls endpoints, one request for one key, and puts what they bring into the store.
 * Every promise it gives settles.
 */
export class Network {
  readonly #host: NetworkHost;
  readonly #flights = new Set<Flight>();
  readonly #reads = new Map<string, Flight[]>();
  #isStopped = false;

  constructor(host: NetworkHost) {
    this.#host = host;
  }

  /** How many requests are in flight. */
  get size(): number {
    return this.#flights.size;
  }

  /** Starts a request, or joins the one in flight for the same key and shape. */
  fetch(action: FetchAction): Flight {
    const { endpoint, args, key } = action;
    const isMutation = Boolean(endpoint.sideEffect);
    const joined = isMutation ? undefined : this.find(action);
    if (joined !== undefined) return joined;
    const flight = new Flight(endpoint, args, key);
    if (this.#isStopped) {
      flight.reject(new OvertakenError(endpoint.name, "cleanup"));
      return flight;
    }
    this.#flights.add(flight);
    if (!isMutation) {
      // From now on `expire` and `invalidate` reach it, also when nobody reads it yet.
      this.#host.store.response(endpoint, args, key);
      const flights = this.#reads.get(key);
      if (flights === undefined) this.#reads.set(key, [flight]);
      else flights.push(flight);
    }
    this.#start(flight);
    return flight;
  }

  /** The read in flight for a key and shape. */
  find(read: Pick<FetchAction, "endpoint" | "key">): Flight | undefined {
    return this.#reads.get(read.key)?.find((flight) => isSameShape(flight.endpoint, read.endpoint));
  }

  /** The reads in flight whose keys pass. */
  reads(testKey: (key: string) => boolean): Flight[] {
    return [...this.#reads].flatMap(([key, flights]) => testKey(key) ? flights : []);
  }

  /** Reads start anew, if they are still in flight: who waits gets the new answer. */
  restart(flights: readonly Flight[]): void {
    for (const flight of flights) {
      if (!this.#flights.has(flight)) continue;
      this.#leave(flight);
      this.#start(flight);
    }
  }

  /** Somebody shows what a read will bring. Returns how to let it go; the last one to do so aborts it. */
  hold(flight: Flight): () => void {
    flight.holders++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      flight.holders--;
      if (flight.holders === 0 && !flight.isAwaited && this.#flights.has(flight)) {
        this.#end(flight);
        flight.reject(new DOMException(`Nobody needs "${flight.endpoint.name}" any more`, "AbortError"));
        this.#conclude(flight);
      }
    };
  }

  /** The store is being reset: nothing that was asked for before is written. */
  reset(): void {
    for (const flight of [...this.#flights]) {
      const { endpoint } = flight;
      // The server may have to finish a mutation; an answer nobody wants is not worth the way.
      this.#end(flight, !endpoint.sideEffect);
      flight.reject(new OvertakenError(endpoint.name, "reset"));
    }
  }

  /** Aborts everything; nothing starts any more until {@linkcode resume}. */
  stop(): void {
    this.#isStopped = true;
    const flights = [...this.#flights];
    for (const flight of flights) {
      this.#end(flight);
      flight.reject(new OvertakenError(flight.endpoint.name, "cleanup"));
    }
    for (const flight of flights) this.#conclude(flight);
  }

  /** Takes requests again. */
  resume(): void {
    this.#isStopped = false;
  }

  #start(flight: Flight): void {
    const { endpoint, args } = flight;
    const { store } = this.#host;
    const isMutation = Boolean(endpoint.sideEffect);
    const attempt = ++flight.attempt;
    const ticket = flight.ticket = store.places.start(isMutation);
    const abort = flight.abort = new AbortController();
    const isPresent = () => flight.attempt === attempt && this.#flights.has(flight);
    if (isMutation && endpoint.getOptimisticResponse !== undefined) {
      const { place } = ticket;
      flight.layer = { endpoint, args, place };
      try {
        this.#host.dispatch({ type: "optimistic", layer: flight.layer, place, date: clock.now() });
      } catch (reason) {
        // A middleware: nothing was sent, and whoever called learns why.
        return this.#fail(flight, reason);
      }
      // Who was told of the layer may have reset the store.
      if (!isPresent()) return;
    }
    // A signal that the caller brought ends the wait, also where the call does not heed it.
    const { signal } = endpoint;
    const giveUp = () => isPresent() && this.#fail(flight, signal!.reason);
    signal?.addEventListener("abort", giveUp, { once: true });
    flight.unlisten = () => signal?.removeEventListener("abort", giveUp);
    this.#call(flight, abort).then(
      (response) => isPresent() && this.#arrive(flight, response),
      (reason) => isPresent() && this.#fail(flight, reason),
    ).catch((reason) => flight.reject(reason));
  }

  /** Calls the endpoint. What it throws at once is a rejection like others. */
  async #call(flight: Flight, abort: AbortController): Promise<unknown> {
    const { endpoint, args } = flight;
    const signal = endpoint.signal ? AbortSignal.any([endpoint.signal, abort.signal]) : abort.signal;
    signal.throwIfAborted();
    const call = endpoint.extend({ signal })(...args);
    if (endpoint.hasDeadline) return await call;
    let timer: TimerHandle | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = clock.setTimeout(() => reject(new TimeoutError("CALL", endpoint.name, CALL_DEADLINE)), CALL_DEADLINE);
    });
    abort.signal.addEventListener("abort", () => clock.clearTimeout(timer!), { once: true });
    try {
      return await Promise.race([call, deadline]);
    } finally {
      clock.clearTimeout(timer!);
    }
  }

  #arrive(flight: Flight, response: unknown): void {
    const { endpoint, args, key, layer } = flight;
    const ticket = flight.ticket!;
    const { store, dispatch, patchOf } = this.#host;
    const { place } = ticket;
    this.#end(flight, false);
    const action: SetResponseAction = {
      type: "setResponse",
      endpoint,
      args,
      key,
      response,
      place,
      date: clock.now(),
      ticket,
      layer,
    };
    let failure: { readonly reason: unknown } | undefined;
    try {
      dispatch(action);
    } catch (reason) {
      failure = { reason };
    }
    const patch = patchOf(ticket);
    if (failure !== undefined && patch === undefined) {
      const { reason } = failure;
      return this.#refuse(
        flight,
        place,
        endpoint.sideEffect ? new WriteError(endpoint.name, response, reason) : reason,
      );
    }
    if (endpoint.sideEffect && patch !== undefined) noteOverlaps(store, patch.written());
    this.#conclude(flight);
    // A middleware threw after it was written: the store has the answer, the caller learns what went wrong.
    if (failure !== undefined) flight.reject(failure.reason);
    else if (patch === undefined) flight.resolve(response);
    else this.#resolve(flight, patch);
  }

  /** Resolves with this call's own answer, as the store holds it now. */
  #resolve(flight: Flight, patch: Patch): void {
    const { endpoint, args, key } = flight;
    const { store } = this.#host;
    if (endpoint.schema === undefined) return flight.resolve(patch.value);
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
      } else flight.resolve(data);
    } catch (error) {
      flight.reject(error);
    }
  }

  #fail(flight: Flight, reason: unknown): void {
    const isAborted = flight.endpoint.signal?.aborted === true;
    const { place } = flight.ticket!;
    // A call that ended by itself needs no abort; one that was given up does.
    this.#end(flight, isAborted || reason instanceof TimeoutError);
    if (!isAborted) return this.#refuse(flight, place, reason);
    this.#conclude(flight);
    flight.reject(reason);
  }

  /** The request is over without an answer that could be stored. */
  #refuse(flight: Flight, place: number, reason: unknown): void {
    const { endpoint, args, key, layer } = flight;
    const { dispatch, store } = this.#host;
    try {
      dispatch({ type: "setError", endpoint, args, key, error: reason, place, date: clock.now(), layer });
      if (reason instanceof WriteError) {
        const keys = store.keysHolding(endpoint.schema, args);
        if (keys.size > 0) {
          dispatch({
            type: "expire",
            testKey: (held) => keys.has(held),
            place: store.places.take(),
            date: clock.now(),
          });
        }
      }
    } catch (error) {
      // The caller is to learn why the request failed, not what failed after it.
      reportError(error);
    }
    this.#conclude(flight);
    flight.reject(reason);
  }

  /** Takes a flight out of all tables; what it may still bring is dropped. */
  #end(flight: Flight, aborts = true): void {
    this.#flights.delete(flight);
    const flights = this.#reads.get(flight.key);
    const at = flights?.indexOf(flight) ?? -1;
    if (at >= 0) {
      flights!.splice(at, 1);
      if (flights!.length === 0) this.#reads.delete(flight.key);
    }
    this.#leave(flight, aborts);
  }

  /** The present attempt counts no more. */
  #leave(flight: Flight, aborts = true): void {
    flight.attempt++;
    flight.unlisten?.();
    if (flight.ticket !== undefined) this.#host.store.places.settle(flight.ticket);
    if (aborts) flight.abort?.abort(new DOMException(`"${flight.endpoint.name}" was given up`, "AbortError"));
  }

  /** Whatever became of a request, and whatever a middleware did about it: nothing stays that was there for its sake. */
  #conclude({ layer }: Flight): void {
    const { store, dispatch, perform } = this.#host;
    const abandon = (send: Dispatch) => {
      if (layer === undefined || !store.layers.includes(layer)) return;
      send({ type: "abandon", layer, place: layer.place, date: clock.now() });
    };
    try {
      abandon(dispatch);
    } catch (error) {
      reportError(error);
    }
    abandon(perform);
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
