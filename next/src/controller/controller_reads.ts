import type { NamedSchema } from "../endpoint/accepted_types.ts";
import type { AnyReadable, Policy } from "../endpoint/endpoint_types.ts";
import type { Args, Value } from "../plain/value.ts";
import type { DenormalizeNullable, NullableArgs, Queryable, SchemaArgs } from "../store/infer.ts";
import { now, Store } from "../store/store.ts";
import { ExpiryStatus, type ResponseState } from "./controller_types.ts";
import type { Part } from "./part.ts";

/** What a controller shows; nothing here asks a server. */
export abstract class ControllerReads {
  readonly store: Store = new Store();
  /** What it uses, in order. */
  readonly parts: Part[] = [];

  constructor(readonly defaults: Policy) {
    this.store.parts = this.parts;
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
}
