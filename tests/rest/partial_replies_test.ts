import { conditional, stateOf } from "@rejoin/data";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, createResource, Entity, hookifyResource, resource } from "../../mod.ts";
import { Resource } from "../../src/legacy/mod.ts";
import { EMPTY, json, ReplyServer, type Row, withoutNulls } from "../support/reply_server.ts";

class Thing extends Entity {
  id = "";
  title = "";
  body = "";
  listId = "";
  assignee: string | null | undefined = undefined;
  static key = "Thing";
}

const FORMS = { resource: resource as unknown as typeof createResource, createResource };
const CASES = Object.entries(FORMS).flatMap(([form, make]) =>
  [false, true].map((optimistic) => [`${form}${optimistic ? ", optimistic" : ""}`, make, optimistic] as const)
);
const OLD = { id: "1", title: "old title", body: "old body", listId: "a", assignee: "ann" };

function at(server: ReplyServer, make = FORMS.resource, optimistic = false) {
  return make({ urlPrefix: server.origin, path: "/things/:id", schema: Thing, optimistic });
}

/** Waits until the server has been asked for this, in any order. */
async function isAsked(server: ReplyServer, ...lines: readonly string[]): Promise<void> {
  const all = lines.toSorted().join();
  while (server.requests.toSorted().join() !== all) await new Promise((resolve) => setTimeout(resolve, 1));
}

const summary = ({ id, title }: Row) => json({ id, title });
const isStale = ({ expiresAt }: { readonly expiresAt: number }) => expiresAt <= Date.now();

for (const [name, make, optimistic] of CASES) {
  for (const verb of ["update", "partialUpdate"] as const) {
    Deno.test(`13.A1 ${name}, ${verb}: what a partial reply does not say is shown as it was sent, stale, and then as the server has it`, async () => {
      await using server = new ReplyServer([OLD]);
      const { get, getList, [verb]: change } = at(server, make, optimistic);
      using controller = new Controller();
      await controller.fetch(getList);
      await controller.fetch(get, { id: "1" });
      server.reply = summary;
      const sent = { ...OLD, title: "new title", body: "new body" };
      const changed = await controller.fetch(change, { id: "1" }, sent);
      assertEquals([changed.title, changed.body], ["new title", "new body"]);
      assertStrictEquals(controller.get(Thing, "1"), changed);
      assertStrictEquals(controller.getResponse(getList).data?.[0], changed);
      assert(isStale(controller.getResponse(get, { id: "1" })), "the detail is asked again");
      assert(isStale(controller.getResponse(getList)), "so is the list that holds it");
      server.rows.set("1", { ...OLD, body: "as the server made it" });
      assertEquals((await controller.fetch(get, { id: "1" })).body, "as the server made it");
      assert(!isStale(controller.getResponse(get, { id: "1" })));
    });

    Deno.test(`13.A1 ${name}, ${verb}: null sent to a server that leaves nulls out clears the member`, async () => {
      await using server = new ReplyServer([OLD]);
      server.show = withoutNulls;
      const { get, [verb]: change } = at(server, make, optimistic);
      using controller = new Controller();
      await controller.fetch(get, { id: "1" });
      const changed = await controller.fetch(change, { id: "1" }, { ...OLD, assignee: null });
      assertEquals(changed.assignee, null);
      assert(isStale(controller.getResponse(get, { id: "1" })));
      // Absent, and not what it was before.
      assertEquals((await controller.fetch(get, { id: "1" })).assignee, undefined);
      assertEquals(controller.get(Thing, "1")?.assignee, undefined);
      assertEquals(Object.hasOwn(stateOf(controller).entities.Thing!["1"]!, "assignee"), false);
      assert(!isStale(controller.getResponse(get, { id: "1" })));
    });
  }

  Deno.test(`13.A1 ${name}: a member that a PUT drops goes with the next answer of get`, async () => {
    for (const full of [true, false]) {
      await using server = new ReplyServer([OLD]);
      const { get, update } = at(server, make, optimistic);
      using controller = new Controller();
      await controller.fetch(get, { id: "1" });
      if (!full) server.reply = () => ({ status: 204 });
      const { assignee: _, ...rest } = OLD;
      await controller.fetch(update, { id: "1" }, { ...rest, title: "new" });
      assert(isStale(controller.getResponse(get, { id: "1" })));
      const thing = await controller.fetch(get, { id: "1" });
      assertEquals([thing.title, thing.assignee], ["new", undefined]);
      assertEquals(Object.keys(stateOf(controller).entities.Thing!["1"]!).sort(), ["body", "id", "listId", "title"]);
    }
  });

  for (const [said, reply] of EMPTY) {
    Deno.test(`13.A1 ${name}: answered with ${said}, what was sent is not confirmed, and nothing unknown is written`, async () => {
      await using server = new ReplyServer([OLD]);
      server.show = withoutNulls;
      const { get, partialUpdate } = at(server, make, optimistic);
      using controller = new Controller();
      await controller.fetch(get, { id: "1" });
      server.reply = () => reply;
      const sent = { title: "new", assignee: null, password: "secret" };
      const changed = await controller.fetch(partialUpdate, { id: "1", lang: "en" } as { id: string }, sent);
      assertEquals([changed.title, changed.body, changed.assignee], ["new", "old body", null]);
      assertEquals(JSON.stringify(stateOf(controller).entities).includes("secret"), false);
      assertEquals("lang" in changed, false);
      assertEquals((await controller.fetch(get, { id: "1" })).assignee, undefined);
    });
  }

  Deno.test(`13.A1 ${name}: a password is never written, and a reply that says the rest is fresh`, async () => {
    await using server = new ReplyServer([OLD]);
    const { get, partialUpdate, create } = at(server, make, optimistic);
    using controller = new Controller();
    await controller.fetch(get, { id: "1" });
    await controller.fetch(partialUpdate, { id: "1" }, { title: "new", password: "secret" } as { title: string });
    assert(!isStale(controller.getResponse(get, { id: "1" })));
    await controller.fetch(create, { title: "made", password: "secret" } as { title: string });
    server.reply = ({ id }) => json({ id });
    await controller.fetch(create, { title: "made", password: "secret" } as { title: string });
    assertEquals(JSON.stringify(stateOf(controller)).includes("secret"), false);
    assertEquals(controller.get(Thing, "11")?.title, "made");
  });

  Deno.test(`13.A1 ${name}: create, answered in part`, async () => {
    await using server = new ReplyServer([OLD]);
    server.show = withoutNulls;
    const { get, create } = at(server, make, optimistic);
    using controller = new Controller();
    server.reply = summary;
    const made = await controller.fetch(create, { title: "made", body: "text", assignee: null });
    assertEquals([made.id, made.title, made.body, made.assignee], ["10", "made", "text", null]);
    assert(isStale(controller.getResponse(get, { id: "10" })));
    const read = await controller.fetch(get, { id: "10" });
    assertEquals([read.body, read.assignee], ["text", undefined]);
  });
}

Deno.test("13.A1 a full reply changes nothing else: fresh, and nothing is asked again", async () => {
  await using server = new ReplyServer([OLD]);
  const { get, update, partialUpdate } = at(server);
  using controller = new Controller();
  await controller.fetch(get, { id: "1" });
  await controller.fetch(update, { id: "1" }, { ...OLD, title: "a" });
  await controller.fetch(partialUpdate, { id: "1" }, { assignee: null });
  assertEquals(controller.get(Thing, "1")?.assignee, null);
  assert(!isStale(controller.getResponse(get, { id: "1" })));
});

Deno.test("13.A1 what the record has counts, too, if the class does not declare it", async () => {
  await using server = new ReplyServer([{ ...OLD, extra: "old" }]);
  const { get, partialUpdate } = at(server);
  using controller = new Controller();
  await controller.fetch(get, { id: "1" });
  server.reply = summary;
  const changed = await controller.fetch(partialUpdate, { id: "1" }, { title: "x", extra: "new", other: 1 } as object);
  assertEquals([(changed as { extra?: unknown }).extra, "other" in changed], ["new", false]);
});

Deno.test("13.A1 another read neither takes away what is not confirmed, nor lets it be forgotten; one that says it confirms it", async () => {
  await using server = new ReplyServer([OLD]);
  const { get, getList, partialUpdate } = at(server);
  using controller = new Controller();
  await controller.fetch(get, { id: "1" });
  server.reply = summary;
  server.list = (rows) => rows.map((row) => ({ id: (row as Row).id, title: (row as Row).title }));
  await controller.fetch(partialUpdate, { id: "1" }, { title: "x", body: "new", assignee: null });
  await controller.fetch(getList);
  assertEquals([controller.get(Thing, "1")?.body, controller.get(Thing, "1")?.assignee], ["new", null]);
  server.list = (rows) => rows.map((row) => ({ id: (row as Row).id, body: (row as Row).body }));
  await controller.fetch(getList);
  server.show = ({ id, title }) => ({ id, title });
  const read = await controller.fetch(get, { id: "1" });
  // The list has said the one, and nobody the other.
  assertEquals([read.title, read.body, read.assignee], ["x", "new", undefined]);
  // What was confirmed stays, as whatever was answered before.
  assertEquals((await controller.fetch(get, { id: "1" })).body, "new");
});

Deno.test("13.A1 set, and a mutation that is answered in full, confirm; a second partial reply does not", async () => {
  await using server = new ReplyServer([OLD]);
  const { get, partialUpdate } = at(server);
  using controller = new Controller();
  await controller.fetch(get, { id: "1" });
  server.reply = summary;
  await controller.fetch(partialUpdate, { id: "1" }, { title: "x", body: "b1", assignee: "bob" });
  await controller.fetch(partialUpdate, { id: "1" }, { title: "y", assignee: null });
  controller.set(Thing, { id: "1" }, { body: "by hand" });
  server.show = ({ id, title }) => ({ id, title });
  const read = await controller.fetch(get, { id: "1" });
  assertEquals([read.title, read.body, read.assignee], ["y", "by hand", undefined]);
});

Deno.test("13.A1 setResponse of get is an answer of get; one of another record is not", async () => {
  await using server = new ReplyServer([OLD]);
  const { get, partialUpdate } = at(server);
  using controller = new Controller();
  await controller.fetch(get, { id: "1" });
  server.reply = summary;
  await controller.fetch(partialUpdate, { id: "1" }, { title: "x", assignee: null });
  controller.setResponse(get, { id: "2" }, { id: "2", title: "two" });
  assertEquals(controller.get(Thing, "1")?.assignee, null);
  controller.setResponse(get, { id: "1" }, { id: "1", title: "x" });
  assertEquals(controller.get(Thing, "1")?.assignee, undefined);
});

Deno.test("13.A1 a record that stands in the answer once more, with less, is what its fullest occurrence says", async () => {
  class Person extends Entity {
    id = "";
    favourite: Post | undefined = undefined;
    static key = "Person";
  }
  class Post extends Entity {
    id = "";
    title = "";
    body = "";
    author: Person | undefined = undefined;
    static key = "Post";
    static schema = { author: Person };
  }
  Person.schema = { favourite: Post };
  await using server = new ReplyServer([OLD]);
  const { get, partialUpdate } = resource({ urlPrefix: server.origin, path: "/things/:id", schema: Post });
  using controller = new Controller();
  await controller.fetch(get, { id: "1" });
  server.reply = summary;
  await controller.fetch(partialUpdate, { id: "1" }, { title: "x", body: "new" });
  server.show = (row) => ({ ...row, author: { id: "p", favourite: { id: row.id, title: row.title } } });
  assertEquals((await controller.fetch(get, { id: "1" })).body, "new");
});

Deno.test("13.A1 in any order of replies: a get that was asked for before takes nothing away, one after does", async () => {
  await using server = new ReplyServer([OLD]);
  server.show = withoutNulls;
  const { get, partialUpdate } = at(server);
  using controller = new Controller();
  await controller.fetch(get, { id: "1" });
  const older = Promise.withResolvers<void>();
  const hanging = Promise.withResolvers<void>();
  server.gate = (line) =>
    line === "GET /things/1" ? older.promise : line.startsWith("GET /things/2") ? hanging.promise : undefined;
  server.rows.set("2", { id: "2", title: "two" });
  // Keeps what comes later apart, all the time.
  const two = controller.fetch(get, { id: "2" });
  const before = controller.fetch(get, { id: "1" });
  await isAsked(server, ...["1", "2", "1"].map((id) => `GET /things/${id}`));
  server.reply = summary;
  await controller.fetch(partialUpdate, { id: "1" }, { title: "x", assignee: null });
  older.resolve();
  await before;
  assertEquals(controller.get(Thing, "1")?.assignee, null);
  assertEquals(controller.get(Thing, "1")?.title, "x");
  server.gate = undefined;
  await controller.fetch(get, { id: "1" });
  assertEquals(controller.get(Thing, "1")?.assignee, undefined);
  controller.set(Thing, { id: "1" }, { assignee: "by hand" });
  hanging.resolve();
  await two;
  assertEquals(controller.get(Thing, "1")?.assignee, "by hand");
});

Deno.test("13.A1 of two edits at once the later one is confirmed by its own reply, whichever comes first", async () => {
  await using server = new ReplyServer([OLD]);
  const { get, partialUpdate } = at(server);
  using controller = new Controller();
  await controller.fetch(get, { id: "1" });
  const first = Promise.withResolvers<void>();
  let count = 0;
  server.gate = (line) => line.startsWith("PATCH") && count++ === 0 ? first.promise : undefined;
  let replies = 0;
  server.reply = (row) => replies++ === 0 ? json(row) : json({ id: "1", title: row.title });
  const slow = controller.fetch(partialUpdate, { id: "1" }, { title: "a", body: "first" });
  await isAsked(server, "GET /things/1", "PATCH /things/1");
  await controller.fetch(partialUpdate, { id: "1" }, { title: "b", body: "second" });
  first.resolve();
  await slow;
  assertEquals([controller.get(Thing, "1")?.title, controller.get(Thing, "1")?.body], ["b", "second"]);
  server.show = ({ id, title }) => ({ id, title });
  assertEquals((await controller.fetch(get, { id: "1" })).body, "second");
});

Deno.test("13.A1 a reset forgets what was not confirmed", async () => {
  await using server = new ReplyServer([OLD]);
  const { get, partialUpdate } = at(server);
  using controller = new Controller();
  server.reply = summary;
  await controller.fetch(get, { id: "1" });
  await controller.fetch(partialUpdate, { id: "1" }, { title: "x", assignee: null });
  controller.resetEntireStore();
  controller.set(Thing, { id: "1" }, { id: "1", assignee: "bob" });
  server.show = ({ id, title }) => ({ id, title });
  assertEquals((await controller.fetch(get, { id: "1" })).assignee, "bob");
});

Deno.test("13.A1 what process makes is compared: a reply in an envelope is not silent, what it adds was not sent", async () => {
  class Wrapped extends Entity {
    id = "";
    title = "";
    body = "";
    tags: string[] = [];
    static key = "Wrapped";
    static process(value: { data?: object; full_text?: string }) {
      const { full_text, ...rest } = { ...value.data ?? value } as { full_text?: string; tags?: string[] };
      return { ...rest, tags: rest.tags ?? [], ...full_text !== undefined && { body: full_text } };
    }
  }
  const row = { id: "1", title: "old", full_text: "old text", tags: ["a"] };
  await using server = new ReplyServer([row]);
  server.show = (row) => ({ data: row });
  const { get, partialUpdate } = resource({ urlPrefix: server.origin, path: "/things/:id", schema: Wrapped });
  using controller = new Controller();
  await controller.fetch(get, { id: "1" });
  await controller.fetch(partialUpdate, { id: "1" }, { title: "new" });
  assert(!isStale(controller.getResponse(get, { id: "1" })), "the reply says what was sent");
  server.reply = ({ id }) => json({ data: { id, tags: ["a"] } });
  const changed = await controller.fetch(partialUpdate, { id: "1" }, { full_text: "new text" } as object);
  assertEquals([changed.title, changed.body], ["new", "new text"]);
  server.reply = () => ({ status: 204 });
  const again = await controller.fetch(partialUpdate, { id: "1" }, { title: "newer" });
  assertEquals([again.title, again.tags], ["newer", ["a"]]);
});

Deno.test("13.A1 the 5.0 form: partial replies, nulls that are left out, a password", async () => {
  await using server = new ReplyServer([OLD]);
  server.show = withoutNulls;
  class Old extends Resource {
    id = "";
    title = "";
    body = "";
    assignee: string | null | undefined = undefined;
    pk() {
      return this.id;
    }
    static urlRoot = `${server.origin}/things`;
  }
  using controller = new Controller();
  for (const verb of ["update", "partialUpdate"] as const) {
    for (const reply of [summary, () => ({ status: 204 })]) {
      server.rows.set("1", OLD);
      server.reply = undefined;
      await controller.fetch(Old.detail(), { id: "1" });
      server.reply = reply;
      const sent = { ...OLD, body: "new", assignee: null, password: "secret" };
      const changed = await controller.fetch(Old[verb](), { id: "1" }, sent);
      assertEquals([changed?.body, changed?.assignee], ["new", null]);
      assert(isStale(controller.getResponse(Old.detail(), { id: "1" })));
      assertEquals((await controller.fetch(Old.detail(), { id: "1" }))?.assignee, undefined);
      assertEquals(JSON.stringify(stateOf(controller)).includes("secret"), false);
    }
  }
});

for (const optimistic of [false, true]) {
  const name = optimistic ? "optimistic" : "plain";
  for (const [verb, method] of [["push", "create"], ["unshift", "unshift"]] as const) {
    Deno.test(`13.A2 ${name}: ${verb}, answered with { id } or in part, is stale as create of createResource is`, async () => {
      for (const reply of [({ id }: Row) => json({ id }), summary]) {
        await using server = new ReplyServer([OLD]);
        const things = resource({ urlPrefix: server.origin, path: "/things/:id", schema: Thing, optimistic });
        const { get, getList, create } = things;
        using controller = new Controller();
        await controller.fetch(getList, { listId: "a" });
        server.reply = reply;
        const change = method === "create" ? create : getList.unshift;
        const made = await controller.fetch(change, { title: "made", body: "text", listId: "a", assignee: null });
        assertEquals([made.title, made.body, made.assignee], ["made", "text", null]);
        const shown = controller.getResponse(getList, { listId: "a" }).data?.map(({ id }) => id);
        assertEquals(shown, verb === "push" ? ["1", "10"] : ["10", "1"]);
        assert(isStale(controller.getResponse(get, { id: "10" })), "the record is asked for again");
        server.show = withoutNulls;
        assertEquals((await controller.fetch(get, { id: "10" })).assignee, undefined);
      }
    });
  }

  Deno.test(`13.A2 ${name}: move, answered with nothing, { id } or in part, is stale, and in the lists that were sent`, async () => {
    const replies = [...EMPTY.map(([, reply]) => () => reply), ({ id }: Row) => json({ id }), summary];
    for (const reply of replies) {
      await using server = new ReplyServer([OLD]);
      const { get, getList } = resource({ urlPrefix: server.origin, path: "/things/:id", schema: Thing, optimistic });
      using controller = new Controller();
      for (const listId of ["a", "b"]) await controller.fetch(getList, { listId });
      await controller.fetch(get, { id: "1" });
      server.reply = reply;
      const moved = await controller.fetch(getList.move, { id: "1" }, { listId: "b", assignee: null });
      assertEquals([moved.title, moved.listId, moved.assignee], ["old title", "b", null]);
      const shown = ["a", "b"].map((listId) => controller.getResponse(getList, { listId }).data?.length);
      assertEquals(shown, [0, 1]);
      assert(isStale(controller.getResponse(get, { id: "1" })));
      server.show = withoutNulls;
      assertEquals((await controller.fetch(get, { id: "1" })).assignee, undefined);
    }
  });

  Deno.test(`13.A2 ${name}: remove, answered with nothing or { id }, is stale, and out of its lists`, async () => {
    const replies = [...EMPTY.map(([, reply]) => () => reply), ({ id }: Row) => json({ id })];
    for (const reply of replies) {
      await using server = new ReplyServer([OLD]);
      const { get, getList } = resource({ urlPrefix: server.origin, path: "/things/:id", schema: Thing, optimistic });
      using controller = new Controller();
      await controller.fetch(getList, { listId: "a" });
      await controller.fetch(get, { id: "1" });
      server.reply = reply;
      await controller.fetch(getList.remove, { id: "1" });
      assertEquals(controller.getResponse(getList, { listId: "a" }).data, []);
      assertEquals(controller.get(Thing, "1")?.title, "old title");
      assert(isStale(controller.getResponse(get, { id: "1" })));
    }
  });
}

Deno.test("13.A2 several at once: what is answered by pk or by name is completed; by place, nobody knows which is which", async () => {
  await using server = new ReplyServer([OLD]);
  const { get, getList } = resource({ urlPrefix: server.origin, path: "/things/:id", schema: Thing });
  using controller = new Controller();
  const many = getList.push.extend({ body: [] as Partial<Thing>[] });
  server.reply = () => ({ body: '[{"id":"10"},{"id":"11"}]' });
  await controller.fetch(getList);
  await controller.fetch(many, [{ title: "x" }, { title: "y" }]);
  assertEquals(controller.getResponse(getList).data?.map(({ id, title }) => id + title), ["1old title", "10", "11"]);
  for (const id of ["10", "11"]) assert(isStale(controller.getResponse(get, { id })));
  server.reply = () => ({ body: '[{"id":"21"},{"id":"20"}]' });
  await controller.fetch(many, [{ id: "20", title: "x" }, { id: "21", title: "y" }]);
  assertEquals(["20", "21"].map((id) => controller.get(Thing, id)?.title), ["x", "y"]);
  for (const id of ["20", "21"]) assert(isStale(controller.getResponse(get, { id })));
});

Deno.test("13.A1 an answer of get that is the same text as before takes away what was sent since", async () => {
  const { assignee: _, ...row } = OLD;
  await using server = new ReplyServer([row]);
  server.show = ({ id, title }) => ({ id, title });
  for (const use of [[], [conditional()]]) {
    const { get, partialUpdate } = resource({
      urlPrefix: server.origin,
      path: "/things/:id",
      schema: Thing,
      use,
    });
    using controller = new Controller();
    await controller.fetch(get, { id: "1" });
    assertEquals((await controller.fetch(partialUpdate, { id: "1" }, { assignee: null })).assignee, null);
    assertEquals((await controller.fetch(get, { id: "1" })).assignee, undefined);
    assertEquals((await controller.fetch(get, { id: "1" })).assignee, undefined);
  }
});

Deno.test("13.A1 what hooks of a resource send is confirmed by its get, too", async () => {
  await using server = new ReplyServer([OLD]);
  server.show = withoutNulls;
  const things = at(server);
  const { useGet, usePartialUpdate } = hookifyResource(things, () => ({ headers: { "x-token": "t" } }));
  using controller = new Controller();
  await controller.fetch(useGet(), { id: "1" });
  await controller.fetch(usePartialUpdate(), { id: "1" }, { assignee: null });
  assertEquals(controller.get(Thing, "1")?.assignee, null);
  assertEquals((await controller.fetch(useGet(), { id: "1" })).assignee, undefined);
});

Deno.test("13.E8 what process() renames is confirmed by a reply that says it in the names of the server", async () => {
  class Person extends Entity {
    id = "";
    firstName = "";
    age = 0;
    static key = "Person";
    static process({ first_name, ...others }: Record<string, unknown>): unknown {
      return first_name === undefined ? others : { ...others, firstName: first_name };
    }
  }
  for (
    const [said, isFresh] of [['{"id":"1","first_name":"Bo","age":5}', true], ['{"id":"1","age":5}', false]] as const
  ) {
    await using server = new ReplyServer([{ id: "1", first_name: "Ann", age: 5 }]);
    const { get, partialUpdate } = resource({ urlPrefix: server.origin, path: "/people/:id", schema: Person });
    using controller = new Controller();
    await controller.fetch(get, { id: "1" });
    server.reply = () => ({ body: said });
    await controller.fetch(partialUpdate, { id: "1" }, { first_name: "Bo" } as never);
    const { data, expiresAt } = controller.getResponse(get, { id: "1" });
    assertEquals([data?.firstName, expiresAt > Date.now()], ["Bo", isFresh], said);
  }
});
