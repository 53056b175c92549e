import type { Args, Invalid, Value } from "../plain/value.ts";
import type {
  Denormalize,
  DenormalizeNullable,
  NullableArgs,
  Queryable,
  SchemaArgs,
  SchemaInput,
} from "../store/infer.ts";

/**
 * The types of endpoints, and of the options that they take.
 *
 * @module
 */

/** `"soft"`: if there are old data, readers show them and not the error. `"hard"`: readers show the error. */
export type ErrorPolicy = "soft" | "hard";

/** How long data and errors are fresh, which errors are shown, and how long and how often a request is tried. */
export interface Policy {
  /** How long data are fresh, in ms; 60,000 by default. With `Infinity`, time alone never makes them stale. */
  readonly dataExpiryLength?: number | undefined;
  /** How long readers do not repeat a failed call, in ms; 1,000 by default. */
  readonly errorExpiryLength?: number | undefined;
  /** Whether old data stay shown in place of an error (`"soft"`), or the error is shown (anything else). */
  errorPolicy?(error: unknown): ErrorPolicy | undefined;
  /** The time that a call of a `RestEndpoint` may take, in ms, with all attempts and the body; 30,000 by default. */
  readonly deadline?: number | undefined;
  /** How often a `RestEndpoint` sends a failed read again, at most; 2 by default, `false` for never. */
  readonly retry?: number | false | undefined;
}

/** What `getOptimisticResponse` can read: the store, with the changes of mutations that are still in flight. */
export interface Snapshot {
  /** Reads by schema, like `controller.get`. */
  get<S extends Queryable>(schema: S, ...args: NullableArgs<SchemaArgs<S>>): DenormalizeNullable<S>;
  /** Reads the data of a call, like `controller.getResponse`. */
  getResponse<E extends AnyReadable>(
    endpoint: E,
    ...args: NullableArgs<E["~types"]["args"]>
  ): { readonly data: E["~types"]["nullable"] };
  /** The time when the mutation started, in ms since 1970. */
  readonly fetchedAt: number;
  /** Throw it (`throw snapshot.abort`) to show nothing before the server answers. */
  readonly abort: Error;
}

/** The calls that become stale: those of an endpoint, or all whose key passes a test. */
export interface Expiring {
  /** Whether the call with this key becomes stale. */
  testKey(key: string): boolean;
}

/** Which mutations are sent one after another: see `serial`. */
export interface Scope {
  /** Makes the part that holds them back. */
  readonly part: () => object;
}

/** Options for the replies `R` of calls with arguments `A`. In each function `this` is the endpoint. */
export interface AnswerOptions<A extends Args = Value, R = Value> extends Policy {
  /** `true` hides stale data: readers wait for new ones. */
  readonly invalidIfStale?: boolean | undefined;
  /** The time between two requests of `useLive` and `controller.subscribe`, in ms. */
  readonly pollFrequency?: number | undefined;
  /** Aborts the calls of this endpoint. */
  readonly signal?: AbortSignal | undefined;
  /** Returns what a mutation shows before the server answers, in the form of the server's reply. It must be pure. */
  getOptimisticResponse?(this: AnyEndpoint, snapshot: Snapshot, ...args: A): unknown;
  /** Returns the endpoints whose data a mutation makes stale. Where they are mounted, they are fetched again. */
  expires?(this: AnyEndpoint, args: A, reply: R): readonly Expiring[];
  /** Which mutations are sent one after another: `serial("record")`. */
  readonly scope?: Scope | undefined;
  /** A value of the app's own. The library does not use it. */
  readonly extra?: unknown;
}

/** Options of all endpoints. */
export interface CommonOptions<A extends Args = Value, R = Value> extends AnswerOptions<A, R> {
  /** The name of the endpoint in messages, and in the keys of an `Endpoint`. */
  readonly name?: string | undefined;
  /** Returns the key of a call in the store. Calls with equal keys share one request and its data. */
  key?(this: AnyEndpoint, ...args: A): string;
  /** Returns whether a key is that of a call of this endpoint, with any arguments. */
  testKey?(this: AnyEndpoint, key: string): boolean;
}

/** Options of `new Endpoint(fetch, options)`. */
export interface EndpointOptions<
  S = SchemaInput | undefined,
  E = boolean | undefined,
  A extends Args = Value,
  R = Value,
> extends CommonOptions<A, R> {
  /** Where entities are in the reply: `Article`, `[Article]`, `{ results: [Article] }` … */
  readonly schema?: S;
  /** `true` for a mutation: each call sends a request of its own, and no hook reads it. */
  readonly sideEffect?: E;
}

/** Options of `endpoint.extend(options)`. */
export interface EndpointExtendOptions<A extends Args = Value, R = Value>
  extends EndpointOptions<SchemaInput | undefined, boolean | undefined, A, R> {
  /** Replaces the function that fetches. */
  fetch?(this: Value, ...args: Value): Promise<unknown>;
}

/** The types of an endpoint, in a member for the type checker alone: it never has a value. */
export interface EndpointTypes<A extends Args = Value, D = Value, N = Value> {
  /** The arguments of a call. */
  readonly args: A;
  /** The data when the store has them. */
  readonly data: D;
  /** The data when some or all of them may be missing. */
  readonly nullable: N;
}

/** An endpoint, or a `Query`. */
export interface AnyReadable {
  readonly "~types": EndpointTypes;
  /** The key of a call in the store. */
  key(...args: Value): string;
}

/** Any endpoint. */
export interface AnyEndpoint extends AnyReadable {
  (...args: Value): Promise<Value>;
  readonly name: string;
  readonly schema: Value;
  readonly sideEffect: Value;
  testKey(key: string): boolean;
}

/** An endpoint without side effect, which hooks can read. */
export interface ReadEndpoint extends AnyEndpoint {
  readonly sideEffect: false | undefined;
}

/** The members of all endpoints: arguments `A`, reply `R`, schema `S`, side effect `E`. */
export interface EndpointMembers<A extends Args, R, S, E> extends AnswerOptions {
  /** Fetches, and stores nothing: that is what `controller.fetch(endpoint, ...args)` does. */
  (...args: A): Promise<R>;
  readonly "~types": EndpointTypes<A, DataOf<R, S>, NullableOf<R, S>>;
  /** The name of the endpoint in messages. */
  readonly name: string;
  /** Where entities are in the reply. */
  readonly schema: S;
  /** `true` for a mutation. */
  readonly sideEffect: E;
  /** The function that fetches. */
  fetch(...args: A): Promise<R>;
  /** The key of a call in the store. Calls with equal keys share one request and its data. */
  key(...args: A): string;
  /** Whether a key is that of a call of this endpoint, with any arguments. */
  testKey(key: string): boolean;
}

/** What `new Endpoint(…)` gives: a function with arguments `A`, reply `R`, schema `S`, side effect `E`. */
export interface EndpointInstance<A extends Args = Value, R = Value, S = undefined, E = undefined>
  extends EndpointMembers<A, R, S, E> {
  /**
   * A new endpoint with some options replaced. Members that a class or the options added are kept.
   *
   * @param options The options to replace or add.
   * @returns An endpoint of the same class.
   */
  extend<X extends object>(
    options: Readonly<X> & EndpointExtendOptions<FetchArgs<X, A>, FetchResult<X, R>> & CheckOwn<X>,
  ):
    & EndpointInstance<FetchArgs<X, A>, FetchResult<X, R>, Get<X, "schema", S>, Get<X, "sideEffect", E>>
    & Omit<OwnMembers<this>, keyof X>
    & { readonly [K in OwnOptions<X>]: X[K] };
}
type OwnMembers<T> = { [K in Exclude<keyof T, keyof EndpointInstance>]: T[K] };

/** The type of the class `Endpoint`: `new Endpoint(fetch, options)`. */
export interface EndpointConstructor {
  new <
    A extends readonly unknown[] = Value,
    R = Value,
    S extends SchemaInput | undefined = undefined,
    E extends boolean | undefined = undefined,
    X extends object = object,
  >(
    fetch: (this: Value, ...args: A) => Promise<R>,
    options?: EndpointOptions<S, E, A, R> & X & CheckOwn<X>,
  ): EndpointInstance<A, R, S, E> & { readonly [K in OwnOptions<X>]: X[K] };
  readonly prototype: EndpointInstance;
}

/** `O[K]`, or `Default` when `O` has no member `K`. */
export type Get<O, K extends PropertyKey, Default> = K extends keyof O ? O[K] : Default;
/** The data of a read: denormalized by the schema `S`; without a schema, the reply `R` itself. */
export type DataOf<R, S> = 0 extends 1 & S ? Value : [S] extends [undefined] ? R : Denormalize<S>;
/** The data of a read when some or all of them may be missing. */
export type NullableOf<R, S> = 0 extends 1 & S ? Value
  : [S] extends [undefined] ? R | undefined
  : DenormalizeNullable<S>;
/** The arguments after `extend(X)`: those of the new `fetch`, if there is one. */
export type FetchArgs<X, A extends Args> = X extends { fetch(this: Value, ...args: infer N): Value } ? N : A;
/** The reply after `extend(X)`: that of the new `fetch`, if there is one. */
export type FetchResult<X, R> = X extends { fetch(this: Value, ...args: Value): Promise<infer N> } ? N : R;

/** The members that an app added to the options. */
export type OwnOptions<X> = Exclude<keyof X, keyof EndpointExtendOptions>;
/** Refuses an added member that would hide a member of every endpoint, or that looks like a misspelt option. */
export type CheckOwn<X> = 0 extends 1 & X ? unknown : {
  readonly [K in OwnOptions<X>]: K extends "extend" | "bind" | "~types" ? Invalid<`${K} is what every Endpoint has`>
    : [Meant<K>] extends [never] ? unknown
    : Invalid<`${K & string} is not an option of Endpoint: ${Meant<K>} is`>;
};
// The option that a name looks like: it has the same letters in any order or case, or begins with the name.
type Meant<K> = {
  [N in keyof EndpointExtendOptions]-?: N extends `${K & string}${string}` ? N
    : [Letters<Lowercase<K & string>>, Letters<Lowercase<N>>] extends [
      Letters<Lowercase<N>>,
      Letters<Lowercase<K & string>>,
    ] ? N
    : never;
}[keyof EndpointExtendOptions];
type Letters<K> = K extends `${infer C}${infer U}` ? C | Letters<U> : never;

/** What the store writes for the reply of a mutation. */
export interface Reply {
  /** The value to normalize; `undefined` writes nothing. */
  readonly value: Value;
  /** The members that the mutation sent. Those that the value lacks are written, too. */
  readonly sent?: Value;
  /** `true` marks the record stale, because the reply did not have it. */
  readonly isStale?: boolean;
}

/** An endpoint as the controller, parts and hooks use it at run time. Apps see it as an `EndpointInstance`. */
export interface RunEndpoint extends AnyEndpoint, AnswerOptions {
  fetch(...args: Args): Promise<Value>;
  extend(options: object): RunEndpoint;
  /** What to write for the reply of a mutation; `subject` is the pk of its record. */
  readReply?(reply: Value, args: Args, subject: string | undefined): Reply;
  /** The pk of the record that a mutation changes, as far as it is known. */
  subject?(args: Args, store: Value): string | undefined;
  /** Whether the arguments are one record's pk and nothing else, so that a stored record may answer the call. */
  namesRecord?(args: Args): boolean;
  /** Splits the arguments into parameters and body. */
  readArgs?(args: Args): { readonly params: Value; readonly body?: Value };
  /** The endpoint of the list that the pages of this endpoint continue. */
  readonly list?: RunEndpoint;
  /** The arguments of the list that a page with these arguments continues. */
  listArgs?(...args: Args): Args;
  /** Makes the part that the endpoint needs: `controller.use(endpoint.part)`. */
  readonly part?: (() => object) | undefined;
}
