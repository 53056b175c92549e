import type { Args, Disposable, Value } from "../plain/value.ts";
import type { AnyEndpoint, AnyReadable, Expiring, RunEndpoint } from "../endpoint/endpoint_types.ts";
import { AbortError, checks, NormalizeError } from "../errors/mod.ts";
import { copyPlain } from "../plain/copy_plain.ts";
import { isObject } from "../plain/is_object.ts";
import type { DenormalizeNullable, NullableArgs, Queryable, SchemaArgs, SchemaInput } from "../store/infer.ts";
import { isEntity } from "../store/schema.ts";
import { now } from "../store/store.ts";
import type { StorePart } from "../store/answers.ts";
import {
  type ArgsOf,
  type ControllerOptions,
  type DataOf,
  ExpiryStatus,
  type NamedSchema,
  type ResponseState,
  type SetValue,
  type Updater,
  type WithLast,
} from "./controller_types.ts";
import { Network } from "./network.ts";
import type { Part } from "./part.ts";

/**
 * One store, and the methods that fetch into it, write to it and read from it. It needs no UI.
 *
 * When a method that changes the store returns, every read shows the change. Every REST call settles. The methods are
 * bound, so `const { fetch } = controller` works. A method that accepts `null` in place of the arguments of a call
 * then does nothing.
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
 * const { fetch, get } = new Controller();
 * assert(await fetch(getArticle, { id: "5" }) === get(Article, "5"));
 * ```
 */
export class Controller extends Network {
  /** The parts, by the function that made each. */
  readonly #made = new Map<() => StorePart, StorePart>();
  /** The functions that end the subscriptions of a call, by its key. */
  readonly #live = new Map<string, (() => void)[]>();

  constructor({ use = [], defaults = {} }: ControllerOptions = {}) {
    super(defaults);
    const self = this as Value; // its methods are bound by name
    for (const name of Object.getOwnPropertyNames(Controller.prototype)) {
      if (name !== "constructor") self[name] = self[name].bind(self);
    }
    self[Symbol.dispose] = this.cleanup;
    for (const part of use) this.use(() => part);
  }
  /**
   * Adds a part to this controller, unless it has it already.
   *
   * @param make Makes the part. It is called once for each controller.
   * @returns The part: the same one each time the same function is given.
   */
  override use<P extends StorePart>(make: () => P): P {
    let part = this.#made.get(make);
    if (!part) {
      this.#made.set(make, part = make());
      this.parts.push(part);
      (part as Part).install?.(this); // the type of the store's own parts has no `install`
    }
    return part as P; // `make` gave it
  }

  /**
   * Calls an endpoint, and stores its reply. Equal reads in flight are one request; mutations are always sent.
   *
   * @param endpoint A read or a mutation.
   * @param args Its arguments. Plain objects and arrays among them are copied at once.
   * @returns The data as the store reads them: the object that hooks read, too. The promise rejects when the call
   * fails. The store keeps the error of a read, so its rejection need not be handled; that of a mutation must be.
   */
  fetch<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOf<E>): Promise<DataOf<E>>;
  fetch(endpoint: RunEndpoint, ...args: Args): Promise<Value> {
    checks.call?.(this.store, endpoint, args);
    return this.send(endpoint, args, true);
  }
  /**
   * Fetches only if the stored data are missing or stale.
   *
   * @param endpoint A read.
   * @param args Its arguments.
   * @returns Fresh data at once, without a promise; otherwise the promise of `fetch`.
   */
  fetchIfStale<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOf<E>): DataOf<E> | Promise<DataOf<E>>;
  fetchIfStale(endpoint: Value, ...args: Args): Value {
    const { data, expiresAt, expiryStatus } = this.getResponse(endpoint, ...args);
    return now() >= expiresAt || expiryStatus < ExpiryStatus.Valid ? this.fetch(endpoint, ...args) : data;
  }
  /**
   * Reads from the store by schema. Nothing is fetched.
   *
   * @param schema An entity class, an `All`, a `Query` …
   * @param args What names the data: for an entity its pk, or members that make one. `null` reads nothing.
   * @returns The data, or `undefined` if the store does not have them. The object stays the same until something in it
   * changes.
   */
  get<S extends Queryable, G = S>(
    schema: NamedSchema<S, G>,
    ...args: NullableArgs<SchemaArgs<S>>
  ): DenormalizeNullable<S>;
  get(schema: Value, ...args: Args): Value {
    if (args[0] !== null) return this.store.get(schema, args);
  }
  /**
   * What the store has for a call of a read. Nothing is fetched.
   *
   * @param endpoint A read, or a `Query`.
   * @param args Its arguments; `null` stands for no call, which has no data and is never stale.
   * @returns The data, the time until which they are fresh, and whether they may be shown.
   */
  getResponse<R extends AnyReadable>(
    endpoint: R,
    ...args: NullableArgs<R["~types"]["args"]>
  ): ResponseState<R["~types"]["nullable"]>;
  getResponse(endpoint: Value, ...args: Args): ResponseState<Value> {
    if (args[0] === null) return { data: undefined, expiresAt: Infinity, expiryStatus: ExpiryStatus.Valid };
    const { store } = this,
      answer = store.answer(endpoint, args),
      data = store.data(answer),
      // A `Query` has nothing to fetch, so its data are never stale.
      expiresAt = endpoint.fetch ? store.freshUntil(answer) : Infinity;
    const isNone = data === undefined && (!answer.has || answer.isInvalid),
      isHidden = endpoint.invalidIfStale && now() >= expiresAt;
    return {
      data,
      expiresAt,
      expiryStatus: isNone ? ExpiryStatus.Invalid : isHidden ? ExpiryStatus.InvalidIfStale : ExpiryStatus.Valid,
    };
  }
  /**
   * The error of the last request of a read, if it is to be shown.
   *
   * @param endpoint A read.
   * @param args Its arguments; `null` stands for no call, which has no error.
   * @returns The error. A soft one (see `errorPolicy`) only if there are no data to show; else `undefined`.
   */
  getError<R extends AnyReadable>(endpoint: R, ...args: NullableArgs<R["~types"]["args"]>): Error | undefined;
  getError(endpoint: Value, ...args: Args): Error | undefined {
    if (args[0] === null) return;
    const answer = this.store.answer(endpoint, args);
    return answer.isSoft && this.store.data(answer) !== undefined ? undefined : answer.error;
  }
  /**
   * Writes a value by hand. It is an edit: it stays on top of every reply that was asked for before it.
   *
   * @param schema The schema of the value: an entity class, `[Article]`, a collection …
   * @param args What names the data, then the value, or a function that makes it from the present data (`undefined`
   * writes nothing). Members that the arguments name, such as the pk, may be left out of the value.
   * @throws {NormalizeError} If the value does not fit the schema, or has no pk; nothing is written then.
   */
  set<S extends SchemaInput>(schema: S, ...args: [...SchemaArgs<S>, value: SetValue<S> | Updater<S>]): void;
  set(schema: Value, ...args: Value[]): void {
    const given = args.pop(), { store, defaults } = this, [first] = args, edit = ++store.tick;
    let value = copyPlain(typeof given == "function" ? given(store.get(schema, args)) : given);
    if (value === undefined) return;
    if (value && isEntity(schema) && first !== undefined) {
      const named = isObject(first) ? first : schema.queryKey([value], store) === `${first}` ? {} : { id: first };
      for (const name in named) if (value[name] === undefined) value = { ...named, ...value };
    }
    store.write(args, { edit, expiresAt: now() + (defaults.dataExpiryLength ?? 6e4) }, (commit) => {
      commit.visit(schema, value);
      // A value with a tag that the union does not know makes no record. The union itself has no `key`.
      const isRecord = isEntity(schema) || schema.mapping;
      if (isRecord && !commit.roots.length) throw new NormalizeError(203, [schema.key ?? "Union"]);
    });
  }
  /**
   * Stores a reply as if the server had just sent it: `setResponse(endpoint, ...args, reply)`. Nothing is fetched.
   *
   * @param endpoint A read or a mutation.
   * @param args Its arguments, then the reply.
   * @throws {NormalizeError} If the reply of a read does not fit the schema; nothing is written then.
   * @throws {ValidationError} If `validate` of the class refuses the record of a read; nothing is written then.
   * @throws {WriteError} If the reply of a mutation cannot be stored; `cause` has the reason.
   */
  setResponse<E extends AnyEndpoint>(endpoint: E, ...args: WithLast<ArgsOf<E>, unknown>): void;
  setResponse(endpoint: RunEndpoint, ...args: Value[]): void {
    const reply = args.pop();
    this.receive(this.open(endpoint, args), reply);
  }
  /** Stores an error as if a request of the endpoint had just failed with it: `setError(endpoint, ...args, error)`. */
  setError<E extends AnyEndpoint>(endpoint: E, ...args: WithLast<ArgsOf<E>, unknown>): void;
  setError(endpoint: RunEndpoint, ...args: Value[]): void {
    const error = args.pop();
    this.refuse(this.open(endpoint, args), error);
  }
  /** Hides the data of a call until the server has sent them again. Mounted readers fetch at once. */
  invalidate<E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<ArgsOf<E>>): void;
  invalidate(endpoint: RunEndpoint, ...args: Args): void {
    this.#expire(endpoint, args, true);
  }
  /** Marks the data of a call stale. They stay shown, and mounted readers fetch at once. */
  expire<E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<ArgsOf<E>>): void;
  expire(endpoint: RunEndpoint, ...args: Args): void {
    this.#expire(endpoint, args);
  }
  /**
   * `invalidate` for many calls.
   *
   * @param test An endpoint, for its calls with any arguments; or `{ testKey }`, for all calls whose key passes.
   */
  invalidateAll(test: Expiring): void {
    this.#expire(test, undefined, true);
  }
  /**
   * `expire` for many calls.
   *
   * @param test An endpoint, for its calls with any arguments; or `{ testKey }`, for all calls whose key passes.
   */
  expireAll(test: Expiring): void {
    this.#expire(test);
  }
  #expire(test: Value, args?: Args, isInvalid?: boolean): void {
    const { store } = this, own = args && args[0] !== null && store.answer(test, args).key;
    ++store.tick;
    store.write([], {}, (commit) => {
      store.expire(({ key }) => args ? key === own : test.testKey(key), commit, isInvalid);
    });
  }
  /** Aborts the requests of a call that are in flight. They reject with an `AbortError`; no error is stored. */
  abort<E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<ArgsOf<E>>): void;
  abort(endpoint: RunEndpoint, ...args: Args): void {
    const key = this.#keyOf(endpoint, args);
    for (const { endpoint, args, abort } of this.flights) {
      if (endpoint.key(...args) === key) abort.abort(new AbortError(701));
    }
  }
  /** Lets a part (a stream, `polling`) keep the data of a call current, until `unsubscribe` was called as often. */
  subscribe<E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<ArgsOf<E>>): void;
  subscribe(endpoint: RunEndpoint, ...args: Args): void {
    const key = this.#keyOf(endpoint, args);
    if (key === undefined) return;
    let stop: (() => void) | undefined;
    for (const part of this.parts) stop ??= part.subscribe?.(endpoint, args);
    if (stop) this.#live.set(key, [...this.#live.get(key) ?? [], stop]);
  }
  /** Ends one `subscribe` of the same call. */
  unsubscribe<E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<ArgsOf<E>>): void;
  unsubscribe(endpoint: RunEndpoint, ...args: Args): void {
    this.#live.get(this.#keyOf(endpoint, args)!)?.pop()?.();
  }
  #keyOf(endpoint: RunEndpoint, args: Args): string | undefined {
    return args[0] === null ? undefined : endpoint.key(...args);
  }
  /** Resolves when no request is in flight any more; never rejects. */
  async allSettled(): Promise<void> {
    const { flights } = this;
    while (flights.size) await Promise.allSettled(Array.from(flights, ({ promise }) => promise));
  }
  /**
   * Empties the store, at logout for instance. Requests in flight are aborted: they reject with an error for which
   * `isEnding` is true, and their replies are dropped. Mounted readers fetch again.
   */
  resetEntireStore(): void {
    const { store } = this;
    this.abortAll();
    store.write([], {}, (commit) => store.reset(commit));
  }
  /** Stops the controller: aborts its requests, and stops its parts. The store can still be read. */
  cleanup(): void {
    this.abortAll();
    for (const part of this.parts) part.cleanup?.();
  }
}

/** `using controller = new Controller()` calls `cleanup` at the end of the block. */
export interface Controller extends Disposable {}
