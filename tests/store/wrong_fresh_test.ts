/** What shrunk lives (tests/property/fuzzed_life_test.ts) have shown as fresh and wrong, in the words of apps. */
import { assert, assertEquals, fail } from "@std/assert";
import { Controller, createResource, Entity, hydrate, resource, schema, stateOf } from "@rejoin/data";
import { flush } from "../support/clock.ts";
import { FaultFetch, type Held } from "../support/fault_fetch.ts";

class Task extends Entity {
  id = "";
  title = "";
  owner = "";
  static key = "Task";
}

const Tasks = resource({
  urlPrefix: "https://api.test",
  path: "/tasks/:id",
  schema: Task,
  searchParams: {} as { owner?: string; q?: string; sort?: string } | undefined,
});

/** A server in process; what it does and when it answers is in the hands of the test. */
function startServer() {
  const tasks = new Map([["1", { id: "1", title: "old", owner: "ann" }], ["2", { id: "2", title: "b", owner: "bob" }]]);
  const server = { reply: (task: object): unknown => task };
  const api = new FaultFetch(async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const id = pathname.split("/")[2]!;
    const task = tasks.get(id);
    if (request.method === "DELETE") return Response.json({ id, gone: tasks.delete(id) });
    if (request.method === "PATCH") return Response.json(server.reply(Object.assign(task!, await request.json())));
    if (id !== undefined) return task === undefined ? new Response("{}", { status: 404 }) : Response.json({ ...task });
    const [owner, q = ""] = [searchParams.get("owner"), searchParams.get("q") ?? undefined];
    return Response.json(
      [...tasks.values()].filter((task) => task.owner === (owner ?? task.owner) && task.title.startsWith(q)),
    );
  });
  api.always(() => true, { hold: "both" });
  /** One step of a request: it is done, then it is answered. */
  const step = async (method: string, path = "") => {
    const held: Held = api.held.find(({ request }) => request.method === method && request.url.includes(path))!;
    held.release();
    await flush();
  };
  return { api, step, server };
}

const isFresh = ({ expiresAt }: { readonly expiresAt: number }) => expiresAt > Date.now();

for (const args of [{ owner: "bob" }, { q: "n" }]) {
  Deno.test(`13.D1 the first list ever, asked for before an edit and answered after it (${Object.keys(args)})`, async () => {
    const { api, step } = startServer();
    using _ = api.install();
    using controller = new Controller();
    const reading = controller.fetch(Tasks.getList, args);
    await flush();
    await step("GET"); // the server has looked
    const patching = controller.fetch(Tasks.partialUpdate, { id: "1" }, { title: "new", owner: "bob" });
    await flush();
    await step("PATCH");
    await step("PATCH");
    await patching;
    await step("GET");
    const ids = (await reading).map(({ id }) => id);
    if ("owner" in args) assertEquals(ids, ["2", "1"], "it joins");
    else assert(!isFresh(controller.getResponse(Tasks.getList, args)), "nobody knows what is searched for");
  });
}

Deno.test("13.A1 an edit of what nobody has read, answered with a part of it, is not taken for all of it", async () => {
  const { api, step, server } = startServer();
  server.reply = () => ({ id: "1", title: "new" });
  using _ = api.install();
  using controller = new Controller();
  const patching = controller.fetch(Tasks.partialUpdate, { id: "1" }, { title: "new" });
  await flush();
  await step("PATCH");
  await step("PATCH");
  assertEquals((await patching).title, "new");
  assert(!isFresh(controller.getResponse(Tasks.get, { id: "1" })));
  const reading = controller.fetchIfStale(Tasks.get, { id: "1" });
  await flush();
  await step("GET");
  await step("GET");
  assertEquals((await reading).owner, "ann");
  assert(isFresh(controller.getResponse(Tasks.get, { id: "1" })));
});

Deno.test("13.A3 what a read failed with does not make fresh what was written and marked since", async () => {
  const { api, step } = startServer();
  using _ = api.install();
  using controller = new Controller();
  const reading = controller.fetch(Tasks.get.extend({ retry: false }), { id: "1" });
  await flush();
  const patches = ["x", "y"].map((title) => controller.fetch(Tasks.partialUpdate, { id: "1" }, { title }));
  await flush();
  api.held.find(({ request }) => request.method === "GET")!.fail();
  await reading.catch(() => {});
  for (let at = 0; at < 4; at++) await step("PATCH");
  await Promise.all(patches);
  assert(!isFresh(controller.getResponse(Tasks.get, { id: "1" })));
});

Deno.test("13.A3 what is read after a reset, before a delete that was sent before it is answered, is stale", async () => {
  const { api, step } = startServer();
  using _ = api.install();
  using controller = new Controller();
  const deleting = controller.fetch(Tasks.delete, { id: "1" }).catch((error: Error) => error.name);
  await flush();
  controller.resetEntireStore();
  assertEquals(await deleting, "OvertakenError");
  const reading = controller.fetch(Tasks.get, { id: "1" });
  await flush();
  await step("GET");
  await step("DELETE");
  await step("GET");
  assertEquals((await reading).title, "old");
  await step("DELETE");
  assert(!isFresh(controller.getResponse(Tasks.get, { id: "1" })));
  // What is asked for from now on is fresh again.
  const again = controller.fetch(Tasks.get, { id: "2" });
  await flush();
  await step("GET");
  await step("GET");
  await again;
  assert(isFresh(controller.getResponse(Tasks.get, { id: "2" })));
});

Deno.test("13.A3 a list that what nobody knows for sure joins as it comes is stale", async () => {
  const { api, step, server } = startServer();
  server.reply = () => "";
  using _ = api.install();
  using controller = new Controller();
  const reading = controller.fetch(Tasks.getList, { owner: "bob" });
  await flush();
  await step("GET");
  const patching = controller.fetch(Tasks.getList.move, { id: "1" }, { owner: "bob" });
  await flush();
  await step("PATCH");
  await step("PATCH");
  await patching;
  await step("GET");
  // Of the first, nothing is known but its owner.
  assertEquals((await reading).map(({ id }) => id), ["2", "1"]);
  assert(!isFresh(controller.getResponse(Tasks.getList, { owner: "bob" })));
});

Deno.test("13.D1 a list in an order, asked for before an edit of what nobody has read, and answered after it, is stale", async () => {
  const { api, step } = startServer();
  using _ = api.install();
  using controller = new Controller();
  const reading = controller.fetch(Tasks.getList, { sort: "title" });
  await flush();
  await step("GET");
  const patching = controller.fetch(Tasks.partialUpdate, { id: "1" }, { title: "a" });
  await flush();
  await step("PATCH");
  await step("PATCH");
  await patching;
  await step("GET");
  await reading;
  assert(!isFresh(controller.getResponse(Tasks.getList, { sort: "title" })));
});

Deno.test("13.A5 the first list ever, asked for before an edit of which nobody knows whether it was done, is stale", async () => {
  const { api, step } = startServer();
  using _ = api.install();
  using controller = new Controller();
  const reading = controller.fetch(Tasks.getList, { q: "n" });
  await flush();
  await step("GET");
  const patching = controller.fetch(Tasks.partialUpdate, { id: "1" }, { title: "new" });
  await flush();
  await step("PATCH");
  api.held.find(({ request }) => request.method === "PATCH")!.fail();
  assertEquals(await patching.then(() => "done", () => "unknown"), "unknown");
  await step("GET");
  assertEquals(await reading, []);
  assert(!isFresh(controller.getResponse(Tasks.getList, { q: "n" })));
});

Deno.test("13.A5 an edit whose reply is an envelope, and of which nobody knows whether it was done, leaves its record stale", async () => {
  const { api, step } = startServer();
  using _ = api.install();
  using controller = new Controller();
  controller.setResponse(Tasks.getList, undefined, [{ id: "1", title: "old", owner: "ann" }]);
  const edit = Tasks.partialUpdate.extend({ schema: { data: Task } });
  const patching = controller.fetch(edit, { id: "1" }, { title: "new" });
  await flush();
  await step("PATCH");
  api.held.find(({ request }) => request.method === "PATCH")!.fail();
  assertEquals(await patching.then(() => "done", () => "unknown"), "unknown");
  assert(!isFresh(controller.getResponse(Tasks.get, { id: "1" })));
  assert(!isFresh(controller.getResponse(Tasks.getList)));
});

Deno.test("13.A5 an edit that was shown of what was still asked for, and of which nobody knows whether it was done, leaves it stale", async () => {
  const { api, step } = startServer();
  using _ = api.install();
  using controller = new Controller();
  const update = Tasks.partialUpdate.extend({
    getOptimisticResponse: (_, { id }: { id: string }, body: object) => ({ id, owner: "ann", ...body }),
  });
  const reading = controller.fetch(Tasks.get, { id: "1" });
  await flush();
  await step("GET"); // the server has looked
  const patching = controller.fetch(update, { id: "1" }, { title: "new" });
  await flush();
  await step("PATCH");
  api.held.find(({ request }) => request.method === "PATCH")!.fail();
  assertEquals(await patching.then(() => "done", () => "unknown"), "unknown");
  await step("GET");
  assertEquals((await reading).title, "old");
  assert(!isFresh(controller.getResponse(Tasks.get, { id: "1" })));
});

Deno.test("13.D1 lists that came hydrated, and that nobody has read yet, are asked again after an edit", async () => {
  const { api, step } = startServer();
  using _ = api.install();
  using server = new Controller();
  const rows = [{ id: "1", title: "old", owner: "ann" }];
  server.setResponse(Tasks.getList, { q: "o" }, rows);
  server.setResponse(Tasks.getList, { owner: "ann" }, rows);
  using controller = new Controller();
  hydrate(controller, JSON.parse(JSON.stringify(stateOf(server))));
  const patching = controller.fetch(Tasks.partialUpdate, { id: "1" }, { title: "new", owner: "bob" });
  await flush();
  await step("PATCH");
  await step("PATCH");
  await patching;
  for (const args of [{ q: "o" }, { owner: "ann" }]) assert(!isFresh(controller.getResponse(Tasks.getList, args)));
});

Deno.test("13.A3 what is edited after a reset, before an edit that was sent before it is done, is stale", async () => {
  const { api, step } = startServer();
  using _ = api.install();
  using controller = new Controller();
  controller.fetch(Tasks.partialUpdate, { id: "1" }, { title: "first" }).catch(() => {});
  await flush();
  const [first] = api.held;
  controller.resetEntireStore();
  const editing = controller.fetch(Tasks.partialUpdate, { id: "1" }, { owner: "bob" });
  await flush();
  for (let at = 0; at < 2; at++) {
    api.held.find((held) => held !== first)!.release();
    await flush();
  }
  assertEquals((await editing).title, "old");
  await step("PATCH");
  await step("PATCH");
  assert(!isFresh(controller.getResponse(Tasks.get, { id: "1" })));
});

Deno.test("13.A1 what was sent of a record inside another, and was not answered, is not taken for what the server has", async () => {
  class Author extends Entity {
    id = "";
    name = "";
    static key = "Author";
  }
  class Book extends Entity {
    id = "";
    author: Author | undefined = undefined;
    static key = "Book";
    static schema = { author: Author };
  }
  const options = { urlPrefix: "https://api.test", optimistic: true } as const;
  const Books = resource({ ...options, path: "/books/:id", schema: Book });
  const Authors = resource({ ...options, path: "/authors/:id", schema: Author });
  for (const reply of ["", '{"id":"1"}']) {
    using controller = new Controller();
    const update = Books.partialUpdate.extend({ fetchResponse: () => Promise.resolve(new Response(reply)) });
    controller.setResponse(Authors.get, { id: "2" }, { id: "2", name: "Bo" });
    controller.setResponse(Books.get, { id: "1" }, { id: "1", author: { id: "2", name: "Bo" } });
    await controller.fetch(update, { id: "1" }, { author: { id: "2", name: "guessed" } });
    assertEquals(controller.get(Book, "1")?.author?.name, "guessed");
    assert(!isFresh(controller.getResponse(Authors.get, { id: "2" })), reply);
    assert(!isFresh(controller.getResponse(Books.get, { id: "1" })), reply);
  }
});

for (const status of [404, 410, 412, 422]) {
  Deno.test(`13.A5 a mutation refused with ${status} ${status === 422 ? "leaves its record fresh" : "says that its record is not what is here"}`, async () => {
    using controller = new Controller();
    using _ = new FaultFetch(() => new Response("{}", { status })).install();
    for (const verb of ["partialUpdate", "delete"] as const) {
      controller.setResponse(Tasks.getList, [{ id: "1", title: "old" }]);
      controller.setResponse(Tasks.getList, { owner: "bob" }, [{ id: "2", title: "b", owner: "bob" }]);
      const call = verb === "delete"
        ? controller.fetch(Tasks.delete, { id: "1" })
        : controller.fetch(Tasks.partialUpdate, { id: "1" }, { title: "new" });
      await call.then(() => fail("refused"), () => {});
      const all = [
        controller.getResponse(Tasks.get, { id: "1" }),
        controller.getResponse(Tasks.getList),
        controller.getResponse(Tasks.getList, { owner: "bob" }),
      ];
      assertEquals(all.map(isFresh), [status === 422, status === 422, true], verb);
      assertEquals(controller.get(Task, "1")?.title, "old");
    }
  });
}

const urlPrefix = "https://api.test";

Deno.test("13.A3 what a list has brought is no fresher than what it holds, also for who reads it for the first time", async () => {
  class Member extends Entity {
    id = "";
    name = "";
    static key = "Member";
  }
  class Team extends Entity {
    id = "";
    lead: Member | undefined = undefined;
    tasks: Task[] = [];
    static key = "Team";
    static schema = {
      lead: Member,
      tasks: new schema.Collection([Task], { nestKey: ({ id }: { id: string }) => ({ owner: id }) }),
    };
  }
  const members = resource({ urlPrefix, path: "/members/:id", schema: Member });
  const teams = resource({ urlPrefix, path: "/teams/:id", schema: Team });
  const team = (id: string) => ({ id, lead: { id: `of ${id}`, name: "ann" }, tasks: [{ id: `of ${id}`, owner: id }] });
  const lost = members.partialUpdate.extend({ fetchResponse: () => Promise.reject(new TypeError("lost")) });
  const name = { name: "bob" };
  for (
    const [what, change] of [
      ["an answer without content", (c) => c.setResponse(members.partialUpdate, { id: "of 1" }, name, undefined)],
      ["a create that is answered with nothing", (c) => {
        c.setResponse(Tasks.create, { owner: "1" }, undefined);
        c.setResponse(teams.getList, [team("2")]);
      }],
      ["an unknown outcome", (c) => c.fetch(lost, { id: "of 1" }, name).catch(() => {})],
      ["a list of another address", (c) => c.setResponse(Tasks.create, { owner: "1" }, { id: "3", owner: "1" })],
      ["what leaves a list that is stale", (c) => {
        c.setResponse(Tasks.create, { owner: "1" }, { id: "3", owner: "1" });
        c.setResponse(Tasks.partialUpdate, { id: "of 1" }, { owner: "9" }, { id: "of 1", owner: "9" });
      }],
      ["an item that is set", (c) => c.set(Task, "3", { id: "3", owner: "1" })],
    ] satisfies [string, (controller: Controller) => unknown][]
  ) {
    using controller = new Controller();
    // Somebody who has no pk yet stands in the third one.
    controller.setResponse(teams.getList, [team("1"), team("2"), { ...team("3"), lead: { name: "new" } }]);
    await change(controller);
    const fresh = ["1", "2", "3"].map((id) => isFresh(controller.getResponse(teams.get, { id })));
    assertEquals(fresh, [false, true, what !== "a create that is answered with nothing"], what);
  }
});

Deno.test("13.A1 a list that a record joins which its class refuses, and which it leaves out, is asked for again", () => {
  class Project extends Entity {
    id = "";
    budget = 0;
    static key = "Project";
    static validate = ({ budget }: { readonly budget?: number }) => budget === undefined ? "no budget" : undefined;
  }
  const { create, getList } = resource({ urlPrefix, path: "/projects/:id", schema: Project });
  using controller = new Controller();
  controller.setResponse(getList, [{ id: "1", budget: 5 }]);
  controller.setResponse(create, {}, { id: "2" });
  const list = controller.getResponse(getList);
  assertEquals([list.data?.map(({ id }) => id), isFresh(list)], [["1"], false]);
});

Deno.test("13.A1 a list that is expired while it is asked for brings no records that are fresh", async () => {
  const { api, step } = startServer();
  using _ = api.install();
  using controller = new Controller();
  const reading = controller.fetch(Tasks.getList);
  await flush();
  await step("GET"); // the server has looked
  controller.expireAll(Tasks.getList);
  await step("GET");
  await reading;
  assertEquals(isFresh(controller.getResponse(Tasks.getList)), false);
  const detail = controller.getResponse(Tasks.get, { id: "1" });
  assertEquals([detail.data?.title, isFresh(detail)], ["old", false]);
});

Deno.test("what hangs together is looked through for stale marks once after a commit, and not for each that is inferred", () => {
  class Person extends Entity {
    id = "";
    name = "";
    friends: Person[] = [];
    static key = "Person";
    static override get schema() {
      return { friends: [Person] };
    }
  }
  const people = createResource({ urlPrefix, path: "/people/:id", schema: Person });
  const length = 100;
  using controller = new Controller();
  const friends = (i: number) => [1, 7, 31].map((by) => ({ id: `${(i * 3 + by) % length}` }));
  controller.setResponse(people.getList, Array.from({ length }, (_, i) => ({ id: `${i}`, friends: friends(i) })));
  const { has } = Set.prototype;
  let looks = 0;
  const freshOnes = (until = length) => {
    looks = 0;
    Set.prototype.has = function (value) {
      looks++;
      return has.call(this, value);
    };
    try {
      return Array.from({ length: until }, (_, i) => isFresh(controller.getResponse(people.get, { id: `${i}` })));
    } finally {
      Set.prototype.has = has;
    }
  };
  freshOnes(50);
  assertEquals(new Set(freshOnes(50)), new Set([true]));
  assert(looks < length * 10, `${looks} looks`);
  // A reply that says nothing leaves one stale, and all that hold it: those that were passed on the way to it, too, and
  // those that are read for the first time.
  controller.setResponse(people.partialUpdate, { id: "5" }, { name: "Five" }, {});
  assertEquals(new Set(freshOnes()), new Set([false]));
  // What arrives is fresh in that moment.
  controller.setResponse(people.get, { id: "5" }, { id: "5", name: "Five", friends: friends(5) });
  assertEquals(freshOnes()[5], true);
});
