import { stateOf } from "@rejoin/data";
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Controller,
  createResource,
  denormalize,
  Entity,
  Invalidate,
  normalize,
  resource,
  RestEndpoint,
} from "../../mod.ts";
import { Resource } from "../../src/legacy/mod.ts";
import { EMPTY, json, ReplyServer } from "../support/reply_server.ts";

class Thing extends Entity {
  id = "";
  title = "";
  body = "";
  assignee: string | null = "";
  static key = "Thing";
}

const FORMS = { resource: resource as unknown as typeof createResource, createResource };
const ROWS = ["1", "2", "3"].map((id) => ({ id, title: `title ${id}`, body: `body ${id}`, assignee: "ann" }));

for (const [form, make] of Object.entries(FORMS)) {
  for (const optimistic of [false, true]) {
    Deno.test(`13.A7 ${form}${optimistic ? ", optimistic" : ""}: a delete that is answered with a text or a number deletes what its params name`, async () => {
      await using server = new ReplyServer(ROWS);
      const { getList, delete: remove } = make({
        urlPrefix: server.origin,
        path: "/things/:id",
        schema: Thing,
        optimistic,
      });
      for (const said of ["1", "2", '"1"', '"OK"', "true", "[1]", '""', "null", "{}", '{"deleted":1}']) {
        using controller = new Controller();
        server.rows.set("3", ROWS[2]!);
        server.reply = () => ({ body: said });
        await controller.fetch(getList);
        await controller.fetch(remove, { id: 3 });
        assertEquals(Object.keys(stateOf(controller).entities.Thing ?? {}), ["1", "2"], said);
        assertEquals(controller.getResponse(getList).data?.map(({ id }) => id), ["1", "2"], said);
      }
    });
  }
}

Deno.test("13.A7 the 5.0 form: a delete that is answered with a number deletes what its params name", async () => {
  await using server = new ReplyServer(ROWS);
  class Old extends Resource {
    id = "";
    pk() {
      return this.id;
    }
    static urlRoot = `${server.origin}/things`;
  }
  using controller = new Controller();
  server.reply = () => ({ body: "1" });
  await controller.fetch(Old.list());
  await controller.fetch(Old.delete(), { id: "3" });
  assertEquals(controller.getResponse(Old.list()).data?.map(({ id }) => id), ["1", "2"]);
});

Deno.test("13.A7 where neither the reply nor the params name a record, lists are asked again and a warning says why", async () => {
  await using server = new ReplyServer(ROWS);
  const { getList, delete: remove } = resource({ urlPrefix: server.origin, path: "/things/:slug", schema: Thing });
  using controller = new Controller({ strict: true });
  await controller.fetch(getList);
  server.reply = () => ({ body: "1" });
  const warned: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => warned.push(text);
  try {
    await controller.fetch(remove, { slug: "3" });
  } finally {
    console.warn = warn;
  }
  assertEquals(controller.get(Thing, "1")?.title, "title 1");
  assert(controller.getResponse(getList).expiresAt <= Date.now());
  assert(warned.some((text) => text.includes('"Thing.delete"')), warned.join());
});

class Templated extends Entity {
  id: string | undefined = undefined;
  title = "";
  override pk() {
    return `${this.id}`;
  }
  static key = "Templated";
}

for (const [form, make] of Object.entries(FORMS)) {
  for (const [said, reply] of EMPTY) {
    Deno.test(`13.E1 ${form}: pk() as a template, mutations answered with ${said}`, async () => {
      await using server = new ReplyServer(ROWS);
      const { getList, create, partialUpdate, delete: remove } = make({
        urlPrefix: server.origin,
        path: "/things/:id",
        schema: Templated,
      });
      using controller = new Controller();
      await controller.fetch(getList);
      server.reply = () => reply;
      const made: unknown = await controller.fetch(create, { title: "new" });
      assertEquals(made, undefined);
      const changed = await controller.fetch(partialUpdate, { id: "1" }, { title: "changed" });
      assertEquals([changed.id, changed.title], ["1", "changed"]);
      await controller.fetch(remove, { id: "3" });
      assertEquals(Object.keys(stateOf(controller).entities.Templated ?? {}), ["1", "2"]);
      assertEquals(controller.getResponse(getList).data?.map(({ id }) => id), ["1", "2"]);
    });
  }
}

for (const nothing of [undefined, null, NaN, {}]) {
  Deno.test(`13.E1 a pk that a template makes of ${String(nothing)} means not saved yet`, () => {
    const row = { id: nothing, title: "draft" };
    const { result, entities } = normalize([Templated], [row, { id: "5", title: "saved" }]);
    assertEquals(Object.keys(entities.Templated!), ["5"]);
    assertEquals(denormalize([Templated], result, entities)?.map(({ title }) => title), ["draft", "saved"]);
    using controller = new Controller();
    assertEquals(controller.get(Templated, { id: nothing as unknown as string }), undefined);
    let reason: unknown;
    try {
      controller.set(Templated, {}, { title: "draft" });
    } catch (thrown) {
      reason = thrown;
    }
    assert(reason instanceof Error && /pk/.test(reason.message), String(reason));
  });
}

Deno.test("13.E1 who is called null is called that: in the record, in the params, as a pk by itself", async () => {
  for (const name of ["undefined", "null", "NaN", "[object Object]"]) {
    using controller = new Controller();
    controller.set(Templated, { id: name }, { id: name, title: "x" });
    assertEquals(controller.get(Templated, { id: name })?.title, "x");
    assertEquals(controller.get(Templated, name)?.title, "x");
    assertEquals(Object.keys(normalize(Templated, { id: name }).entities.Templated!), [name]);
    await using server = new ReplyServer([...ROWS, { id: name, title: "odd" }]);
    const { get, delete: remove } = resource({ urlPrefix: server.origin, path: "/things/:id", schema: Templated });
    assertEquals((await controller.fetch(get, { id: name })).title, "odd");
    server.reply = () => json({});
    await controller.fetch(remove, { id: name });
    assertEquals(controller.get(Templated, name), undefined);
  }
});

class Seat extends Entity {
  row: string | null | undefined = undefined;
  number: number | undefined = undefined;
  title = "";
  override pk() {
    return `${this.row}-${this.number}`;
  }
  static key = "Seat";
}

Deno.test("13.E1 a pk of several members, of which one is not there, means not saved yet; null is data", () => {
  const seats = [{ row: "a", title: "1" }, { number: 7, title: "2" }, { title: "3" }, {
    row: null,
    number: 7,
    title: "4",
  }];
  const { result, entities } = normalize([Seat], [...seats, { row: "a", number: 7, title: "5" }]);
  assertEquals(Object.keys(entities.Seat!), ["null-7", "a-7"]);
  assertEquals(denormalize([Seat], result, entities)?.map(({ title }) => title), ["1", "2", "3", "4", "5"]);
  using controller = new Controller();
  controller.set(Seat, {}, { row: "a", number: 7, title: "x" });
  assertEquals(controller.get(Seat, { row: "a", number: 7 } as object)?.title, "x");
  assertEquals(controller.get(Seat, { row: "a" } as object), undefined);
  let reason: unknown;
  try {
    controller.set(Seat, { row: "a" } as object, { title: "draft" });
  } catch (thrown) {
    reason = thrown;
  }
  assert(reason instanceof Error && /pk/.test(reason.message), String(reason));
});

for (const [form, make] of Object.entries(FORMS)) {
  for (const optimistic of [false, true]) {
    Deno.test(`13.E1 ${form}${optimistic ? ", optimistic" : ""}: a pk of several members, mutations answered with {}, or with some of them`, async () => {
      for (const said of [{}, { id: "1" }, { row: "a" }, { number: 7 }]) {
        await using server = new ReplyServer([{ id: "1", row: "a", number: 7, title: "old" }]);
        const { getList, create, partialUpdate, delete: remove } = make({
          urlPrefix: server.origin,
          path: "/things/:id",
          schema: Seat,
          optimistic,
        });
        using controller = new Controller();
        await controller.fetch(getList);
        server.reply = () => json(said);
        await controller.fetch(create, { row: "b", title: "new" });
        const seats = () => Object.keys(stateOf(controller).entities.Seat ?? {});
        assertEquals(seats(), ["a-7"], JSON.stringify(said));
        assertEquals(controller.getResponse(getList).data?.length, 1);
        await controller.fetch(partialUpdate, { id: "1" }, { row: "a", number: 7, title: "new" });
        assertEquals([controller.get(Seat, "a-7")?.title, ...seats()], ["new", "a-7"]);
        await controller.fetch(
          remove.extend({ searchParams: {} as object }),
          { id: "1", row: "a", number: "7" } as { id: string },
        );
        assertEquals(controller.get(Seat, "a-7"), undefined, JSON.stringify(said));
      }
    });
  }
}

Deno.test("13.E1 a text with undefined in it that a record, its parent or its params have is a pk", async () => {
  class Article extends Entity {
    slug = "";
    title = "";
    notes: Note[] = [];
    override pk() {
      return this.slug;
    }
    static key = "Article";
  }
  class Note extends Entity {
    n: number | undefined = undefined;
    override pk(parent?: { slug?: string }) {
      return `${parent?.slug}:${this.n}`;
    }
    static key = "Note";
  }
  Article.schema = { notes: [Note] };
  const slug = "undefined-behaviour";
  const articles = [{ slug, notes: [{ n: 1 }, {}] }, { slug: "defined", notes: [{ n: 1 }, {}] }];
  const { entities } = normalize([Article], articles);
  assertEquals(Object.keys(entities.Article!), [slug, "defined"]);
  assertEquals(Object.keys(entities.Note!).sort(), ["defined:1", `${slug}:1`, `${slug}:undefined`]);

  // As slugs are made of titles, and of what is nested.
  class Post extends Entity {
    title = "";
    topic = { name: "" };
    override pk() {
      return `${this.topic?.name}/${this.title.toLowerCase().replaceAll(/\W+/g, "-")}`;
    }
    static key = "Post";
  }
  const posts = [{ title: "Undefined behaviour?", topic: { name: "c" } }, { title: "A", topic: { name: "undefined" } }];
  assertEquals(Object.keys(normalize([Post], posts).entities.Post!), ["c/undefined-behaviour-", "undefined/a"]);

  await using server = new ReplyServer([{ id: "not-undefined", title: "odd" }]);
  const { get, partialUpdate } = resource({ urlPrefix: server.origin, path: "/things/:id", schema: Templated });
  using controller = new Controller();
  assertEquals((await controller.fetch(get, { id: "not-undefined" })).title, "odd");
  server.reply = () => json({});
  assertEquals((await controller.fetch(partialUpdate, { id: "not-undefined" }, { title: "x" })).title, "x");
});

Deno.test("13.E1 a delete by a bare Invalidate whose reply makes no pk is an error, and deletes nothing", async () => {
  await using server = new ReplyServer(ROWS);
  const remove = new RestEndpoint({
    urlPrefix: server.origin,
    path: "/things/:id",
    method: "DELETE",
    schema: new Invalidate(Templated),
  });
  using controller = new Controller();
  controller.set(Templated, { id: "3" }, { id: "3" });
  server.reply = () => json({ success: true });
  await assertRejects(() => controller.fetch(remove, { id: "3" }), Error, "nothing to delete");
});

for (const [form, make] of Object.entries(FORMS)) {
  Deno.test(`13.E4 ${form}: a delete without a controller resolves with its params, unless the reply is an object with members`, async () => {
    await using server = new ReplyServer(ROWS);
    const { delete: remove } = make({ urlPrefix: server.origin, path: "/things/:id", schema: Thing });
    for (const body of ["{}", "null", '""', "1", "[]"]) {
      server.reply = () => ({ body });
      assertEquals<unknown>(await remove({ id: "3" }), { id: "3" }, body);
    }
    server.reply = () => ({ status: 204 });
    assertEquals<unknown>(await remove({ id: "3" }), { id: "3" });
    server.reply = () => json({ id: "3", title: "gone" });
    assertEquals<unknown>(await remove({ id: "3" }), { id: "3", title: "gone" });
    assertEquals<unknown>(remove.process({}, { id: "3" }), { id: "3" });
    // A page is no reply, and never was.
    server.reply = () => ({ body: "<html>login</html>", type: "text/html" });
    await assertRejects(() => remove({ id: "3" }), Error, "JSON");
  });
}

Deno.test("13.E4 what the app processes comes first, and what it extends stays", async () => {
  await using server = new ReplyServer(ROWS);
  class Api extends RestEndpoint {
    override process(value: { data?: unknown }) {
      return value?.data;
    }
  }
  const { delete: remove } = resource({ urlPrefix: server.origin, path: "/things/:id", schema: Thing, Endpoint: Api });
  server.reply = () => json({ data: { id: "3", title: "gone" } });
  assertEquals<unknown>(await remove({ id: "3" }), { id: "3", title: "gone" });
  server.reply = () => json({ data: null });
  assertEquals<unknown>(await remove({ id: "3" }), { id: "3" });
  const own = remove.extend({ process: () => "mine" });
  assertEquals<unknown>(await own({ id: "3" }), "mine");
});

Deno.test("13.E4 the 5.0 form: a delete without a controller resolves with its params", async () => {
  await using server = new ReplyServer(ROWS);
  class Old extends Resource {
    id = "";
    pk() {
      return this.id;
    }
    static urlRoot = `${server.origin}/things`;
  }
  server.reply = () => ({ status: 204 });
  assertEquals<unknown>(await Old.delete()({ id: "3" }), { id: "3" });
});

type Parsed = { readonly results: readonly unknown[] };

/** Ways in which a list reads its answers, that say nothing of what one record is. */
const LISTS: readonly (readonly [said: string, options: object])[] = [
  ["parseResponse that unwraps", {
    async parseResponse(this: RestEndpoint, response: Response) {
      return (await RestEndpoint.prototype.parseResponse.call(this, response) as Parsed).results;
    },
  }],
  ["parseResponse that unwraps deeper", {
    async parseResponse(this: RestEndpoint, response: Response) {
      return (await RestEndpoint.prototype.parseResponse.call(this, response) as Parsed).results.map((row) => row);
    },
  }],
  ["process that unwraps", { process: (value: Parsed) => value.results }],
  ["process that unwraps deeper", { process: (value: Parsed) => value.results.map((row) => row) }],
];

for (const [said, options] of LISTS) {
  for (const optimistic of [false, true]) {
    Deno.test(`13.A11 ${said}${optimistic ? ", optimistic" : ""}: the verbs of the list take the record as it comes`, async () => {
      await using server = new ReplyServer(ROWS.map((row) => ({ ...row, body: "a" })));
      server.list = (results) => ({ results });
      const base = resource({ urlPrefix: server.origin, path: "/things/:id", schema: Thing, optimistic });
      const getList = base.getList.extend(options) as typeof base.getList;
      using controller = new Controller({ strict: true });
      await controller.fetch(getList);
      for (const body of ["a", "b"]) await controller.fetch(getList, { body } as object);
      const shown = (body?: string) =>
        controller.getResponse(getList, ...(body === undefined ? [] : [{ body } as object])).data?.map(({ id }) => id)
          .join();
      const made = await controller.fetch(getList.push, { title: "made", body: "a" });
      assertEquals([made?.id, made?.title, shown(), shown("a"), shown("b")], [
        "10",
        "made",
        "1,2,3,10",
        "1,2,3,10",
        "",
      ]);
      await controller.fetch(getList.unshift, { title: "first", body: "b" });
      assertEquals([shown(), shown("b")], ["11,1,2,3,10", "11"]);
      server.reply = (row) => json({ ...row, title: "as the server has it" });
      const moved = await controller.fetch(getList.move, { id: "2" }, { body: "b" });
      assertEquals([moved.title, shown("a"), shown("b")], ["as the server has it", "1,3,10", "11,2"]);
      await controller.fetch(getList.remove, { id: "3" });
      assertEquals(shown(), "11,1,2,10");
      assertEquals(controller.get(Thing, "3")?.title, "as the server has it");
    });
  }

  for (const [reply, answer] of EMPTY) {
    Deno.test(`13.A11 ${said}: verbs that are answered with ${reply}`, async () => {
      await using server = new ReplyServer(ROWS);
      server.list = (results) => ({ results });
      const base = resource({ urlPrefix: server.origin, path: "/things/:id", schema: Thing });
      const getList = base.getList.extend(options) as typeof base.getList;
      using controller = new Controller();
      await controller.fetch(getList);
      server.reply = () => answer;
      assertEquals<unknown>(await controller.fetch(getList.push, { title: "made" }), undefined);
      assert(controller.getResponse(getList).expiresAt <= Date.now());
      const moved = await controller.fetch(getList.move, { id: "2" }, { title: "moved" });
      assertEquals([moved.id, moved.title], ["2", "moved"]);
    });
  }
}

Deno.test("13.A11 parseResponse that makes an envelope of rows and headers: push and move take the record", async () => {
  await using server = new ReplyServer(ROWS);
  const base = resource({ urlPrefix: server.origin, path: "/things/:id", schema: Thing });
  const getList = base.getList.extend({
    schema: { items: base.getList.schema, total: 0 },
    async parseResponse(response: Response) {
      const items = await RestEndpoint.prototype.parseResponse.call(this, response);
      return { items, total: Number(response.headers.get("x-total") ?? 3) };
    },
  });
  using controller = new Controller();
  await controller.fetch(getList);
  const made = await controller.fetch(getList.push, { title: "made" });
  assertEquals(made.title, "made");
  assertEquals(controller.getResponse(getList).data?.items?.map(({ id }) => id), ["1", "2", "3", "10"]);
  const moved = await controller.fetch(getList.move, { id: "2" }, { title: "moved" });
  assertEquals([moved.title, moved.body], ["moved", "body 2"]);
});

Deno.test("13.A11 what is the way of all members stays: an envelope around every answer, an error in it", async () => {
  await using server = new ReplyServer(ROWS);
  server.show = (row) => ({ data: row });
  server.list = (rows) => ({ data: rows.map((row) => (row as { data: unknown }).data) });
  const { get, getList, create } = resource({
    urlPrefix: server.origin,
    path: "/things/:id",
    schema: Thing,
    async parseResponse(this: RestEndpoint, response: Response) {
      const value = await RestEndpoint.prototype.parseResponse.call(this, response) as {
        data: unknown;
        error?: string;
      };
      if (value.error !== undefined) throw new RangeError(value.error);
      return value.data;
    },
  });
  using controller = new Controller();
  await controller.fetch(getList);
  const made = await controller.fetch(create, { title: "made" });
  assertEquals([made.id, made.title], ["10", "made"]);
  assertEquals((await controller.fetch(get, { id: "10" })).title, "made");
  server.reply = () => json({ error: "no" });
  await assertRejects(() => controller.fetch(getList.push, { title: "x" }), RangeError, "no");
});

Deno.test("13.A11 a reply that says something and names no record is told of, in strict mode", async () => {
  await using server = new ReplyServer(ROWS);
  const { getList } = resource({ urlPrefix: server.origin, path: "/things/:id", schema: Thing });
  server.reply = (row) => json({ created: row });
  const warned: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => warned.push(text);
  try {
    using controller = new Controller({ strict: true });
    await controller.fetch(getList);
    assertEquals<unknown>(await controller.fetch(getList.push, { title: "x" }), undefined);
  } finally {
    console.warn = warn;
  }
  assertEquals(warned.length, 1, warned.join("\n"));
  assert(/Thing\.getList\.push.*names no "Thing".*created/.test(warned[0]!), warned[0]);
});
