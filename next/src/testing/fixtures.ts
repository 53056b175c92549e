import type { Flight, Part } from "../controller/part.ts";
import type { AnyEndpoint } from "../endpoint/endpoint_types.ts";
import type { RunEndpoint } from "../endpoint/run_endpoint.ts";
import { NetworkError, TimeoutError, UsageError } from "../errors/mod.ts";
import { copyPlain } from "../plain/copy_plain.ts";
import { equal } from "../plain/equal.ts";
import type { Args, Value } from "../plain/value.ts";
import type { Fixture, FixtureList } from "./fixture.ts";

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
      callsOf.set(host, calls);
    },
    // After all parts.
    start(flight) {
      const { call } = flight, send = call.fetch;
      call.fetch = (...args: Args) => reply(flight, () => send.apply(call, args));
    },
  };
}
type Writable<T> = { -readonly [K in keyof T]: T[K] };

const callsOf = new WeakMap<object, readonly FixtureCall[]>();
/** What a controller has asked fixtures for, and has no answer to. */
export function openCalls(controller: object): readonly FixtureCall[] {
  return (callsOf.get(controller) ?? []).filter(({ state }) => state === "open");
}

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
    if (Object.hasOwn(fixture, "error")) throw fixtureError(key, fixture.error);
    const given: Value = response;
    // Each answer is one of its own, whatever becomes of another.
    return copyPlain(await (typeof given == "function" ? given.apply(self, args) : given));
  })();
  outcome.catch(() => {});
  if (delay) await new Promise((go) => setTimeout(go, Math.min(delay, deadline, 2e9)));
  if (delay > deadline) throw new TimeoutError(603, [method, url, deadline]);
  return await outcome;
}

/** What a call fails with. */
export function fixtureError(key: string, error: unknown): unknown {
  const [method, url] = key.split(" ");
  if (typeof error != "number") return error;
  return Object.assign(new NetworkError(602, [method, url, error]), { status: error });
}
function missing(all: readonly Fixture[], { args, key }: FixtureCall): UsageError {
  const others = all.filter(({ args, endpoint }) => args && endpoint.testKey(key)).map(({ args }) =>
    JSON.stringify(args)
  );
  return new UsageError(1103, [key, JSON.stringify(args), others.join(", ")]);
}
