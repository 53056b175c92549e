import type { Denormalize, DenormalizeNullable } from "../schemas/infer.ts";
import type { Invalid } from "../schemas/invalid.ts";
import type { Schema } from "../schemas/interface.ts";
import type { AnswerPolicy, AnyEndpoint, EndpointTypes } from "./interface.ts";

export type { Invalid };

/** `O[K]`, or `Default` when `O` has no member `K`. */
export type Get<O, K extends PropertyKey, Default> = K extends keyof O ? O[K] : Default;

/** Refuses members that are no options: a typo is otherwise one more member of an inferred type. */
export type KnownOptions<O, Names extends PropertyKey, What extends string> = 0 extends 1 & O ? unknown : {
  readonly [K in Exclude<keyof O, Names>]: Invalid<`${K & string} is not an option of ${What}`>;
};

/** Members of one's own among the options of an Endpoint. */
export type OwnOptions<X> = Exclude<keyof X, keyof EndpointExtendOptions>;

/** An endpoint `T` with the app's own members of the options `X`. */
export type WithOwn<T, X> = [OwnOptions<X>] extends [never] ? T : T & { readonly [K in OwnOptions<X>]: X[K] };

/** Refuses members of one's own that would hide one of the class, and those that look like an option misspelt. */
export type CheckOwn<X> = 0 extends 1 & X ? unknown : {
  readonly [K in OwnOptions<X>]: K extends "bind" | "extend" | "settle" | "~types" | "~options"
    ? Invalid<`${K} is what every Endpoint has`>
    : [Meant<K>] extends [never] ? unknown
    : Invalid<`${K & string} is not an option of Endpoint: ${Meant<K>} is`>;
};

/** The option that a name may be meant to be: it differs in case or order of letters, or has more words. */
type Meant<K> = {
  [N in keyof EndpointExtendOptions]-?: Lowercase<K & string> extends Lowercase<N> ? N
    : K extends Lowercase<K & string> ? SameLetters<K, N>
    : N extends `${K & string}${string}` ? N
    : SameLetters<K, N>;
}[keyof EndpointExtendOptions];
type SameLetters<K, N> = [Letters<K>] extends [Letters<N>] ? [Letters<N>] extends [Letters<K>] ? N : never : never;
type Letters<K> = K extends `${infer C}${infer U}` ? C | Letters<U> : never;

/** What an endpoint with arguments `A`, answer `R` and schema `S` tells the type checker. */
export interface TypesOf<A extends readonly unknown[], R, S> extends EndpointTypes {
  readonly args: A;
  readonly result: R;
  readonly data: DataOf<R, S>;
  readonly nullable: NullableOf<R, S>;
}

/** What a reader gets: what the schema says, or the answer itself when there is no schema. */
// deno-lint-ignore no-explicit-any -- the guard for any gives any
export type DataOf<R, S> = 0 extends 1 & S ? any : [S] extends [undefined] ? R : Denormalize<S>;

/** What a reader gets while something may be missing. */
// deno-lint-ignore no-explicit-any -- the guard for any gives any
export type NullableOf<R, S> = 0 extends 1 & S ? any : [S] extends [undefined] ? R | undefined : DenormalizeNullable<S>;

/** What an endpoint may say of its answers, and carry along. */
export interface PolicyMembers extends AnswerPolicy {
  /** Aborts the calls of this endpoint. */
  readonly signal?: AbortSignal | undefined;
  /** Whatever the app or a manager wants to find on the endpoint. */
  readonly extra?: unknown;
}

/** Members that may be left out, or be `undefined`, which is the same: what a helper may or may not have. */
export type OrUndefined<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** What every kind of endpoint may be given; in each function `this` is the endpoint. */
export interface BaseEndpointMembers extends PolicyMembers {
  /** Names the endpoint in messages, and in the keys of an `Endpoint`. */
  readonly name: string;
  /** Replaces the method `key`. */
  // deno-lint-ignore no-explicit-any -- each endpoint has arguments of its own
  key(this: AnyEndpoint, ...args: any): string;
  /** Replaces the method `testKey`. */
  testKey(this: AnyEndpoint, key: string): boolean;
}

/** Options that every kind of endpoint has. */
export interface BaseEndpointOptions extends OrUndefined<BaseEndpointMembers> {}

/** Options of `new Endpoint(fn, options)`. */
export interface EndpointOptions<
  S extends Schema | undefined = Schema | undefined,
  E extends boolean | undefined = boolean | undefined,
> extends BaseEndpointOptions {
  /** Where entities are in the answer. */
  readonly schema?: S;
  /** `true`: a mutation. Never deduplicated, never read by a hook, stores no entry. */
  readonly sideEffect?: E;
}

/** Options of `endpoint.extend(options)`. */
export interface EndpointExtendOptions extends EndpointOptions {
  /** Replaces the function. `this` is the endpoint. */
  // deno-lint-ignore no-explicit-any -- a function of any shape may take its place
  readonly fetch?: ((this: any, ...args: any) => Promise<unknown>) | undefined;
}

/** Arguments after an `extend`: those of the new function, if there is one. */
// deno-lint-ignore no-explicit-any -- matches a function of any shape
export type FetchArgs<P, A> = P extends { fetch(this: any, ...args: infer N): any } ? N : A;

/** The answer after an `extend`: that of the new function, if there is one. */
// deno-lint-ignore no-explicit-any -- matches a function of any shape
export type FetchResult<P, R> = P extends { fetch(this: any, ...args: any): Promise<infer N> } ? N : R;

/** `A` without as many members at its start as `B` has. */
export type Drop<A extends readonly unknown[], B extends readonly unknown[]> = B extends readonly [unknown, ...infer Bs]
  ? A extends readonly [unknown?, ...infer As] ? Drop<As, Bs> : []
  : A;
