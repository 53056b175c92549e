import type { AnyEndpoint } from "../endpoint/endpoint_types.ts";

/**
 * A value as a server may send it, for data of type `T`: a date also as text, a nested entity also as its members or its
 * pk, members left out, `null`, and members of entities that their class does not declare.
 */
export type ServerValue<T> = unknown extends T ? Anything
  : T extends Date ? Date | string | number
  : T extends { pk(...args: never): unknown }
    ? T | string | number | ServerMembers<T> & { readonly [other: string]: unknown }
  : T extends readonly (infer I)[] ? readonly ServerValue<I>[]
  : T extends object ? HasMethods<T> extends true ? Anything : ServerMembers<T>
  : T;

/** As `unknown`; but the parameters of a function that stands beside it are inferred. */
type Anything = object | string | number | boolean | bigint | null | undefined;

/** A class of the app: what the server sends in its place, only its serializer knows. */
type HasMethods<T> = true extends { [K in keyof T]: T[K] extends (...args: never) => unknown ? true : never }[keyof T]
  ? true
  : false;

type MethodsOf<T> = { [K in keyof T]: T[K] extends (...args: never) => unknown ? K : never }[keyof T];
type ServerMembers<T> = {
  readonly [K in Exclude<keyof T, MethodsOf<T>>]?:
    // What the path of a call has is as good.
    | ServerValue<K extends "id" ? string | number | bigint | boolean : T[K]>
    | null
    | undefined;
};

/** What an endpoint may be answered with: what its `process` gives; a mutation also with nothing. */
export type FixtureResponse<E extends AnyEndpoint> =
  | ServerValue<E["~types"]["data"]>
  | (E["sideEffect"] extends true ? null | undefined : never);

/** How calls of one endpoint are answered. Without `args`: all of them. */
export interface Fixture<E extends AnyEndpoint = AnyEndpoint, S = unknown> {
  /** Which endpoint. One that was extended has the same key, and is answered, too. */
  readonly endpoint: E;
  /** Which call: exactly this one, the body included. */
  readonly args?: E["~types"]["args"] | undefined;
  /**
   * What the call brings before it is normalized: what `controller.setResponse` takes. Or an *interceptor*, a function of
   * the arguments that makes it, or throws; `this` is the state that `fixtures` was given.
   */
  readonly response?:
    | FixtureResponse<E>
    | ((this: S, ...args: E["~types"]["args"]) => FixtureResponse<E> | Promise<FixtureResponse<E>>)
    | undefined;
  /** What the call fails with. A number is a status: a `NetworkError` that has it. */
  readonly error?: unknown;
  /** How long the answer is on its way, in ms; `Infinity`: it never comes. */
  readonly delay?: number | undefined;
}

/** Fixtures of several endpoints, each with the arguments and the answers of its own. */
export type FixtureList<E extends readonly AnyEndpoint[], S = unknown> = {
  readonly [I in keyof E]: Fixture<E[I], S>;
};
