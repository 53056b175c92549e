/** What an app is told that was built for production: nothing here may import `mod.ts`, which registers sentences. */
import { assert, assertEquals } from "@std/assert";
import {
  Controller,
  createResource,
  Endpoint,
  Entity,
  hydrate,
  normalize,
  PollingManager,
  record,
  RejoinError,
  replay,
  serial,
  StreamManager,
} from "../../core.ts";
import type { StreamSource } from "@rejoin/data/extend";
import { h } from "../../src/deps/preact.ts";
import { renderToString } from "../../src/deps/render_to_string.ts";
import { DataProvider, useController } from "../../src/preact/mod.ts";

class Article extends Entity {
  id = "";
  title = "";
  static override key = "Article";
  static override validate(article: Partial<Article>): string | undefined {
    return article.title === "bad" ? "bad" : undefined;
  }
}

/** Calls an endpoint that answers at once. */
function ask(value: unknown, options: object = {}): Promise<unknown> {
  const endpoint = new Endpoint(async () => await Promise.resolve(value), { name: "ask", ...options });
  return new Controller({ defaults: { deadline: 20 } }).fetch(endpoint);
}

/** Reads an article of a server. */
async function get(reply: () => Response | Promise<Response>, options: object = {}): Promise<unknown> {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, reply);
  const urlPrefix = `http://127.0.0.1:${server.addr.port}`;
  const resource = createResource({ urlPrefix, path: "/articles/:id", schema: Article, retry: 0, ...options });
  return await new Controller().fetch(resource.get, { id: "1" });
}

const { get: getArticle } = createResource({ urlPrefix: "http://localhost", path: "/articles/:id", schema: Article });

/** What fails, and what the error is beside its message: its class, its code where it is ours alone, its fields. */
const CASES: readonly [what: string, fail: () => unknown, name: string, code: number | undefined, fields: object][] = [
  [
    "a class without a key",
    () => {
      class Nameless extends Article {
        static override key = "";
      }
      normalize(Nameless, { id: "1" });
    },
    "SchemaError",
    101,
    {},
  ],
  ["a value of another shape", () => normalize([Article], { id: "1" }), "NormalizeError", undefined, { path: "" }],
  ["a record without a pk", () => new Controller().set(Article, {}, { title: "x" }), "NormalizeError", undefined, {
    path: "",
  }],
  ["a refused record", () => ask({ id: "1", title: "bad" }, { schema: Article }), "ValidationError", 214, {
    entity: "Article",
    pk: "1",
    reason: "bad",
  }],
  [
    "an endpoint without a name",
    () => new Endpoint(() => Promise.resolve(), { name: "" }).key(),
    "EndpointError",
    undefined,
    {
      endpoint: "",
    },
  ],
  [
    "an accepted reply that cannot be stored",
    () => ask([], { schema: Article, sideEffect: true }),
    "WriteError",
    609,
    {
      response: [],
    },
  ],
  ["a missing parameter", () => getArticle({} as never), "UrlError", undefined, {
    path: "/articles/:id",
    parameter: "id",
  }],
  ["a refusal", () => get(() => new Response("no", { status: 404 })), "NetworkError", undefined, {
    method: "GET",
    status: 404,
    body: "no",
  }],
  ["an answer that is none", () => get(() => new Response("<p>")), "ParseError", undefined, {
    status: 200,
    expected: "JSON",
  }],
  ["no answer in time", () => ask(new Promise(() => {}), {}), "TimeoutError", undefined, {
    method: "CALL",
    deadline: 20,
  }],
  [
    "a stopped controller",
    () => {
      const controller = new Controller();
      controller.cleanup();
      return controller.fetch(getArticle, { id: "1" });
    },
    "OvertakenError",
    608,
    { reason: "cleanup" },
  ],
  [
    "a scope without a name",
    () => ask(1, { sideEffect: true, scope: serial(() => ({}) as never) }),
    "EndpointError",
    663,
    {
      endpoint: "ask",
    },
  ],
  [
    "a scope of records without a resource",
    () => ask(1, { sideEffect: true, scope: serial("record") }),
    "EndpointError",
    664,
    {
      endpoint: "ask",
    },
  ],
  [
    "a second recording",
    () => {
      const controller = new Controller();
      record(controller);
      record(controller);
    },
    "RejoinError",
    603,
    {},
  ],
  [
    "a change while another one is computed",
    () => {
      const controller = new Controller();
      class Meddling extends Article {
        static override process(value: object) {
          controller.resetEntireStore();
          return value;
        }
      }
      controller.set(Meddling, { id: "1" }, { id: "1" });
    },
    "RejoinError",
    605,
    {},
  ],
  ["a recording that is none", () => replay(5 as never, { endpoints: [] }), "RejoinError", 661, {}],
  ["a state that is none", () => hydrate(new Controller(), 5 as never), "RejoinError", 660, {}],
  [
    "a frequency that is none",
    () => {
      const controller = new Controller({ managers: [new PollingManager()] });
      controller.subscribe(new Endpoint(() => Promise.resolve(1), { name: "ask", pollFrequency: -1 }));
    },
    "EndpointError",
    701,
    { endpoint: "ask" },
  ],
  [
    "a message that cannot be handled",
    () => {
      const thrown: unknown[] = [];
      const source: StreamSource = (listener) => {
        listener.open();
        listener.message({ type: "article", data: {} });
        return { close() {} };
      };
      new Controller({
        managers: [
          new StreamManager({ source, messages: { article: Article }, onError: (error) => thrown.push(error) }),
        ],
      });
      throw thrown[0];
    },
    "RejoinError",
    702,
    {},
  ],
  ["a hook outside of a component", () => useController(), "SchemaError", 750, {}],
];

for (const [what, fail, name, code, fields] of CASES) {
  Deno.test(`14.7 in production ${what} is told by class, code, fields and one line`, async () => {
    const error = await (async () => await fail())().then(() => undefined, (reason: unknown) => reason);
    assert(error instanceof RejoinError, `it is ${error}`);
    assertEquals(error.name, name);
    assertEquals(error.constructor.name, name);
    if (code !== undefined) assertEquals([error.code, error.message], [code, lineOf(code)]);
    // Of others what is said is made of facts, and of the line.
    if (error.code !== 0) assert(error.message.endsWith(lineOf(error.code)), error.message);
    assert(!error.message.includes("\n"), error.message);
    for (const [field, value] of Object.entries(fields)) {
      assertEquals((error as unknown as Record<string, unknown>)[field], value, field);
    }
  });
}

function lineOf(code: number): string {
  return `@rejoin/data ${code}: see docs/errors.md#${code}`;
}

Deno.test("14.7 in production a warning is one line that leads to its section", () => {
  const { warn } = console;
  const said: unknown[] = [];
  console.warn = (line: unknown) => said.push(line);
  try {
    hydrate(new Controller(), { version: -1 } as never);
  } finally {
    console.warn = warn;
  }
  assertEquals(said, [lineOf(665)]);
});

Deno.test("14.7 in production DataProvider is not strict unless it is told to be", () => {
  const isStrict = (props: object) => {
    let strict: boolean | undefined;
    const Probe = () => {
      using controller = useController();
      strict = controller.store.strict;
      return null;
    };
    renderToString(h(DataProvider, props, h(Probe, null)));
    return strict;
  };
  assertEquals([{}, { strict: false }, { strict: true }].map(isStrict), [false, false, true]);
});
