import { Controller } from "../controller/controller.ts";
import type { Flight, Part } from "../controller/part.ts";
import type { AnyEndpoint, RunEndpoint } from "../endpoint/endpoint_types.ts";
import { NetworkError, TimeoutError, UsageError } from "../errors/mod.ts";
import { type State, stateOf } from "../parts/state.ts";
import { argsText } from "../plain/args_text.ts";
import { copyPlain } from "../plain/copy_plain.ts";
import { equal } from "../plain/equal.ts";
import type { Args, Value } from "../plain/value.ts";

/** Options of {@linkcode fixtures}. */
export interface FixturesOptions<S> {
  /** Makes the `this` of interceptors. It runs once for each controller, so each test gets its own. */
  readonly state?: (() => S) | undefined;
  /**
   * Whether calls without a fixture go to the network. Otherwise they fail with an error that names the missing
   * fixture.
   */
  readonly passThrough?: boolean | undefined;
}

/** One call that fixtures have received. */
export interface FixtureCall {
  readonly endpoint: RunEndpoint;
  /** The arguments, with the server's pks in the place of temporary ids. */
  readonly args: Args;
  /** What `endpoint.key(...args)` gives: `GET https://api.example.com/articles/5`. */
  readonly key: string;
  /** How the call has ended, or `"open"`. */
  readonly state: "open" | "answered" | "failed" | "aborted";
}

/** A part that answers the calls of a controller in place of a server. */
export interface Fixtures extends Part {
  /** The calls of the controller so far, in order. */
  readonly calls: readonly FixtureCall[];
  /** The last controller that installed these fixtures. */
  readonly controller: Parameters<NonNullable<Part["install"]>>[0] | undefined;
}

/**
 * Answers calls of endpoints, for tests. A call gets the first fixture that has its arguments, else the first fixture
 * of its endpoint without arguments. Only the reply is simulated: parts, optimistic updates, aborts, normalizing,
 * errors and freshness work as in the app.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Controller, Entity, resource } from "@rejoin/data";
 * import { fixtures } from "@rejoin/data/testing";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const ArticleResource = resource({ urlPrefix: "https://api.example.com", path: "/articles/:id", schema: Article });
 *
 * const api = fixtures([
 *   { endpoint: ArticleResource.get, args: [{ id: "5" }], response: { id: "5", title: "Hello" } },
 *   { endpoint: ArticleResource.partialUpdate, response: ({ id }, body) => ({ ...body, id }) },
 *   { endpoint: ArticleResource.getList, error: 503 },
 * ]);
 * const controller = new Controller({ use: [api] });
 * assertEquals((await controller.fetch(ArticleResource.get, { id: "5" })).title, "Hello");
 * await controller.fetch(ArticleResource.partialUpdate, { id: "5" }, { title: "New" });
 * assertEquals(controller.get(Article, { id: "5" })?.title, "New");
 * assertEquals(api.calls.map(({ key }) => key.split(" ")[0]), ["GET", "PATCH"]);
 * ```
 *
 * @param list The fixtures: which call gets which response.
 * @param options The state of interceptors, and whether other calls go to the network.
 * @returns A part, for `MockResolver`, `renderDataHook` or `new Controller({ use: [api] })`.
 */
export function fixtures<const E extends readonly AnyEndpoint[], S = undefined>(
  list: FixtureList<E, S>,
  { state, passThrough = false }: FixturesOptions<S> = {},
): Fixtures {
  const all = [...list as unknown as readonly Fixture[]]; // each fixture is typed by its own endpoint
  let calls: Writable<FixtureCall>[] = [], controller: Fixtures["controller"], self: S | undefined;
  const reply = async ({ endpoint, args, abort: { signal } }: Flight, send: () => Promise<Value>): Promise<Value> => {
    const key = endpoint.key(...args), call: Writable<FixtureCall> = { endpoint, args, key, state: "open" };
    calls.push(call);
    // The controller rejects an aborted call at once, without waiting for this function.
    signal.addEventListener("abort", () => call.state === "open" && (call.state = "aborted"));
    try {
      const fixture = all.find((one) => isFor(one, call)) ??
        all.find((one) => !one.args && one.endpoint.testKey(key));
      const value = fixture ? await answer(fixture, call, self) : passThrough ? await send() : undefined;
      if (!fixture && !passThrough) throw missing(all, call);
      if (call.state === "open") call.state = "answered";
      return value;
    } catch (error) {
      if (call.state === "open") call.state = "failed";
      throw error;
    }
  };
  return {
    get calls() {
      return calls;
    },
    get controller() {
      return controller;
    },
    install(host) {
      controller = host;
      calls = [];
      self = state?.();
    },
    // A fixture replaces `fetch` of the call, so that it answers only after all parts have seen the request.
    start(flight) {
      const { call } = flight, send = call.fetch;
      call.fetch = (...args: Args) => reply(flight, () => send.apply(call, args));
    },
  };
}
type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Whether a fixture has exactly the arguments of this call. Bodies are compared because the key of a mutation has none.
 */
function isFor({ args, endpoint: own }: Fixture, { endpoint, args: called, key }: FixtureCall): boolean {
  if (!args || !own.testKey(key) || endpoint.key(...args) !== key) return false;
  const bodyOf = (args: Args): Value => endpoint.readArgs ? endpoint.readArgs(args).body : args;
  return !endpoint.sideEffect || equal(bodyOf(args), bodyOf(called));
}

async function answer(fixture: Fixture, { endpoint, args, key }: FixtureCall, self: unknown): Promise<Value> {
  const { response, delay = 0 } = fixture, { deadline = 3e4 } = endpoint, [method, url] = key.split(" ");
  // As on a server, the response is made at once and only arrives later.
  const outcome = (async () => {
    if (Object.hasOwn(fixture, "error")) {
      const { error } = fixture;
      throw typeof error == "number"
        ? Object.assign(new NetworkError(602, [method, url, error]), { status: error })
        : error;
    }
    const given: Value = response;
    // Each caller gets its own copy, because the app may change what it gets.
    return copyPlain(await (typeof given == "function" ? given.apply(self, args) : given));
  })();
  outcome.catch(() => {});
  if (delay) await new Promise((go) => setTimeout(go, Math.min(delay, deadline, 2e9)));
  if (delay > deadline) throw new TimeoutError(603, [method, url, deadline]);
  return await outcome;
}

function missing(all: readonly Fixture[], { args, key }: FixtureCall): UsageError {
  const others = all.filter(({ args, endpoint }) => args && endpoint.testKey(key)).map(({ args }) => argsText(args));
  return new UsageError(1103, [key, argsText(args), others.join(", ")]);
}

/**
 * The state of a store that has the responses of these calls. Pass it to `hydrate` when a test should not wait.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Controller, Entity, hydrate, resource } from "@rejoin/data";
 * import { mockInitialState } from "@rejoin/data/testing";
 *
 * class Article extends Entity {
 *   id = "";
 *   title = "";
 *   static key = "Article";
 * }
 * const { getList } = resource({ urlPrefix: "https://api.example.com", path: "/articles/:id", schema: Article });
 *
 * const state = mockInitialState([{ endpoint: getList, args: [], response: [{ id: "5", title: "Hello" }] }]);
 * const controller = new Controller({ use: [hydrate(state)] });
 * assertEquals(controller.get(Article, { id: "5" })?.title, "Hello");
 * ```
 *
 * @param list The fixtures: which call had which response.
 * @returns The state, as `stateOf` gives it.
 * @throws {UsageError} If a fixture has no `args`, or no `response`, or a function as `response`.
 */
export function mockInitialState<const E extends readonly AnyEndpoint[]>(list: FixtureList<E, undefined>): State {
  const controller = new Controller();
  for (const { endpoint, args, response } of list as unknown as readonly Fixture[]) { // each fixture is typed by its own endpoint
    if (!args || response === undefined || typeof response == "function") throw new UsageError(1104, [endpoint.name]);
    controller.setResponse(endpoint, ...args, response as never); // it is typed by its endpoint
  }
  return stateOf(controller);
}

/**
 * A value as a server may send it for data of type `T`: a date also as text, a nested entity also as its members or its
 * pk. Members may be left out or `null`, and an entity may have members that its class does not declare.
 */
export type ServerValue<T> = unknown extends T ? Anything
  : T extends Date ? Date | string | number
  : T extends { pk(...args: never): unknown }
    ? T | string | number | ServerMembers<T> & { readonly [other: string]: unknown }
  : T extends readonly (infer I)[] ? readonly ServerValue<I>[]
  : T extends object ? HasMethods<T> extends true ? Anything : ServerMembers<T>
  : T;

/** Any value, as `unknown`, but TypeScript still infers the parameters of a function in the same union. */
type Anything = object | string | number | boolean | bigint | null | undefined;

/** True for a class of the app with methods. Only the app's serializer knows what the server sends for it. */
type HasMethods<T> = true extends { [K in keyof T]: T[K] extends (...args: never) => unknown ? true : never }[keyof T]
  ? true
  : false;

type MethodsOf<T> = { [K in keyof T]: T[K] extends (...args: never) => unknown ? K : never }[keyof T];
type ServerMembers<T> = {
  readonly [K in Exclude<keyof T, MethodsOf<T>>]?:
    // An `id` may be of any type that the path of a call takes.
    | ServerValue<K extends "id" ? string | number | bigint | boolean : T[K]>
    | null
    | undefined;
};

/** The response for an endpoint: what its `process` returns. A mutation may also have an empty response. */
export type FixtureResponse<E extends AnyEndpoint> =
  | ServerValue<E["~types"]["data"]>
  | (E["sideEffect"] extends true ? null | undefined : never);

/** The response for calls of one endpoint. Without `args`, for all of them. */
export interface Fixture<E extends AnyEndpoint = AnyEndpoint, S = unknown> {
  /** The endpoint. Copies that `extend` made with the same key are answered, too. */
  readonly endpoint: E;
  /** The arguments of the call, including the body. */
  readonly args?: E["~types"]["args"] | undefined;
  /**
   * The response before it is normalized, as `controller.setResponse` takes it; or an *interceptor*, a function of the
   * arguments that returns the response or throws. Its `this` is the state from the options of `fixtures`.
   */
  readonly response?:
    | FixtureResponse<E>
    | ((this: S, ...args: E["~types"]["args"]) => FixtureResponse<E> | Promise<FixtureResponse<E>>)
    | undefined;
  /** The error with which the call fails. A number is a status and makes a `NetworkError`. */
  readonly error?: unknown;
  /** How long the response takes, in ms. With `Infinity` it never comes. */
  readonly delay?: number | undefined;
}

/** Fixtures of several endpoints, each typed by its own endpoint. */
export type FixtureList<E extends readonly AnyEndpoint[], S = unknown> = {
  readonly [I in keyof E]: Fixture<E[I], S>;
};
