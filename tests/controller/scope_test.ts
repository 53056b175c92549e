import "../support/fixed_names.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import * as fc from "fast-check";
import {
  createResource,
  Endpoint,
  EndpointError,
  Entity,
  explain,
  onCommit,
  OvertakenError,
  resource,
  serial,
  temporaryIds,
  TimeoutError,
} from "@rejoin/data";
import type { AnyEndpoint } from "../../src/endpoint/interface.ts";
import { lineOf } from "../../src/parts/scopes/scope_name.ts";
import { PatientController as Controller } from "../support/patient_controller.ts";
import { FakeClock, flush } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";
import { TodoServer } from "../support/todo_server.ts";
import { Wire, type WireCall } from "../support/wire.ts";

class Todo extends Entity {
  id = "";
  title = "";
  done = false;
  pk() {
    return this.id;
  }
  static key = "Todo";
}
type Params = { id: string };
type Body = { title: string };

function start() {
  const wire = new Wire();
  const controller = new Controller({ use: [temporaryIds()] });
  const options = {
    schema: Todo,
    sideEffect: true,
    scope: serial(({ id }: Params) => `todo ${id}`),
    getOptimisticResponse: (_: unknown, { id }: Params, body: Body) => ({ id, ...body }),
  } as const;
  const rename = new Endpoint(wire.fn<[Params, Body]>("rename"), { name: "rename", ...options });
  const get = new Endpoint(wire.fn<[Params]>("get"), { name: "get", schema: Todo });
  const create = new Endpoint(wire.fn<[body: Body]>("create"), {
    name: "create",
    schema: Todo,
    sideEffect: true,
    getOptimisticResponse: (snapshot, body: Body) => ({ id: snapshot.temporaryId(), ...body }),
  });
  controller.set(Todo, { id: "5" }, { id: "5", title: "zero" });
  const title = (id = "5") => controller.get(Todo, { id })?.title;
  const sent = () => wire.calls.map(({ args }) => (args.at(-1) as Body).title).join();
  return { wire, controller, rename, get, create, title, sent };
}
const FIVE = { id: "5" };

Deno.test("mutations of one scope are sent one after another, and all are shown at once", async () => {
  const { wire, controller, rename, title, sent } = start();
  const results = ["one", "two", "three"].map((title) => controller.fetch(rename, FIVE, { title }));
  await flush();
  assertEquals([sent(), title()], ["one", "three"]);
  await wire.last.reply({ id: "5", title: "ONE" });
  assertEquals([sent(), title()], ["one,two", "three"]);
  await wire.last.reply({ id: "5", title: "TWO" });
  await wire.last.reply({ id: "5", title: "THREE" });
  assertEquals([sent(), title()], ["one,two,three", "THREE"]);
  assertEquals((await Promise.all(results)).map(({ id }) => id), ["5", "5", "5"]);
  assertEquals([controller.store.logs.size, controller.store.overlaps.size, controller.store.sequence.size], [0, 0, 0]);
});

Deno.test("what was sent one after another has not overlapped: nothing is stale", async () => {
  const { wire, controller, rename, get } = start();
  controller.setResponse(get, FIVE, { id: "5", title: "zero" });
  const expiresAt = () => controller.getResponse(get, FIVE).expiresAt;
  for (const title of ["one", "two"]) controller.fetch(rename, FIVE, { title });
  await wire.last.reply({ id: "5", title: "ONE" });
  await wire.last.reply({ id: "5", title: "TWO" });
  assert(expiresAt() > 0);

  // Without a scope the two are in flight together.
  const free = rename.extend({ scope: undefined });
  for (const title of ["three", "four"]) controller.fetch(free, FIVE, { title });
  const [three, four] = wire.calls.slice(-2);
  await three!.reply({ id: "5", title: "THREE" });
  await four!.reply({ id: "5", title: "FOUR" });
  assertEquals(expiresAt(), 0);
});

Deno.test("a mutation that overtakes one that waits leaves the record stale", async () => {
  const { wire, controller, rename, get, title } = start();
  controller.setResponse(get, FIVE, { id: "5", title: "zero" });
  assert(controller.getResponse(get, FIVE).expiresAt > 0);
  for (const title of ["one", "two"]) controller.fetch(rename, FIVE, { title });
  const [one] = wire.calls;
  controller.fetch(rename.extend({ scope: undefined }), FIVE, { title: "other" });
  await wire.last.reply({ id: "5", title: "OTHER" });
  await one!.reply({ id: "5", title: "ONE" });
  await wire.last.reply({ id: "5", title: "TWO" });
  // In the order of calls "other" is the last; on the server "two" was.
  assertEquals([title(), controller.getResponse(get, FIVE).expiresAt], ["OTHER", 0]);
});

Deno.test("different scopes, and calls that have none, wait for nobody", async () => {
  const { wire, controller, rename, sent } = start();
  controller.fetch(rename, FIVE, { title: "one" });
  controller.fetch(rename, { id: "6" }, { title: "two" });
  controller.fetch(rename.extend({ scope: serial(() => undefined) }), FIVE, { title: "three" });
  await flush();
  assertEquals(sent(), "one,two,three");
  for (const call of wire.calls) await call.reply({ id: "7" });
});

Deno.test("a mutation that fails stops none of those behind it", async () => {
  const { wire, controller, rename, sent, title } = start();
  const [one, two] = ["one", "two"].map((title) => controller.fetch(rename, FIVE, { title }));
  await wire.last.fail(new Error("refused"));
  await assertRejects(() => one!, Error, "refused");
  assertEquals([sent(), title()], ["one,two", "two"]);
  await wire.last.reply({ id: "5", title: "TWO" });
  assertEquals((await two!).title, "TWO");
});

Deno.test("a scope that throws rejects its call alone, and nothing of it is shown", async () => {
  const { wire, controller, rename, title } = start();
  const broken = rename.extend({
    scope: serial(() => {
      throw new Error("no scope");
    }),
  });
  await assertRejects(() => controller.fetch(broken, FIVE, { title: "one" }), Error, "no scope");
  assertEquals([wire.calls.length, title()], [0, "zero"]);
});

Deno.test("a mutation that waits is aborted without having been sent", async () => {
  const { wire, controller, rename, sent, title } = start();
  const abort = new AbortController();
  const named = rename.extend({ signal: abort.signal, key: () => "named" });
  controller.fetch(rename, FIVE, { title: "one" });
  const aborted = controller.fetch(named, FIVE, { title: "two" });
  const signalled = controller.fetch(named.extend({ key: () => "signalled" }), FIVE, { title: "three" });
  const last = controller.fetch(named.extend({ key: () => "last", signal: undefined }), FIVE, { title: "four" });
  controller.abort(named, FIVE, { title: "two" });
  assertEquals((await assertRejects(() => aborted, DOMException)).name, "AbortError");
  abort.abort(new Error("left"));
  await assertRejects(() => signalled, Error, "left");
  assertEquals(title(), "four");
  await wire.last.reply({ id: "5", title: "ONE" });
  assertEquals(sent(), "one,four");
  await wire.last.reply({ id: "5", title: "FOUR" });
  assertEquals((await last).title, "FOUR");
});

Deno.test("a scope is a text: a number counts as one, anything else is a typed error", async () => {
  const { wire, controller, rename } = start();
  const scoped = (scope: unknown) => rename.extend({ scope: serial(() => scope as string) });
  controller.fetch(scoped(""), FIVE, { title: "one" });
  controller.fetch(scoped(""), FIVE, { title: "waits for one" });
  controller.fetch(scoped(7), FIVE, { title: "two" });
  controller.fetch(scoped("7"), FIVE, { title: "waits for two" });
  for (const scope of [null, {}, Promise.resolve("7"), Symbol()]) {
    await assertRejects(
      () => controller.fetch(scoped(scope), FIVE, { title: "no" }),
      EndpointError,
      "must return a string or a number",
    );
  }
  assertEquals(wire.calls.length, 2);
});

Deno.test("a scope that throws for the server's name rejects its call alone, and the next in line is sent", async () => {
  const { wire, controller, rename, create, sent } = start();
  const odd = rename.extend({
    scope: serial(({ id }: Params) => {
      if (id === "9") throw new Error("no scope for 9");
      return `todo ${id}`;
    }),
  });
  controller.fetch(create, { title: "made" });
  const broken = controller.fetch(odd, { id: "~0000000000000000-1" }, { title: "one" });
  const behind = controller.fetch(rename, { id: "~0000000000000000-1" }, { title: "two" });
  let bystander: Promise<Todo>;
  const stop = onCommit(controller, (_, { type }) => {
    if (type === "setResponse") (stop(), bystander = controller.fetch(rename, FIVE, { title: "three" }));
  });
  await wire.last.reply({ id: "9", title: "made" });
  await assertRejects(() => broken, Error, "no scope for 9");
  assertEquals(new Set(sent().split(",")), new Set(["made", "two", "three"]));
  await wire.calls.find(({ args }) => (args.at(-1) as Body).title === "three")!.reply({ id: "5", title: "THREE" });
  await wire.calls.find(({ args }) => (args.at(-1) as Body).title === "two")!.reply({ id: "9", title: "TWO" });
  assertEquals([(await bystander!).title, (await behind).title], ["THREE", "TWO"]);
});

Deno.test("abort gives up all equal calls of a line, and sends none of those that waited", async () => {
  const { wire, controller, rename, title } = start();
  const results = [1, 2, 3].map(() => controller.fetch(rename, FIVE, { title: "same" }));
  controller.abort(rename, FIVE, { title: "same" });
  for (const result of results) assertEquals((await assertRejects(() => result, DOMException)).name, "AbortError");
  assertEquals([wire.calls.length, title(), controller.store.sequence.size], [1, "zero", 0]);
});

Deno.test("a call whose signal is aborted before it waits is rejected at once", async () => {
  const { controller, rename, title } = start();
  controller.fetch(rename, FIVE, { title: "one" });
  const signal = AbortSignal.abort(new Error("too late"));
  await assertRejects(() => controller.fetch(rename.extend({ signal }), FIVE, { title: "two" }), Error, "too late");
  assertEquals([title(), controller.store.sequence.size], ["one", 1]);
});

for (const by of ["the name that was shown", "the server's name"]) {
  Deno.test(`what waits is found by ${by} as soon as the server has named its record`, async () => {
    const { wire, controller, rename, create, sent } = start();
    const id = by.startsWith("the name") ? "~0000000000000000-1" : "9";
    controller.fetch(create, { title: "made" });
    const [aborted, answered] = ["one", "two"].map((title) =>
      controller.fetch(rename, { id: "~0000000000000000-1" }, { title })
    );
    const stop = onCommit(controller, (_, { type }) => {
      if (type !== "setResponse") return;
      stop();
      controller.abort(rename, { id }, { title: "one" });
      assert(controller.resolve(rename, { args: [{ id }, { title: "two" }], response: { id: "9", title: "TWO" } }));
    });
    await wire.last.reply({ id: "9", title: "made" });
    assertEquals((await assertRejects(() => aborted!, DOMException)).name, "AbortError");
    assertEquals([(await answered!).title, sent()], ["TWO", "made"]);
  });
}

Deno.test("a call waits for no name that only it gives: a text that looks like one is a text", async () => {
  const { wire, controller, create } = start();
  const made = controller.fetch(create, { title: "~0000000000000000-1" });
  await flush();
  await wire.last.reply({ id: "9", title: "~0000000000000000-1" });
  assertEquals((await made).title, "~0000000000000000-1");
});

Deno.test("a reset leaves no deadline behind", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const { controller, rename } = start();
  for (const title of ["one", "two"]) controller.fetch(rename, FIVE, { title });
  await flush();
  assertEquals(clock.pending, 1);
  controller.resetEntireStore();
  assertEquals(clock.pending, 0);
});

for (const end of ["reset", "cleanup"] as const) {
  Deno.test(`a ${end} rejects what waits, and sends none of it`, async () => {
    const { wire, controller, rename } = start();
    const results = ["one", "two", "three"].map((title) => controller.fetch(rename, FIVE, { title }));
    if (end === "reset") controller.resetEntireStore();
    else controller.cleanup();
    for (const result of results) assertEquals((await assertRejects(() => result, OvertakenError)).reason, end);
    await wire.last.reply({ id: "5", title: "ONE" });
    assertEquals(wire.calls.length, 1);
  });
}

Deno.test("the line is free again after a reset", async () => {
  const { wire, controller, rename, title } = start();
  controller.fetch(rename, FIVE, { title: "one" });
  controller.resetEntireStore();
  const result = controller.fetch(rename, FIVE, { title: "two" });
  await wire.last.reply({ id: "5", title: "TWO" });
  assertEquals([(await result).title, title(), wire.calls.length], ["TWO", "TWO", 2]);
});

Deno.test("the deadline of a mutation counts from when it is sent", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const { wire, controller, rename } = start();
  const [one, two] = ["one", "two"].map((title) => controller.fetch(rename, FIVE, { title }));
  await clock.tickAsync(20_000);
  await wire.last.reply({ id: "5", title: "ONE" });
  await one;
  await clock.tickAsync(29_999);
  assert(!wire.last.signal!.aborted);
  await clock.tickAsync(1);
  await assertRejects(() => two!, TimeoutError);
  assertEquals(clock.pending, 0);
});

Deno.test("what is read while a mutation waits stands before it, and is stale when it has settled", async () => {
  const { wire, controller, rename, get, title } = start();
  for (const title of ["one", "two"]) controller.fetch(rename, FIVE, { title });
  await wire.last.reply({ id: "5", title: "ONE" });
  const two = wire.last;
  const read = controller.fetch(get, FIVE);
  await wire.last.reply({ id: "5", title: "ONE", done: true });
  await read;
  assertEquals(title(), "two");
  await two.reply({ id: "5", title: "TWO" });
  assertEquals([title(), controller.get(Todo, FIVE)?.done], ["TWO", true]);
  assertEquals(explain(controller, get, FIVE).state, "stale");
});

Deno.test("a mutation that waits can be answered elsewhere, and is not sent then", async () => {
  const { wire, controller, rename, sent } = start();
  controller.fetch(rename, FIVE, { title: "one" });
  const named = rename.extend({ key: () => "two" });
  const two = controller.fetch(named, FIVE, { title: "two" });
  assert(controller.resolve(named, { args: [FIVE, { title: "two" }], response: { id: "5", title: "TWO" } }));
  assertEquals((await two).title, "TWO");
  await wire.last.reply({ id: "5", title: "ONE" });
  assertEquals([sent(), controller.get(Todo, FIVE)?.title], ["one", "TWO"]);
});

Deno.test("bind keeps the scope, with the arguments that are fixed", async () => {
  const { wire, controller, rename, sent } = start();
  const bound = rename.bind(undefined, FIVE);
  controller.fetch(bound, { title: "one" });
  controller.fetch(rename, FIVE, { title: "two" });
  await flush();
  assertEquals(sent(), "one");
  await wire.last.reply({ id: "5" });
  assertEquals(sent(), "one,two");
});

Deno.test("what changes a record without a name waits for the name, then for the record", async () => {
  const { wire, controller, rename, create, sent, title } = start();
  controller.fetch(create, { title: "made" });
  for (const title of ["one", "two"]) controller.fetch(rename, { id: "~0000000000000000-1" }, { title });
  await flush();
  assertEquals([sent(), title("~0000000000000000-1")], ["made", "two"]);
  // Whoever is told of the commit names the record, too: it stands behind those who were there before.
  const stop = onCommit(controller, (_, action) => {
    if (action.type === "setResponse") (stop(), controller.fetch(rename, { id: "9" }, { title: "three" }));
  });
  await wire.last.reply({ id: "9", title: "made" });
  assertEquals([sent(), title("9")], ["made,one", "three"]);
  await wire.last.reply({ id: "9", title: "ONE" });
  await wire.last.fail();
  assertEquals(sent(), "made,one,two,three");
  await wire.last.reply({ id: "9", title: "THREE" });
  assertEquals([title("9"), wire.calls.slice(1).map(({ args }) => (args[0] as Params).id)], ["THREE", [
    "9",
    "9",
    "9",
  ]]);
});

Deno.test("a create and what changes it may have one scope", async () => {
  const { wire, controller, rename, create, sent, title } = start();
  const scope = serial(() => "all");
  controller.fetch(rename.extend({ scope }), FIVE, { title: "one" });
  controller.fetch(create.extend({ scope }), { title: "made" });
  controller.fetch(rename.extend({ scope }), { id: "~0000000000000000-1" }, { title: "two" });
  controller.fetch(rename.extend({ scope }), FIVE, { title: "three" });
  await wire.last.reply({ id: "5", title: "ONE" });
  await wire.last.reply({ id: "9", title: "made" });
  await wire.last.reply({ id: "9", title: "TWO" });
  await wire.last.reply({ id: "5", title: "THREE" });
  assertEquals([sent(), title("9"), title()], ["one,made,two,three", "TWO", "THREE"]);
});

Deno.test("where the create fails, what waits for it goes, and who waits for that is sent", async () => {
  const { wire, controller, rename, create, sent } = start();
  const scope = serial(() => "all");
  controller.fetch(create.extend({ scope }), { title: "made" });
  const lost = controller.fetch(rename.extend({ scope }), { id: "~0000000000000000-1" }, { title: "two" });
  controller.fetch(rename.extend({ scope }), FIVE, { title: "three" });
  await wire.last.fail();
  await assertRejects(() => lost, Error, 'it names the temporary id "~0000000000000000-1"');
  assertEquals(sent(), "made,three");
});

Deno.test('serial("record") of a resource is the place of the record, whatever changes it', () => {
  const todos = resource({
    urlPrefix: "https://x.test",
    path: "/lists/:list/todos/:id",
    schema: Todo,
    scope: serial("record"),
  });
  const at = "https://x.test/lists/1/todos/5";
  const params = { list: "1", id: 5 };
  const nameOf = (endpoint: AnyEndpoint, ...args: unknown[]) => lineOf("record", endpoint, args);
  assertEquals(nameOf(todos.update, params, {}), at);
  assertEquals(nameOf(todos.partialUpdate, params, { title: "x" }), at);
  assertEquals(nameOf(todos.delete, params), at);
  assertEquals(nameOf(todos.getList.move, params, { title: "x" }), at);
  assertEquals(nameOf(todos.getList.remove, { list: "1" }, { id: "5" }), at);
  assertEquals(nameOf(todos.partialUpdate.extend({ path: "/lists/:list/todos/:id/publish" }), params, {}), at);
  // With a pk that the app has chosen, what follows must wait; without one, nothing can follow.
  assertEquals(nameOf(todos.create, { list: "1" }, { id: "5", title: "x" }), at);
  assertEquals(nameOf(todos.create, { list: "1" }, { title: "x" }), undefined);
  assertEquals(createResource({ path: "/todos/:id", schema: Todo }).update.scope, undefined);
  // @ts-expect-error -- what serial or latest gives
  resource({ path: "/todos/:id", schema: Todo, scope: "record" });
  // @ts-expect-error -- the same
  todos.update.extend({ scope: () => "all" });
  // @ts-expect-error -- the one word, or a function
  serial("todo");
});

Deno.test("a server gets the writes of one record one after another, and those of two at once", async () => {
  await using server = new TodoServer([{ id: "1" }, { id: "2" }]);
  const doors: (() => void)[] = [];
  server.gate = () => new Promise((open) => doors.push(open));
  const seen = () => server.requests.join();
  const todos = resource({ urlPrefix: server.origin, path: "/todos/:id", schema: Todo, scope: serial("record") });
  using controller = new Controller();
  const results = [
    controller.fetch(todos.partialUpdate, { id: "1" }, { title: "a" }),
    controller.fetch(todos.update, { id: "1" }, { id: "1", title: "b", done: true }),
    controller.fetch(todos.partialUpdate, { id: "2" }, { title: "c" }),
    controller.fetch(todos.delete, { id: "1" }),
  ];
  const opened = async (count: number) => {
    while (doors.length < count) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  await opened(2);
  assertEquals(seen(), "PATCH /todos/1,PATCH /todos/2");
  doors[0]!();
  await opened(3);
  doors[1]!();
  doors[2]!();
  await opened(4);
  assertEquals(seen(), "PATCH /todos/1,PATCH /todos/2,PUT /todos/1,DELETE /todos/1");
  doors[3]!();
  const titles = (await Promise.all(results.slice(0, 3))).map((todo) => (todo as Todo).title);
  await results[3];
  assertEquals([titles, server.rows.has("1"), controller.get(Todo, { id: "1" })], [["a", "b", "c"], false, undefined]);
});

/** One thing that happens; `at` chooses among what is there. */
const STEP = fc.record({
  kind: fc.constantFrom(
    "one",
    "one",
    "all",
    "free",
    "create",
    "draft",
    "reply",
    "reply",
    "reply",
    "fail",
    "abort",
    "reset",
  ),
  id: fc.constantFrom("1", "2"),
  at: fc.nat(7),
});

Deno.test("property: of one scope never two are on the wire, each in its turn, and nothing stays behind", async () => {
  const property = fc.asyncProperty(fc.array(STEP, { maxLength: 25 }), async (steps) => {
    const { wire, controller, rename, create, get } = start();
    const open = new Set<WireCall>();
    const wire2 = new Map<WireCall, string>();
    let made = 20;
    let order: { title: string; scope: string | undefined; signal: AbortController }[] = [];
    const look = () => {
      for (const call of wire.calls.splice(0)) {
        open.add(call);
        const { title } = call.args.at(-1) as Body;
        wire2.set(call, title);
      }
      const there = [...open].filter(({ signal }) => !signal!.aborted).map((call) => wire2.get(call)!);
      const waiting = new Map<string, string[]>();
      for (const { title, scope } of order) {
        if (scope !== undefined) waiting.set(scope, [...waiting.get(scope) ?? [], title]);
      }
      // The naive model: of each scope exactly the oldest that is not over is on the wire, unless it has no name yet.
      for (const [scope, titles] of waiting) {
        const sent = titles.filter((title) => there.includes(title));
        assertEquals(sent, scope.includes("~") ? [] : titles.slice(0, 1));
      }
    };
    const over = (title: string) => order = order.filter((one) => one.title !== title);
    for (const [index, { kind, id, at }] of steps.entries()) {
      const title = `${kind}${index}`;
      const signal = new AbortController();
      const call = (endpoint: typeof rename, params: Params, scope: string | undefined) => {
        order.push({ title, scope, signal });
        controller.fetch(endpoint.extend({ signal: signal.signal }), params, { title }).then(
          () => over(title),
          () => over(title),
        );
      };
      const calls = [...open].filter((one) => !one.signal!.aborted);
      const chosen = calls[at % Math.max(1, calls.length)];
      if (kind === "one") call(rename, { id }, `todo ${id}`);
      else if (kind === "all") call(rename.extend({ scope: serial(() => "all") }), { id }, "all");
      else if (kind === "free") call(rename.extend({ scope: undefined }), { id }, undefined);
      else if (kind === "create") controller.fetch(create, { title }).catch(() => {});
      else if (kind === "draft") {
        const [draft] = controller.store.layers.flatMap(({ temporary }) => temporary.ids);
        // Its scope changes with its name: the model looks at what it did not see named only.
        if (draft !== undefined) controller.fetch(rename, { id: draft }, { title }).catch(() => {});
      } else if (kind === "abort") order[at % Math.max(1, order.length)]?.signal.abort();
      else if (kind === "reset") controller.resetEntireStore();
      else if (chosen !== undefined) {
        open.delete(chosen);
        const params = chosen.args.length > 1 ? chosen.args[0] as Params : { id: String(++made) };
        if (kind === "fail") await chosen.fail();
        else await chosen.reply({ ...params, title: wire2.get(chosen) });
      }
      await flush();
      look();
      // A read stands before the oldest mutation that is not over, sent or not.
      if (order.length > 0) {
        const read = controller.store.sequence.start(false);
        assert(read.isBehind);
        controller.store.sequence.settle(read);
      }
    }
    while (open.size > 0) {
      for (const call of [...open]) {
        open.delete(call);
        const params = call.args.length > 1 ? call.args[0] as Params : { id: String(++made) };
        await call.reply({ ...params, title: "end" });
      }
      look();
    }
    await controller.allSettled();
    const { store } = controller;
    assertEquals([order.length, store.sequence.size, store.layers.length, store.logs.size, store.overlaps.size], [
      0,
      0,
      0,
      0,
      0,
    ]);
    assertEquals(controller.getResponse(get, FIVE).data === undefined, controller.get(Todo, FIVE) === undefined);
  });
  await check(property, { name: "mutation scopes", runs: runs(1_000, 100_000) });
});
