import { copyPlain } from "../plain/copy_plain.ts";
import type { AnyEndpoint, Policy, Reply } from "../endpoint/endpoint_types.ts";
import { AbortError, isEnding, NormalizeError, RejoinError, ValidationError } from "../errors/errors.ts";
import type { DenormalizeNullable, NullableArgs, SchemaArgs } from "../store/infer.ts";
import { entityOf, isEntity } from "../store/schema.ts";
import { isObject } from "../plain/is_object.ts";
import type { Answer } from "../store/answers.ts";
import { join } from "../store/join.ts";
import { release } from "../store/layers.ts";
import type { Commit } from "../store/commit.ts";
import { viewOf } from "../store/node.ts";
import type { Part } from "./part.ts";
import { now } from "../store/store.ts";
import type { Flight } from "./flight.ts";
import { Network } from "./network.ts";
import {
  type ArgsOf,
  type ControllerOptions,
  type DataOf,
  ExpiryStatus,
  type Readable,
  type ResponseOf,
  type ValueOf,
} from "./controller_types.ts";

/** One store with all that uses it: the methods may be taken out of it. */
export class Controller extends Network {
  readonly defaults: Policy;
  readonly [Symbol.dispose]: () => void = this.cleanup;
  readonly #made: Map<() => Part, Part> = new Map();

  constructor({ use = [], defaults = {} }: ControllerOptions = {}) {
    super();
    this.defaults = defaults;
    for (const name of Object.getOwnPropertyNames(Controller.prototype)) {
      const method = (this as any)[name];
      if (typeof method == "function" && name !== "constructor") (this as any)[name] = method.bind(this);
    }
    for (const part of use) this.use(() => part);
  }
  /** The part that a function makes, for this controller. */
  override use<P extends Part>(make: () => P): P {
    let part = this.#made.get(make);
    if (!part) {
      this.#made.set(make, part = make());
      this.parts.push(part);
      part.install?.(this);
    }
    return part as P;
  }

  /** Calls an endpoint, and stores the answer. */
  async fetch<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOf<E>): Promise<DataOf<E>> {
    return await this.send(endpoint, args, true);
  }
  fetchIfStale<E extends AnyEndpoint>(endpoint: E, ...args: ArgsOf<E>): DataOf<E> | Promise<DataOf<E>> {
    const { data, expiresAt } = this.getResponse(endpoint, ...args as any);
    return data === undefined || now() >= expiresAt ? this.fetch(endpoint, ...args) : data;
  }
  /** Writes a value, or what a function makes of the present one. */
  set<S>(
    schema: S,
    ...args: [...SchemaArgs<S>, value: ValueOf<S> | ((present: DenormalizeNullable<S>) => ValueOf<S> | undefined)]
  ): void;
  set(schema: any, ...args: any[]): void {
    const given = args.pop(), { store } = this, [first] = args, edit = ++store.tick;
    let value = copyPlain(typeof given == "function" ? given(store.get(schema, args)) : given);
    if (value === undefined) return;
    if (isEntity(schema) && first !== undefined) {
      const named = isObject(first) ? first : { id: first };
      for (const name in named) if (value[name] === undefined) value = { ...named, ...value };
    }
    store.write(args, { edit, expiresAt: this.#until("dataExpiryLength", 6e4) }, (commit) => {
      commit.visit(schema, value);
      if (isEntity(schema) && !commit.roots.length) throw new NormalizeError(203, [schema.key]);
    });
  }
  /** Writes a reply, as if the endpoint had just answered. */
  setResponse(endpoint: any, ...args: any[]): void {
    const response = args.pop();
    this.receive(endpoint, args, response);
  }
  /** Stores an error, as if the endpoint had just failed. */
  setError(endpoint: any, ...args: any[]): void {
    const error = args.pop(), { store } = this, answer = store.answer(endpoint, args);
    store.write(args, { started: ++store.tick }, (commit) => this.#fail(endpoint, answer, error, commit));
  }
  /** Hides the answer of a call, and asks again. */
  invalidate(endpoint: any, ...args: any[]): void {
    this.#expire(endpoint, args, true);
  }
  /** Marks the answer of a call stale. */
  expire(endpoint: any, ...args: any[]): void {
    this.#expire(endpoint, args);
  }
  invalidateAll(endpoint: { testKey(key: string): boolean }): void {
    this.#expire(endpoint, undefined, true);
  }
  expireAll(endpoint: { testKey(key: string): boolean }): void {
    this.#expire(endpoint);
  }
  #expire(endpoint: any, args?: any[], isInvalid?: boolean): void {
    const { store } = this, own = args && args[0] !== null && endpoint.key(...args);
    ++store.tick;
    store.write(
      [],
      {},
      (commit) => store.expire(({ key }) => args ? key === own : endpoint.testKey(key), commit, isInvalid),
    );
  }
  get<S>(schema: S, ...args: SchemaArgs<S>): DenormalizeNullable<S>;
  get(schema: unknown, inactive: null): undefined;
  get(schema: any, ...args: any[]): any {
    if (args[0] !== null) return this.store.get(schema, args);
  }
  getResponse<R extends Readable>(
    endpoint: R,
    ...args: NullableArgs<R["~types"]["args"]>
  ): ResponseOf<R["~types"]["nullable"]>;
  getResponse(endpoint: any, ...args: any[]): ResponseOf<any> {
    if (args[0] === null) return { data: undefined, expiresAt: Infinity, expiryStatus: ExpiryStatus.Valid };
    const { store } = this,
      answer = store.answer(endpoint, args),
      data = store.data(answer),
      expiresAt = store.freshUntil(answer);
    const isNone = data === undefined && (!answer.has || answer.isInvalid),
      isStale = endpoint.invalidIfStale && now() >= expiresAt;
    return {
      data,
      expiresAt,
      expiryStatus: isNone ? ExpiryStatus.Invalid : isStale ? ExpiryStatus.InvalidIfStale : ExpiryStatus.Valid,
    };
  }
  /** The error to show; a soft one only where there are no data. */
  getError(endpoint: any, ...args: any[]): any {
    if (args[0] === null) return;
    const answer = this.store.answer(endpoint, args);
    return answer.isSoft && this.store.data(answer) !== undefined ? undefined : answer.error;
  }
  /** Aborts the request of a call. */
  abort(endpoint: any, ...args: any[]): void {
    this.store.answer(endpoint, args).flight?.abort.abort(new AbortError(701));
  }
  /** Resolves when nothing is in flight any more. */
  async allSettled(): Promise<void> {
    const { flights } = this;
    while (flights.size) await Promise.allSettled(Array.from(flights, ({ promise }) => promise));
  }
  /** Forgets everything. Calls in flight reject. */
  resetEntireStore(): void {
    const { store } = this;
    this.abortAll();
    store.write([], {}, (commit) => store.reset(commit));
  }
  cleanup(): void {
    this.abortAll();
    for (const part of this.parts) part.cleanup?.();
  }

  #until(option: "dataExpiryLength" | "errorExpiryLength", otherwise: number, endpoint?: any): number {
    return now() + (endpoint?.[option] ?? this.defaults[option] ?? otherwise);
  }
  /** Stores a reply, in one commit; returns it as the store reads it. */
  protected override receive(endpoint: any, args: readonly any[], response: any, flight?: Flight): any {
    const { store } = this, { schema, sideEffect, list } = endpoint;
    if (flight && !this.flights.has(flight)) throw new AbortError(703);
    const started = flight?.started ?? ++store.tick, pageOf = endpoint.listArgs?.(...args);
    const { value, sent }: Reply = endpoint.readReply?.(response, args, flight?.subject) ?? { value: response };
    const answer = sideEffect ? undefined : store.answer(pageOf ? list : endpoint, pageOf || args),
      isNothing = sideEffect && value === undefined;
    const edit = flight ? sideEffect && ++store.tick : started,
      expiresAt = flight?.freshFor === undefined
        ? this.#until("dataExpiryLength", 6e4, endpoint)
        : now() + flight.freshFor;
    let expired: readonly any[] = [];
    const result = store.write(
      pageOf || args,
      {
        started,
        edit,
        expiresAt,
        sent,
        isPage: !!pageOf,
        flight,
        key: answer?.key,
      },
      (commit) => {
        const result = isNothing ? value : commit.visit(schema, value), [row] = commit.roots;
        const isRecord = answer && isEntity(schema), reason = isRecord && row?.next && schema.validate(row.next);
        if (isRecord && !row && isObject(value)) throw new NormalizeError(202, [schema.key, Object.keys(value)]);
        if (reason) throw new ValidationError(301, [schema.key, reason]);
        if (sideEffect) expired = endpoint.expires?.(args, response) ?? [];
        return result;
      },
      (commit, result) => {
        const { roots } = commit;
        if (sideEffect) { for (const row of roots) release(row, commit); }
        else if (pageOf || answer!.started <= started) this.#answer(answer!, flight?.answer?.key ?? "", result, commit);
        if (flight) this.end(flight, commit);
        store.expire(({ key }) => expired.some((one) => one.testKey(key)), commit);
      },
    );
    if (!flight || schema === undefined || isNothing) return response;
    return answer && !pageOf ? store.data(answer) : store.read(viewOf(schema, result, args));
  }
  /** A reply becomes the data of an answer, or (a page) joins them. */
  #answer(answer: Answer, key: string, result: any, commit: Commit): void {
    const { has, pages } = answer, { isPage, expiresAt } = commit.options, isMore = isPage && has;
    pages.set(isMore ? key : "", result);
    if (!isMore) {
      if (!has || answer.error || answer.isInvalid) commit.changed.push(answer);
      Object.assign(answer, { has: true, error: undefined, isInvalid: false });
      answer.settle(commit, commit.isOutdated ? 0 : expiresAt!);
    }
    this.store.keep(answer, [...pages.values()].reduce(join), commit.told);
  }
  /** Stores the error of a request. */
  protected override refuse(flight: Flight, error: any): void {
    const { store } = this,
      { endpoint, args, answer, started, subject, tables } = flight,
      // The first three say that the record is another one; after the others nobody knows.
      at = [404, 410, 412, 502, 503, 504].indexOf(error?.status ?? 504);
    store.write(args, { started }, (commit) => {
      if (answer) {
        if (!isEnding(error)) this.#fail(endpoint, answer, error, commit);
      } else if (isEnding(error) || (at > 2 && error instanceof RejoinError)) {
        // The server did not refuse it, or its reply could not be stored: what it may have changed is asked again.
        const tick = ++store.tick;
        for (const table of tables) table.edited = tick;
        store.expire((other) => tables.some((table) => other.tables.includes(table)), commit);
      }
      if (subject && at >= 0) commit.stale.push(store.plan(entityOf(endpoint.schema)!).table.row(subject));
      this.end(flight, commit);
    });
  }
  #fail(endpoint: any, answer: Answer, error: any, commit: Commit): void {
    const { errorPolicy = this.defaults.errorPolicy } = endpoint;
    answer.error = error;
    answer.isSoft = errorPolicy?.call(endpoint, error) === "soft";
    answer.settle(commit, this.#until("errorExpiryLength", 1e3, endpoint));
    commit.changed.push(answer);
  }
}
