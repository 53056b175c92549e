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
 * One store with all that uses it: fetches, writes, reads. It needs no UI. When a method that changes the store returns,
 * the change is visible; every promise settles. Methods may be taken out of it, and do nothing where the first argument
 * of a call is `null`.
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
  readonly #made = new Map<() => StorePart, StorePart>();
  /** By key, how to end what keeps it current. */
  readonly #live = new Map<string, (() => void)[]>();

  constructor({ use = [], defaults = {} }: ControllerOptions = {}) {
    super(defaults);
    const self = this as Value; // any of its members
    for (const name of Object.getOwnPropertyNames(Controller.prototype)) {
      if (name !== "constructor") self[name] = self[name].bind(self);
    }
    self[Symbol.dispose] = this.cleanup;
    for (const part of use) this.use(() => part);
  }
  /**
   * The part that a function makes, for this controller.
   *
   * @param make Called once; the same function gives the same part.
   */
  override use<P extends StorePart>(make: () => P): P {
    let part = this.#made.get(make);
    if (!part) {
      this.#made.set(make, part = make());
      this.parts.push(part);
      (part as Part).install?.(this); // a StorePart without it has none
    }
    return part as P; // what the function made
  }

  /**
   * Calls an endpoint, and stores the answer; equal reads at one time are one request.
   *
   * @returns What the answer is in the store. A failed read is kept there, too: only a mutation that fails must be handled.
   */
  fetch<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOf<E>): Promise<DataOf<E>>;
  fetch(endpoint: RunEndpoint, ...args: Args): Promise<Value> {
    checks.call?.(this.store, endpoint, args);
    return this.send(endpoint, args, true);
  }
  /** The data of a read at once where they are fresh, otherwise as `fetch`. */
  fetchIfStale<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOf<E>): DataOf<E> | Promise<DataOf<E>>;
  fetchIfStale(endpoint: Value, ...args: Args): Value {
    const { data, expiresAt, expiryStatus } = this.getResponse(endpoint, ...args);
    return now() >= expiresAt || expiryStatus < ExpiryStatus.Valid ? this.fetch(endpoint, ...args) : data;
  }
  /**
   * Reads by schema: an entity, an `All`, a `Query` …
   *
   * @param schema What to read.
   * @param args What names it, a pk for instance; `null`: nothing.
   * @returns The same object as long as nothing that it was made of has changed; `undefined`: it is not there.
   */
  get<S extends Queryable, G = S>(
    schema: NamedSchema<S, G>,
    ...args: NullableArgs<SchemaArgs<S>>
  ): DenormalizeNullable<S>;
  get(schema: Value, ...args: Args): Value {
    if (args[0] !== null) return this.store.get(schema, args);
  }
  /**
   * What a read shows.
   *
   * @param endpoint A read, or a `Query`.
   * @param args Its arguments; `null`: it is inactive.
   * @returns Its data, until when they are fresh, and whether they may be shown.
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
      // A Query is made of what is there.
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
   * The error that a read shows.
   *
   * @param endpoint A read.
   * @param args Its arguments; `null`: it is inactive.
   * @returns A soft error only where there are no data; `undefined`: none.
   */
  getError<R extends AnyReadable>(endpoint: R, ...args: NullableArgs<R["~types"]["args"]>): Error | undefined;
  getError(endpoint: Value, ...args: Args): Error | undefined {
    if (args[0] === null) return;
    const answer = this.store.answer(endpoint, args);
    return answer.isSoft && this.store.data(answer) !== undefined ? undefined : answer.error;
  }
  /**
   * Writes a value by hand. It counts as newer than all that was asked for before.
   *
   * @param schema Where it belongs.
   * @param args What names it, then the value, or a function that makes it of the present one. Members that the arguments
   *   name may be left out of the value.
   * @throws {NormalizeError} If the value does not fit, or names no pk; nothing is written.
   */
  set<S extends SchemaInput>(schema: S, ...args: [...SchemaArgs<S>, value: SetValue<S> | Updater<S>]): void;
  set(schema: Value, ...args: Value[]): void {
    const given = args.pop(), { store, defaults } = this, [first] = args, edit = ++store.tick;
    let value = copyPlain(typeof given == "function" ? given(store.get(schema, args)) : given);
    if (value === undefined) return;
    if (isEntity(schema) && first !== undefined) {
      const named = isObject(first) ? first : { id: first };
      for (const name in named) if (value[name] === undefined) value = { ...named, ...value };
    }
    store.write(args, { edit, expiresAt: now() + (defaults.dataExpiryLength ?? 6e4) }, (commit) => {
      commit.visit(schema, value);
      // A union of which no tag is known has no key.
      const isRecord = isEntity(schema) || schema.mapping;
      if (isRecord && !commit.roots.length) throw new NormalizeError(203, [schema.key ?? "Union"]);
    });
  }
  /**
   * Writes a reply as if the endpoint had just been asked and had answered: `setResponse(endpoint, ...args, reply)`.
   *
   * @throws {NormalizeError} If the reply does not fit the schema; nothing is written.
   */
  setResponse<E extends AnyEndpoint>(endpoint: E, ...args: WithLast<ArgsOf<E>, unknown>): void;
  setResponse(endpoint: RunEndpoint, ...args: Value[]): void {
    const reply = args.pop();
    this.receive(this.open(endpoint, args), reply);
  }
  /** Stores an error as if the endpoint had just failed: `setError(endpoint, ...args, error)`. */
  setError<E extends AnyEndpoint>(endpoint: E, ...args: WithLast<ArgsOf<E>, unknown>): void;
  setError(endpoint: RunEndpoint, ...args: Value[]): void {
    const error = args.pop();
    this.refuse(this.open(endpoint, args), error);
  }
  /** Hides the answer of a call: what is mounted fetches again. */
  invalidate<E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<ArgsOf<E>>): void;
  invalidate(endpoint: RunEndpoint, ...args: Args): void {
    this.#expire(endpoint, args, true);
  }
  /** Marks the answer of a call stale: it stays shown, and what is mounted fetches again. */
  expire<E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<ArgsOf<E>>): void;
  expire(endpoint: RunEndpoint, ...args: Args): void {
    this.#expire(endpoint, args);
  }
  /** Hides the answers of an endpoint for all arguments, or of all keys that pass. */
  invalidateAll(test: Expiring): void {
    this.#expire(test, undefined, true);
  }
  /** Marks the answers of an endpoint for all arguments, or of all keys that pass, stale. */
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
  /** Aborts the requests of a call: they reject with an `AbortError`, and no error is stored. */
  abort<E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<ArgsOf<E>>): void;
  abort(endpoint: RunEndpoint, ...args: Args): void {
    const key = this.#keyOf(endpoint, args);
    for (const { endpoint, args, abort } of this.flights) {
      if (endpoint.key(...args) === key) abort.abort(new AbortError(701));
    }
  }
  /** Has a call kept current by a part, a stream or `polling`, until `unsubscribe` is called as often. */
  subscribe<E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<ArgsOf<E>>): void;
  subscribe(endpoint: RunEndpoint, ...args: Args): void {
    const key = this.#keyOf(endpoint, args);
    if (key === undefined) return;
    let stop: (() => void) | undefined;
    for (const part of this.parts) stop ??= part.subscribe?.(endpoint, args);
    if (stop) this.#live.set(key, [...this.#live.get(key) ?? [], stop]);
  }
  /** Takes one `subscribe` back. */
  unsubscribe<E extends AnyEndpoint>(endpoint: E, ...args: NullableArgs<ArgsOf<E>>): void;
  unsubscribe(endpoint: RunEndpoint, ...args: Args): void {
    this.#live.get(this.#keyOf(endpoint, args)!)?.pop()?.();
  }
  #keyOf(endpoint: RunEndpoint, args: Args): string | undefined {
    return args[0] === null ? undefined : endpoint.key(...args);
  }
  /** Resolves when nothing is in flight any more; never rejects. */
  async allSettled(): Promise<void> {
    const { flights } = this;
    while (flights.size) await Promise.allSettled(Array.from(flights, ({ promise }) => promise));
  }
  /** Forgets everything. Calls in flight reject with an ending (`isEnding`), and what is mounted fetches again. */
  resetEntireStore(): void {
    const { store } = this;
    this.abortAll();
    store.write([], {}, (commit) => store.reset(commit));
  }
  /** Stops: aborts its requests, and stops its parts. What is stored can still be read. */
  cleanup(): void {
    this.abortAll();
    for (const part of this.parts) part.cleanup?.();
  }
}

/** `using controller = new Controller()` stops it at the end of the block. */
export interface Controller extends Disposable {}
