import { Controller } from "../controller/controller.ts";
import type { Flight, Part } from "../controller/part.ts";
import type { AnyEndpoint, RunEndpoint } from "../endpoint/endpoint_types.ts";
import { NetworkError, TimeoutError, UsageError } from "../errors/mod.ts";
import { type State, stateOf } from "../parts/state.ts";
import { copyPlain } from "../plain/copy_plain.ts";
import { equal } from "../plain/equal.ts";
import type { Args, Value } from "../plain/value.ts";

/** How {@linkcode fixtures} answer. */
export interface FixturesOptions<S> {
  /** Makes what is `this` in interceptors: anew for each controller, and so for each test. */
  readonly state?: (() => S) | undefined;
  /** What no fixture is for is sent to the network. Otherwise it fails, and says which fixture is missing. */
  readonly passThrough?: boolean | undefined;
}

/** One call that fixtures were asked for. */
export interface FixtureCall {
  readonly endpoint: RunEndpoint;
  /** What it was called with, with the server's pks in the place of temporary ids. */
  readonly args: Args;
  /** What `endpoint.key(...args)` gives: `GET https://api.example.com/articles/5`. */
  readonly key: string;
  /** What has become of it. */
  readonly state: "open" | "answered" | "failed" | "aborted";
}

/** What calls of a controller are answered with in place of a server: a part. */
export interface Fixtures extends Part {
  /** The calls so far of the controller that uses it, in order. */
  readonly calls: readonly FixtureCall[];
  /** The controller that uses it: that of the page, or of the last test. */
  readonly controller: Parameters<NonNullable<Part["install"]>>[0] | undefined;
}

/**
 * Answers calls of endpoints, for tests. Of the fixtures for a call the first counts that has its arguments, else the first
 * without arguments. Only the answer is not real: parts, optimistic updates, aborts, normalizing, errors and freshness are
 * those of the app.
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
 * @param list Which call brings what.
 * @param options State of interceptors, and what becomes of other calls.
 * @returns A part: for `MockResolver`, `renderDataHook` or `new Controller({ use: [api] })`.
 */
export function fixtures<const E extends readonly AnyEndpoint[], S = undefined>(
  list: FixtureList<E, S>,
  { state, passThrough = false }: FixturesOptions<S> = {},
): Fixtures {
  const all = [...list as unknown as readonly Fixture[]]; // each fits its own endpoint
  let calls: Writable<FixtureCall>[] = [], controller: Fixtures["controller"], self: S | undefined;
  const reply = async ({ endpoint, args, abort: { signal } }: Flight, send: () => Promise<Value>): Promise<Value> => {
    const key = endpoint.key(...args), call: Writable<FixtureCall> = { endpoint, args, key, state: "open" };
    calls.push(call);
    // The controller settles an aborted call at once, whatever this does.
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
    // After all parts.
    start(flight) {
      const { call } = flight, send = call.fetch;
      call.fetch = (...args: Args) => reply(flight, () => send.apply(call, args));
    },
  };
}
type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Whether a fixture is for exactly this call. The key of a mutation says nothing of its body. */
function isFor({ args, endpoint: own }: Fixture, { endpoint, args: called, key }: FixtureCall): boolean {
  if (!args || !own.testKey(key) || endpoint.key(...args) !== key) return false;
  const bodyOf = (args: Args): Value => endpoint.readArgs ? endpoint.readArgs(args).body : args;
  return !endpoint.sideEffect || equal(bodyOf(args), bodyOf(called));
}

async function answer(fixture: Fixture, { endpoint, args, key }: FixtureCall, self: unknown): Promise<Value> {
  const { response, delay = 0 } = fixture, { deadline = 3e4 } = endpoint, [method, url] = key.split(" ");
  // As on a server: it is done now, and told later.
  const outcome = (async () => {
    if (Object.hasOwn(fixture, "error")) {
      const { error } = fixture;
      throw typeof error == "number"
        ? Object.assign(new NetworkError(602, [method, url, error]), { status: error })
        : error;
    }
    const given: Value = response;
    // Each answer is one of its own, whatever becomes of another.
    return copyPlain(await (typeof given == "function" ? given.apply(self, args) : given));
  })();
  outcome.catch(() => {});
  if (delay) await new Promise((go) => setTimeout(go, Math.min(delay, deadline, 2e9)));
  if (delay > deadline) throw new TimeoutError(603, [method, url, deadline]);
  return await outcome;
}

function missing(all: readonly Fixture[], { args, key }: FixtureCall): UsageError {
  const others = all.filter(({ args, endpoint }) => args && endpoint.testKey(key)).map(({ args }) =>
    JSON.stringify(args)
  );
  return new UsageError(1103, [key, JSON.stringify(args), others.join(", ")]);
}

/**
 * The state of a store in which these calls have just been answered: for `hydrate`, where nothing is to be waited for.
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
 * @param list Which call has brought what.
 * @returns What `stateOf` gives.
 * @throws {UsageError} If a fixture has no `args`, or no response that is a value.
 */
export function mockInitialState<const E extends readonly AnyEndpoint[]>(list: FixtureList<E, undefined>): State {
  const controller = new Controller();
  for (const { endpoint, args, response } of list as unknown as readonly Fixture[]) { // each fits its own endpoint
    if (!args || response === undefined || typeof response == "function") throw new UsageError(1104, [endpoint.name]);
    controller.setResponse(endpoint, ...args, response as never); // of this endpoint
  }
  return stateOf(controller);
}

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
