// What a list is cannot be known, or has changed, before its first answer comes: that is older, and stale.
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Controller, Endpoint, Entity, resource, schema } from "@rejoin/data";
import { flush } from "../support/clock.ts";
import { Wire } from "../support/wire.ts";

class Todo extends Entity {
  id = "";
  owner = "";
  static key = "Todo";
}
const todos = new schema.Collection([Todo]);
class User extends Entity {
  id = "";
  name = "";
  todos: Todo[] = [];
  static key = "User";
  static schema = { todos: new schema.Collection([Todo], { nestKey: ({ id }: { id: string }) => ({ owner: id }) }) };
}

function setUp() {
  const wire = new Wire();
  return {
    wire,
    controller: new Controller(),
    getList: new Endpoint(wire.fn<[{ owner?: string }]>("list"), { name: "list", schema: todos }),
    getUser: new Endpoint(wire.fn<[{ id: string }]>("user"), { name: "user", schema: User }),
    rename: new Endpoint(wire.fn<[{ id: string }]>("rename"), { name: "rename", schema: User, sideEffect: true }),
    move: new Endpoint(wire.fn<[{ id: string }, object]>("move"), { name: "move", schema: Todo, sideEffect: true }),
    push: new Endpoint(wire.fn<[object]>("push"), {
      name: "push",
      schema: User.schema.todos.push,
      sideEffect: true,
    }),
    make: new Endpoint(wire.fn<[object]>("make"), { name: "make", schema: Todo, sideEffect: true }),
  };
}

/** A mutation of todos that names none, and is answered by nothing. */
const clearing = (wire: Wire, value: null | undefined) =>
  new Endpoint(wire.fn<[]>("clear"), {
    name: "clear",
    schema: Todo,
    sideEffect: true,
    readReply: () => ({ value, expire: { testKey: (key) => key.startsWith("user") } }),
  });

/** With a list in which nothing is new: of another it would not be known how it came to that. */
const none = { id: "2", name: "bob", todos: [] };
const bob = { id: "2", name: "bob", todos: [{ id: "4", owner: "2" }] };

for (const isKnown of [false, true]) {
  Deno.test(`a list that an older reply brings after a mutation was lost is stale${isKnown ? ", also the second time" : ""}`, async () => {
    const { controller, getUser, move, rename, wire } = setUp();
    controller.setResponse(move, { id: "3" }, {}, { id: "3", owner: "1" });
    const reading = isKnown ? controller.fetch(getUser, { id: "2" }) : undefined;
    const read = wire.last;
    const renaming = controller.fetch(rename, { id: "2" });
    const renamed = wire.last;
    const moving = controller.fetch(move, { id: "3" }, { owner: "2" });
    const lost = assertRejects(() => moving);
    await wire.last.fail(new TypeError("The connection was cut"));
    await lost;
    if (isKnown) await read!.reply(none);
    await reading;
    await renamed.reply(none);
    await renaming;
    const { data, expiresAt } = controller.getResponse(getUser, { id: "2" });
    assertEquals(data?.todos, []);
    assertEquals(expiresAt, 0, "the server may have moved it");
  });
}

Deno.test("a list that an older reply brings after a mutation that was answered by nothing is stale", async () => {
  const { controller, getUser, rename, wire } = setUp();
  const clear = clearing(wire, undefined);
  const renaming = controller.fetch(rename, { id: "2" });
  const renamed = wire.last;
  const cleaned = controller.fetch(clear);
  await wire.last.reply(undefined);
  await cleaned;
  await renamed.reply(none);
  await renaming;
  assertEquals(controller.getResponse(getUser, { id: "2" }).expiresAt, 0);
});

Deno.test("a list that nobody knew is stale where another mutation has written, meanwhile, what may be in it", async () => {
  const { controller, getUser, make, rename, wire } = setUp();
  const making = controller.fetch(make, { owner: "2" });
  const made = wire.last;
  // The server answers it before it makes the other.
  const renaming = controller.fetch(rename, { id: "2" });
  const renamed = wire.last;
  await made.reply({ id: "5", owner: "2" });
  await making;
  await renamed.reply(none);
  await renaming;
  const { data, expiresAt } = controller.getResponse(getUser, { id: "2" });
  assertEquals(data?.todos, []);
  assertEquals(expiresAt, 0, "what was made may be in it");
});

Deno.test("a list is stale where a later mutation, which the server has done first, takes out again what a push put in", async () => {
  const { controller, getUser, push, rename, wire } = setUp();
  const pushing = controller.fetch(push, { owner: "2" });
  const pushed = wire.last;
  const reading = controller.fetch(getUser, { id: "2" });
  const read = wire.last;
  const renaming = controller.fetch(rename, { id: "2" });
  const renamed = wire.last;
  await pushed.reply({ id: "5", owner: "2" });
  await pushing;
  await read.reply({ ...bob, todos: [...bob.todos, { id: "5", owner: "2" }] });
  await reading;
  await renamed.reply(bob);
  await renaming;
  const inferred = getUser.extend({ name: "another" });
  const { data, expiresAt } = controller.getResponse(inferred, { id: "2" });
  assertEquals([data?.todos.map(({ id }) => id), expiresAt], [["4"], 0]);
});

Deno.test("a list that a read has brought too early stays stale after a later mutation, which the server has done first", async () => {
  const { controller, getUser, move, rename, wire } = setUp();
  // Lists at an address of their own: what moves into others is not sure.
  controller.getResponse(resource({ path: "/todos/:id", schema: Todo }).getList);
  const moving = controller.fetch(move, { id: "5" }, { owner: "2" });
  const moved = wire.last;
  const reads = ["1", "2"].map((id) => ({ reading: controller.fetch(getUser, { id }), read: wire.last }));
  const renaming = controller.fetch(rename, { id: "2" });
  const renamed = wire.last;
  await moved.reply({ id: "5", owner: "2" });
  await moving;
  await reads[0]!.read.reply({ id: "1", name: "ann", todos: [{ id: "5", owner: "1" }] });
  await reads[1]!.read.reply(none);
  await Promise.all(reads.map(({ reading }) => reading));
  await renamed.reply(none);
  await renaming;
  assertEquals(controller.getResponse(getUser.extend({ name: "another" }), { id: "2" }).expiresAt, 0);
});

Deno.test("lists are stale after an edit that has made what may be in them, and that nobody has named", async () => {
  const save = resource({ urlPrefix: "https://api.test", path: "/users/:id", schema: User }).update.extend({
    fetchResponse: () => Promise.resolve(new Response(null, { status: 204 })),
  });
  const { controller, getList } = setUp();
  controller.setResponse(getList, {}, []);
  await controller.fetch(save, { id: "2" }, { ...none, todos: [{ owner: "2" }] } as User);
  assertEquals(controller.getResponse(getList, {}).expiresAt, 0);
});

for (const value of [undefined, null]) {
  Deno.test(`a list that another mutation brings is stale where one before it was answered by ${value}`, async () => {
    const { controller, getUser, rename, wire } = setUp();
    const clear = clearing(wire, value);
    const cleaned = controller.fetch(clear);
    const cleared = wire.last;
    const renaming = controller.fetch(rename, { id: "2" });
    const renamed = wire.last;
    await cleared.reply(undefined);
    await cleaned;
    await renamed.reply(none);
    await renaming;
    assertEquals(controller.getResponse(getUser, { id: "2" }).expiresAt, 0);
  });
}

Deno.test("a record that an older reply brings after a mutation of it was answered by another is stale", async () => {
  const { wire } = setUp();
  const { get, partialUpdate } = resource({ urlPrefix: "https://api.test", path: "/todos/:id", schema: Todo });
  const change = partialUpdate.extend({ fetchResponse: wire.fn<[]>("change") as () => Promise<Response> });
  using controller = new Controller();
  const first = controller.fetch(change, { id: "1" }, { owner: "2" });
  const second = controller.fetch(change, { id: "1" }, { id: "9" });
  await flush();
  const [one, other] = wire.calls;
  await other!.reply(Response.json({ id: "9", owner: "2" }));
  await second;
  await one!.reply(Response.json({ id: "1", owner: "2" }));
  await first;
  assertEquals(controller.getResponse(get, { id: "1" }).expiresAt, 0);
});

Deno.test("a record that an older reply brings after a mutation of it was answered by nothing is stale", async () => {
  const { controller, getList, wire } = setUp();
  const get = new Endpoint(wire.fn<[{ id: string }]>("get"), { name: "get", schema: Todo });
  const archive = get.extend({ name: "archive", sideEffect: true, readReply: () => ({ value: undefined }) });
  const reading = controller.fetch(getList, {});
  const read = wire.last;
  const archiving = controller.fetch(archive, { id: "5" });
  await wire.last.reply(undefined);
  await archiving;
  await read.reply([{ id: "5", owner: "2" }, { id: "6", owner: "2" }]);
  await reading;
  const expiresAt = (id: string) => controller.getResponse(get, { id }).expiresAt;
  assertEquals(expiresAt("5"), 0, "the server may have changed it");
  assert(expiresAt("6") > 0);
});

for (const [verb, isRead] of [["push", true], ["push", false], ["make", true], ["make", false]] as const) {
  Deno.test(`lists of all hear of what ${verb} makes${isRead ? ", also where a read was faster to bring it" : ""}`, async () => {
    const { controller, getList, getUser, wire, ...verbs } = setUp();
    controller.setResponse(getList, {}, bob.todos);
    controller.setResponse(getList, { owner: "1" }, []);
    const created = { id: "5", owner: "2" };
    // Sent before: only its answer tells that the server has done it after the other.
    const reading = controller.fetch(getUser, { id: "2" });
    const read = wire.last;
    const making = controller.fetch(verbs[verb], { owner: "2" });
    const made = wire.last;
    if (isRead) await read.reply({ ...bob, todos: [...bob.todos, created] });
    await made.reply(created);
    await making;
    if (!isRead) await read.reply({ ...bob, todos: [...bob.todos, created] });
    await reading;
    const { data, expiresAt } = controller.getResponse(getList, {});
    assert(expiresAt === 0 || data?.some(({ id }) => id === "5"), "it has it, or is asked for again");
    const other = controller.getResponse(getList, { owner: "1" });
    assertEquals(other.data, []);
    if (isRead) assert(other.expiresAt > 0, "it is none of this list");
  });
}
