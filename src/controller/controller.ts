import { clock } from "../deps/clock.ts";
import type { Disposable } from "../deps/disposable.ts";
import { check } from "../errors/checks.ts";
import { OvertakenError } from "../errors/overtaken_error.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { attempt } from "../errors/report_error.ts";
import { said } from "../errors/texts.ts";
import { copyArgs, copyPlain, takeArgs } from "../endpoint/copy_plain.ts";
import type { AnyEndpoint, EndpointDefaults } from "../endpoint/interface.ts";
import type { KeyedCall } from "../endpoint/whole_call.ts";
import type { NullableArgs } from "../schemas/infer.ts";
import { errorOf } from "../store/freshness.ts";
import type { Patch } from "../store/patch.ts";
import { reduce, type StoreAction } from "../store/reducers/mod.ts";
import { bindMethods } from "./_bind_methods.ts";
import { heard, unheard } from "./_heard.ts";
import type { Action, Dispatch, FetchAction } from "./action.ts";
import type { checkRequest, warnOfLayers, warnOfUnserved } from "./checks.ts";
import type { Reply } from "./controller_types.ts";
import { ControllerWrites } from "./controller_writes.ts";
import type { Flight } from "./flight.ts";
import { isInactive } from "./is_inactive.ts";
import { Network } from "./network.ts";
import { chain, type MiddlewareOf, type PartOf } from "./part.ts";

/** A feature that a controller is given: `new Controller({ use: [memory()] })`. All members are optional. */
export type Part = PartOf<Controller>;

/** One element of the chain: gets the controller, then what comes after it, and returns what takes its place. */
export type Middleware = MiddlewareOf<Controller>;

/**
 * Something that accompanies a controller: polling, a stream, devtools. All members are optional.
 *
 * @example A log of everything that happens
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Entity, type Manager } from "@rejoin/data";
 *
 * class User extends Entity {
 *   id = "";
 *   static key = "User";
 * }
 * const seen: string[] = [];
 * const log: Manager = {
 *   middleware: () => (next) => (action) => {
 *     seen.push(action.type);
 *     return next(action);
 *   },
 * };
 * const controller = new Controller({ managers: [log] });
 * controller.set(User, { id: "1" }, { id: "1" });
 * assert(seen.join() === "set");
 * ```
 */
export type Manager = Part;

/** How a `Controller` is made. */
export interface ControllerOptions {
  /** What accompanies it; none by default. The first one sees actions first. */
  readonly managers?: readonly Manager[] | undefined;
  /** Freezes what the library made and turns warnings on. */
  readonly strict?: boolean | undefined;
  /** For endpoints that do not say themselves how long they are fresh, how long a call may take … */
  readonly defaults?: EndpointDefaults | undefined;
  /** Features that it is to have, such as `memory()` or `hydrate(state)`; none by default. They come before managers. */
  readonly use?: readonly Part[] | undefined;
}

/** `using controller = new Controller()` stops it at the end of the block. */
export interface Controller extends Disposable {}

/**
 * The imperative surface of one store: fetches, writes, reads. It needs no UI and works at once.
 *
 * Promises: methods that change the store have committed when they return; every promise settles; a read gives the same
 * object as long as no record it was made from has changed. Methods can be taken out of it: `const { fetch } = controller`.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, Entity } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const getArticle = new Endpoint(
 *   async ({ id }: { id: string }) => await Promise.resolve({ id, title: "Hello" }),
 *   { name: "getArticle", schema: Article },
 * );
 * using controller = new Controller();
 * const article = await controller.fetch(getArticle, { id: "5" });
 * assert(article === controller.get(Article, { id: "5" }));
 * controller.set(Article, { id: "5" }, { title: "New" });
 * assert(controller.getResponse(getArticle, { id: "5" }).data?.title === "New");
 * ```
 */
export class Controller extends ControllerWrites {
  readonly #network: Network;
  readonly #dispatch: Dispatch;
  /** Requests that somebody awaits, also while a middleware delays them. */
  readonly #awaited = new WeakSet<FetchAction>();
  #isReducing = false;
  #isStopped = false;

  /**
   * @param options All optional.
   * @throws What a part or a manager throws that begins; those before it are stopped.
   * @throws {EndpointError} In development, if a default is no number of ms.
   */
  constructor({ managers = [], strict = false, defaults, use = [] }: ControllerOptions = {}) {
    if (defaults !== undefined) check<typeof checkRequest>("request", {}, defaults);
    super(strict, defaults);
    // Before any part sees it.
    bindMethods(this, Controller.prototype);
    const perform: Dispatch = (action) => this.#end(action);
    this.#network = new Network(this.store, this.flights, this.dispatch, perform);
    const parts = [...use, ...managers];
    this.#dispatch = chain(this, parts, perform);
    if (typeof Symbol.dispose === "symbol") {
      Object.defineProperty(this, Symbol.dispose, { value: () => this.cleanup(), configurable: true });
    }
    for (const part of parts) {
      // One of those before may have stopped it.
      if (this.#isStopped) return;
      const leave = this.store.join(part);
      try {
        part.init?.(this);
      } catch (error) {
        // Nobody gets this controller, so nobody else could stop those that run. This one has not begun.
        leave();
        this.cleanup();
        throw error;
      }
    }
  }

  override dispatch(action: Action): unknown {
    return this.#dispatch(action);
  }

  /**
   * Calls an endpoint and stores what it brings. Reads of the same key in flight are joined; mutations never.
   *
   * @param endpoint What to call.
   * @param args Its arguments.
   * @returns This call's own answer as the store holds it after the commit: `===` what hooks read, and there also where a
   *   pending mutation hides it from them. Without a schema the processed response; for `Invalidate` the value it was given.
   * @throws {NetworkError} If the server refuses or cannot be reached.
   * @throws {TimeoutError} If no complete answer comes before the deadline.
   * @throws {ParseError} If the answer is not what it is declared to be.
   * @throws {NormalizeError} If the answer of a read has another shape than its schema; the store is as it was.
   * @throws {ValidationError} If the answer of a read does not satisfy its own class; the store is as it was.
   * @throws {WriteError} If a mutation was accepted, but its reply cannot be stored.
   * @throws {OvertakenError} If the record was deleted or the store was reset meanwhile.
   */
  fetch<E extends AnyEndpoint>(endpoint: E, ...args: E["~types"]["args"]): Promise<E["~types"]["data"]> {
    try {
      return this.#request(this.store.callOf(endpoint, args)) as Promise<E["~types"]["data"]>;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * The data at once when it is fresh; otherwise like {@linkcode Controller.fetch}. As long as an error keeps the key
   * from being fetched again (`errorExpiryLength`), it is the answer, unless it is soft and there is data.
   *
   * @param endpoint What to read.
   * @param args Its arguments.
   * @returns The data, or a promise of it, which rejects with the error that is kept.
   */
  fetchIfStale<E extends AnyEndpoint>(
    endpoint: E,
    ...args: E["~types"]["args"]
  ): E["~types"]["data"] | Promise<E["~types"]["data"]> {
    try {
      const call = this.store.callOf(endpoint, args);
      const view = this.store.response(call.endpoint, call.args, call.key);
      const answer = view.read(this.store.graph);
      const isFresh = clock.now() < view.expiresAt();
      const isInFlight = this.flights.find(call) !== undefined;
      const error = isFresh && !isInFlight ? errorOf(answer, view) : undefined;
      if (error !== undefined) return unheard(Promise.reject(error));
      return isFresh && answer.hasData ? answer.data : this.#request(call);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * A reply that came another way, by a stream or from another window: a request in flight for the call is answered with
   * it, at its own sequence number; who waits for it gets it, and what was on the wire is given up. Of
   * several mutations with equal arguments, body included, that is the oldest. Where nothing is in flight it is what `setResponse` and `setError` do.
   *
   * @param endpoint What was asked.
   * @param reply The arguments of the call, and `response` or `error`.
   * @returns Whether a request was in flight.
   * @throws {NormalizeError} If nothing is in flight and the response has another shape than the schema declares. A
   *   request that is in flight rejects with it.
   *
   * @example
   * ```ts
   * import { assert } from "@std/assert";
   * import { Controller, Endpoint } from "@rejoin/data";
   *
   * const getPrice = new Endpoint((_: { symbol: string }) => new Promise<number>(() => {}), { name: "getPrice" });
   * const controller = new Controller();
   * const price = controller.fetch(getPrice, { symbol: "X" });
   * assert(controller.resolve(getPrice, { args: [{ symbol: "X" }], response: 5 }));
   * assert(await price === 5);
   * ```
   */
  resolve<E extends AnyEndpoint>(endpoint: E, reply: Reply<E["~types"]["args"]>): boolean {
    const call = this.callToWrite(endpoint, reply.args);
    const answer = Object.hasOwn(reply, "error")
      ? { type: "setError", error: reply.error } as const
      : { type: "setResponse", response: copyPlain(reply.response) } as const;
    const isInFlight = this.#network.answer(call, answer);
    if (!isInFlight) this.change({ ...answer, ...call });
    return isInFlight;
  }

  /**
   * Gives up what is in flight for a call: the promises reject with an `AbortError` (a `DOMException`), what a mutation
   * showed goes, and nothing is written, no error either. Mutations are told apart by all of their arguments, body
   * included. What a middleware still holds back is not in flight. `null` does nothing.
   *
   * @param endpoint Which one.
   * @param args Its arguments.
   *
   * @example
   * ```ts
   * import { assert } from "@std/assert";
   * import { Controller, Endpoint } from "@rejoin/data";
   *
   * const search = new Endpoint((_: { text: string }) => new Promise<string[]>(() => {}), { name: "search" });
   * const controller = new Controller();
   * const found = controller.fetch(search, { text: "abc" }).catch((reason: Error) => reason.name);
   * controller.abort(search, { text: "abc" });
   * assert(await found === "AbortError");
   * ```
   */
  abort<E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<E["~types"]["args"]>): void {
    if (!isInactive(args)) this.#network.abort(this.store.callOf(endpoint, args));
  }

  /**
   * Waits until nothing is in flight: before a script ends, a page is rendered on a server, a test looks. What is sent
   * meanwhile counts, too; what a middleware still holds back does not. Every answer is in the store then.
   *
   * @returns Never rejects.
   *
   * @example
   * ```ts
   * import { assert } from "@std/assert";
   * import { Controller, Endpoint } from "@rejoin/data";
   *
   * const getTime = new Endpoint(async () => await Promise.resolve(12), { name: "getTime" });
   * const controller = new Controller();
   * controller.fetch(getTime);
   * await controller.allSettled();
   * assert(controller.getResponse(getTime).data === 12);
   * ```
   */
  allSettled(): Promise<void> {
    return this.#network.allSettled();
  }

  /**
   * For hooks: starts a read or joins it, without anybody awaiting it. Whoever shows it holds it; see {@linkcode hold}.
   *
   * @param endpoint What to read.
   * @param args Its arguments.
   * @param key Its key.
   * @returns The request, also where a middleware answers it; `undefined` when one keeps it and promises nothing.
   */
  startRead(endpoint: AnyEndpoint, args: readonly unknown[], key: string): Flight | undefined {
    // Nothing would ever come: who waits must learn it.
    if (this.#isStopped) throw new OvertakenError(endpoint.name, "cleanup");
    const before = this.store.entries.get(key, endpoint);
    const copied = copyArgs(args);
    const answer = this.dispatch({ type: "fetch", endpoint, args: copied, key });
    // It may have a name since.
    const call = this.#network.callOf({ endpoint, args: copied, key });
    const flight = this.flights.find(call);
    if (!(answer instanceof Promise)) return flight;
    unheard(answer);
    return flight ?? this.#network.keep(call, answer, before);
  }

  /**
   * For hooks: keeps a request from being aborted.
   *
   * @param flight Which one.
   * @returns How to let it go; the last one to do so aborts it, unless somebody awaits it.
   */
  hold(flight: Flight): () => void {
    return this.#network.hold(flight);
  }

  /** Stops: aborts what is in flight and cleans parts and managers up. What is stored can still be read. */
  cleanup(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#network.stop();
    // If one throws, the others have timers and connections, too.
    for (const part of this.store.parts as readonly Part[]) attempt(() => part.cleanup?.(this));
  }

  #request({ endpoint, args, key }: KeyedCall<AnyEndpoint>): Promise<unknown> {
    const { sideEffect, signal } = endpoint;
    const action: FetchAction = { type: "fetch", endpoint, args: sideEffect ? takeArgs(args) : copyArgs(args), key };
    this.#awaited.add(action);
    const result = this.dispatch(action);
    // Also where a middleware has sent on a copy.
    this.flights.find(action)?.awaitedBy(signal);
    return sideEffect ? heard(result) : Promise.resolve(result);
  }

  /** The end of the chain: the parts that stand there, then the network or the store. */
  #end(action: Action, parts: readonly Part[] = this.store.parts, from = 0): unknown {
    for (let i = from; i < parts.length; i++) {
      const part = parts[i]!;
      if (part.perform !== undefined) return part.perform(action, (last) => this.#end(last, parts, i + 1));
    }
    const { type } = action;
    if (type === "fetch") return this.#fetch(action);
    // It tells of what has been done: whoever sends on what a listener is told of sends this, too.
    if (type === "collect") return;
    if (type !== "subscribe" && type !== "unsubscribe") return this.#write(action as StoreAction);
    if (!this.#isStopped && !parts.some((part) => part.serve?.(action)) && type === "subscribe") {
      check<typeof warnOfUnserved>("unserved", this.store, action.endpoint.name);
    }
  }

  #fetch(action: FetchAction): Promise<unknown> {
    const { sideEffect, signal } = action.endpoint;
    const flight = this.#network.fetch(action);
    const isAwaited = this.#awaited.has(action);
    if (isAwaited) flight.awaitedBy(signal);
    const promise = flight.promiseFor(signal);
    return isAwaited || !sideEffect ? promise : heard(promise);
  }

  #write(action: StoreAction): void {
    if ("ticket" in action && action.ticket !== undefined) this.store.sequence.settle(action.ticket);
    const patch = this.#reduce(action);
    // Before readers are told: what they ask for then is new, and need not start again.
    const old = action.type === "invalidate" ? this.flights.reads(action.testKey) : undefined;
    if (patch.reset) this.#network.reset();
    if ("ticket" in action && action.ticket !== undefined) action.ticket.written ??= patch;
    this.store.commit(patch, action);
    if (patch.failures.length > 0) check<typeof warnOfLayers>("layers", this.store, patch.failures);
    if (old !== undefined) this.#network.restart(old);
  }

  #reduce(action: StoreAction): Patch {
    if (this.#isReducing) {
      throw new RejoinError(said(605, { type: action.type }));
    }
    this.#isReducing = true;
    try {
      return reduce(this.store, action);
    } catch (error) {
      this.store.draft?.drop();
      throw error;
    } finally {
      this.#isReducing = false;
      // It may hold a whole response.
      this.store.draft = undefined;
    }
  }
}
