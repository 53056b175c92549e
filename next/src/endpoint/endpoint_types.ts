import type { Denormalize, DenormalizeNullable } from "../store/infer.ts";

/** How long answers are fresh, and which errors leave them shown. */
export interface Policy {
  /** ms; 60,000 by default. */
  readonly dataExpiryLength?: number | undefined;
  /** ms; 1,000 by default. */
  readonly errorExpiryLength?: number | undefined;
  /** "soft": data that there are stay shown. */
  readonly errorPolicy?: ((error: any) => "soft" | "hard" | undefined) | undefined;
  /** ms for a request with all its attempts and its body; 30,000 by default. */
  readonly deadline?: number | undefined;
  /** How often a read is tried again at most; 2 by default. */
  readonly retry?: number | undefined;
}

/** Options of every endpoint. In each function `this` is the endpoint. */
export interface EndpointOptions extends Policy {
  readonly name?: string;
  readonly schema?: any;
  /** A mutation: never joined, never read by a hook. */
  readonly sideEffect?: boolean | undefined;
  key?(this: any, ...args: any[]): string;
  testKey?(this: any, key: string): boolean;
  /** Stale data are not shown. */
  readonly invalidIfStale?: boolean | undefined;
  /** ms between two requests of `useLive`. */
  readonly pollFrequency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What to show before the server answers. */
  getOptimisticResponse?(this: any, snapshot: any, ...args: any[]): any;
  /** After a mutation: the endpoints whose answers are to be fetched again. `result` is undefined where nothing was written. */
  expires?(this: any, args: any[], result: any): readonly { testKey(key: string): boolean }[];
  readonly extra?: unknown;
}

/** What an endpoint says to the type checker; never assigned. */
export interface EndpointTypes<A extends readonly any[] = any, D = any, N = any> {
  readonly args: A;
  readonly data: D;
  readonly nullable: N;
}
export interface AnyEndpoint {
  (...args: any[]): Promise<any>;
  readonly "~types": EndpointTypes;
  readonly schema: any;
  readonly sideEffect: any;
  key(...args: any): string;
  testKey(key: string): boolean;
}

/** What a reader gets: what the schema says, or the answer itself. */
export type DataOf<R, S> = 0 extends 1 & S ? any : [S] extends [undefined] ? R : Denormalize<S>;
export type NullableOf<R, S> = 0 extends 1 & S ? any : [S] extends [undefined] ? R | undefined : DenormalizeNullable<S>;
export type OptionOf<X, K extends PropertyKey, Default> = K extends keyof X ? X[K] : Default;
export type FetchArgs<X, A> = X extends { fetch(this: any, ...args: infer N): any } ? N : A;
export type FetchResult<X, R> = X extends { fetch(this: any, ...args: any): Promise<infer N> } ? N : R;

/** What to write for the reply of a mutation. */
export interface Reply {
  /** `undefined`: nothing. */
  readonly value: any;
  /** The members that were sent. Those that the value lacks are written, too. */
  readonly sent?: any;
}
