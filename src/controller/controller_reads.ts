import { clock } from "../deps/clock.ts";
import type { AnyEndpoint, AnyReadable, EndpointDefaults } from "../endpoint/interface.ts";
import type { NamedSchema } from "../endpoint/readable.ts";
import type { DenormalizeNullable, NullableArgs, Queryable, SchemaArgs } from "../schemas/infer.ts";
import type { AnySchema } from "../schemas/interface.ts";
import { errorOf, statusOf } from "../store/freshness.ts";
import { arrivedAt, inactiveData, type ResponseView } from "../store/response_view.ts";
import { Store } from "../store/store.ts";
import type { ResponseMeta, ResponseState } from "./controller_types.ts";
import type { Flight } from "./flight.ts";
import { type Call, Flights } from "./flights.ts";
import { isInactive } from "./is_inactive.ts";

/** What can be asked of a controller without changing anything: its store, and the requests in flight. */
export abstract class ControllerReads {
  /** The store itself, for adapters: signals, server rendering, devtools. */
  readonly store: Store;
  /** For parts: the requests in flight. */
  readonly flights: Flights = new Flights();

  constructor(strict: boolean, defaults: EndpointDefaults | undefined) {
    this.store = new Store(strict, defaults);
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
    const isInFlight = this.flights.find(view as unknown as Call) !== undefined;
    return { ...state, fetchedAt: arrivedAt(view), error, isInFlight };
  }

  /**
   * For hooks: the read in flight for a key, whoever started it.
   *
   * @param endpoint What is read.
   * @param key Its key.
   */
  findRead(endpoint: AnyEndpoint, key: string): Flight | undefined {
    return this.flights.find({ endpoint, key });
  }

  /**
   * For parts: whether a read of a key is in flight.
   *
   * @param key Which key.
   */
  isReading(key: string): boolean {
    return this.flights.isReading(key);
  }

  #viewOf(given: AnyReadable, givenArgs: readonly unknown[]): ResponseView {
    const { endpoint, args, key } = this.store.callOf(given, givenArgs);
    return this.store.response(endpoint, args, key);
  }
}
