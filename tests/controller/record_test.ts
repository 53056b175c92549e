import "../support/fixed_names.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  cacheControl,
  conditional,
  Controller,
  createResource,
  Endpoint,
  EndpointError,
  Entity,
  type Manager,
  memory,
  NetworkError,
  record,
  type Recording,
  RejoinError,
  replay,
  resource,
  schema,
  SchemaError,
  serial,
  stateOf,
} from "@rejoin/data";
import { type CallContext, remember } from "@rejoin/data/extend";
import { FakeClock, flush } from "../support/clock.ts";
import { TodoServer } from "../support/todo_server.ts";
import { Wire } from "../support/wire.ts";

class Todo extends Entity {
  id = "";
  title = "";
  done = false;
  due: Date | undefined = undefined;
  pk() {
    return this.id;
  }
  static key = "Todo";
  static schema = { due: Date };
}
type Params = { id: string };
const FIVE = { id: "5" };

function start() {
  const wire = new Wire();
  const controller = new Controller();
  const get = new Endpoint(wire.fn<[Params]>("get"), { name: "get", schema: Todo });
  const rename = new Endpoint(wire.fn<[Params, { title: string }]>("rename"), {
    name: "rename",
    schema: Todo,
    sideEffect: true,
    scope: serial(({ id }) => id),
  });
  return { wire, controller, get, rename };
}

/** A recording as it comes out of a file. */
function mailed(recording: Recording): Recording {
  return JSON.parse(JSON.stringify(recording));
}

async function play(recording: Recording, ...endpoints: object[]) {
  const played = replay(mailed(recording), { endpoints, schemas: [Todo] });
  await played.run();
  return played.controller;
}

Deno.test("a recording is plain: what was known, then each step with its time, requests paired with their ends", async () => {
  const clock = new FakeClock(1_000);
  using _ = clock.install();
  const { wire, controller, get, rename } = start();
  controller.set(Todo, FIVE, { id: "5", title: "zero" });
  const recorder = record(controller);
  controller.fetch(get, FIVE).catch(() => {});
  controller.fetch(rename, FIVE, { title: "one" });
  await clock.tickAsync(10);
  await wire.last.reply({ id: "5", title: "ONE" });
  await wire.calls[0]!.fail(new Error("refused"));
  controller.fetch(rename, FIVE, { title: "two" }).catch(() => {});
  controller.abort(rename, FIVE, { title: "two" });
  const recording = mailed(recorder.stop());
  controller.set(Todo, FIVE, { title: "not recorded" });
  assertEquals(recording, {
    version: 1,
    at: 1_000,
    answers: [],
    defaults: {},
    temporaryIds: 0,
    state: {
      version: 1,
      entities: { Todo: { 5: { id: "5", title: "zero" } } },
      entitiesMeta: { Todo: { 5: { fetchedAt: 1_000, expiresAt: 61_000 } } },
      endpoints: {},
      meta: {},
      optimistic: [],
      lastReset: 0,
    },
    views: [],
    steps: [
      { type: "fetch", at: 1_000, id: 1, endpoint: "get", key: 'get [{"id":"5"}]', args: [FIVE], isMutation: false },
      {
        type: "fetch",
        at: 1_000,
        id: 2,
        endpoint: "rename",
        key: 'rename [{"id":"5"},{"title":"one"}]',
        args: [FIVE, { title: "one" }],
        isMutation: true,
      },
      { type: "reply", at: 1_010, id: 2, value: { id: "5", title: "ONE" } },
      {
        type: "error",
        at: 1_010,
        id: 1,
        error: { "~rejoin": ["error", { name: "Error", message: "refused" }, false] },
      },
      {
        type: "fetch",
        at: 1_010,
        id: 3,
        endpoint: "rename",
        key: 'rename [{"id":"5"},{"title":"two"}]',
        args: [FIVE, { title: "two" }],
        isMutation: true,
      },
      { type: "abort", at: 1_010, id: 3 },
    ],
  });
});

Deno.test("a replay goes step by step, and its views are those of then", async () => {
  const { wire, controller, get } = start();
  const recorder = record(controller);
  controller.fetch(get, FIVE);
  await wire.last.reply({ id: "5", title: "one" });
  controller.expire(get, FIVE);
  const played = replay(mailed(recorder.stop()), { endpoints: [get] });
  const seen: unknown[] = [];
  while (true) {
    const { data, expiresAt } = played.controller.getResponse(get, FIVE);
    seen.push([played.at, data?.title, expiresAt > 0]);
    if (await played.next() === undefined) break;
  }
  assertEquals(seen, [[0, undefined, false], [1, undefined, false], [2, "one", true], [3, "one", false]]);
  assertEquals(wire.calls.length, 1);
});

Deno.test("what JSON has no form for comes through", async () => {
  const { controller } = start();
  const keys: string[] = [];
  const search = new Endpoint((..._args: unknown[]) => Promise.resolve([]), { name: "search" });
  const send = new Endpoint((_form: FormData) => Promise.resolve({}), { name: "send", sideEffect: true });
  const recorder = record(controller);
  const form = new FormData();
  form.append("text", "hello");
  form.append("file", new File(["secret content"], "cv.pdf", { type: "application/pdf" }));
  const args = [new Date(5), 10n, NaN, -Infinity, undefined, [undefined], new URLSearchParams("a=1"), { "~rejoin": 1 }];
  await controller.fetch(search, ...args);
  await controller.fetch(send.extend({ key: () => "send" }), form);
  controller.set(Todo, FIVE, { id: "5", due: new Date(7) });
  const recording = mailed(recorder.stop());
  assert(!JSON.stringify(recording).includes("secret content"));
  const mirror = search.extend({ key: (...args: unknown[]) => (keys.push(Deno.inspect(args)), search.key(...args)) });
  const again = await play(recording, mirror, send.extend({ key: () => "send" }));
  assertEquals(new Set(keys), new Set([Deno.inspect(args)]));
  assertEquals(stateOf(again), stateOf(controller));
  assertEquals(again.get(Todo, FIVE)?.due, new Date(7));
});

Deno.test("what cannot be kept is said to be left out, and the key stays", async () => {
  const { controller } = start();
  const sort = new Endpoint((_by: unknown) => Promise.resolve([1]), { name: "sort", key: () => "sort by something" });
  const loop: Record<string, unknown> = { by: () => {}, set: new Set([1]), big: new Uint8Array(3) };
  loop.self = loop;
  const recorder = record(controller);
  await controller.fetch(sort, loop);
  const recording = mailed(recorder.stop());
  assertEquals(recording.steps[0]!.args, [{
    by: { "~rejoin": ["omitted", "function"] },
    set: { "~rejoin": ["omitted", "Set"] },
    big: { "~rejoin": ["omitted", "Uint8Array"] },
    self: { "~rejoin": ["omitted", "what contains it"] },
  }]);
  const again = await play(recording, sort.extend({ key: undefined }));
  assertEquals(stateOf(again), stateOf(controller));
});

Deno.test("redact reaches everything that is kept: the state, arguments, bodies, replies, errors", async () => {
  const { wire, controller, get, rename } = start();
  controller.set(Todo, { id: "1" }, { id: "1", title: "s3cret" });
  const recorder = record(controller, {
    redact: (name, value) => name === "title" || name === "message" ? "***" : value,
  });
  controller.set(Todo, { id: "1" }, (todo) => todo && { ...todo, title: "s3cret too" });
  controller.fetch(get, FIVE);
  await wire.last.reply({ id: "5", title: "s3cret" });
  controller.fetch(rename.extend({ key: ({ id }: Params) => `rename ${id}` }), FIVE, { title: "s3cret" }).catch(
    () => {},
  );
  await wire.last.fail(new Error("s3cret"));
  const recording = mailed(recorder.stop());
  assert(!JSON.stringify(recording).includes("s3cret"), JSON.stringify(recording));
  const again = await play(recording, get, rename);
  assertEquals([again.get(Todo, FIVE)?.title, again.get(Todo, { id: "1" })?.title], ["***", "***"]);
});

Deno.test("redact reaches keys wherever they stand, and what a step threw; what a step consists of, it does not", async () => {
  const { wire, controller, get } = start();
  const secret = { id: "s3cret" };
  controller.setResponse(get, secret, { id: "1", title: "kept" });
  const recorder = record(controller, {
    redact: (_name, value) => typeof value === "string" ? value.replaceAll("s3cret", "***") : value,
  });
  controller.getResponse(get, secret);
  controller.expire(get, secret);
  controller.invalidateAll(get);
  assertThrows(() => controller.set(Todo, { id: "1" }, { id: "s3cret" }));
  const again = controller.fetch(get, secret);
  await wire.last.reply({ id: "1", title: "two" });
  await again;
  const text = JSON.stringify(recorder.stop());
  assert(!text.includes("s3cret"), text);
  const played = await play(JSON.parse(text), get);
  assertEquals(played.getResponse(get, { id: "***" }).data?.title, "two");
  assertEquals(JSON.stringify(stateOf(played)), JSON.stringify(stateOf(controller)).replaceAll("s3cret", "***"));

  const all = record(controller, { redact: () => 0 });
  controller.set(Todo, FIVE, { id: "5" });
  assertEquals(all.stop().steps.map(({ type, schema }) => [type, schema]), [["set", ['"Todo"', "Todo"]]]);
});

Deno.test("what cannot be read is left out, and the app does not notice that it is recorded", async () => {
  const { controller } = start();
  const send = new Endpoint((_: unknown) => Promise.resolve("sent"), { name: "send", key: () => "send" });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const loop = { toJSON: () => loop, name: "loop" };
  const error = Object.assign(new Error(), { message: { token: "s3cret" }, name: Symbol("odd") });
  const bytes = Object.assign(new Uint8Array(3), { toJSON: () => "s3cret" });
  const fake = { [Symbol.toStringTag]: "Date" };
  const broken = {
    get value() {
      throw new Error("s3cret");
    },
  };
  const recorder = record(controller, {
    redact: (name, value) => {
      if (name === "refused") throw new Error("s3cret");
      return value;
    },
  });
  for (const arg of [proxy, loop, error, bytes, fake, broken, { refused: "s3cret" }]) {
    assertEquals(await controller.fetch(send, arg), "sent");
  }
  const { steps } = mailed(recorder.stop());
  assert(!JSON.stringify(steps).includes("s3cret"));
  const unread = { "~rejoin": ["omitted", "what throws when it is read"] };
  assertEquals(
    steps.filter(({ type }) => type === "fetch").map(({ args }) => args![0]),
    [
      unread,
      { toJSON: { "~rejoin": ["omitted", "function"] }, name: "loop" },
      { "~rejoin": ["error", { name: "Symbol(odd)", message: "[object Object]" }, false] },
      { "~rejoin": ["omitted", "Uint8Array"] },
      unread,
      unread,
      { refused: unread },
    ],
  );
});

Deno.test("what is no recording, or no step, is a typed error, and changes no prototype", async () => {
  const { controller, get } = start();
  const recorder = record(controller);
  controller.set(Todo, FIVE, { id: "5", title: "one" });
  const whole = mailed(recorder.stop());
  const [set] = whole.steps;
  const parts: Record<string, unknown>[] = [
    { steps: undefined },
    { views: undefined },
    { answers: undefined },
    { answers: [null] },
    { state: { "~rejoin": ["url", "x"] } },
    { state: undefined },
    { state: 5 },
    { at: "now" },
    { temporaryIds: 2 ** 53 },
    { temporaryIds: "1" },
  ];
  for (const recording of [null, "text", ...parts.map((part) => ({ ...whole, ...part }))]) {
    assertThrows(() => replay(recording as Recording, { endpoints: [get] }), RejoinError, "Cannot replay: ");
  }
  assertThrows(() => replay(whole, { endpoints: { get } as never }), RejoinError, "endpoints must be a list");
  const call = { type: "fetch", at: 1, id: 1, endpoint: "get", key: "get", args: [FIVE], isMutation: false };
  const steps: unknown[] = [
    null,
    { at: 1 },
    { ...set, at: "1" },
    { type: "explode", at: 1 },
    { ...set, schema: undefined },
    { ...set, value: { "~rejoin": 5 } },
    { ...set, value: { "~rejoin": ["bigint", "x"] } },
    { ...set, value: { "~rejoin": ["url", "x"] } },
    { ...set, value: { "~rejoin": ["object", null] } },
    { ...set, value: { "~rejoin": ["form", 5] } },
    { ...set, views: 1 },
    { ...call, args: 5 },
    { type: "expire", at: 1, keys: 5 },
    { type: "reply", at: 1, id: 7, value: 1 },
  ];
  for (const step of steps) {
    const recording = { ...whole, views: [null], steps: [step] } as never;
    const played = replay(recording, { endpoints: [get], schemas: [Todo] });
    await assertRejects(() => played.next(), RejoinError, "Cannot replay step 1 of 1: ");
    assertEquals(await played.next(), undefined);
  }
  const evil: Recording = JSON.parse(
    String.raw`{ "version": 1, "at": 1, "temporaryIds": 0, "defaults": {}, "answers": [], "views": [],
    "state": { "entities": { "__proto__": { "1": {} }, "Todo": { "__proto__": { "id": "1" } } },
      "meta": { "a": { "fetchedAt": 1, "expiresAt": 1, "error": { "message": "m", "__proto__": { "evil": 1 } } },
        "b": null } },
    "steps": [{ "type": "set", "at": 1, "schema": ["\"Todo\"", "Todo"], "args": [],
        "value": { "id": "5", "__proto__": { "evil": 1 } } },
      { "type": "setError", "at": 1, "endpoint": "get", "key": "get", "args": [{ "id": "5" }],
        "error": { "~rejoin": ["error", { "message": "m", "__proto__": { "evil": 1 } }, false] } }] }`,
  );
  const played = replay(evil, { endpoints: [get], schemas: [Todo] });
  await played.run();
  const seen = [{}, played.controller.get(Todo, FIVE), played.controller.getError(get, FIVE)];
  assertEquals(seen.map((value) => (value as { evil?: number } | undefined)?.evil), [undefined, undefined, undefined]);
});

Deno.test("endpoints and schemas that were not given are named", async () => {
  const { wire, controller, get } = start();
  const recorder = record(controller);
  controller.set(new schema.All(Todo), [{ id: "1" }]);
  controller.fetch(get, FIVE);
  await wire.last.reply(FIVE);
  const recording = recorder.stop();
  const lost = await assertRejects(() => replay(recording, { endpoints: [] }).run(), SchemaError);
  assertEquals(
    lost.message,
    'Cannot replay a set of All of "Todo": no such schema is among those given, nor in the schemas of the endpoints. ' +
      "Give it to replay(recording, { endpoints, schemas: [Article] })",
  );
  const all = [new schema.All(Todo)];
  const { endpoint, message } = await assertRejects(
    () => replay(recording, { endpoints: [], schemas: all }).run(),
    EndpointError,
  );
  assertEquals([endpoint, message.slice(0, 37)], ["get", 'Cannot replay a call of "get": no end']);
  await replay(recording, { endpoints: [get], schemas: all }).run();
  assertThrows(() => replay({ ...recording, version: 2 as 1 }, { endpoints: [] }), RejoinError, "version 2");
});

Deno.test("a class is told from others of its family, and endpoints of one path by their method", async () => {
  class Short extends Entity {
    id = "";
    title = "";
    static key = "Todo";
    static process(value: object) {
      return { ...value, title: "short" };
    }
  }
  const base = { path: "/todos/:id", urlPrefix: "https://x.test" };
  const api = createResource({ ...base, schema: Todo, name: "same" });
  const read = api.get.extend({ name: "same" });
  const remove = api.delete.extend({ name: "same" });
  const controller = new Controller();
  const recorder = record(controller);
  controller.set(Short, FIVE, { id: "5", title: "long" });
  controller.setResponse(read, FIVE, { id: "5", done: true });
  const gone = controller.fetch(remove.extend({ fetch: () => Promise.resolve(FIVE) }), FIVE);
  await gone;
  const recording = recorder.stop();
  const played = replay(recording, { endpoints: [remove, read], schemas: [Todo, Short] });
  await played.next();
  assertEquals(played.controller.get(Todo, FIVE)?.title, "short");
  await played.run();
  assertEquals(stateOf(played.controller), stateOf(controller));
  assertEquals(played.controller.get(Todo, FIVE), undefined);
});

Deno.test("one recorder at a time; what is in flight when it begins is recorded as started then", async () => {
  const { wire, controller, get } = start();
  controller.fetch(get, FIVE);
  const recorder = record(controller);
  assertThrows(() => record(controller), RejoinError, "it is being recorded");
  assertEquals(recorder.length, 1);
  await wire.last.reply({ id: "5", title: "one" });
  const recording = recorder.stop();
  assertEquals(recorder.stop(), recording);
  assertEquals(recording.steps.map(({ type }) => type), ["fetch", "reply"]);
  record(controller).stop();
  const played = replay(recording, { endpoints: [get] });
  assertThrows(() => record(played.controller), RejoinError, "replays a recording");
});

Deno.test("nothing is let go while it is recorded, and again afterwards", () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const controller = new Controller({ use: [memory({ maxAge: 1_000 })] });
  controller.set(Todo, FIVE, { id: "5" });
  const recorder = record(controller);
  clock.tick(60_000);
  assert(controller.get(Todo, FIVE) !== undefined);
  clock.tick(60_000);
  recorder.stop();
  clock.tick(60_000);
  assertEquals(stateOf(controller).entities, {});
  controller.cleanup();
});

Deno.test("a mutation that was answered elsewhere while it waited is replayed as that", async () => {
  const { wire, controller, get, rename } = start();
  const recorder = record(controller);
  controller.fetch(rename, FIVE, { title: "one" });
  controller.fetch(rename, FIVE, { title: "two" });
  controller.resolve(rename, { args: [FIVE, { title: "two" }], response: { id: "5", title: "TWO" } });
  await wire.last.reply({ id: "5", title: "ONE" });
  const recording = recorder.stop();
  assertEquals(recording.steps.map(({ isElsewhere }) => isElsewhere), [undefined, undefined, true, undefined]);
  const again = await play(recording, get, rename);
  assertEquals(stateOf(again), stateOf(controller));
  assertEquals([again.get(Todo, FIVE)?.title, wire.calls.length], ["TWO", 1]);
});

Deno.test("a manager that swallows a reply, or changes it, is in the recording", async () => {
  const swallow: Manager = {
    middleware: () => (next) => (action) => {
      if (action.type !== "setResponse") return next(action);
      const { title } = action.response as { title: string };
      return title === "swallowed" ? undefined : next({ ...action, response: { id: "5", title: `${title}!` } });
    },
  };
  const { wire, get } = start();
  const controller = new Controller({ managers: [swallow] });
  const recorder = record(controller);
  for (const title of ["one", "swallowed"]) {
    controller.fetch(get, FIVE);
    await wire.last.reply({ id: "5", title });
  }
  const recording = recorder.stop();
  assertEquals(recording.steps.map(({ type }) => type), ["fetch", "reply", "fetch", "abort"]);
  assertEquals((await play(recording, get)).get(Todo, FIVE)?.title, "one!");
});

Deno.test("subscriptions are noted, and what a reader is told to fetch is in the recording", async () => {
  const { wire, controller, get } = start();
  const recorder = record(controller);
  controller.subscribe(get, FIVE);
  controller.unsubscribe(get, FIVE);
  const recording = recorder.stop();
  assertEquals(recording.steps.map(({ type, key }) => [type, key]), [
    ["subscribe", 'get [{"id":"5"}]'],
    ["unsubscribe", 'get [{"id":"5"}]'],
  ]);
  await play(recording, get);
  assertEquals(wire.calls.length, 0);
});

Deno.test("a replay that goes another way says so", async () => {
  const { wire, controller, rename } = start();
  const recorder = record(controller);
  for (const id of ["1", "2"]) controller.fetch(rename, { id }, { title: id });
  await wire.last.reply({ id: "2", title: "TWO" });
  // All in one line: the second is not sent before the first has ended.
  const other = rename.extend({ scope: serial(() => "all") });
  await assertRejects(
    () => play(recorder.stop(), other),
    RejoinError,
    "at step 3 of 3 a request is answered that was not",
  );
});

Deno.test("an answer from before the recording is renewed by a 304, too", async () => {
  const clock = new FakeClock(1_000);
  using _ = clock.install();
  const controller = new Controller();
  let asked = 0;
  const get = new Endpoint((_: Params) => Promise.resolve(FIVE), { name: "get", schema: Todo }).extend({
    fetchReply: async (context: CallContext) =>
      await remember(context, { value: FIVE, memo: "1", unchanged: asked++ > 0 }),
  } as object);
  await controller.fetch(get, FIVE);
  const recorder = record(controller);
  clock.tick(10);
  await controller.fetch(get, FIVE);
  const recording = recorder.stop();
  const again = await play(recording, get);
  assertEquals(recording.steps.map(({ type, isUnchanged }) => [type, isUnchanged]), [["fetch", undefined], [
    "reply",
    true,
  ]]);
  const { meta, endpoints } = stateOf(again);
  assertEquals([meta, endpoints], [stateOf(controller).meta, stateOf(controller).endpoints]);
  assertEquals(Object.values(meta).map(({ fetchedAt }) => fetchedAt), [1_010]);
  await again.allSettled();
});

Deno.test("an app against a server is replayed without it: resource, list verbs, 304, Cache-Control, refusals", async () => {
  await using server = new TodoServer([{ id: "1", title: "a" }, { id: "2", title: "b" }]);
  const todos = resource({
    urlPrefix: server.origin,
    path: "/todos/:id",
    schema: Todo,
    optimistic: true,
    scope: serial("record"),
    use: [conditional(), cacheControl()],
  });
  const headers = new Headers({ etag: '"1"', "cache-control": "max-age=7" });
  const get = todos.get.extend({
    fetchResponse: (_url: string, init: RequestInit) => {
      const isKnown = new Headers(init.headers).get("if-none-match") === '"1"';
      const body = isKnown ? null : JSON.stringify({ id: "1", title: "a" });
      return Promise.resolve(new Response(body, { status: isKnown ? 304 : 200, headers }));
    },
  });
  using controller = new Controller({ defaults: { dataExpiryLength: Infinity } });
  const recorder = record(controller);
  await controller.fetch(get, { id: "1" });
  await controller.fetch(get, { id: "1" });
  await controller.fetch(todos.getList);
  const made = controller.fetch(todos.create, { title: "c" });
  controller.fetch(todos.partialUpdate, { id: "~0000000000000000-1" }, { title: "d" });
  await made;
  await controller.allSettled();
  await controller.fetch(todos.getList.unshift, { title: "e" });
  await assertRejects(() => controller.fetch(todos.get, { id: "404" }), NetworkError);
  await controller.fetch(todos.delete, { id: "2" });
  await flush();
  const recording = mailed(recorder.stop());
  assert(recording.steps.some(({ isUnchanged }) => isUnchanged));
  const again = await play(recording, todos);
  assertEquals(stateOf(again), stateOf(controller));
  assertEquals(again.getResponse(todos.getList).data?.map(({ title }) => title), ["e", "a", "d"]);
  assertEquals(again.getError(todos.get, { id: "404" }) instanceof Error, true);
});
