import { copyPlain } from "../endpoint/copy_plain.ts";
import type { AnyEndpoint, CallContext, CallReply } from "../endpoint/interface.ts";
import type { Controller, Manager } from "../controller/controller.ts";
import { clock } from "../deps/clock.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { NetworkError } from "../errors/network_error.ts";
import { withDeadline } from "../http/deadline.ts";
import { DEFAULT_DEADLINE } from "../http/request.ts";
import { deepEqual } from "../normalize/deep_equal.ts";
import type { AnyRestEndpoint } from "../rest/rest_types.ts";
import type { Fixture, FixtureList } from "./fixture.ts";

/** How {@linkcode fixtures} answer. */
export interface FixturesOptions<S> {
  /** Makes what is `this` in interceptors: anew for each controller, and so for each test. */
  readonly state?: (() => S) | undefined;
  /** What no fixture is for is asked as it would be without them. Otherwise it fails, and says which fixture is missing. */
  readonly passThrough?: boolean | undefined;
}

/** One call that fixtures were asked for. */
export interface FixtureCall {
  /** Which endpoint. */
  readonly endpoint: AnyEndpoint;
  /** What it was called with, names that the server gave in the place of temporary ones. */
  readonly args: readonly unknown[];
  /** What `endpoint.key(...args)` gives: `GET https://api.example.com/articles/5`. */
  readonly key: string;
  /** What has become of it. */
  readonly state: "open" | "answered" | "failed" | "aborted";
}

/**
 * What calls of a controller are answered with in place of a server: a manager, the last of its list.
 *
 * Only the answer is not real. What comes before and after is the app's own: managers, optimistic updates, deadlines,
 * aborts, normalizing, errors, freshness.
 */
export interface Fixtures extends Manager {
  /** The controller that these fixtures were given to last: that of the page, or of the test. */
  readonly controller: Controller | undefined;
  /** The calls of that controller so far, in order. */
  readonly calls: readonly FixtureCall[];
}

/**
 * Answers calls of endpoints, for tests. Of the fixtures for a call the first counts that has its arguments, else the
 * first without arguments.
 *
 * @param list Which call brings what.
 * @param options State of interceptors, and what becomes of other calls.
 * @returns A manager: for `MockResolver`, `renderDataHook` or `new Controller({ managers: [api] })`.
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
 * const controller = new Controller({ managers: [api] });
 * assertEquals((await controller.fetch(ArticleResource.get, { id: "5" })).title, "Hello");
 * await controller.fetch(ArticleResource.partialUpdate, { id: "5" }, { title: "New" });
 * assertEquals(controller.get(Article, { id: "5" })?.title, "New");
 * assertEquals(api.calls.map(({ key }) => key.split(" ")[0]), ["GET", "PATCH"]);
 * ```
 */
export function fixtures<const E extends readonly AnyEndpoint[], S = undefined>(
  list: FixtureList<E, S>,
  options: FixturesOptions<S> = {},
): Fixtures {
  const kept = [...list as unknown as readonly Fixture[]];
  let last: Answers | undefined;
  return {
    get controller() {
      return last?.controller;
    },
    get calls() {
      return last?.calls ?? [];
    },
    middleware: (controller) => {
      const answers = last = new Answers(controller, kept, options);
      callsOf.set(controller, answers.calls);
      return (next) => (action) =>
        next(action.type === "fetch" ? { ...action, endpoint: answers.standIn(action.endpoint) } : action);
    },
  };
}

/** By controller: what it has asked fixtures for. */
const callsOf = new WeakMap<Controller, readonly OpenCall[]>();

/** What a controller has asked fixtures for, and has no answer to. */
export function openCalls(controller: Controller): readonly FixtureCall[] {
  return (callsOf.get(controller) ?? []).filter(({ state }) => state === "open");
}

interface OpenCall extends FixtureCall {
  state: FixtureCall["state"];
}

/** The answers to the calls of one controller. */
class Answers {
  readonly controller: Controller;
  readonly calls: OpenCall[] = [];
  readonly #list: readonly Fixture[];
  readonly #state: unknown;
  readonly #passes: boolean;
  readonly #standIns = new WeakMap<AnyEndpoint, AnyEndpoint>();

  constructor(controller: Controller, list: readonly Fixture[], options: FixturesOptions<unknown>) {
    const { state, passThrough = false } = options;
    this.controller = controller;
    this.#list = list;
    this.#state = state?.();
    this.#passes = passThrough;
  }

  /** The same endpoint, whose calls are answered here: when it is its turn, for its arguments may have changed until then. */
  standIn(endpoint: AnyEndpoint): AnyEndpoint {
    const known = this.#standIns.get(endpoint);
    if (known !== undefined) return known;
    const standIn: AnyEndpoint = endpoint.extend({
      fetchReply: (context: CallContext, args: readonly unknown[]) => this.#reply(endpoint, context, args),
    });
    this.#standIns.set(endpoint, standIn);
    // A request that starts anew comes by once more.
    this.#standIns.set(standIn, standIn);
    return standIn;
  }

  async #reply(endpoint: AnyEndpoint, context: CallContext, args: readonly unknown[]): Promise<CallReply> {
    const call: OpenCall = { endpoint, args, key: endpoint.key(...args), state: "open" };
    this.calls.push(call);
    try {
      const fixture = this.#find(call);
      const reply = await (fixture === undefined
        ? this.#answerElse(call, context)
        : inTime(call, context, (signal) =>
          this.#answer(fixture, call, signal)));
      call.state = "answered";
      return reply;
    } catch (error) {
      call.state = context.signal?.aborted ? "aborted" : "failed";
      throw error;
    }
  }

  #find(call: OpenCall): Fixture | undefined {
    return this.#list.find((fixture) => fixture.args !== undefined && isFor(fixture, fixture.args, call)) ??
      this.#list.find(({ endpoint, args }) => args === undefined && endpoint.testKey(call.key));
  }

  async #answer(fixture: Fixture, { endpoint, args, key }: OpenCall, signal: AbortSignal): Promise<CallReply> {
    const { delay = 0 } = fixture;
    const response: unknown = fixture.response;
    // As on a server: it is done now, and told later.
    const outcome = (async () => {
      if (Object.hasOwn(fixture, "error")) throw fixtureError(endpoint, key, fixture.error);
      const given: unknown = typeof response === "function" ? response.apply(this.#state, args) : response;
      // Each answer is one of its own, whatever becomes of another.
      return { value: copyPlain(await given) };
    })();
    outcome.catch(() => {});
    // What answers may have given the call up.
    if (delay > 0 && !signal.aborted) await pause(delay, signal);
    return await outcome;
  }

  async #answerElse({ endpoint, args, key }: OpenCall, context: CallContext): Promise<CallReply> {
    if (this.#passes) {
      return await endpoint.fetchReply?.(context, args) ??
        { value: await endpoint.extend({ signal: context.signal })(...args) };
    }
    const others = this.#list.flatMap((fixture) =>
      fixture.args === undefined || !fixture.endpoint.testKey(key) ? [] : [JSON.stringify(fixture.args)]
    );
    throw new EndpointError(
      endpoint.name,
      `Cannot answer ${key}: no fixture is for its arguments, ${text(args)}` +
        (others.length > 0 ? `; there are some for ${others.join(", ")}` : "") +
        ". Add { endpoint, args, response }, without args for all calls of the endpoint, or pass { passThrough: true }",
    );
  }
}

/** Whether a fixture is for exactly this call. */
function isFor(fixture: Fixture, args: readonly unknown[], { endpoint, args: called, key }: OpenCall): boolean {
  if (!fixture.endpoint.testKey(key) || fixture.endpoint.key(...args) !== key) return false;
  // The key of a mutation says nothing of its body.
  return !endpoint.sideEffect || deepEqual(bodyOf(endpoint, args), bodyOf(endpoint, called));
}

function bodyOf(endpoint: AnyEndpoint, args: readonly unknown[]): unknown {
  const { readArgs } = endpoint as Partial<AnyRestEndpoint>;
  return readArgs === undefined ? args : readArgs.call(endpoint, args).body;
}

/** A call settles as it would without fixtures. */
async function inTime(
  { endpoint, key }: OpenCall,
  { signal, defaults }: CallContext,
  run: (signal: AbortSignal) => Promise<CallReply>,
): Promise<CallReply> {
  const { deadline = defaults.deadline ?? DEFAULT_DEADLINE } = endpoint as { readonly deadline?: number };
  return await withDeadline((watch) => run(watch.signal), {
    ...requestOf(endpoint, key),
    // The controller watches over the others.
    deadline: endpoint.hasDeadline ? deadline : Infinity,
    signal,
  });
}

/** What a call fails with. */
export function fixtureError(endpoint: AnyEndpoint, key: string, error: unknown): unknown {
  return typeof error === "number" ? new NetworkError({ ...requestOf(endpoint, key), status: error }) : error;
}

/** What would have been sent. */
function requestOf(endpoint: AnyEndpoint, key: string): { readonly method: string; readonly url: string } {
  const [, method = "", url = endpoint.name] = /^([A-Z]+) (\S+)/.exec(key) ?? [];
  return { method, url };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const stopTimer = clock.setTimeout(resolve, ms);
    const wake = (): void => {
      stopTimer();
      resolve();
    };
    signal.addEventListener("abort", wake, { once: true });
  });
}

function text(args: readonly unknown[]): string {
  try {
    return JSON.stringify(args);
  } catch {
    return `[${args.join(", ")}]`;
  }
}
