import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
} from "@std/assert";
import {
  type AnyEndpoint,
  createResource,
  Endpoint,
  Entity,
  NetworkError,
  NormalizeError,
  ParseError,
  RejoinError,
  RestEndpoint,
  stateOf,
  TimeoutError,
  ValidationError,
  WriteError,
} from "@rejoin/data";
import { PatientController as Controller } from "../support/patient_controller.ts";
import { watch } from "../../src/store/watch.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { FaultFetch } from "../support/fault_fetch.ts";
import { startFaultServer } from "../support/fault_server.ts";
import { Wire } from "../support/wire.ts";

class Author extends Entity {
  id = "";
  name = "";
  pk() {
    return this.id;
  }
  static key = "Author";
}

class Article extends Entity {
  id = "";
  title = "";
  pk() {
    return this.id;
  }
  static key = "Article";
}

/** A store with something in it, and a way to tell that nothing of it has changed. */
function fill() {
  const controller = new Controller();
  const list = new Endpoint(() => Promise.resolve([]), { name: "filled", schema: [Article] });
  controller.setResponse(list, [{ id: "1", title: "one" }, { id: "2", title: "two" }]);
  const article = controller.get(Article, "1");
  const rows = controller.getResponse(list).data;
  const { entities } = stateOf(controller);
  let told = 0;
  watch(controller.store, controller.store.response(list, [], list.key()), () => told++);
  const verifyUntouched = (isStale = false) => {
    assertStrictEquals(controller.get(Article, "1"), article);
    assertStrictEquals(controller.getResponse(list).data, rows);
    const after = stateOf(controller).entities;
    assertEquals(after, entities);
    for (const pk of Object.keys(entities.Article!)) assertStrictEquals(after.Article![pk], entities.Article![pk]);
    assertEquals(told, isStale ? 1 : 0);
    assertEquals([controller.store.sequence.size, controller.store.layers.length], [0, 0]);
  };
  return { controller, verifyUntouched };
}

const FAULTS = [
  ["/500", NetworkError, 500],
  ["/404", NetworkError, 404],
  ["/problem", NetworkError, 422],
  ["/truncated", ParseError, 200],
  ["/html-as-json", ParseError, 200],
  ["/html", ParseError, 200],
  ["/cut", NetworkError, undefined],
  ["/reset", NetworkError, undefined],
  ["/bad-gzip", NetworkError, undefined],
] as const;

for (const [path, type, status] of FAULTS) {
  Deno.test(`${path} is a typed error that names the URL, leaves the state as it was, and lets the next call work`, async () => {
    await using server = await startFaultServer();
    const { controller, verifyUntouched } = fill();
    const reads = [
      new RestEndpoint({ urlPrefix: server.origin, path, schema: Article }),
      new RestEndpoint({ urlPrefix: server.origin, path, schema: [Article] }),
      new RestEndpoint({ urlPrefix: server.origin, path, schema: Article, method: "POST" }),
    ];
    for (const read of reads) {
      const error = await assertRejects(() => controller.fetch(read), RejoinError, `${server.origin}${path}`);
      assert(error instanceof type);
      assertEquals((error as { status?: number }).status, status);
      if (!read.sideEffect) assertStrictEquals(controller.getError(read), error);
      // Nobody knows whether a mutation was done whose answer was lost: its lists are asked for again.
      verifyUntouched(read.sideEffect && (status ?? 200) === 200);
    }
    const good = new RestEndpoint({ urlPrefix: server.origin, path: "/json" });
    assertEquals(await controller.fetch(good), { ok: true });
  });
}

Deno.test("createResource gives typed errors for a body of another shape, names the URL, and writes nothing", async () => {
  const bodies: [unknown, unknown][] = [
    // what a list is answered with, and an article
    [{}, []],
    [{ error: "boom", code: 500 }, "text"],
    ["text", 5],
    [7, true],
    [[["nested"]], [{ id: "1" }]],
    [[{ id: {} }], { id: {} }],
    [[{ id: true }], { id: NaN }],
  ];
  for (const [listBody, body] of bodies) {
    await using server = await startFaultServer({
      fallback: (request) => Response.json(new URL(request.url).pathname === "/articles" ? listBody : body),
    });
    const { controller, verifyUntouched } = fill();
    const Resource = createResource({ urlPrefix: server.origin, path: "/articles/:id", schema: Article });
    const listError = await assertRejects(() => controller.fetch(Resource.getList), NormalizeError, "Cannot normalize");
    assertStringIncludes(listError.message, `(in the answer to GET ${server.origin}/articles)`);
    verifyUntouched();
    assertStrictEquals(controller.getError(Resource.getList), listError);
    assertEquals(controller.getResponse(Resource.getList).data, undefined);
    if (typeof body === "object" && body !== null && "id" in body && Number.isNaN(body.id)) continue;
    await assertRejects(() => controller.fetch(Resource.get, { id: "9" }), RejoinError);
    verifyUntouched();
  }
});

Deno.test("a server that never answers ends in TimeoutError after the deadline, and the next call works", async () => {
  const clock = new FakeClock();
  using _clock = clock.install();
  const api = new FaultFetch(() => Response.json({ id: "1", title: "one" }));
  using _fetch = api.install();
  const { controller, verifyUntouched } = fill();
  const Resource = createResource({ urlPrefix: "https://api.test", path: "/articles/:id", schema: Article });
  for (const fault of [{ never: "request" }, { never: "reply" }, { hangBody: 3 }] as const) {
    api.once("/articles", fault);
    const promise = assertRejects(() => controller.fetch(Resource.get, { id: "1" }), TimeoutError);
    await clock.tickAsync(29_999);
    assertEquals(controller.store.sequence.size, 1);
    await clock.tickAsync(1);
    const error = await promise;
    assertStringIncludes(error.message, "https://api.test/articles/1");
    verifyUntouched();
    assertEquals([clock.pending, api.open, api.openBodies, api.listeners], [0, 0, 0, 0]);
  }
  assertEquals((await controller.fetch(Resource.get, { id: "1" })).title, "one");
});

Deno.test("a custom endpoint that never settles is guarded by the controller's own deadline", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const wire = new Wire();
  const { controller, verifyUntouched } = fill();
  const read = new Endpoint(wire.fn("read"), { name: "read", schema: Article });
  const write = new Endpoint(wire.fn("write"), {
    name: "write",
    schema: Article,
    sideEffect: true,
    getOptimisticResponse: () => ({ id: "7", title: "shown" }),
  });
  for (const endpoint of [read, write]) {
    const promise = assertRejects(() => controller.fetch(endpoint), TimeoutError, endpoint.name);
    await clock.tickAsync(29_999);
    assertEquals(controller.store.sequence.size, 1);
    await clock.tickAsync(1);
    await promise;
    assert(wire.last.signal!.aborted);
    // What it shows stays as long as those may ask again who show a list that may have changed.
    await clock.tickAsync(100);
    verifyUntouched(endpoint.sideEffect);
    assertEquals(clock.pending, 0);
    await wire.last.reply({ id: "7", title: "too late" });
    verifyUntouched(endpoint.sideEffect);
  }
  const again = controller.fetch(read);
  await wire.last.reply({ id: "8", title: "in time" });
  assertEquals((await again).title, "in time");
  assertEquals(clock.pending, 0);
});

Deno.test("whatever an endpoint throws or rejects with, at once or later, the promise and the store tell it", async () => {
  const values = [new Error("an error"), undefined, null, "text", 0, Symbol("s"), Object.create(null), { status: 500 }];
  for (const value of values) {
    const ways = {
      rejects: () => Promise.reject(value),
      throws: () => {
        throw value;
      },
      "rejects later": async () => {
        await flush();
        throw value;
      },
    };
    for (const [way, fn] of Object.entries(ways)) {
      for (const sideEffect of [undefined, true]) {
        const { controller, verifyUntouched } = fill();
        const endpoint = new Endpoint(fn as () => Promise<unknown>, {
          name: "failing",
          schema: Article,
          sideEffect,
          getOptimisticResponse: () => ({ id: "1", title: "shown" }),
        });
        const outcome = await controller.fetch(endpoint).then(() => assert(false), (reason) => ({ reason }));
        assertStrictEquals(outcome!.reason, value, way);
        if (!sideEffect) {
          assert(controller.getError(endpoint) !== undefined && controller.getError(endpoint) !== null);
          assert(controller.getResponse(endpoint).expiresAt > 0, "the error keeps it from being asked again at once");
        }
        // The layer told the watcher twice; look at the rest.
        assertEquals([controller.store.sequence.size, controller.store.layers.length], [0, 0]);
        assertEquals(controller.get(Article, "1")?.title, "one");
        assertEquals(typeof JSON.stringify(stateOf(controller)), "string");
        if (!sideEffect) verifyUntouched();
      }
    }
  }
});

Deno.test("an endpoint whose extend() throws, or that gives no promise, settles all the same", async () => {
  const { controller } = fill();
  const broken = Object.assign(() => Promise.resolve(1), {
    key: () => "broken",
    testKey: (key: string) => key === "broken",
    schema: undefined,
    extend: () => {
      throw new Error("no extend");
    },
  });
  await assertRejects(() => controller.fetch(broken as unknown as AnyEndpoint), Error, "no extend");
  const plain = Object.assign(() => 5, {
    key: () => "plain",
    testKey: () => false,
    schema: undefined,
    extend: () => plain,
  });
  assertEquals(await controller.fetch(plain as unknown as AnyEndpoint), 5);
  assertEquals(controller.store.sequence.size, 0);
});

class Strict extends Entity {
  id = "";
  body = "";
  author: Author | undefined = undefined;
  pk() {
    return this.id;
  }
  static key = "Strict";
  static schema = { author: Author };
  static validate(record: { body?: string }) {
    return record.body === undefined ? "no body" : undefined;
  }
}

class Signed extends Entity {
  id = "";
  author = Author.fromJS();
  pk() {
    return this.id;
  }
  static key = "Signed";
  static schema = { author: Author };
}

Deno.test("a read whose answer its own class refuses is a ValidationError with path and reason, and writes nothing", async () => {
  const cases = [
    [Strict, { id: "1" }, "", "no body", "Strict"],
    [[Strict], [{ id: "1", body: "x" }, { id: "2" }], "[1]", "no body", "Strict"],
    [{ results: [Strict] }, { results: [{ id: "2" }] }, "results[0]", "no body", "Strict"],
    [{ first: Strict }, { first: { id: "2" } }, "first", "no body", "Strict"],
  ] as const;
  for (const [schema, answer, path, reason, key] of cases) {
    let calls = 0;
    const { controller, verifyUntouched } = fill();
    const read = new Endpoint(() => (calls++, Promise.resolve(answer as unknown)), {
      name: "read",
      schema: schema as never,
    });
    const error = await assertRejects(() => controller.fetch(read), ValidationError, reason);
    assertEquals([error.entity, error.pk, error.path], [key, path === "" ? "1" : "2", path]);
    if (path !== "") assertStringIncludes(error.message, `at ${path} `);
    verifyUntouched();
    assertStrictEquals(controller.getError(read), error);
    // The error is the key's answer for as long as errors are fresh: nothing asks again by itself.
    const { data, expiresAt } = controller.getResponse(read);
    assertEquals(data as unknown, undefined);
    assert(expiresAt > 0);
    await flush();
    assertEquals(calls, 1);
  }
});

Deno.test("a read satisfies its class with what the store has already", async () => {
  const { controller } = fill();
  controller.set(Strict, { id: "1" }, { body: "known" });
  const read = new Endpoint(() => Promise.resolve({ id: "1", author: { id: "1" } }), { name: "read", schema: Strict });
  assertEquals((await controller.fetch(read)).body, "known");
  const signed = new Endpoint(() => Promise.resolve({ id: "3", author: "7" }), { name: "signed", schema: Signed });
  // A reference to what was never here is undefined: it fills in when its record comes.
  assertEquals((await controller.fetch(signed)).author, undefined as never);
  controller.set(Author, { id: "7" }, { name: "ann" });
  assertEquals((await controller.fetch(signed)).author.name, "ann");
});

Deno.test("a mutation that the server accepted is stored, though the class reads it as incomplete", async () => {
  const { controller } = fill();
  const create = new Endpoint(() => Promise.resolve({ id: "5" }), { name: "create", schema: Strict, sideEffect: true });
  assertEquals(await controller.fetch(create) as unknown, undefined);
  assertEquals(stateOf(controller).entities.Strict!["5"], { id: "5" });
  assertEquals(controller.get(Strict, "5"), undefined);
});

Deno.test("WriteError carries the reply and the cause, expires what holds the record, and the next call works", async () => {
  const wire = new Wire();
  const { controller } = fill();
  const get = new Endpoint(wire.fn<[args: { id: string }]>("get"), { name: "get", schema: Article });
  const loaded = controller.fetch(get, { id: "1" });
  await wire.last.reply({ id: "1", title: "one" });
  await loaded;
  const view = controller.store.response(get, [{ id: "1" }], get.key({ id: "1" }));
  const markOf = () => view.read(controller.store.graph).mark;
  const before = markOf();
  const update = new Endpoint(wire.fn<[args: { id: string }]>("update"), {
    name: "update",
    schema: Article,
    sideEffect: true,
  });
  const reply = { id: { an: "object" } };
  const refused = controller.fetch(update, { id: "1" });
  await wire.last.reply(reply);
  const error = await assertRejects(() => refused, WriteError, 'The server accepted "update"');
  assertStrictEquals(error.response, reply);
  assertInstanceOf(error.cause, NormalizeError);
  assertEquals([markOf(), controller.getResponse(get, { id: "1" }).expiresAt], [before + 1, 0]);
  assertEquals(controller.get(Article, "1")?.title, "one");
  assertEquals(controller.store.sequence.size, 0);
  const again = controller.fetch(update, { id: "1" });
  await wire.last.reply({ id: "1", title: "updated" });
  assertEquals((await again).title, "updated");
});

Deno.test("setError and setResponse by hand are what a read sees", () => {
  const { controller } = fill();
  const read = new Endpoint((_: string) => Promise.resolve({}), { name: "read", schema: Article });
  const error = new Error("by hand");
  controller.setError(read, "5", error);
  assertStrictEquals(controller.getError(read, "5"), error);
  controller.setResponse(read, "5", { id: "5", title: "here" });
  assertEquals([controller.getError(read, "5"), controller.getResponse(read, "5").data?.title], [undefined, "here"]);
});

Deno.test("an error in words that cannot be made does not stop the state from being described", async () => {
  const { controller } = fill();
  const read = new Endpoint(() => Promise.reject(Object.create(null)), { name: "read" });
  await controller.fetch(read).catch(() => {});
  assertEquals(stateOf(controller).meta[read.key()]?.error, { name: "Error", message: "a value of type object" });
});
