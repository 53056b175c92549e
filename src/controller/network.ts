import { clock } from "../deps/clock.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { OvertakenError } from "../errors/overtaken_error.ts";
import { said } from "../errors/texts.ts";
import type { AnyEndpoint, CallReply } from "../endpoint/interface.ts";
import type { Entry } from "../store/entry.ts";
import type { Patch } from "../store/patch.ts";
import type { Ticket } from "../store/places.ts";
import { classesOf, subjectOf, subjectsIn } from "../schemas/interface.ts";
import { checkPolicy } from "../store/freshness.ts";
import { isRenewable } from "../store/reducers/renew.ts";
import type { Store } from "../store/store.ts";
import { unheard } from "./_heard.ts";
import { callEndpoint, readReply } from "./_call_endpoint.ts";
import { Flight } from "./flight.ts";
import { Flights } from "./flights.ts";
import type { Dispatch, FetchAction } from "./middleware.ts";
import type { ScopeLines } from "./scope_lines.ts";
import { Settling } from "./settling.ts";

/** What the network needs of its controller. */
export interface NetworkHost {
  readonly store: Store;
  /** Sends an action through the whole chain. */
  readonly dispatch: Dispatch;
  /** The end of the chain: for what must happen whatever a middleware does. */
  readonly perform: Dispatch;
  /** The patch that a reply became, once; `undefined` when a middleware swallowed it. */
  takePatch(ticket: Ticket): Patch | undefined;
}

/**
 * The last element of the chain: calls endpoints, one request for one key, and puts what they bring into the store.
 * Every promise it gives settles.
 */
export class Network {
  /** The requests in flight. */
  readonly flights: Flights = new Flights();
  /** Where replies go. */
  readonly host: NetworkHost;
  /** What becomes of them in the end. */
  readonly settling: Settling;
  #isStopped = false;

  constructor(host: NetworkHost) {
    this.host = host;
    this.settling = new Settling(host, this.flights);
  }

  /** Starts a request, or joins the one in flight for the same key and shape. */
  fetch(given: FetchAction): Flight {
    const action = this.#named(given);
    const { endpoint, args, key } = action;
    const isMutation = Boolean(endpoint.sideEffect);
    const joined = isMutation ? undefined : this.flights.find(action);
    if (joined !== undefined) {
      this.#listen(joined, endpoint);
      // The middleware lets it through.
      if (joined.isKept) this.restart([joined], true);
      return joined;
    }
    const flight = new Flight(endpoint, args, key);
    try {
      const { store } = this.host;
      const { defaults, graph } = store;
      checkPolicy(endpoint, defaults);
      const subject = subjectOf(endpoint.schema);
      // A class that cannot be stored is refused before anything is sent for it.
      if (subject !== undefined) graph.planOf(subject);
      if (!isMutation) store.await(endpoint.schema);
      if (isMutation && endpoint.scope !== undefined) {
        this.#nameWaiting();
        this.#linesOf(endpoint).name(flight);
      }
    } catch (reason) {
      flight.reject(reason);
      return flight;
    }
    if (this.#isStopped) {
      flight.reject(new OvertakenError(endpoint.name, "cleanup"));
      return flight;
    }
    this.flights.add(flight);
    // From now on `expire` and `invalidate` reach it, also when nobody reads it yet.
    if (!isMutation) this.host.store.response(endpoint, args, key);
    try {
      this.#start(flight);
    } catch (reason) {
      // A signal that is none, for one: whoever joins it must learn it, too.
      this.settling.fail(flight, reason);
    }
    return flight;
  }

  /**
   * A middleware answers a read itself: its answer stands where it was asked for, like any other, unless the middleware
   * has written one by then, or lets the request through.
   *
   * @param call What is read.
   * @param answer What the middleware promises.
   * @param before What the store had when it was asked.
   */
  keep(
    { endpoint, args, key }: Omit<FetchAction, "type">,
    answer: Promise<unknown>,
    before: Entry | undefined,
  ): Flight {
    const flight = new Flight(endpoint, args, key);
    this.flights.add(flight);
    this.host.store.response(endpoint, args, key);
    this.#listen(flight, endpoint);
    this.#keep(flight, answer, before);
    return flight;
  }

  #keep(flight: Flight, answer: Promise<unknown>, before: Entry | undefined): void {
    const { endpoint, args, key } = flight;
    const { store } = this.host;
    const attempt = ++flight.attempt;
    flight.ticket = store.places.start(false);
    flight.isKept = true;
    this.flights.tap?.started(flight);
    const take = (isAnswer: boolean, outcome: unknown): void => {
      if (flight.attempt !== attempt || !this.flights.has(flight)) return;
      const view = store.response(endpoint, args, key);
      if (lastPlace(view.entry) !== lastPlace(before)) this.settling.pass(flight, view.read(store.graph));
      else if (isAnswer) this.settling.arrive(flight, { value: outcome });
      else this.settling.fail(flight, outcome);
    };
    answer.then((value) => take(true, value), (reason) => take(false, reason)).catch(flight.reject);
  }

  /** Requests in flight are given up: who waits for them learns it, and nothing of them is written. */
  abort(call: FetchAction): void {
    this.#nameWaiting();
    this.settling.giveUp(
      this.flights.allOf(call),
      () => new DOMException(`"${call.endpoint.name}" was aborted`, "AbortError"),
    );
  }

  /**
   * What the oldest request in flight for a call has been answered with, elsewhere.
   *
   * @returns Whether there is such a request.
   */
  answer(call: FetchAction, reply: { readonly value: unknown } | { readonly error: unknown }): boolean {
    this.#nameWaiting();
    const flight = this.flights.allOf(call).find(({ args }) => this.host.store.tables.ids.unnamedIn(args).size === 0);
    if (flight === undefined) return false;
    const { abort } = flight;
    if ("error" in reply) this.settling.fail(flight, reply.error);
    else this.settling.arrive(flight, reply);
    abort?.abort(new DOMException(`"${flight.endpoint.name}" was answered elsewhere`, "AbortError"));
    return true;
  }

  /** Settles when nothing is in flight any more, also of what was sent meanwhile. Never rejects. */
  async allSettled(): Promise<void> {
    for (;;) {
      const sent = [...this.flights].filter(({ isKept }) => !isKept);
      if (sent.length === 0) return;
      await Promise.allSettled(sent.map(({ promise }) => promise));
    }
  }

  /**
   * Reads start anew, if they are still in flight: who waits gets the new answer.
   *
   * @param isLetThrough Those that a middleware keeps are sent; otherwise it is asked again.
   */
  restart(flights: readonly Flight[], isLetThrough: boolean = false): void {
    for (const flight of flights) {
      if (!this.flights.has(flight)) continue;
      this.settling.leave(flight);
      if (isLetThrough || !flight.isKept) {
        flight.isKept = false;
        this.#start(flight);
      } else this.#askAgain(flight);
    }
  }

  #askAgain(flight: Flight): void {
    const { endpoint, args, key } = flight;
    const before = this.host.store.entries.get(key, endpoint);
    let answer: unknown;
    try {
      answer = this.host.dispatch({ type: "fetch", endpoint, args, key });
    } catch (reason) {
      answer = Promise.reject(reason);
    }
    if (!(answer instanceof Promise)) return;
    if (flight.isKept && this.flights.has(flight)) this.#keep(flight, answer, before);
    else unheard(answer);
  }

  /** Somebody shows what a read will bring. Returns how to let it go; the last one to do so aborts it. */
  hold(flight: Flight): () => void {
    flight.holders++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      flight.holders--;
      if (flight.holders === 0 && !flight.isAwaited && this.flights.has(flight)) {
        this.settling.giveUp(
          [flight],
          ({ name }) => new DOMException(`Nobody needs "${name}" any more`, "AbortError"),
        );
      }
    };
  }

  /** The store is being reset: nothing that was asked for before is written. */
  reset(): void {
    this.settling.clear();
    for (const flight of [...this.flights]) {
      const { endpoint } = flight;
      // The server may have to finish a mutation; an answer nobody wants is not worth the way.
      this.settling.end(flight, !endpoint.sideEffect, flight.isOut);
      flight.reject(new OvertakenError(endpoint.name, "reset"));
    }
  }

  /** Aborts everything; nothing starts any more. */
  stop(): void {
    this.#isStopped = true;
    this.settling.clear();
    this.settling.giveUp([...this.flights], ({ name }) => new OvertakenError(name, "cleanup"));
  }

  /** @param forgets The call is given no memo: an unchanged reply could not be taken. */
  #start(flight: Flight, forgets = false): void {
    const { endpoint, args } = flight;
    const { store } = this.host;
    const isMutation = Boolean(endpoint.sideEffect);
    const attempt = ++flight.attempt;
    const ticket = flight.ticket = store.places.start(isMutation);
    for (const { of } of isMutation ? subjectsIn(endpoint.schema) : []) {
      for (const { key } of classesOf(of)) store.tables.named(key).isAsked = true;
    }
    this.flights.lines?.join(flight);
    this.flights.tap?.started(flight);
    flight.abort = new AbortController();
    const isPresent = () => flight.attempt === attempt && this.flights.has(flight);
    // Before anything is shown: names that the call itself gives are none that it waits for.
    const unnamed = store.tables.ids.unnamedIn(args);
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
        this.host.dispatch({ type: "optimistic", layer, place, date: clock.now() });
      } catch (reason) {
        // A middleware: nothing was sent, and whoever called learns why.
        return this.settling.fail(flight, reason);
      }
      // Who was told of the layer may have reset the store.
      if (!isPresent()) return;
    }
    const go = () => {
      if (unnamed.size === 0) return this.#makeReady(flight, forgets);
      this.#awaitNames(flight, unnamed).then(
        () => {
          if (!isPresent()) return;
          const named = store.tables.ids.resolve(flight.args);
          if (!isMutation) return this.#handOver(flight, named);
          this.#name(flight, named);
          this.#makeReady(flight, forgets);
        },
        (reason) => isPresent() && this.settling.fail(flight, reason),
      ).catch((reason) => isPresent() ? this.settling.fail(flight, reason) : flight.reject(reason));
    };
    if (attempt > 1) return go();
    this.#listen(flight, endpoint);
    const { signal } = endpoint;
    if (!signal?.aborted) return go();
    // No event will come of it, and a mutation's turn may be long in coming.
    if (isMutation) return this.#leave(flight, signal);
    // Whoever shows a read finds it in flight, and learns why it ends. Somebody may have joined it without a signal.
    queueMicrotask(() => {
      if (isPresent()) this.#leave(flight, signal);
      if (isPresent()) go();
    });
  }

  /** Somebody asks for it: the signal that they brought ends their wait, also where the call does not heed it. */
  #listen(flight: Flight, { signal }: AnyEndpoint): void {
    const { signals } = flight;
    if (!signal) flight.isUnbound = true;
    else if (!signal.aborted && !signals.has(signal)) {
      const unlisten = () => signal.removeEventListener("abort", leave);
      const leave = () => {
        unlisten();
        this.#leave(flight, signal);
      };
      signal.addEventListener("abort", leave);
      signals.set(signal, unlisten);
    }
  }

  /** One of those who asked for it waits no more; with the last of them it ends. */
  #leave(flight: Flight, signal: AbortSignal): void {
    flight.left(signal);
    if (flight.isUnbound || flight.signals.size > 0 || !this.flights.has(flight)) return;
    flight.abort?.abort(signal.reason);
    this.settling.fail(flight, signal.reason, true);
  }

  /** The lines of this controller are made by the scope that is the first to be met. */
  #linesOf({ name, scope }: AnyEndpoint): ScopeLines {
    if (typeof scope?.open !== "function") throw new EndpointError(name, said(601, { name, scope }));
    return this.flights.lines ??= scope.open(this as never) as ScopeLines;
  }

  /** Sends a request, or leaves it in the line of its scope until its turn comes. */
  #makeReady(flight: Flight, forgets: boolean): void {
    flight.isReady = true;
    if (flight.scope === undefined) this.send(flight, forgets);
    else this.flights.lines!.sendNext(flight.scope);
  }

  /** A mutation whose arguments have other names now stands in the line of what they name. */
  #name(flight: Flight, args: readonly unknown[]): void {
    if (args === flight.args) return;
    flight.args = args;
    flight.key = flight.endpoint.key(...args);
    if (flight.scope !== undefined) this.flights.lines!.rename(flight);
  }

  /**
   * What waits for a name that has been given is called by it, and stands in the line of the record, before anybody else
   * joins that or asks for it.
   */
  #nameWaiting(): void {
    const { ids } = this.host.store.tables;
    if (!ids.isUsed) return;
    for (const flight of this.flights) {
      if (flight.isReady || !flight.endpoint.sideEffect) continue;
      try {
        this.#name(flight, ids.resolve(flight.args));
      } catch (reason) {
        this.settling.fail(flight, reason);
      }
    }
  }

  /** An action whose arguments name what the server has named since. */
  #named(action: FetchAction): FetchAction {
    const args = this.host.store.tables.ids.resolve(action.args);
    return args === action.args ? action : { ...action, args, key: action.endpoint.key(...args) };
  }

  /**
   * Waits until the server has named what a call is about.
   *
   * @throws {EndpointError} If it never will.
   */
  async #awaitNames({ endpoint }: Flight, unnamed: ReadonlySet<string>): Promise<void> {
    const { ids } = this.host.store.tables;
    for (const id of unnamed) {
      const maker = [...this.flights].find(({ layer }) => layer?.temporary.ids.includes(id));
      let cause: unknown;
      await maker?.promise.catch((reason) => cause = reason);
      if (ids.pkOf(id) === undefined) {
        throw new EndpointError(endpoint.name, said(606, { name: endpoint.name, id, cause }), { cause });
      }
    }
  }

  /** A read of what has another name now is a read of that. */
  #handOver(flight: Flight, args: readonly unknown[]): void {
    const { endpoint } = flight;
    this.settling.end(flight, false);
    const read: FetchAction = { type: "fetch", endpoint, args, key: endpoint.key(...args) };
    const answer = this.host.dispatch(read);
    const other = this.flights.find(read);
    other?.awaitedBy(endpoint.signal);
    Promise.resolve(answer).then(flight.resolve, flight.reject);
    this.settling.conclude(flight);
  }

  /**
   * Calls the endpoint, whoever is before it.
   *
   * @param forgets The call is given no memo: an unchanged reply could not be taken.
   */
  send(flight: Flight, forgets = false): void {
    const { endpoint, attempt } = flight;
    const { store } = this.host;
    const isMutation = Boolean(endpoint.sideEffect);
    const ticket = flight.ticket!;
    flight.isSent = true;
    if (isMutation) store.places.send(ticket);
    const isPresent = () => flight.attempt === attempt && this.flights.has(flight);
    const basis = isMutation || forgets ? undefined : store.entries.get(flight.key, endpoint)?.basis;
    const take = (coming: Promise<CallReply>): void => {
      coming.then(
        (reply) => {
          if (!isPresent()) return this.settling.forget(flight, ticket);
          if (!reply.unchanged || isMutation) return this.settling.arrive(flight, reply);
          if (basis !== undefined && isRenewable(store, flight, basis, ticket.place)) {
            return this.settling.arrive(flight, reply, true);
          }
          if (reply.read !== undefined) return take(readReply(store, flight, reply));
          if (basis === undefined) return this.settling.fail(flight, groundless(endpoint));
          // What is stored has changed since the request was sent: the answer itself is needed.
          this.settling.leave(flight);
          this.#start(flight, true);
        },
        (reason) => isPresent() ? this.settling.fail(flight, reason) : this.settling.forget(flight, ticket),
      ).catch((reason) => flight.reject(reason));
    };
    take(callEndpoint(store, flight, basis));
  }
}

/** Where the last answer or error stands. */
function lastPlace(entry: Entry | undefined): number {
  return entry === undefined ? 0 : Math.max(entry.place, entry.errorPlace);
}

function groundless({ name }: AnyEndpoint): EndpointError {
  return new EndpointError(name, said(607, { name }));
}
