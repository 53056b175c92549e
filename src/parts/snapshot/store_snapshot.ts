import { clock } from "../../deps/clock.ts";
import type { AnyReadable } from "../../endpoint/interface.ts";
import type { NamedSchema } from "../../endpoint/readable.ts";
import type { DenormalizeNullable, NullableArgs, Queryable, SchemaArgs } from "../../schemas/infer.ts";
import type { AnySchema } from "../../schemas/interface.ts";
import { errorOf, statusOf } from "../../store/freshness.ts";
import { Moment } from "./moment.ts";
import { inactiveData, type ResponseView } from "../../store/response_view.ts";
import type { Store } from "../../store/store.ts";
import type { ResponseState } from "../../controller/controller_types.ts";
import { isInactive } from "../../controller/is_inactive.ts";

/**
 * Reads at one moment: what was shown when it was taken, what pending mutations show included, whatever happens
 * afterwards. The objects are its own: equal to those that the controller gave then, and the same ones for the same
 * question, but not identical to them.
 *
 * To take one costs nothing. Once the store changes, and as long as the snapshot is held, it keeps the records of that
 * moment.
 */
export class StoreSnapshot {
  readonly #store: Store;
  readonly #moment: Moment;

  /** @param store Of which store. */
  constructor(store: Store) {
    this.#store = store;
    this.#moment = Moment.of(store);
  }

  /**
   * The value that a schema and arguments named.
   *
   * @param schema An entity, a Query, an All …
   * @param args What names it; `null`: nothing.
   * @returns The value, `undefined` when it was not there.
   */
  get<S extends Queryable, G = S>(
    schema: NamedSchema<S, G>,
    ...args: NullableArgs<SchemaArgs<S>>
  ): DenormalizeNullable<S>;
  get(schema: AnySchema, ...args: readonly unknown[]): unknown {
    const { graph } = this.#moment;
    return graph.query(schema, args).read(graph);
  }

  /**
   * What a read of an endpoint (or a Query) gave.
   *
   * @param endpoint Which one.
   * @param args Its arguments; `null`: inactive.
   * @returns Data, until when it is fresh, and the status that follows from it now.
   */
  getResponse<E extends AnyReadable>(
    endpoint: E,
    ...args: NullableArgs<E["~types"]["args"]>
  ): ResponseState<E["~types"]["nullable"]> {
    if (isInactive(args)) return { data: inactiveData(endpoint), expiryStatus: 3, expiresAt: Infinity };
    const view = this.#view(endpoint, args);
    const answer = view.read(this.#moment.graph);
    const expiresAt = view.expiresAt();
    const expiryStatus = statusOf(answer, endpoint, this.#store.defaults, clock.now() >= expiresAt);
    return { data: answer.data, expiryStatus, expiresAt };
  }

  /**
   * The error that a reader of an endpoint saw.
   *
   * @param endpoint Which one.
   * @param args Its arguments; `null`: inactive.
   * @returns The error, or `undefined`.
   */
  getError<E extends AnyReadable>(endpoint: E, ...args: NullableArgs<E["~types"]["args"]>): unknown {
    if (isInactive(args)) return undefined;
    const view = this.#view(endpoint, args);
    return errorOf(view.read(this.#moment.graph), view);
  }

  #view(given: AnyReadable, givenArgs: readonly unknown[]): ResponseView {
    const { endpoint, args, key } = this.#store.callOf(given, givenArgs);
    return this.#moment.response(endpoint, args, key);
  }
}
