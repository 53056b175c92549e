import { clock } from "../deps/clock.ts";
import { OvertakenError } from "../errors/overtaken_error.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { said } from "../errors/texts.ts";
import type { AnyEndpoint, AnyReadable, ReadEndpoint } from "../endpoint/interface.ts";
import type { NamedSchema } from "../endpoint/readable.ts";
import type { KeyedCall } from "../endpoint/whole_call.ts";
import type { DenormalizeNullable, NullableArgs, Queryable, SchemaArgs } from "../schemas/infer.ts";
import { copyArgs, copyNested, copyPlain, takeArgs } from "../endpoint/copy_plain.ts";
import type { AnySchema } from "../schemas/interface.ts";
import { shapeOf } from "../store/entry.ts";
import { checkPolicy, errorOf, statusOf } from "../store/freshness.ts";
import type { Overlay } from "../store/layers.ts";
import type { Patch } from "../store/patch.ts";
import type { Ticket } from "../store/places.ts";
import type { InvalidateAction } from "../store/reducers/invalidate.ts";
import { reduce, type StoreAction } from "../store/reducers/mod.ts";
import { arrivedAt, inactiveData, type ResponseView } from "../store/response_view.ts";
import { reportError } from "../errors/report_error.ts";
import { Store } from "../store/store.ts";
import { heard, unheard } from "./_heard.ts";
import { Subscriptions } from "./_subscriptions.ts";
import type {
  ControllerOptions,
  Reply,
  ResponseMeta,
  ResponseState,
  SetValue,
  Updater,
  WithLast,
} from "./controller_types.ts";
import type { Flight } from "./flight.ts";
import type { Call } from "./flights.ts";
import { isInactive } from "./is_inactive.ts";
import { type Action, chain, type Dispatch, type FetchAction, type Manager } from "./middleware.ts";
import { Network } from "./network.ts";
import type { Part } from "./part.ts";
import type { Tap } from "./tap.ts";

type Disposable = {
  [K in SymbolConstructor extends { readonly dispose: infer D extends symbol } ? D : never]: () => void;
};

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
export class Controller {
  /** The store itself, for adapters: signals, server rendering, devtools. */
  readonly store: Store;
  /** What it was given by `use`. */
  readonly parts: readonly Part[];
  readonly #network: Network;
  readonly #dispatch: Dispatch;
  /** Those whose `init` has begun. */
  readonly #managers: Manager[] = [];
  /** Taken out once they were asked for: a weak map whose keys are collected keeps the room they took. */
  readonly #patches = new WeakMap<Ticket, Patch>();
  /** Requests that somebody awaits, also while a middleware delays them. */
  readonly #awaited = new WeakSet<FetchAction>();
  readonly #subscriptions: Subscriptions;
  /** Who looks on. */
  #tap: Tap | undefined;
  #isReducing = false;
  #isStopped = false;

  /**
   * @param options All optional.
   * @throws What a part or a manager throws that begins; those before it are stopped.
   * @throws {EndpointError} If a default is no number of ms.
   */
  constructor(options: ControllerOptions = {}) {
    const { managers = [], strict = false, defaults, use = [] } = options;
    if (defaults !== undefined) checkPolicy({}, defaults);
    // Before any manager sees it.
    bindMethods(this);
    this.store = new Store(strict, defaults);
    this.#subscriptions = new Subscriptions(this);
    this.#network = new Network({
      store: this.store,
      dispatch: (action) => this.#dispatch(action),
      perform: (action) => this.#end(action),
      takePatch: (ticket) => {
        const patch = this.#patches.get(ticket);
        this.#patches.delete(ticket);
        return patch;
      },
    });
    this.#dispatch = chain(this, managers, (action) => this.#end(action));
    if (typeof Symbol.dispose === "symbol") {
      Object.defineProperty(this, Symbol.dispose, { value: () => this.cleanup(), configurable: true });
    }
    const parts: Part[] = [];
    this.parts = parts;
    const begin = <T>(begun: T[], one: T, run: () => void): void => {
      begun.push(one);
      try {
        run();
      } catch (error) {
        // Nobody gets this controller, so nobody else could stop those that run. This one has not begun.
        begun.pop();
        this.cleanup();
        throw error;
      }
    };
    for (const part of use) {
      this.store.join(part);
      begin(parts, part, () => part.install?.(this));
    }
    for (const manager of managers) {
      if (!this.#isStopped) begin(this.#managers, manager, () => manager.init?.(this));
    }
  }

  /**
   * Sends an action through the middleware, for managers.
   *
   * @param action What happened.
   * @returns For `fetch` a promise of the result, for others nothing.
   */
  dispatch(action: Action): unknown {
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
      const isInFlight = this.#network.flights.find(call) !== undefined;
      const error = isFresh && !isInFlight ? errorOf(answer, view) : undefined;
      if (error !== undefined) return unheard(Promise.reject(error));
      return isFresh && answer.hasData && !answer.isInvalid ? answer.data : this.#request(call);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Writes a value by hand: an entity, or whatever a schema stores. It counts as newer than all that was asked for before.
   *
   * @param schema Where it belongs.
   * @param rest What names it, then the value; or a function of the present value, of whose result only what differs is
   *   written. Members that the arguments name may be left out of the value.
   * @throws {NormalizeError} If the value does not fit or names no pk; nothing is written.
   */
  set<S extends Queryable>(schema: S, ...rest: [...args: SchemaArgs<S>, value: SetValue<S> | Updater<S>]): void {
    const value: unknown = rest.pop();
    const { places } = this.store;
    const heard = places.heard();
    const place = places.take();
    // Written out: to spread what is made for each write would cost a quarter of it.
    this.#dispatch({ type: "set", schema, args: rest, value: copyNested(value), heard, place, date: clock.now() });
  }

  /**
   * Writes a response as if the endpoint had just brought it.
   *
   * @param endpoint Whose response it is.
   * @param rest Its arguments, then the response.
   * @throws {NormalizeError} If the response has another shape than the schema declares; nothing is written.
   */
  setResponse<E extends AnyEndpoint>(endpoint: E, ...rest: WithLast<E["~types"]["args"]>): void {
    this.#respond(this.#callToWrite(endpoint, rest.slice(0, -1)), rest.at(-1));
  }

  /**
   * Keeps an error as if the endpoint had just failed with it.
   *
   * @param endpoint Which one.
   * @param rest Its arguments, then the error.
   */
  setError<E extends AnyEndpoint>(endpoint: E, ...rest: WithLast<E["~types"]["args"]>): void {
    this.#change({ type: "setError", ...this.#callToWrite(endpoint, rest.slice(0, -1)), error: rest.at(-1) });
  }

  /**
   * A reply that came another way, by a stream or from another window: a request in flight for the call is answered with
   * it, at its own place in the order of writes; who waits for it gets it, and what was on the wire is given up. Of
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
    const call = this.#callToWrite(endpoint, reply.args);
    const isError = Object.hasOwn(reply, "error");
    const { error } = reply;
    const response = copyPlain(reply.response);
    if (this.#network.answer({ type: "fetch", ...call }, isError ? { error } : { value: response })) return true;
    if (isError) this.#change({ type: "setError", ...call, error });
    else this.#respond(call, response);
    return false;
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
    if (isInactive(args)) return;
    this.#network.abort({ type: "fetch", ...this.store.callOf(endpoint, args) });
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
   * Hides the answer of an endpoint: who reads it fetches again, and a request in flight starts anew. `null` does nothing.
   *
   * @param endpoint Which one.
   * @param args Its arguments.
   */
  invalidate<E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<E["~types"]["args"]>): void {
    if (!isInactive(args)) this.#change({ type: "invalidate", ...this.#oneKey(endpoint, args) });
  }

  /**
   * Hides the answers of every key that passes.
   *
   * @param test An endpoint, for all its arguments, or anything that tests keys.
   */
  invalidateAll(test: { testKey(key: string): boolean }): void {
    this.#change({ type: "invalidate", testKey: (key) => test.testKey(key) });
  }

  /**
   * Marks the answer of an endpoint stale: it stays visible, and what is mounted fetches again; also one that is read
   * from records. `null` does nothing.
   *
   * @param endpoint Which one.
   * @param args Its arguments.
   *
   * @example
   * ```ts
   * import { assert } from "@std/assert";
   * import { Controller, Endpoint } from "@rejoin/data";
   *
   * const getTime = new Endpoint(async () => await Promise.resolve(12), { name: "getTime" });
   * const controller = new Controller();
   * await controller.fetch(getTime);
   * controller.expire(getTime);
   * const { data, expiresAt } = controller.getResponse(getTime);
   * assert(data === 12 && expiresAt === 0);
   * ```
   */
  expire<E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<E["~types"]["args"]>): void {
    if (!isInactive(args)) this.#change({ type: "expire", ...this.#oneKey(endpoint, args) });
  }

  /**
   * Marks the answers of every key that passes stale: they stay visible, and what is mounted fetches again.
   *
   * @param test An endpoint, for all its arguments, or anything that tests keys.
   */
  expireAll(test: { testKey(key: string): boolean }): void {
    this.#change({ type: "expire", testKey: (key) => test.testKey(key) });
  }

  /**
   * Asks for the answer of an endpoint to be kept up to date, by polling or by whatever its manager knows, until
   * {@linkcode Controller.unsubscribe} is called as often. `null` does nothing.
   *
   * @param endpoint Which one.
   * @param args Its arguments.
   * @throws {EndpointError} If the manager cannot serve it: a `pollFrequency` that is no number of ms.
   */
  subscribe<E extends ReadEndpoint>(endpoint: E, ...args: NullableArgs<E["~types"]["args"]>): void {
    if (!isInactive(args)) {
      this.#dispatch({ type: "subscribe", endpoint, args: copyArgs(args), key: endpoint.key(...args) });
    }
  }

  /**
   * Takes one {@linkcode Controller.subscribe} back.
   *
   * @param endpoint Which one.
   * @param args Its arguments.
   */
  unsubscribe<E extends ReadEndpoint>(endpoint: E, ...args: NullableArgs<E["~types"]["args"]>): void {
    if (!isInactive(args)) this.#dispatch({ type: "unsubscribe", endpoint, args, key: endpoint.key(...args) });
  }

  /**
   * For hooks: what serves subscriptions that no manager in the list has claimed. So the hooks that need polling bring
   * it, and an app without them does not load it.
   *
   * @param make Makes the manager; called once, when the first such subscription comes. Whoever says so first counts.
   */
  serveSubscriptions(make: () => Manager): void {
    this.#subscriptions.make ??= make;
  }

  /**
   * For recordings: shows what happens behind all managers, and who is in flight at once. As long as somebody looks on,
   * nothing is collected. See `record`.
   *
   * @param tap What looks on.
   * @returns How to end it.
   * @throws {RejoinError} If another one looks on.
   */
  tap(tap: Tap): () => void {
    const { flights } = this.#network;
    if (this.#tap !== undefined) {
      throw new RejoinError(said(603));
    }
    this.#tap = flights.tap = tap;
    const resumes = this.parts.map((part) => part.pause?.());
    for (const flight of flights) tap.started(flight);
    return () => {
      if (this.#tap !== tap) return;
      this.#tap = flights.tap = undefined;
      for (const resume of resumes) resume?.();
    };
  }

  /** Forgets everything; what is in flight rejects with `OvertakenError`. What is mounted fetches again. */
  resetEntireStore(): void {
    this.#change({ type: "reset" });
  }

  /**
   * The value that a schema and arguments name. Never fetches.
   *
   * @param schema An entity, a Query, an All …
   * @param args What names it; `null`: nothing.
   * @returns The value, `undefined` when it is not there.
   */
  get<S extends Queryable, G = S>(
    schema: NamedSchema<S, G>,
    ...args: NullableArgs<SchemaArgs<S>>
  ): DenormalizeNullable<S>;
  get(schema: AnySchema, ...args: readonly unknown[]): unknown {
    return this.store.query(schema, args).read(this.store.graph);
  }

  /**
   * What a read of an endpoint (or a Query) gives now, with its freshness. Never fetches.
   *
   * @param endpoint Which one.
   * @param args Its arguments; `null`: inactive.
   * @returns Data, status, and until when it is fresh.
   */
  getResponse<E extends AnyReadable>(
    endpoint: E,
    ...args: NullableArgs<E["~types"]["args"]>
  ): ResponseState<E["~types"]["nullable"]> {
    if (isInactive(args)) return { data: inactiveData(endpoint), expiryStatus: 3, expiresAt: Infinity };
    const view = this.#viewOf(endpoint, args);
    const answer = view.read(this.store.graph);
    const now = clock.now();
    const expiresAt = view.expiresAt(now);
    const expiryStatus = statusOf(answer, endpoint, this.store.defaults, now >= expiresAt);
    return { data: answer.data, expiryStatus, expiresAt };
  }

  /**
   * The error that a reader of an endpoint is to see: a soft one only where there is no data.
   *
   * @param endpoint Which one.
   * @param args Its arguments; `null`: inactive.
   * @returns The error, or `undefined`.
   */
  getError<E extends AnyReadable>(endpoint: E, ...args: NullableArgs<E["~types"]["args"]>): unknown {
    if (isInactive(args)) return undefined;
    const view = this.#viewOf(endpoint, args);
    return errorOf(view.read(this.store.graph), view);
  }

  /**
   * What {@linkcode Controller.getResponse} gives, and when it came, what it last failed with, whether it is asked for.
   *
   * @param endpoint Which one.
   * @param args Its arguments; `null`: inactive.
   * @returns Data and everything that is known about it.
   *
   * @example
   * ```ts
   * import { assert } from "@std/assert";
   * import { Controller, Endpoint } from "@rejoin/data";
   *
   * const getTime = new Endpoint(async () => await Promise.resolve(12), { name: "getTime" });
   * const controller = new Controller();
   * const asked = controller.fetch(getTime);
   * assert(controller.getResponseMeta(getTime).isInFlight);
   * await asked;
   * const { data, fetchedAt, isInFlight } = controller.getResponseMeta(getTime);
   * assert(data === 12 && fetchedAt! <= Date.now() && !isInFlight);
   * ```
   */
  getResponseMeta<E extends AnyReadable>(
    endpoint: E,
    ...args: NullableArgs<E["~types"]["args"]>
  ): ResponseMeta<E["~types"]["nullable"]> {
    const state = this.getResponse(endpoint, ...args);
    if (isInactive(args)) return { ...state, fetchedAt: undefined, error: undefined, isInFlight: false };
    const view = this.#viewOf(endpoint, args);
    const { error } = view.read(this.store.graph);
    const isInFlight = this.#network.flights.find(view as unknown as Call) !== undefined;
    return { ...state, fetchedAt: arrivedAt(view), error, isInFlight };
  }

  /** Stops: aborts what is in flight and cleans managers up. What is stored can still be read. */
  cleanup(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#network.stop();
    const { manager } = this.#subscriptions;
    for (const each of [...this.parts, ...this.#managers, ...manager === undefined ? [] : [manager]]) {
      try {
        each.cleanup?.(this);
      } catch (error) {
        // The others have timers and connections, too.
        reportError(error);
      }
    }
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
    const answer = this.#dispatch({ type: "fetch", endpoint, args: copied, key });
    const named = this.store.tables.ids.resolve(copied);
    const call = { endpoint, args: named, key: named === copied ? key : endpoint.key(...named) };
    const flight = this.#network.flights.find(call);
    if (!(answer instanceof Promise)) return flight;
    unheard(answer);
    return flight ?? this.#network.keep(call, answer, before);
  }

  /**
   * For hooks: the read in flight for a key, whoever started it.
   *
   * @param endpoint What is read.
   * @param key Its key.
   */
  findRead(endpoint: AnyEndpoint, key: string): Flight | undefined {
    return this.#network.flights.find({ endpoint, key });
  }

  /**
   * For hooks: calls a function when a read of a key starts, or is over; it must not throw.
   *
   * @param key Which key.
   * @param run What to call.
   * @returns How to end that.
   */
  listenToReads(key: string, run: () => void): () => void {
    return this.#network.flights.listen(key, run);
  }

  /**
   * For parts: whether a read of a key is in flight.
   *
   * @param key Which key.
   */
  isReading(key: string): boolean {
    return this.#network.flights.isReading(key);
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

  /** What an action about the answers of one call is about. */
  #oneKey(given: AnyEndpoint, givenArgs: readonly unknown[]): Pick<InvalidateAction, "testKey" | "only"> {
    const { endpoint, args, key } = this.#callToWrite(given, givenArgs);
    // A key with a name that the server has not given is no key that could be kept.
    const only = this.store.tables.ids.isIn(key) ? undefined : { key, shape: shapeOf(endpoint), endpoint, args };
    return { testKey: (other) => other === key, only };
  }

  /** A call whose arguments may be kept: they are values, whatever becomes of what was passed. */
  #callToWrite<E extends AnyReadable>(endpoint: E, args: readonly unknown[]): KeyedCall<E> {
    return this.store.callOf(endpoint, copyArgs(args));
  }

  #viewOf(given: AnyReadable, givenArgs: readonly unknown[]): ResponseView {
    const { endpoint, args, key } = this.store.callOf(given, givenArgs);
    return this.store.response(endpoint, args, key);
  }

  #request({ endpoint, args, key }: Omit<FetchAction, "type">): Promise<unknown> {
    const action: FetchAction = {
      type: "fetch",
      endpoint,
      args: endpoint.sideEffect ? takeArgs(args) : copyArgs(args),
      key,
    };
    this.#awaited.add(action);
    let result: unknown;
    try {
      result = this.#dispatch(action);
    } catch (error) {
      return Promise.reject(error);
    }
    // Also where a middleware has sent on a copy.
    const flight = this.#network.flights.find(action);
    flight?.awaitedBy(endpoint.signal);
    return endpoint.sideEffect ? heard(result) : Promise.resolve(result);
  }

  #respond(call: KeyedCall<AnyEndpoint>, response: unknown): void {
    const { places } = this.store;
    const heard = places.heard();
    const place = heard ?? places.take();
    const isHeard = heard !== undefined;
    this.#dispatch({ type: "setResponse", ...call, response, isHeard, place, date: clock.now() });
  }

  #change(action: Unplaced<StoreAction>): void {
    this.#dispatch({ ...action, place: this.store.places.take(), date: clock.now() } as StoreAction);
  }

  /** The end of the chain. */
  #end(action: Action): unknown {
    const tap = this.#tap;
    return tap === undefined ? this.#perform(action) : tap.perform(action, (last) => this.#perform(last));
  }

  #perform(action: Action): unknown {
    if (action.type === "fetch") {
      const flight = this.#network.fetch(action);
      const { signal } = action.endpoint;
      const isAwaited = this.#awaited.has(action);
      if (isAwaited) flight.awaitedBy(signal);
      const promise = flight.promiseFor(signal);
      return isAwaited || !action.endpoint.sideEffect ? promise : heard(promise);
    }
    if (action.type === "subscribe" || action.type === "unsubscribe") {
      return this.#isStopped ? undefined : this.#subscriptions.serve(action);
    }
    // It tells of what has been done.
    if (action.type === "collect") return undefined;
    const patch = this.#reduce(action);
    // Before readers are told: what they ask for then is new, and need not start again.
    const old = action.type === "invalidate" ? this.#network.flights.reads(action.testKey) : undefined;
    if (patch.reset) this.#network.reset();
    this.store.commit(patch, action);
    if ("ticket" in action && action.ticket !== undefined) this.#patches.set(action.ticket, patch);
    if (patch.overlay !== undefined) this.#warnOf(patch.overlay);
    if (old !== undefined) this.#network.restart(old);
  }

  #warnOf({ failures }: Overlay): void {
    for (const { layer: { endpoint: { name } }, reason } of failures) {
      this.store.warnOnce(`layer of ${name}`, said(604, { name, reason }));
    }
  }

  #reduce(action: StoreAction): Patch {
    if (this.#isReducing) {
      throw new RejoinError(said(605, { type: action.type }));
    }
    this.#isReducing = true;
    try {
      return reduce(this.store, action);
    } finally {
      this.#isReducing = false;
    }
  }
}

/**
 * `const { fetch, set } = controller` is how people write it: the methods of this class know their controller, however
 * they are called. Those of a subclass that stand in their place are bound, too, as they are when a controller is made.
 */
function bindMethods(controller: Controller): void {
  const own = Object.getOwnPropertyDescriptors(Controller.prototype);
  for (const [name, { value: method }] of Object.entries(own)) {
    if (typeof method !== "function" || name === "constructor") continue;
    let holder: object = controller;
    while (!Object.hasOwn(holder, name)) holder = Object.getPrototypeOf(holder);
    const { value } = Object.getOwnPropertyDescriptor(holder, name)!;
    // A getter of a subclass knows best.
    if (typeof value !== "function") continue;
    Object.defineProperty(controller, name, { value: value.bind(controller), writable: true, configurable: true });
  }
}

type Unplaced<A> = A extends unknown ? Omit<A, "place" | "date"> : never;
