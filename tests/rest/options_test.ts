/**
 * Every option of a RestEndpoint, in each of the ways in which it can be given, against a real server: what it changes,
 * and that it is this option that changes it.
 */
import { assertEquals, assertNotEquals } from "@std/assert";
import {
  cacheControl,
  conditional,
  Controller,
  Entity,
  ifMatch,
  type Manager,
  RestEndpoint,
  type RestGenerics,
  type RestOptions,
  serial,
  stateOf,
} from "@rejoin/data";
import { FakeClock } from "../support/clock.ts";
import { type FaultServer, type Logged, startFaultServer } from "../support/fault_server.ts";
import { replaceGlobals } from "../support/replace_globals.ts";

class Article extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Article";
}

interface Context {
  readonly server: FaultServer;
  readonly clock: FakeClock;
}

/** What an option changes. */
interface Row {
  /** Those that it is tried on; `urlPrefix` and `path: "/echo"` where they are not given. */
  readonly base?: object;
  /** The option's value. */
  readonly value: (context: Context) => unknown;
  /** Uses an endpoint; what it gives must be `expected` with the option, and something else without it. */
  readonly run: (endpoint: RestEndpoint, context: Context) => unknown;
  readonly expected: unknown;
}

const echo = (endpoint: RestEndpoint, ...args: unknown[]): Promise<Logged> => endpoint(...args);
const nameOf = (error: unknown): string => (error as Error).name;
const failure = (promise: Promise<unknown>): Promise<unknown> => promise.then((value) => value, nameOf);
const shown = (content: unknown): string => Object.prototype.toString.call(content);

/** Runs while there is a page, to which URLs may be relative. */
async function onPage<T>(origin: string, run: () => Promise<T>): Promise<T> {
  using _page = replaceGlobals({ location: new URL(`${origin}/page/`) });
  return await run();
}

/** What a controller answers to the second of two calls, which fails: data with a soft error, no data with a hard one. */
async function afterFailure(endpoint: RestEndpoint): Promise<unknown> {
  using controller = new Controller();
  await controller.fetch(endpoint);
  await failure(controller.fetch(endpoint));
  return controller.getError(endpoint) === undefined ? "soft" : "hard";
}

// Paging and verbs of lists (`paginationField`, `movePath`) and batches (`getMany`) have tests of their own.
type Name = Exclude<keyof RestOptions | keyof RestGenerics, "paginationField" | "movePath" | "getMany">;

/** One row for each option: one that is missing here does not compile. */
const ROWS: { readonly [K in Name]: Row | readonly Row[] } = {
  path: {
    base: { path: "/json" },
    value: () => "/echo",
    run: async (endpoint) => (await echo(endpoint)).path,
    expected: "/echo",
  },
  urlPrefix: [{
    base: { urlPrefix: "https://nowhere.invalid", retry: 0 },
    value: ({ server }) => server.origin,
    run: (endpoint) => failure(echo(endpoint).then(({ path }) => path)),
    expected: "/echo",
  }, {
    base: { urlPrefix: "https://nowhere.invalid", retry: 0 },
    value: ({ server }) => server.origin.replace("http:", ""),
    run: (endpoint, { server }) => onPage(server.origin, () => failure(echo(endpoint).then(({ path }) => path))),
    expected: "/echo",
  }, {
    base: { urlPrefix: "https://nowhere.invalid", retry: 0, path: "echo" },
    value: () => "/",
    run: (endpoint, { server }) => onPage(server.origin, () => failure(echo(endpoint).then(({ path }) => path))),
    expected: "/echo",
  }],
  method: [{
    value: () => "PUT",
    run: async (endpoint) => {
      const { method, body, path } = await echo(endpoint, { title: "x" });
      return [method, path, body, endpoint.sideEffect];
    },
    expected: ["PUT", "/echo", '{"title":"x"}', true],
  }, {
    base: { sideEffect: true },
    value: () => "DELETE",
    run: async (endpoint) => (await echo(endpoint)).method,
    expected: "DELETE",
  }],
  scope: {
    base: { method: "PUT" },
    value: () => serial(() => "one line"),
    run: async (endpoint) => {
      using controller = new Controller();
      let onTheWire = 0;
      let most = 0;
      const counted = endpoint.extend({
        getHeaders(headers: HeadersInit) {
          most = Math.max(most, ++onTheWire);
          return headers;
        },
        process(value: unknown) {
          onTheWire--;
          return value;
        },
      });
      await Promise.all([controller.fetch(counted, { title: "x" }), controller.fetch(counted, { title: "y" })]);
      return most;
    },
    expected: 1,
  },
  schema: {
    base: { path: "/article" },
    value: () => Article,
    run: async (endpoint) => {
      using controller = new Controller();
      return await controller.fetch(endpoint) instanceof Article;
    },
    expected: true,
  },
  // Their types are tested in tests/types/rest_test.ts: `body: undefined` is what also counts in the code.
  searchParams: {
    value: () => undefined,
    run: (endpoint) => Object.hasOwn(endpoint, "searchParams") || "searchParams" in Object.getPrototypeOf(endpoint),
    expected: true,
    base: { searchParams: "not given" },
  },
  body: [{
    base: { method: "POST" },
    value: () => undefined,
    run: async (endpoint) => {
      const { path, body } = await echo(endpoint, { a: 1 });
      return [path, body];
    },
    expected: ["/echo?a=1", ""],
  }, {
    value: () => ({}),
    run: async (endpoint) => {
      const { method, body } = await echo(endpoint, { a: 1 });
      return [method, body];
    },
    expected: ["POST", '{"a":1}'],
  }],
  sideEffect: [{
    base: { method: "POST" },
    value: () => false,
    run: async (endpoint, { server }) => {
      using controller = new Controller();
      await Promise.all([controller.fetch(endpoint, { q: "x" }), controller.fetch(endpoint, { q: "x" })]);
      return [server.requests.length, Object.keys(stateOf(controller).endpoints).length];
    },
    expected: [1, 1],
  }, {
    value: () => true,
    run: async (endpoint) => (await echo(endpoint)).method,
    expected: "POST",
  }],
  requestInit: {
    value: () => ({ headers: { "X-Init": "1" } }),
    run: async (endpoint) => (await echo(endpoint)).headers["x-init"],
    expected: "1",
  },
  getRequestInit: [false, true].map((isAsync) => ({
    base: { method: "POST" },
    value: () =>
      function (this: RestEndpoint, body?: unknown) {
        const init = { ...RestEndpoint.prototype.getRequestInit.call(this, [body, this.path]), method: "PATCH" };
        return isAsync ? Promise.resolve(init) : init;
      },
    run: async (endpoint) => {
      const { method, body, headers } = await echo(endpoint, 5);
      return [method, body, headers["content-type"]];
    },
    expected: ["PATCH", '[5,"/echo"]', "application/json"],
  } satisfies Row)),
  getHeaders: [false, true].map((isAsync) => ({
    base: { requestInit: { headers: { "X-Init": "1" } } },
    value: () =>
      function (this: RestEndpoint, headers: Record<string, string>) {
        const all = { ...headers, "Access-Token": this.path };
        return isAsync ? Promise.resolve(all) : all;
      },
    run: async (endpoint) => {
      const { headers } = await echo(endpoint);
      return [headers["x-init"], headers["access-token"]];
    },
    expected: ["1", "/echo"],
  } satisfies Row)),
  url: {
    value: () =>
      function (this: RestEndpoint, params: object) {
        return `${RestEndpoint.prototype.url.call(this, {})}?all=${Object.keys(params)}`;
      },
    run: async (endpoint, { server }) => [
      (await echo(endpoint, { b: 1, a: 2 })).path,
      endpoint.key({ c: 3 }).replace(server.origin, ""),
    ],
    expected: ["/echo?all=b,a", "GET /echo?all=c"],
  },
  searchToString: {
    value: () =>
      function (this: RestEndpoint, search: object) {
        return `${this.method}=${Object.keys(search).join("+")}`;
      },
    run: async (endpoint) => (await echo(endpoint, { b: 1, a: 2 })).path,
    expected: "/echo?GET=b+a",
  },
  fetchResponse: {
    value: () =>
      async function (this: RestEndpoint, url: string, init: RequestInit) {
        const { status } = await RestEndpoint.prototype.fetchResponse.call(this, `${url}?by=${this.method}`, init);
        return Response.json([status, new URL(url).pathname]);
      },
    run: async (endpoint, { server }) => [await endpoint(), server.requests[0]?.path],
    expected: [[200, "/echo"], "/echo?by=GET"],
  },
  parseResponse: {
    value: () =>
      async function (this: RestEndpoint, response: Response) {
        return [response.status, this.path, await RestEndpoint.prototype.parseResponse.call(this, response)];
      },
    base: { path: "/json" },
    run: (endpoint) => endpoint(),
    expected: [200, "/json", { ok: true }],
  },
  process: [false, true].map((isAsync) => ({
    base: { path: "/json" },
    value: () =>
      function (this: RestEndpoint, value: unknown, ...args: unknown[]) {
        const all = [value, this.path, ...args];
        return isAsync ? Promise.resolve(all) : all;
      },
    run: (endpoint) => endpoint({ a: 1 }),
    expected: [{ ok: true }, "/json", { a: 1 }],
  } satisfies Row)),
  content: [
    {
      base: { path: "/json-as-text" },
      value: () => "json",
      run: (endpoint) => endpoint(),
      expected: { ok: true },
    },
    { base: { path: "/json" }, value: () => "text", run: (endpoint) => endpoint(), expected: '{"ok":true}' },
    {
      base: { path: "/json" },
      value: () => "blob",
      run: async (endpoint) => {
        const blob = await endpoint();
        return [shown(blob), blob.size, blob.type];
      },
      expected: ["[object Blob]", 11, "application/json"],
    },
    {
      base: { path: "/binary" },
      value: () => "arrayBuffer",
      run: async (endpoint) => [...new Uint8Array(await endpoint())],
      expected: [0xff, 0xfe, 0x00, 0x80],
    },
    {
      base: { path: "/json" },
      value: () => "stream",
      run: async (endpoint) => {
        const stream = await endpoint();
        return [shown(stream), await new Response(stream).text(), endpoint.sideEffect];
      },
      expected: ["[object ReadableStream]", '{"ok":true}', true],
    },
  ],
  fetch: {
    value: () =>
      function (this: RestEndpoint, ...args: unknown[]) {
        return Promise.resolve([this.path, ...args]);
      },
    run: async (endpoint, { server }) => [await endpoint({ a: 1 }), server.requests.length],
    expected: [["/echo", { a: 1 }], 0],
  },
  key: {
    value: () =>
      function (this: RestEndpoint, { id }: { id: string }) {
        return `${this.path} ${id}`;
      },
    run: async (endpoint) => {
      using controller = new Controller();
      await controller.fetch(endpoint, { id: "5" });
      return Object.keys(stateOf(controller).endpoints);
    },
    expected: ["/echo 5"],
  },
  testKey: {
    value: () =>
      function (this: RestEndpoint, key: string) {
        return key.endsWith("?kind=film") && this.path === "/echo";
      },
    run: async (endpoint) => {
      using controller = new Controller();
      for (const kind of ["film", "book"]) await controller.fetch(endpoint, { kind });
      controller.invalidateAll(endpoint);
      return ["film", "book"].map((kind) => controller.getResponse(endpoint, { kind }).expiryStatus);
    },
    expected: [1, 3],
  },
  name: {
    base: { urlPrefix: "", path: "/x" },
    value: () => "Article.get",
    run: (endpoint) => endpoint().catch(({ message }: Error) => message.includes('"Article.get"')),
    expected: true,
  },
  errorPolicy: [{
    base: { path: "/turning" },
    value: () =>
      function (this: RestEndpoint, error: { status: number }) {
        return error.status === 500 && this.path === "/turning" ? "hard" : "soft";
      },
    run: afterFailure,
    expected: "hard",
  }, {
    base: { path: "/vanishing" },
    value: () => () => "soft",
    run: afterFailure,
    expected: "soft",
  }],
  dataExpiryLength: [5_000, Infinity].map((length) => ({
    value: () => length,
    run: async (endpoint, { clock }) => {
      using controller = new Controller();
      await controller.fetch(endpoint);
      return controller.getResponse(endpoint).expiresAt - clock.now();
    },
    expected: length,
  } satisfies Row)),
  errorExpiryLength: {
    base: { path: "/404" },
    value: () => 7_000,
    run: async (endpoint, { clock }) => {
      using controller = new Controller();
      await failure(controller.fetch(endpoint));
      return controller.getResponse(endpoint).expiresAt - clock.now();
    },
    expected: 7_000,
  },
  invalidIfStale: {
    base: { dataExpiryLength: 10 },
    value: () => true,
    run: async (endpoint, { clock }) => {
      using controller = new Controller();
      await controller.fetch(endpoint);
      const statuses = [controller.getResponse(endpoint).expiryStatus];
      clock.tick(20);
      return [...statuses, controller.getResponse(endpoint).expiryStatus];
    },
    expected: [3, 2],
  },
  pollFrequency: {
    value: () => 500,
    run: (endpoint) => {
      const seen: unknown[] = [];
      const manager: Manager = {
        middleware: () => (next) => (action) => {
          if (action.type !== "subscribe") return next(action);
          seen.push((action.endpoint as RestEndpoint).pollFrequency);
        },
      };
      using controller = new Controller({ managers: [manager] });
      controller.subscribe(endpoint);
      return seen;
    },
    expected: [500],
  },
  getOptimisticResponse: {
    base: { path: "/article", method: "POST", schema: Article },
    value: () =>
      function (this: RestEndpoint, _snapshot: unknown, body: object) {
        return { id: "1", title: this.path, ...body };
      },
    run: async (endpoint) => {
      using controller = new Controller();
      const call = controller.fetch(endpoint, {});
      const title = controller.get(Article, { id: "1" })?.title;
      await call;
      return [title, controller.get(Article, { id: "1" })?.title];
    },
    expected: ["/article", "Alien"],
  },
  update: {
    base: { path: "/new", method: "POST", schema: Article },
    value: ({ server }) =>
      function (this: RestEndpoint, created: string, { title }: { title: string }) {
        return {
          [`GET ${server.origin}/articles`]: (all: string[]) => title === "Aliens" ? [created, ...all] : all,
          [`GET ${server.origin}/nothing`]: () => [],
        };
      },
    run: async (endpoint, { server }) => {
      using controller = new Controller();
      const getList = new RestEndpoint({ urlPrefix: server.origin, path: "/articles", schema: [Article] });
      await controller.fetch(getList);
      await controller.fetch(endpoint, { title: "Aliens" });
      return [
        controller.getResponse(getList).data?.map(({ title }) => title),
        stateOf(controller).endpoints[`GET ${server.origin}/nothing`],
      ];
    },
    expected: [["Aliens", "Alien"], undefined],
  },
  readReply: {
    base: { path: "/204", method: "POST", schema: Article },
    value: () =>
      function (this: RestEndpoint, reply: unknown, [body]: [object]) {
        return { value: { id: "1", title: `${this.path} ${reply}`, ...body } };
      },
    run: async (endpoint) => {
      using controller = new Controller();
      return { ...await controller.fetch(endpoint, { id: "2" }) };
    },
    expected: { id: "2", title: "/204 null" },
  },
  signal: {
    value: () => AbortSignal.abort(new RangeError("changed my mind")),
    run: (endpoint) => failure(endpoint()),
    expected: "RangeError",
  },
  extra: { value: () => ({ tenant: "a" }), run: ({ extra }) => extra, expected: { tenant: "a" } },
  deadline: {
    base: { path: "/hang" },
    value: () => 50,
    run: async (endpoint, { clock }) => {
      const abort = new AbortController();
      const call = failure(endpoint.extend({ requestInit: { signal: abort.signal } })());
      await clock.tickAsync(50);
      abort.abort();
      return await call;
    },
    expected: "TimeoutError",
  },
  retry: {
    base: { path: "/flaky\\?retry-after=0" },
    value: () => 1,
    run: async (endpoint, { clock }) => {
      let isSettled = false;
      const call = failure(endpoint()).finally(() => isSettled = true);
      while (!isSettled) await clock.tickAsync(0);
      return await call;
    },
    expected: { ok: true },
  },
  use: [{
    base: { path: "/tagged" },
    value: () => [conditional()],
    run: async (endpoint, { server }) => {
      using controller = new Controller();
      await controller.fetch(endpoint);
      await controller.fetch(endpoint);
      return server.requests.map(({ headers }) => headers["if-none-match"]);
    },
    expected: [undefined, '"v1"'],
  }, {
    base: { path: "/tagged" },
    value: () => [cacheControl()],
    run: async (endpoint, { clock }) => {
      using controller = new Controller();
      await controller.fetch(endpoint);
      return controller.getResponse(endpoint).expiresAt - clock.now();
    },
    expected: 9_000,
  }, {
    base: { path: "/tagged", method: "PUT" },
    value: () => [ifMatch()],
    run: async (endpoint, { server }) => {
      using controller = new Controller();
      const read = new RestEndpoint({ urlPrefix: server.origin, path: "/tagged", use: [ifMatch()] });
      await controller.fetch(read);
      await controller.fetch(endpoint, {});
      return server.requests.map(({ headers }) => headers["if-match"]);
    },
    expected: [undefined, '"v1"'],
  }],
};

/** The four ways to say something of an endpoint. */
const FORMS: { readonly [form: string]: (base: object, name: string, value: unknown) => RestEndpoint | undefined } = {
  option: (base, name, value) => made(RestEndpoint, { ...base, [name]: value }),
  extend: (base, name, value) => made(RestEndpoint, base).extend({ [name]: value } as object),
  "class field": (base, name, value) =>
    made(
      class extends RestEndpoint {
        // deno-lint-ignore no-explicit-any -- a field whose name is given
        [name]: any = value;
      },
      without(base, name),
    ),
  "class method": (base, name, value) =>
    typeof value === "function" ? made(onPrototype(name, { value, writable: true }), without(base, name)) : undefined,
  "class getter": (base, name, value) =>
    typeof value === "function" ? undefined : made(onPrototype(name, { get: () => value }), without(base, name)),
};

// deno-lint-ignore no-explicit-any -- options of which only the table knows
function made(Class: any, options: object): RestEndpoint {
  return new Class(options);
}

function onPrototype(name: string, member: PropertyDescriptor): typeof RestEndpoint {
  class Own extends RestEndpoint {}
  Object.defineProperty(Own.prototype, name, { configurable: true, ...member });
  return Own;
}

/** Options win over what a class has. */
function without(base: object, name: string): object {
  return Object.fromEntries(Object.entries(base).filter(([other]) => other !== name));
}

/** A server with a clock that stands still: answers are fresh for as long as the endpoint says. */
async function serving<T>(run: (context: Context) => Promise<T>): Promise<T> {
  let asked = 0;
  await using server = await startFaultServer({
    fallback(request) {
      asked++;
      switch (new URL(request.url).pathname) {
        case "/article":
          return Response.json({ id: "1", title: "Alien" });
        case "/articles":
          return Response.json([{ id: "1", title: "Alien" }]);
        case "/new":
          return Response.json({ id: "2", title: "Aliens" });
        case "/tagged":
          return Response.json({}, { headers: { etag: '"v1"', "cache-control": "max-age=9" } });
        case "/turning":
          return asked === 1 ? Response.json({}) : new Response("broken", { status: 500 });
        case "/vanishing":
          return asked === 1 ? Response.json({}) : new Response("gone", { status: 404 });
      }
      return new Response("unknown", { status: 404 });
    },
  });
  const clock = new FakeClock();
  using _ = clock.install();
  return await run({ server, clock });
}

for (const [name, given] of Object.entries(ROWS)) {
  const rows: readonly Row[] = Array.isArray(given) ? given : [given];
  Deno.test(`${name} works as an option, by extend, and in a subclass`, async () => {
    for (const [index, { base, value, run, expected }] of rows.entries()) {
      const label = `${name}, row ${index}`;
      const withBase = ({ server }: Context): object => ({ urlPrefix: server.origin, path: "/echo", ...base });
      const bare = await serving(async (context) => await run(made(RestEndpoint, withBase(context)), context));
      if (name !== "searchParams") assertNotEquals(bare, expected, `${label}: the same without it`);
      for (const [form, make] of Object.entries(FORMS)) {
        await serving(async (context) => {
          const endpoint = make(withBase(context), name, value(context));
          if (endpoint !== undefined) assertEquals(await run(endpoint, context), expected, `${label}, ${form}`);
        });
      }
    }
  });
}
