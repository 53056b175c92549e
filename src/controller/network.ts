import { clock, type TimerHandle } from "../deps/clock.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { isInstance } from "../errors/is_instance.ts";
import { OvertakenError } from "../errors/overtaken_error.ts";
import { TimeoutError } from "../errors/timeout_error.ts";
import { WriteError } from "../errors/write_error.ts";
import type { AnyEndpoint, CallContext, CallReply } from "../endpoint/interface.ts";
import type { Basis } from "../store/basis.ts";
import { isSameShape } from "../store/entry.ts";
import { isRenewable, type RenewAction } from "../store/reducers/renew.ts";
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
  fetch(given: FetchAction): Flight {
    const action = this.#named(given);
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

  /** Requests in flight are given up: who waits for them learns it, and nothing of them is written. */
  abort(call: Pick<FetchAction, "endpoint" | "key">): void {
    for (const flight of this.#allOf(call)) this.#giveUp(flight, `"${flight.endpoint.name}" was aborted`);
  }

  /**
   * What the oldest request in flight for a call has been answered with, elsewhere.
   *
   * @returns Whether there is such a request.
   */
  answer(
    call: Pick<FetchAction, "endpoint" | "key">,
    reply: { readonly value: unknown } | { readonly error: unknown },
  ): boolean {
    const flight = this.#allOf(call).find(({ args }) => this.#host.store.tables.ids.unnamedIn(args).size === 0);
    if (flight === undefined) return false;
    const { abort } = flight;
    if ("error" in reply) this.#fail(flight, reply.error);
    else this.#arrive(flight, reply);
    abort?.abort(new DOMException(`"${flight.endpoint.name}" was answered elsewhere`, "AbortError"));
    return true;
  }

  /** Settles when nothing is in flight any more, also of what was sent meanwhile. Never rejects. */
  async allSettled(): Promise<void> {
    while (this.#flights.size > 0) await Promise.allSettled(Array.from(this.#flights, ({ promise }) => promise));
  }

  /** The requests in flight for a call, the oldest first: of a read one, of a mutation any number. */
  #allOf({ endpoint, key }: Pick<FetchAction, "endpoint" | "key">): Flight[] {
    return [...this.#flights].filter((flight) => flight.key === key && isSameShape(flight.endpoint, endpoint));
  }

  /** Whether a read of a key is in flight. */
  isReading(key: string): boolean {
    return this.#reads.has(key);
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
        this.#giveUp(flight, `Nobody needs "${flight.endpoint.name}" any more`);
      }
    };
  }

  #giveUp(flight: Flight, why: string): void {
    this.#end(flight);
    flight.reject(new DOMException(why, "AbortError"));
    this.#conclude(flight);
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

  /** @param forgets The call is given no memo: an unchanged reply could not be taken. */
  #start(flight: Flight, forgets = false): void {
    const { endpoint, args } = flight;
    const { store } = this.#host;
    const isMutation = Boolean(endpoint.sideEffect);
    const attempt = ++flight.attempt;
    const ticket = flight.ticket = store.places.start(isMutation);
    flight.abort = new AbortController();
    const isPresent = () => flight.attempt === attempt && this.#flights.has(flight);
    if (isMutation && endpoint.getOptimisticResponse !== undefined) {
      const { place } = ticket;
      const layer = flight.layer = {
        endpoint,
        args,
        place,
        date: clock.now(),
        temporary: { ids: [], shown: undefined },
      };
      try {
        this.#host.dispatch({ type: "optimistic", layer, place, date: clock.now() });
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
    const unnamed = store.tables.ids.unnamedIn(args);
    if (unnamed.size > 0) {
      this.#awaitNames(flight, unnamed).then(
        (named) => isPresent() && (isMutation ? this.#send(flight, named, forgets) : this.#handOver(flight, named)),
        (reason) => isPresent() && this.#fail(flight, reason),
      ).catch((reason) => flight.reject(reason));
    } else this.#send(flight, args, forgets);
  }

  /** An action whose arguments name what the server has named since. */
  #named(action: FetchAction): FetchAction {
    const args = this.#host.store.tables.ids.resolve(action.args);
    return args === action.args ? action : { ...action, args, key: action.endpoint.key(...args) };
  }

  /**
   * Waits until the server has named what a call is about.
   *
   * @throws {EndpointError} If it never will.
   */
  async #awaitNames({ endpoint, args }: Flight, unnamed: ReadonlySet<string>): Promise<readonly unknown[]> {
    const { ids } = this.#host.store.tables;
    for (const id of unnamed) {
      const maker = [...this.#flights].find(({ layer }) => layer?.temporary.ids.includes(id));
      let cause: unknown;
      await maker?.promise.catch((reason) => cause = reason);
      if (ids.pkOf(id) === undefined) {
        throw new EndpointError(
          endpoint.name,
          `Cannot send "${endpoint.name}": it names "${id}", which the server ${
            cause === undefined ? "has not named" : "has not made"
          }. What is not there any more is not to be changed`,
          { cause },
        );
      }
    }
    return ids.resolve(args);
  }

  /** A read of what has another name now is a read of that. */
  #handOver(flight: Flight, args: readonly unknown[]): void {
    const { endpoint } = flight;
    this.#end(flight, false);
    const read: FetchAction = { type: "fetch", endpoint, args, key: endpoint.key(...args) };
    const answer = this.#host.dispatch(read);
    const other = this.find(read);
    if (other !== undefined) other.isAwaited = true;
    Promise.resolve(answer).then(flight.resolve, flight.reject);
    this.#conclude(flight);
  }

  #send(flight: Flight, args: readonly unknown[], forgets: boolean): void {
    const { endpoint, attempt } = flight;
    const { store } = this.#host;
    const isMutation = Boolean(endpoint.sideEffect);
    if (args !== flight.args) {
      flight.args = args;
      flight.key = endpoint.key(...args);
    }
    const ticket = flight.ticket!;
    const abort = flight.abort!;
    const isPresent = () => flight.attempt === attempt && this.#flights.has(flight);
    const basis = isMutation || forgets ? undefined : store.entries.get(flight.key, endpoint)?.basis;
    const take = (coming: Promise<CallReply>): void => {
      coming.then(
        (reply) => {
          if (!isPresent()) return;
          if (!reply.unchanged || isMutation) return this.#arrive(flight, reply);
          if (basis !== undefined && isRenewable(store, flight, basis, ticket.place)) {
            return this.#arrive(flight, reply, true);
          }
          if (reply.read !== undefined) return take(this.#inTime(flight, abort, readReply(reply)));
          if (basis === undefined) return this.#fail(flight, groundless(endpoint));
          // What is stored has changed since the request was sent: the answer itself is needed.
          this.#leave(flight);
          this.#start(flight, true);
        },
        (reason) => isPresent() && this.#fail(flight, reason),
      ).catch((reason) => flight.reject(reason));
    };
    take(this.#call(flight, abort, basis));
  }

  /** Calls the endpoint. What it throws at once is a rejection like others. */
  async #call(flight: Flight, abort: AbortController, basis: Basis | undefined): Promise<CallReply> {
    const { endpoint, args } = flight;
    const { store } = this.#host;
    const signal = endpoint.signal ? AbortSignal.any([endpoint.signal, abort.signal]) : abort.signal;
    signal.throwIfAborted();
    const context: CallContext = {
      signal,
      memo: basis?.memo,
      defaults: store.defaults,
      isCurrent: basis !== undefined && isRenewable(store, flight, basis, flight.ticket!.place),
      recall: (name) => store.notes.get(name),
    };
    const call = async (): Promise<CallReply> => ({ value: await endpoint.extend({ signal })(...args) });
    const reply = endpoint.fetchReply === undefined ? call() : endpoint.fetchReply(context, args);
    const given: unknown = await this.#inTime(flight, abort, reply);
    if (typeof given === "object" && given !== null) return given as CallReply;
    throw new EndpointError(endpoint.name, `fetchReply() of "${endpoint.name}" must give an object with a value`);
  }

  /** The deadline of endpoints that have none of their own. */
  async #inTime({ endpoint }: Flight, abort: AbortController, call: Promise<CallReply>): Promise<CallReply> {
    if (endpoint.hasDeadline) return await call;
    let timer: TimerHandle | undefined;
    const deadline = new Promise<never>((_, reject) => {
      const ms = this.#host.store.defaults.deadline ?? CALL_DEADLINE;
      timer = clock.setTimeout(() => reject(new TimeoutError("CALL", endpoint.name, ms)), ms);
    });
    abort.signal.addEventListener("abort", () => clock.clearTimeout(timer!), { once: true });
    try {
      return await Promise.race([call, deadline]);
    } finally {
      clock.clearTimeout(timer!);
    }
  }

  #arrive(flight: Flight, reply: CallReply, isUnchanged = false): void {
    const { endpoint, args, key, layer } = flight;
    // Own members only: nothing that somebody put on Object.prototype.
    const { value: response, memo, dataExpiryLength, note } = { ...NO_DETAILS, ...reply };
    const ticket = flight.ticket!;
    const { store, dispatch, patchOf } = this.#host;
    const { place } = ticket;
    this.#end(flight, false);
    const details = { memo, dataExpiryLength, note };
    const answer = { endpoint, args, key, place, date: clock.now(), ticket, reply: details };
    const action: SetResponseAction | RenewAction = isUnchanged
      ? { type: "renew", ...answer }
      : { type: "setResponse", ...answer, response, layer };
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
    else if (patch === undefined) {
      flight.resolve(isUnchanged ? store.response(endpoint, args, key).read(store.graph).data : response);
    } else this.#resolve(flight, patch);
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
    this.#end(flight, isAborted || isInstance(reason, TimeoutError));
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
      if (isInstance(reason, WriteError)) {
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

const NO_DETAILS: Omit<CallReply, "value"> = { memo: undefined, dataExpiryLength: undefined, note: undefined };

/** A reply that had nothing to write, with the value that it has after all. */
async function readReply(reply: CallReply): Promise<CallReply> {
  return { ...reply, value: await reply.read!(), unchanged: false };
}

function groundless({ name }: AnyEndpoint): EndpointError {
  return new EndpointError(
    name,
    `"${name}" answered "unchanged", but was given no memo to compare with: return the value, or give the reply a read()`,
  );
}
