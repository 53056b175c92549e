import { clock } from "../deps/clock.ts";
import { OvertakenError } from "../errors/overtaken_error.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import type { AnyEndpoint, AnyReadable } from "../endpoint/interface.ts";
import type {
  Denormalize,
  DenormalizeNullable,
  EntityInput,
  NullableArgs,
  Queryable,
  SchemaArgs,
} from "../schemas/infer.ts";
import type { AnyEntity, AnySchema } from "../schemas/interface.ts";
import type { PlainPatch } from "../store/plain_patch.ts";
import type { Patch } from "../store/patch.ts";
import { reduce, type StoreAction } from "../store/reducers/mod.ts";
import { errorOf, type ExpiryStatus, statusOf } from "../store/freshness.ts";
import { inactiveData } from "../store/response_view.ts";
import { describeState, loadState, type State } from "../store/state.ts";
import type { Ticket } from "../store/places.ts";
import { reasonOf } from "../store/reason.ts";
import { reportError, Store } from "../store/store.ts";
import { shapeOf } from "../store/entry.ts";
import type { Flight } from "./flight.ts";
import { type Action, chain, type Dispatch, type FetchAction, type Manager } from "./middleware.ts";
import { Network } from "./network.ts";

/** How a {@linkcode Controller} is made. */
export interface ControllerOptions {
  /** What accompanies it; none by default. The first one sees actions first. */
  readonly managers?: readonly Manager[] | undefined;
  /** What another controller's `getState()` gave. */
  readonly initialState?: Partial<State> | undefined;
  /** Freezes what the library made and turns warnings on. */
  readonly strict?: boolean | undefined;
}

/** What {@linkcode Controller.getResponse} gives. */
export interface ResponseState<T> {
  /** What there is to show; `undefined` when there is nothing. */
  readonly data: T;
  /** Whether it may be shown. */
  readonly expiryStatus: ExpiryStatus;
  /** Until when it is fresh; ms since 1970. */
  readonly expiresAt: number;
}

/** What may be written for a schema. */
export type SetValue<S> = S extends AnyEntity ? EntityInput<S["prototype"]> : unknown;

/** A function that makes the value to be written; `undefined` writes nothing. */
export type Updater<S> = (present: Denormalize<S> | undefined) => SetValue<S> | undefined;

type Disposable = {
  [K in SymbolConstructor extends { readonly dispose: infer D extends symbol } ? D : never]: () => void;
};

/** `using controller = new Controller()` stops it at the end of the block. */
export interface Controller extends Disposable {}

/**
 * The imperative surface of one store: fetches, writes, reads. It needs no UI and works at once.
 *
 * Promises: methods that change the store have committed when they return; every promise settles; a read gives the same
 * object as long as no record it was made from has changed.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { Controller, Endpoint, Entity } from "@rejoin/data";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   pk() {
 *     return this.id;
 *   }
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
  readonly #network: Network;
  readonly #dispatch: Dispatch;
  readonly #managers: readonly Manager[];
  readonly #patches = new WeakMap<Ticket, Patch>();
  /** Requests that somebody awaits, also while a middleware delays them. */
  readonly #awaited = new WeakSet<FetchAction>();
  readonly #listeners = new Set<(patch: PlainPatch, action: Action) => void>();
  /** Commits that the listeners have not been told of. */
  readonly #untold: (readonly [PlainPatch, Action])[] = [];
  #isReducing = false;
  #state: { readonly of: number; readonly state: State } | undefined;
  #isStopped = false;

  /** @param options All optional. */
  constructor(options: ControllerOptions = {}) {
    const { managers = [], initialState, strict = false } = options;
    this.store = new Store(strict);
    if (initialState !== undefined) loadState(this.store, initialState);
    this.#network = new Network({
      store: this.store,
      dispatch: (action) => this.#dispatch(action),
      perform: (action) => this.#perform(action),
      patchOf: (ticket) => this.#patches.get(ticket),
    });
    this.#managers = managers;
    this.#dispatch = chain(this, managers, (action) => this.#perform(action));
    if (typeof Symbol.dispose === "symbol") {
      Object.defineProperty(this, Symbol.dispose, { value: () => this.cleanup(), configurable: true });
    }
    for (const manager of managers) manager.init?.(this);
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
   * @returns This call's own answer as the store holds it after the commit: `===` what hooks read. Without a schema the
   *   processed response; for `Invalidate` the value it was given.
   * @throws {NetworkError} If the server refuses or cannot be reached.
   * @throws {TimeoutError} If no complete answer comes before the deadline.
   * @throws {ParseError} If the answer is not what it is declared to be.
   * @throws {NormalizeError} If the answer of a read has another shape than its schema; the store is as it was.
   * @throws {ValidationError} If the answer of a read does not satisfy its own class; the store is as it was.
   * @throws {WriteError} If a mutation was accepted, but its reply cannot be stored.
   * @throws {OvertakenError} If the record was deleted or the store was reset meanwhile.
   */
  fetch<E extends AnyEndpoint>(endpoint: E, ...args: E["~types"]["args"]): Promise<E["~types"]["data"]> {
    let key: string;
    try {
      key = endpoint.key(...args);
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#request(endpoint, args, key) as Promise<E["~types"]["data"]>;
  }

  /**
   * The data at once when it is fresh; otherwise like {@linkcode Controller.fetch}.
   *
   * @param endpoint What to read.
   * @param args Its arguments.
   * @returns The data, or a promise of it.
   */
  fetchIfStale<E extends AnyEndpoint>(
    endpoint: E,
    ...args: E["~types"]["args"]
  ): E["~types"]["data"] | Promise<E["~types"]["data"]> {
    try {
      const key = endpoint.key(...args);
      const view = this.store.response(endpoint, args, key);
      const answer = view.read(this.store.graph);
      const isFresh = answer.hasData && !answer.isInvalid && clock.now() < view.expiresAt();
      return isFresh ? answer.data : this.#request(endpoint, args, key);
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
    const args = rest.slice(0, -1);
    this.#change({ type: "set", schema, args, value: rest.at(-1) });
  }

  /**
   * Writes a response as if the endpoint had just brought it.
   *
   * @param endpoint Whose response it is.
   * @param rest Its arguments, then the response.
   * @throws {NormalizeError} If the response has another shape than the schema declares; nothing is written.
   */
  setResponse<E extends AnyEndpoint>(endpoint: E, ...rest: [...args: E["~types"]["args"], response: unknown]): void {
    const args = rest.slice(0, -1);
    const key = endpoint.key(...args);
    this.#change({ type: "setResponse", endpoint, args, key, response: rest.at(-1) });
  }

  /**
   * Keeps an error as if the endpoint had just failed with it.
   *
   * @param endpoint Which one.
   * @param rest Its arguments, then the error.
   */
  setError<E extends AnyEndpoint>(endpoint: E, ...rest: [...args: E["~types"]["args"], error: unknown]): void {
    const args = rest.slice(0, -1);
    this.#change({ type: "setError", endpoint, args, key: endpoint.key(...args), error: rest.at(-1) });
  }

  /**
   * Hides the answer of an endpoint: who reads it fetches again, and a request in flight starts anew. `null` does nothing.
   *
   * @param endpoint Which one.
   * @param args Its arguments.
   */
  invalidate<E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<E["~types"]["args"]>): void {
    if (isInactive(args)) return;
    const key = endpoint.key(...args);
    this.#change({ type: "invalidate", testKey: (other) => other === key, only: { key, shape: shapeOf(endpoint) } });
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
   * Marks the answers of every key that passes stale: they stay visible, and what is mounted fetches again.
   *
   * @param test An endpoint, for all its arguments, or anything that tests keys.
   */
  expireAll(test: { testKey(key: string): boolean }): void {
    this.#change({ type: "expire", testKey: (key) => test.testKey(key) });
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
  get<S extends Queryable>(schema: S, ...args: NullableArgs<SchemaArgs<S>>): DenormalizeNullable<S> {
    return this.store.graph.query(schema as AnySchema, args).read(this.store.graph) as DenormalizeNullable<S>;
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
    const view = this.store.response(endpoint, args, endpoint.key(...args));
    const answer = view.read(this.store.graph);
    const expiresAt = view.expiresAt();
    const expiryStatus = statusOf(answer, endpoint, clock.now() >= expiresAt);
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
    const view = this.store.response(endpoint, args, endpoint.key(...args));
    return errorOf(view.read(this.store.graph), view);
  }

  /**
   * Everything that is known, as plain data that JSON can carry; without what pending mutations show. The same object
   * until the next commit.
   */
  getState(): State {
    const { commits } = this.store;
    if (this.#state?.of !== commits) this.#state = { of: commits, state: describeState(this.store) };
    return this.#state.state;
  }

  /**
   * Calls a function after each commit.
   *
   * @param listener Gets what was replaced as plain data, and the action it came from.
   * @returns How to stop it.
   */
  onCommit(listener: (patch: PlainPatch, action: Action) => void): () => void {
    this.#listeners.add(listener);
    this.store.onCommit = (patch, action) => this.#handOut(patch, action as Action);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.store.onCommit = undefined;
    };
  }

  /** Stops: aborts what is in flight and cleans managers up. What is stored can still be read. */
  cleanup(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#network.stop();
    for (const manager of this.#managers) {
      try {
        manager.cleanup?.();
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
   * @returns The request, or `undefined` when a middleware answers it in another way.
   */
  startRead(endpoint: AnyEndpoint, args: readonly unknown[], key: string): Flight | undefined {
    // Nothing would ever come: who waits must learn it.
    if (this.#isStopped) throw new OvertakenError(endpoint.name, "cleanup");
    const result = this.#dispatch({ type: "fetch", endpoint, args, key });
    if (result instanceof Promise) result.catch(() => {});
    return this.#network.find({ endpoint, key });
  }

  /**
   * For hooks: the read in flight for a key, whoever started it.
   *
   * @param endpoint What is read.
   * @param key Its key.
   */
  findRead(endpoint: AnyEndpoint, key: string): Flight | undefined {
    return this.#network.find({ endpoint, key });
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

  #request(endpoint: AnyEndpoint, args: readonly unknown[], key: string): Promise<unknown> {
    const action: FetchAction = { type: "fetch", endpoint, args, key };
    this.#awaited.add(action);
    let result: unknown;
    try {
      result = this.#dispatch(action);
    } catch (error) {
      return Promise.reject(error);
    }
    // Also where a middleware has sent on a copy.
    const flight = this.#network.find(action);
    if (flight !== undefined) flight.isAwaited = true;
    return Promise.resolve(result);
  }

  #change(action: Unplaced<StoreAction>): void {
    this.#dispatch({ ...action, place: this.store.places.take(), date: clock.now() } as StoreAction);
  }

  /** The end of the chain. */
  #perform(action: Action): unknown {
    if (action.type === "fetch") {
      const flight = this.#network.fetch(action);
      if (this.#awaited.has(action)) flight.isAwaited = true;
      return flight.promise;
    }
    const patch = this.#reduce(action);
    // Before readers are told: what they ask for then is new, and need not start again.
    const old = action.type === "invalidate" ? this.#network.reads(action.testKey) : [];
    if (action.type === "reset") this.#network.reset();
    this.store.commit(patch, action);
    if (action.type === "setResponse" && action.ticket !== undefined) this.#patches.set(action.ticket, patch);
    for (const { layer: { endpoint: { name } }, reason } of patch.overlay?.failures ?? []) {
      this.store.warnOnce(
        `layer of ${name}`,
        () => `"${name}" shows nothing before the server answers: getOptimisticResponse() threw: ${reasonOf(reason)}`,
      );
    }
    this.#network.restart(old);
  }

  #reduce(action: StoreAction): Patch {
    if (this.#isReducing) {
      throw new RejoinError(
        `Cannot "${action.type}" while another change is being computed: process(), merge(), validate(), pk() and ` +
          "getOptimisticResponse() may read the store, but not change it",
      );
    }
    this.#isReducing = true;
    try {
      return reduce(this.store, action);
    } finally {
      this.#isReducing = false;
    }
  }

  /** Each listener gets each commit, in order, also when a listener itself commits; one that throws stops no other. */
  #handOut(patch: PlainPatch, action: Action): void {
    this.#untold.push([patch, action]);
    if (this.#untold.length > 1) return;
    for (let told = this.#untold[0]; told !== undefined; this.#untold.shift(), told = this.#untold[0]) {
      for (const listener of [...this.#listeners]) {
        try {
          listener(...told);
        } catch (error) {
          reportError(error);
        }
      }
    }
  }
}

type Unplaced<A> = A extends unknown ? Omit<A, "place" | "date"> : never;

/** `null` in place of the first argument: do nothing. */
function isInactive(args: readonly unknown[]): boolean {
  return args.length > 0 && args[0] === null;
}
