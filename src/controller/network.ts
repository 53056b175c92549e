import { clock } from "../deps/clock.ts";
import { check } from "../errors/checks.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { OvertakenError } from "../errors/overtaken_error.ts";
import { tried } from "../errors/report_error.ts";
import { said } from "../errors/texts.ts";
import { TimeoutError } from "../errors/timeout_error.ts";
import type { AnyEndpoint, CallContext, CallReply } from "../endpoint/interface.ts";
import type { KeyedCall } from "../endpoint/whole_call.ts";
import type { Entry } from "../store/entry.ts";
import type { Store } from "../store/store.ts";
import { classesOf, subjectOf, subjectsIn } from "../schemas/subjects.ts";
import { unheard } from "./_heard.ts";
import type { checkRequest } from "./checks.ts";
import { Flight } from "./flight.ts";
import type { PartOf } from "./part.ts";
import type { Lines } from "../parts/scopes/lines.ts";
import { Settling } from "./settling.ts";

/** How long a call may take that has no deadline of its own, in ms. */
const CALL_DEADLINE = 30_000;

type ReadCall = KeyedCall<AnyEndpoint>;

/**
 * The last element of the chain: calls endpoints, one request for one key, and puts what they bring into the store.
 * Every promise it gives settles.
 */
export class Network extends Settling {
  #isStopped = false;

  /** Starts a request, or joins the one in flight for the same key and shape. */
  fetch(given: ReadCall): Flight {
    const call = this.callOf(given);
    const { endpoint } = call;
    const joined = endpoint.sideEffect ? undefined : this.flights.find(call);
    if (joined !== undefined) {
      this.#join(joined, endpoint);
      // The middleware lets it through.
      if (joined.isKept) this.#startAgain(joined);
      return joined;
    }
    const flight = new Flight(call);
    try {
      this.#prepare(flight);
      this.#add(flight);
      this.#start(flight);
    } catch (reason) {
      // A signal that is none, for one: whoever joins it must learn it, too.
      if (this.flights.has(flight)) this.fail(flight, reason);
      else flight.reject(reason);
    }
    return flight;
  }

  /** A call with what the server has named since. */
  callOf(call: ReadCall): ReadCall {
    return this.#aliases?.callOf(call) ?? call;
  }

  get #aliases() {
    return this.store.tables.aliases;
  }

  /** Refuses what cannot be sent or stored, before anything is sent for it. */
  #prepare(flight: Flight): void {
    const { endpoint, endpoint: { name }, args } = flight;
    const { store, store: { tables } } = this;
    check<typeof checkRequest>("request", endpoint, store.defaults);
    const subject = subjectOf(endpoint.schema);
    if (subject !== undefined) store.graph.planOf(subject);
    store.await(endpoint.schema);
    if (endpoint.sideEffect && endpoint.scope !== undefined) {
      this.#aliases?.give(this);
      // The lines of this controller are made by the scope that is the first to be met.
      (this.flights.lines ??= endpoint.scope.open(this as never) as Lines).name(flight);
    }
    // Its row is shown and nothing else: nobody will ever say what the server calls it.
    if (!this.#aliases && tables.idCount > 0 && tables.hasId(tried(() => JSON.stringify(args)) ?? "")) {
      throw new EndpointError(name, said(606, { name, id: tables.idToken, cause: undefined }));
    }
    if (this.#isStopped) throw new OvertakenError(endpoint.name, "cleanup");
  }

  #add(flight: Flight): void {
    const { endpoint, args, key } = flight;
    this.flights.add(flight);
    // From now on `expire` and `invalidate` reach it, also when nobody reads it yet.
    if (!endpoint.sideEffect) this.store.response(endpoint, args, key);
  }

  /**
   * A middleware answers a read itself: its answer stands where it was asked for, like any other, unless the middleware
   * has written one by then, or lets the request through.
   *
   * @param call What is read.
   * @param answer What the middleware promises.
   * @param before What the store had when it was asked.
   */
  keep(call: ReadCall, answer: Promise<unknown>, before: Entry | undefined): Flight {
    const flight = new Flight(call);
    this.#add(flight);
    this.#keep(flight, answer, before);
    return flight;
  }

  #keep(flight: Flight, answer: Promise<unknown>, before: Entry | undefined): void {
    const { endpoint, args, key } = flight;
    const { store } = this;
    flight.isKept = true;
    this.#attempt(flight);
    const unlessWritten = <T>(settle: (outcome: T) => void) => (outcome: T): void => {
      const view = store.response(endpoint, args, key);
      if (lastSeq(view.entry) !== lastSeq(before)) this.pass(flight, view.read(store.graph));
      else settle(outcome);
    };
    this.#expect(
      flight,
      () => answer,
      unlessWritten((value) => this.arrive(flight, { value })),
      unlessWritten((reason) => this.fail(flight, reason)),
    );
  }

  /** Requests in flight are given up: who waits for them learns it, and nothing of them is written. */
  abort(call: ReadCall): void {
    this.#aliases?.give(this);
    this.giveUp(this.flights.allOf(call), ({ name }) => aborted(`"${name}" was aborted`));
  }

  /**
   * What the oldest request in flight for a call has been answered with, elsewhere.
   *
   * @returns Whether there is such a request.
   */
  answer(call: ReadCall, reply: { readonly response: unknown } | { readonly error: unknown }): boolean {
    this.#aliases?.give(this);
    const flight = this.flights.allOf(call).find(({ args }) => !this.#aliases?.unnamedIn(args).size);
    if (flight === undefined) return false;
    flight.abort!.abort(aborted(`"${flight.endpoint.name}" was answered elsewhere`));
    if ("error" in reply) this.fail(flight, reply.error);
    else this.arrive(flight, { value: reply.response });
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

  /** Reads start anew, if they are still in flight: who waits gets the new answer. A middleware that keeps one is asked. */
  restart(flights: readonly Flight[]): void {
    for (const flight of flights) {
      if (!this.flights.has(flight)) continue;
      if (flight.isKept) this.#askAgain(flight);
      else this.#startAgain(flight);
    }
  }

  #startAgain(flight: Flight): void {
    this.leave(flight, aborted(`"${flight.endpoint.name}" starts anew`));
    flight.isKept = false;
    this.#start(flight);
  }

  #askAgain(flight: Flight): void {
    const { endpoint, args, key } = flight;
    const before = this.store.entries.get(key, endpoint);
    this.leave(flight);
    let answer: unknown;
    try {
      answer = this.dispatch({ type: "fetch", endpoint, args, key });
    } catch (reason) {
      answer = Promise.reject(reason);
    }
    if (!(answer instanceof Promise)) return;
    if (flight.isKept && this.flights.has(flight)) this.#keep(flight, answer, before);
    else unheard(answer);
  }

  /** Somebody shows what a read will bring. Returns how to let it go; the last one to do so aborts it. */
  hold(flight: Flight): () => void {
    const { needs } = flight;
    const letGo = (): void => {
      if (needs.delete(letGo) && needs.size === 0 && this.flights.has(flight)) {
        this.giveUp([flight], ({ name }) => aborted(`Nobody needs "${name}" any more`));
      }
    };
    needs.add(letGo);
    return letGo;
  }

  /** The store is being reset: nothing that was asked for before is written. */
  reset(): void {
    this.clear();
    for (const flight of [...this.flights]) {
      const { endpoint: { name, sideEffect }, isOut } = flight;
      const reason = new OvertakenError(name, "reset");
      // The server may have to finish a mutation; an answer nobody wants is not worth the way.
      this.end(flight, sideEffect ? undefined : reason, isOut);
      flight.reject(reason);
    }
  }

  /** Aborts everything; nothing starts any more. */
  stop(): void {
    this.#isStopped = true;
    this.clear();
    this.giveUp([...this.flights], ({ name }) => new OvertakenError(name, "cleanup"));
  }

  /** A request takes its sequence number: what comes of an earlier attempt counts no more. */
  #attempt(flight: Flight): void {
    const { sequence, parts } = this.store;
    flight.ticket = sequence.start(Boolean(flight.endpoint.sideEffect));
    flight.abort = new AbortController();
    this.flights.lines?.join(flight);
    for (const part of parts as readonly PartOf<never>[]) part.started?.(flight);
    this.#join(flight, flight.endpoint);
  }

  /** Starts a request, and shows what it will probably bring. It may be over then. */
  #start(flight: Flight): void {
    const { endpoint, args } = flight;
    const { store: { tables } } = this;
    this.#attempt(flight);
    const { abort } = flight;
    // Before anything is shown: ids that the call itself gives are none that it waits for.
    flight.unnamed = this.#aliases?.unnamedIn(args);
    if (endpoint.sideEffect) {
      for (const { of } of subjectsIn(endpoint.schema)) {
        for (const { key } of classesOf(of)) tables.named(key).isAsked = true;
      }
    }
    if (endpoint.sideEffect && endpoint.getOptimisticResponse !== undefined) {
      const { seq } = flight.ticket!;
      const date = clock.now();
      const layer = flight.layer = { endpoint, args, seq, date, temporary: { ids: [], shown: undefined } };
      try {
        this.dispatch({ type: "optimistic", layer, seq, date });
      } catch (reason) {
        // A middleware: nothing was sent, and whoever called learns why.
        this.fail(flight, reason);
      }
    }
    // Who was told of the layer may have reset the store.
    if (flight.abort === abort) this.#go(flight);
  }

  /** Sends a request as soon as the server has named what it is about. */
  async #go(flight: Flight): Promise<void> {
    const { abort, endpoint: { sideEffect, signal } } = flight;
    try {
      // Its signal is aborted already.
      if (!flight.isWanted) {
        // Whoever shows a read finds it in flight, and learns why it ends. Somebody may join it without a signal.
        if (!sideEffect) await null;
        this.#leave(flight, signal!.reason);
      }
      if (flight.abort === abort && flight.unnamed?.size) await this.#aliases!.wait(this, flight);
      if (flight.abort !== abort) return;
      flight.isReady = true;
      if (flight.scope === undefined) this.send(flight);
      else this.flights.lines!.sendNext(flight.scope);
    } catch (reason) {
      if (flight.abort === abort) this.fail(flight, reason);
      else flight.reject(reason);
    }
  }

  /** Somebody asks for it. With the last of them whose signal ends their wait it ends. */
  #join(flight: Flight, { signal }: AnyEndpoint): void {
    flight.join(signal, (reason) => this.#leave(flight, reason));
  }

  /** One of those who asked for it waits no more. */
  #leave(flight: Flight, reason: unknown): void {
    if (!flight.isWanted && this.flights.has(flight)) this.giveUp([flight], () => reason);
  }

  /** Calls the endpoint, whoever is before it. */
  send(flight: Flight): void {
    const { endpoint, endpoint: { name } } = flight;
    const { store } = this;
    flight.isSent = true;
    if (endpoint.sideEffect) store.sequence.send(flight.ticket!);
    if (!endpoint.hasDeadline) {
      const ms = store.defaults.deadline ?? CALL_DEADLINE;
      flight.stopTimer = clock.setTimeout(() => this.fail(flight, new TimeoutError("CALL", name, ms)), ms);
    }
    this.#expect(flight, () => callEndpoint(store, flight), (reply) => {
      // What is stored has changed since the request was sent: the answer itself is needed.
      if (reply.renewal?.isCurrent() === false) this.#startAgain(flight);
      else this.arrive(flight, reply);
    }, (reason) => this.fail(flight, reason));
  }

  /** What comes of the present attempt is taken as long as that counts. */
  #expect<T>(
    flight: Flight,
    call: () => Promise<T>,
    arrive: (value: T) => void,
    fail: (reason: unknown) => void,
  ): void {
    const { abort, ticket } = flight;
    const present = <O>(settle: (outcome: O) => void) => (outcome: O): void =>
      flight.abort === abort ? settle(outcome) : this.forget(flight, ticket!);
    call().then(present(arrive), present(fail)).catch(flight.reject);
  }
}

/** Calls the endpoint of a request. What it throws at once is a rejection like others. */
async function callEndpoint(store: Store, flight: Flight): Promise<CallReply> {
  const { endpoint, endpoint: { name }, args, abort, key, ticket } = flight;
  // Those of the callers end it through this one: when all of them have.
  const { signal } = abort!;
  if (endpoint.fetchReply === undefined) return { value: await endpoint.extend({ signal })(...args) };
  const context: CallContext = {
    owner: store,
    signal,
    call: { endpoint, key, seq: ticket!.seq, memo: store.entries.get(key, endpoint)?.memo },
    defaults: store.defaults,
    get isOver() {
      return flight.abort !== abort;
    },
  };
  const reply = await endpoint.fetchReply(context, args);
  if (typeof reply !== "object" || reply === null) throw new EndpointError(name, said(600, { name }));
  return reply;
}

/** Where the last answer or error stands. */
function lastSeq(entry: Entry | undefined): number {
  return entry === undefined ? 0 : Math.max(entry.seq, entry.errorSeq);
}

function aborted(message: string): DOMException {
  return new DOMException(message, "AbortError");
}
