import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import { runInNewContext } from "node:vm";
import {
  type AnyEndpoint,
  Controller,
  Endpoint,
  Entity,
  explain,
  type Manager,
  RestEndpoint,
  type Snapshot,
  stateOf,
} from "@rejoin/data";
import {
  AsyncBoundary,
  DataProvider,
  type ErrorFallbackProps,
  useCache,
  useController,
  useFetch,
  useLive,
  useSuspense,
} from "@rejoin/data/preact";
import { FaultFetch } from "../support/fault_fetch.ts";
import { press } from "../preact/_cinema.tsx";
import { uncaught } from "../support/uncaught.ts";

class Article extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Article";
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** What somebody may throw, each time a new one. */
const VALUES: Readonly<Record<string, () => unknown>> = {
  "an Error": () => new Error("broken"),
  "null": () => null,
  "undefined": () => undefined,
  "a string": () => "broken",
  "a number": () => 0,
  "a frozen Error": () => Object.freeze(new Error("broken")),
  "a DOMException": () => new DOMException("broken", "DataError"),
  "a revoked Proxy": revoked,
  "a thenable": () => ({ then() {} }),
  "an Error of another realm": () => runInNewContext("new Error('broken')"),
};

/** Whether somebody who has `error` can get at what was thrown. */
function reaches(error: unknown, thrown: unknown): boolean {
  for (let at = error, depth = 0; depth < 4; depth++) {
    if (Object.is(at, thrown)) return true;
    try {
      if (!(at instanceof Error)) return false;
    } catch {
      return false;
    }
    if (!("cause" in at)) return false;
    at = at.cause;
  }
  return false;
}

type Mode = "query" | "mutation" | "optimistic";
const ARTICLE = { id: "1", title: "Hello" };
const ONE = { id: "1" };

/** A controller whose endpoints fail with one value until they are mended. */
class Case {
  readonly thrown: unknown;
  readonly mode: Mode;
  isBroken = true;
  /** Throws at once, or rejects. */
  readonly throwsAtOnce: boolean;
  readonly controller: Controller;
  readonly endpoint: AnyEndpoint;

  constructor(thrown: unknown, mode: Mode, throwsAtOnce = false, managers: readonly Manager[] = []) {
    this.thrown = thrown;
    this.mode = mode;
    this.throwsAtOnce = throwsAtOnce;
    this.controller = new Controller({ managers });
    this.endpoint = new Endpoint((params: { id: string }) => this.answer(params), {
      name: "call",
      schema: Article,
      ...this.policy,
    }) as AnyEndpoint;
  }

  get policy() {
    return {
      sideEffect: this.mode === "query" ? undefined : true,
      ...(this.mode === "optimistic" && {
        getOptimisticResponse: (_: Snapshot, { id }: { id: string }) => ({ id, title: "Expected" }),
      }),
    };
  }

  answer(_params: { id: string }): Promise<unknown> {
    if (!this.isBroken) return Promise.resolve(ARTICLE);
    if (this.throwsAtOnce) throw this.thrown;
    return Promise.reject(this.thrown);
  }

  fail(): never {
    throw this.thrown;
  }
}

/** A RestEndpoint of which one part fails as the case says. */
function restOf(of: Case, part: "process" | "getHeaders" | "fetchResponse" | "getRequestInit"): AnyEndpoint {
  return new RestEndpoint({
    urlPrefix: "https://api.test",
    path: "/articles/:id",
    schema: Article,
    method: of.mode === "query" ? "GET" : "POST",
    body: undefined,
    ...of.policy,
    [part]: (value: unknown) => {
      if (of.isBroken) of.fail();
      if (part === "fetchResponse") return Promise.resolve(Response.json(ARTICLE));
      return part === "getRequestInit" ? { method: "POST" } : value;
    },
  }) as unknown as AnyEndpoint;
}

/** What a promise is rejected with; in a box, for a thenable must not be awaited. */
async function failureOf(promise: unknown): Promise<Failure> {
  let outcome: Failure | undefined;
  Promise.resolve(promise).then(() => {}, (reason) => outcome = { reason });
  await settled();
  assert(outcome !== undefined, "it has not been rejected");
  return outcome;
}

interface Failure {
  readonly reason: unknown;
}

/** Asks, gives the error that it got, then mends the endpoint and gives what the next call gives. */
type Way = (
  value: () => unknown,
  mode: Mode,
) => Promise<{ readonly of: Case; readonly failure: Failure; readonly next: unknown }>;

async function retried(of: Case, endpoint: AnyEndpoint, failure: Failure) {
  of.isBroken = false;
  return { of, failure, next: await of.controller.fetch(endpoint, ONE) as unknown };
}

function byCall(call: (of: Case) => unknown, endpointOf = (of: Case) => of.endpoint, throwsAtOnce = false): Way {
  return async (value, mode) => {
    const of = new Case(value(), mode, throwsAtOnce);
    return await retried(of, endpointOf(of), await failureOf(call(of)));
  };
}

function byRest(part: Parameters<typeof restOf>[1]): Way {
  return async (value, mode) => {
    const of = new Case(value(), mode);
    const endpoint = restOf(of, part);
    return await retried(of, endpoint, await failureOf(of.controller.fetch(endpoint, ONE)));
  };
}

/** Reads with a hook; what it throws is met at the boundary, whose button tries again. */
function byHook(read: (endpoint: AnyEndpoint) => { readonly title: string } | undefined, throwsAtOnce = false): Way {
  return async (value, mode) => {
    const of = new Case(value(), mode, throwsAtOnce);
    let error: unknown = of;
    function View() {
      return <>{read(of.endpoint)?.title ?? "nothing"}</>;
    }
    function Failed(props: ErrorFallbackProps) {
      error = props.error;
      return <button type="button" onClick={props.resetErrorBoundary}>{props.error.message}</button>;
    }
    await using app = mount(
      <DataProvider controller={of.controller}>
        <AsyncBoundary fallback="…" errorComponent={Failed}>
          <View />
        </AsyncBoundary>
      </DataProvider>,
    );
    await settled();
    assert(error !== of, `no error was met: ${app.text}`);
    of.isBroken = false;
    press(app.find("button"));
    await settled();
    assertEquals(app.text, "Hello");
    return { of, failure: { reason: error }, next: of.controller.getResponse(of.endpoint, ONE).data };
  };
}

/** What the component shows that starts it. */
const other = new Endpoint(() => Promise.resolve(ARTICLE), { name: "other", schema: Article });

/** Starts a mutation in an event handler. */
const byEvent: Way = async (value, mode) => {
  const of = new Case(value(), mode);
  let outcome: Promise<unknown> | undefined;
  function Button() {
    const controller = useController();
    const shown = useCache(other, null);
    return (
      <button type="button" onClick={() => void (outcome = controller.fetch(of.endpoint, ONE))}>{String(shown)}</button>
    );
  }
  await using app = mount(
    <DataProvider controller={of.controller}>
      <Button />
    </DataProvider>,
  );
  press(app.find("button"));
  const failure = await failureOf(outcome!);
  of.isBroken = false;
  press(app.find("button"));
  return { of, failure, next: await outcome };
};

/** A manager throws when the reply comes. */
const byManager: Way = async (value, mode) => {
  const thrown = value();
  const thrower: Manager = {
    middleware: () => (next) => (action) => {
      if (action.type === "setResponse" && of.isBroken) throw thrown;
      return next(action);
    },
  };
  const of: Case = new Case(thrown, mode, false, [thrower]);
  of.answer = () => Promise.resolve(ARTICLE);
  const { controller, endpoint } = of;
  return await retried(of, endpoint, await failureOf(controller.fetch(endpoint, ONE)));
};

const fetched = ({ controller, endpoint }: Case) => controller.fetch(endpoint, ONE);
/** A component that reads an endpoint which fails, and looks at the promise it was given. */
const useFetched = (endpoint: AnyEndpoint) => {
  const promise = useFetch(endpoint as never, ...[ONE] as never)! as ReturnType<typeof useFetch<never>> & {
    readonly status: string;
    readonly reason: unknown;
    readonly value: { readonly title: string } | undefined;
  };
  if (promise.status === "rejected") throw promise.reason;
  return promise.value;
};

const QUERY_WAYS: Readonly<Record<string, Way>> = {
  "controller.fetch": byCall(fetched),
  "controller.fetch of an endpoint that throws at once": byCall(fetched, undefined, true),
  "controller.fetchIfStale": byCall(({ controller, endpoint }) => controller.fetchIfStale(endpoint, ONE)),
  "process of a RestEndpoint": byRest("process"),
  "useSuspense": byHook((endpoint) => useSuspense(endpoint as never, ...[ONE] as never)),
  "useSuspense of an endpoint that throws at once": byHook(
    (endpoint) => useSuspense(endpoint as never, ...[ONE] as never),
    true,
  ),
  "useFetch": byHook(useFetched),
  "useLive": byHook((endpoint) => useLive(endpoint.extend({ pollFrequency: 1e9 }) as never, ...[ONE] as never)),
};

const MUTATION_WAYS: Readonly<Record<string, Way>> = {
  "controller.fetch": byCall(fetched),
  "controller.fetch of an endpoint that throws at once": byCall(fetched, undefined, true),
  "an event handler": byEvent,
  "a manager": byManager,
  "process of a RestEndpoint": byRest("process"),
  "getHeaders of a RestEndpoint": byRest("getHeaders"),
  "fetchResponse of a RestEndpoint": byRest("fetchResponse"),
  "controller.resolve": byCall(({ controller, endpoint, thrown }) => {
    const promise = controller.fetch(endpoint, ONE);
    controller.resolve(endpoint, { args: [ONE], error: thrown });
    return promise;
  }),
};

const WAYS = { query: QUERY_WAYS, mutation: MUTATION_WAYS, optimistic: MUTATION_WAYS } as const;

for (const [mode, ways] of Object.entries(WAYS) as [Mode, Readonly<Record<string, Way>>][]) {
  for (const [way, run] of Object.entries(ways)) {
    Deno.test(`${mode}: what is thrown is reachable, all settles, and the next call works: ${way}`, async () => {
      const api = new FaultFetch(() => Response.json(ARTICLE));
      using _ = api.install();
      for (const [name, value] of Object.entries(VALUES)) {
        const reported = await uncaught(async () => {
          const { of, failure, next } = await run(value, mode);
          assert(reaches(failure.reason, of.thrown), `${name} is not reachable`);
          assertEquals((next as Article).title, "Hello", name);
          const { store } = of.controller;
          assertEquals([store.sequence.size, store.layers.length, store.logs.size], [0, 0, 0], name);
          assertEquals(of.controller.get(Article, "1")?.title, "Hello", name);
          assertEquals(typeof JSON.stringify(stateOf(of.controller)), "string", name);
          await of.controller.allSettled();
          of.controller.cleanup();
        });
        assertEquals(reported.length, 0, `${name}: an uncaught error`);
      }
    });
  }
}

Deno.test("a failed read can be described, whatever it failed with", async () => {
  for (const [name, value] of Object.entries(VALUES)) {
    const of = new Case(value(), "query");
    await failureOf(of.controller.fetch(of.endpoint, ONE));
    const { error } = stateOf(of.controller).meta[of.endpoint.key(ONE)]!;
    assertEquals(typeof error?.message, "string", name);
    assertEquals(explain(of.controller, of.endpoint, ONE).state, "failed", name);
    assert(reaches(of.controller.getError(of.endpoint, ONE), of.thrown), name);
  }
});

Deno.test("there are 240 cells", () => {
  const ways = Object.values(WAYS).reduce((sum, each) => sum + Object.keys(each).length, 0);
  assertEquals(ways * Object.keys(VALUES).length, 240);
});
