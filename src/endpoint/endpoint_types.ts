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
 * What an endpoint says to the type checker, and what it may be told.
 *
 * @module
 */

/** `"soft"`: data that are there stay shown beside the error. `"hard"`: the error is shown. */
export type ErrorPolicy = "soft" | "hard";

/** How long answers are fresh, which errors leave them shown, how long and how often a request is tried. */
export interface Policy {
  /** ms; 60,000 by default. `Infinity`: data are never stale. */
  readonly dataExpiryLength?: number | undefined;
  /** ms; 1,000 by default. */
  readonly errorExpiryLength?: number | undefined;
  /** Whether an error leaves data shown; anything but `"soft"`: it does not. */
  errorPolicy?(error: unknown): ErrorPolicy | undefined;
  /** ms for a request with all its attempts and its body; 30,000 by default. */
  readonly deadline?: number | undefined;
  /** How often a read is tried again at most; 2 by default, `false`: never. */
  readonly retry?: number | false | undefined;
}

/** The store at one moment, layers included: what `getOptimisticResponse` may look at. */
export interface Snapshot {
  /** What a schema and arguments name. */
  get<S extends Queryable>(schema: S, ...args: NullableArgs<SchemaArgs<S>>): DenormalizeNullable<S>;
  /** What a read of an endpoint shows. */
  getResponse<E extends AnyReadable>(
    endpoint: E,
    ...args: NullableArgs<E["~types"]["args"]>
  ): { readonly data: E["~types"]["nullable"] };
  /** When the call started; ms since 1970. */
  readonly fetchedAt: number;
  /** `throw snapshot.abort`: nothing is shown before the server answers. */
  readonly abort: Error;
}

/** Which answers a mutation makes stale: an endpoint's, or those whose keys it tests. */
export interface Expiring {
  testKey(key: string): boolean;
}

/** Which mutations wait for each other: see `serial`. */
export interface Scope {
  /** Makes the part that lets them wait. */
  readonly part: () => object;
}

/** How the answers of calls with `A` are treated, which give `R`. In each function `this` is the endpoint. */
export interface AnswerOptions<A extends Args = Value, R = Value> extends Policy {
  /** Stale data are not shown. */
  readonly invalidIfStale?: boolean | undefined;
  /** ms between two requests of `useLive`. */
  readonly pollFrequency?: number | undefined;
  /** Aborts the calls of this endpoint. */
  readonly signal?: AbortSignal | undefined;
  /** What a mutation shows before the server answers: a reply, as the server would send it. Pure. */
  getOptimisticResponse?(this: AnyEndpoint, snapshot: Snapshot, ...args: A): unknown;
  /** The endpoints whose answers a mutation makes stale: mounted ones are fetched again. */
  expires?(this: AnyEndpoint, args: A, reply: R): readonly Expiring[];
  /** Which mutations wait for each other: `serial("record")`. */
  readonly scope?: Scope | undefined;
  /** Whatever the app wants to find on the endpoint. */
  readonly extra?: unknown;
}

/** Options of all endpoints. */
export interface CommonOptions<A extends Args = Value, R = Value> extends AnswerOptions<A, R> {
  /** Names the endpoint in messages, and in the keys of an `Endpoint`. */
  readonly name?: string | undefined;
  /** Names the answer of a call in the store. */
  key?(this: AnyEndpoint, ...args: A): string;
  /** Whether a key is one of this endpoint. */
  testKey?(this: AnyEndpoint, key: string): boolean;
}

/** Options of `new Endpoint(fetch, options)`. */
export interface EndpointOptions<
  S = SchemaInput | undefined,
  E = boolean | undefined,
  A extends Args = Value,
  R = Value,
> extends CommonOptions<A, R> {
  /** Where entities are in the answer. */
  readonly schema?: S;
  /** `true`: a mutation. Never joined, never read by a hook. */
  readonly sideEffect?: E;
}

/** Options of `endpoint.extend(options)`. */
export interface EndpointExtendOptions<A extends Args = Value, R = Value>
  extends EndpointOptions<SchemaInput | undefined, boolean | undefined, A, R> {
  /** Takes the place of the function. */
  fetch?(this: Value, ...args: Value): Promise<unknown>;
}

/** What an endpoint says to the type checker; never assigned. */
export interface EndpointTypes<A extends Args = Value, D = Value, N = Value> {
  /** The arguments of a call. */
  readonly args: A;
  /** What a reader gets. */
  readonly data: D;
  /** What a reader gets while something may be missing. */
  readonly nullable: N;
}

/** What can be read from the store: an endpoint, or a `Query`. */
export interface AnyReadable {
  readonly "~types": EndpointTypes;
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

/** An endpoint without side effect: what hooks read. */
export interface ReadEndpoint extends AnyEndpoint {
  readonly sideEffect: false | undefined;
}

/** Members of all endpoints with arguments `A`, answer `R`, schema `S`, side effect `E`. */
export interface EndpointMembers<A extends Args, R, S, E> extends AnswerOptions {
  /** Sends a request; nothing is stored: that is what `controller.fetch(endpoint, ...args)` does. */
  (...args: A): Promise<R>;
  readonly "~types": EndpointTypes<A, DataOf<R, S>, NullableOf<R, S>>;
  readonly name: string;
  /** Where entities are in the answer. */
  readonly schema: S;
  /** `true`: a mutation. */
  readonly sideEffect: E;
  /** The function itself. */
  fetch(...args: A): Promise<R>;
  /** Names the answer of a call in the store. */
  key(...args: A): string;
  /** Whether a key is one of this endpoint. */
  testKey(key: string): boolean;
}

/** What `new Endpoint(…)` gives: a function with arguments `A`, answer `R`, schema `S`, side effect `E`. */
export interface EndpointInstance<A extends Args = Value, R = Value, S = undefined, E = undefined>
  extends EndpointMembers<A, R, S, E> {
  /** The same endpoint with other options; members of a class, or among the options, stay. */
  extend<X extends object>(
    options: Readonly<X> & EndpointExtendOptions<FetchArgs<X, A>, FetchResult<X, R>> & CheckOwn<X>,
  ):
    & EndpointInstance<FetchArgs<X, A>, FetchResult<X, R>, Get<X, "schema", S>, Get<X, "sideEffect", E>>
    & Omit<OwnMembers<this>, keyof X>
    & { readonly [K in OwnOptions<X>]: X[K] };
}
type OwnMembers<T> = { [K in Exclude<keyof T, keyof EndpointInstance>]: T[K] };

/** `new Endpoint(fetch, options)`. */
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
/** What a reader gets: what the schema says, or the answer itself. */
export type DataOf<R, S> = 0 extends 1 & S ? Value : [S] extends [undefined] ? R : Denormalize<S>;
/** The same, while something may be missing. */
export type NullableOf<R, S> = 0 extends 1 & S ? Value
  : [S] extends [undefined] ? R | undefined
  : DenormalizeNullable<S>;
/** Arguments and answer after an `extend`: those of the new function, if there is one. */
export type FetchArgs<X, A extends Args> = X extends { fetch(this: Value, ...args: infer N): Value } ? N : A;
/** What the new function gives, after an `extend`. */
export type FetchResult<X, R> = X extends { fetch(this: Value, ...args: Value): Promise<infer N> } ? N : R;

/** Members of an app's own among the options. */
export type OwnOptions<X> = Exclude<keyof X, keyof EndpointExtendOptions>;
/** Refuses those that hide what every endpoint has, or look like an option misspelt. */
export type CheckOwn<X> = 0 extends 1 & X ? unknown : {
  readonly [K in OwnOptions<X>]: K extends "extend" | "bind" | "~types" ? Invalid<`${K} is what every Endpoint has`>
    : [Meant<K>] extends [never] ? unknown
    : Invalid<`${K & string} is not an option of Endpoint: ${Meant<K>} is`>;
};
// It has the letters of an option, in another order or case, or is the beginning of one.
type Meant<K> = {
  [N in keyof EndpointExtendOptions]-?: N extends `${K & string}${string}` ? N
    : [Letters<Lowercase<K & string>>, Letters<Lowercase<N>>] extends [
      Letters<Lowercase<N>>,
      Letters<Lowercase<K & string>>,
    ] ? N
    : never;
}[keyof EndpointExtendOptions];
type Letters<K> = K extends `${infer C}${infer U}` ? C | Letters<U> : never;

/** What to write for the reply of a mutation. */
export interface Reply {
  /** `undefined`: nothing. */
  readonly value: Value;
  /** The members that were sent. Those that the value lacks are written, too. */
  readonly sent?: Value;
  /** The server did not say what the record is now: it is to be asked for again. */
  readonly isStale?: boolean;
}

/** An endpoint at run time: what the controller, parts and hooks ask of it. `EndpointInstance` is its type for apps. */
export interface RunEndpoint extends AnyEndpoint, AnswerOptions {
  fetch(...args: Args): Promise<Value>;
  extend(options: object): RunEndpoint;
  /** What to write for a reply. */
  readReply?(reply: Value, args: Args, subject: string | undefined): Reply;
  /** Of a mutation: the pk of the record that it is about. */
  subject?(args: Args, store: Value): string | undefined;
  /** Whether a call names one record and says nothing else. */
  namesRecord?(args: Args): boolean;
  /** Says which argument is what. */
  readArgs?(args: Args): { readonly params: Value; readonly body?: Value };
  /** Of an endpoint for pages: the endpoint of the list, and the arguments of the list that a page continues. */
  readonly list?: RunEndpoint;
  listArgs?(...args: Args): Args;
  /** The part that it needs: `controller.use(endpoint.part)`. */
  readonly part?: (() => object) | undefined;
}
