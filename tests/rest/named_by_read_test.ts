// Records that neither the reply of a mutation nor its arguments name by themselves: those of a union, and those that
// an address names otherwise than by their pk.
import { assert, assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import { Controller, createResource, Entity, NetworkError, resource, RestEndpoint, schema } from "@rejoin/data";
import { Resource } from "../../src/legacy/mod.ts";
import { EMPTY, json, ReplyServer, type Said } from "../support/reply_server.ts";

class Post extends Entity {
  id = "";
  kind = "post";
  title = "";
  body = "";
  static key = "Post";
}
class Link extends Entity {
  id = "";
  kind = "link";
  title = "";
  url = "";
  static key = "Link";
}
const byName = new schema.Union({ post: Post, link: Link }, "kind");
const byFunction = new schema.Union({ post: Post, link: Link }, ({ kind }: { kind: string }) => kind.slice(0, 4));
const ROWS = [
  { id: "1", kind: "post", title: "one", body: "text" },
  { id: "2", kind: "link", title: "two", url: "/2" },
];
/** What says nothing of what was sent. */
const TERSE: readonly (readonly [string, Said])[] = [...EMPTY, ["{id}", json({ id: "1" })]];

const FORMS = { resource: resource as unknown as typeof createResource, createResource };

for (const [form, make] of Object.entries(FORMS)) {
  for (
    const [kind, union] of Object.entries({ "a member": byName, "a function": byFunction as unknown as typeof byName })
  ) {
    for (const optimistic of [false, true]) {
      const name = `${form} of a Union by ${kind}${optimistic ? ", optimistic" : ""}`;
      const start = async (server: ReplyServer) => {
        const R = make({ urlPrefix: server.origin, path: "/feed/:id", schema: union, optimistic });
        const controller = new Controller();
        await controller.fetch(R.getList);
        await controller.fetch(R.get, { id: "1" });
        const list = () => controller.getResponse(R.getList);
        const get = () => controller.getResponse(R.get, { id: "1" });
        return { R, controller, list, get };
      };

      Deno.test(`13.E5 ${name}: what was sent is shown and stale where the reply does not say it`, async () => {
        for (const verb of ["partialUpdate", "update"] as const) {
          for (const [said, reply] of TERSE) {
            await using server = new ReplyServer(ROWS);
            const { R, controller, list, get } = await start(server);
            using _ = controller;
            server.reply = () => reply;
            const sending = controller.fetch(R[verb], { id: "1" }, {
              title: "new",
              ...verb === "update" && { kind: "post" },
            });
            if (optimistic) assertEquals(get().data?.title, "new", `${verb} ${said}`);
            const changed = await sending;
            assertInstanceOf(changed, Post, said);
            assertEquals([changed.title, get().data?.title, list().data?.[0]?.title], ["new", "new", "new"], said);
            assert(get().expiresAt <= Date.now() && list().expiresAt <= Date.now(), `${verb} ${said}: fresh`);
            await controller.fetch(R.get, { id: "1" });
            assertEquals(get().data?.title, "new", said);
            assert(get().expiresAt > Date.now(), said);
          }
        }
      });

      Deno.test(`13.E5 ${name}: a delete takes out what its params name, whatever the reply`, async () => {
        for (const [said, reply] of TERSE) {
          await using server = new ReplyServer(ROWS);
          const { R, controller, list } = await start(server);
          using _ = controller;
          server.reply = () => reply;
          const sending = controller.fetch(R.delete, { id: "1" });
          if (optimistic) assertEquals(list().data?.map(({ id }) => id), ["2"], said);
          assertEquals(await sending as unknown, { id: "1" }, said);
          assertEquals(list().data?.map(({ id }) => id), ["2"], said);
          assertEquals(controller.get(Post, "1"), undefined, said);
        }
      });

      Deno.test(`13.E5 ${name}: a create whose reply names none adds no row, and asks for the lists again`, async () => {
        for (const [said, reply] of EMPTY) {
          await using server = new ReplyServer(ROWS);
          const { R, controller, list } = await start(server);
          using _ = controller;
          server.reply = () => reply;
          await controller.fetch(R.create, { kind: "post", title: "new" });
          assertEquals(list().data?.map(({ id }) => id), ["1", "2"], said);
          assert(list().expiresAt <= Date.now(), `${said}: fresh`);
        }
        await using server = new ReplyServer(ROWS);
        const { R, controller } = await start(server);
        using _ = controller;
        server.reply = () => json({ id: "9" });
        const made = await controller.fetch(R.create, { kind: "link", title: "new" });
        assertInstanceOf(made, Link);
        assertEquals([made.title, controller.get(Link, "9")?.title], ["new", "new"]);
      });
    }
  }
}

Deno.test("13.E5 verbs of a list of a Union: move and remove go by what is known of the record", async () => {
  for (const optimistic of [false, true]) {
    for (const [said, reply] of TERSE) {
      await using server = new ReplyServer(ROWS);
      const R = resource({ urlPrefix: server.origin, path: "/feed/:id", schema: byName, optimistic });
      using controller = new Controller();
      await controller.fetch(R.getList);
      server.reply = () => reply;
      await controller.fetch(R.getList.move, { id: "1" }, { title: "new" });
      assertEquals(controller.get(Post, "1")?.title, "new", said);
      assert(controller.getResponse(R.getList).expiresAt <= Date.now(), said);
      await controller.fetch(R.getList.remove, { id: "1", kind: "post" });
      assertEquals(controller.getResponse(R.getList).data?.map(({ id }) => id), ["2"], said);
      // A pk alone does not say in which table: the list is asked again.
      await controller.fetch(R.getList);
      await controller.fetch(R.getList.remove, "2" as never);
      assert(controller.getResponse(R.getList).expiresAt <= Date.now(), said);
    }
  }
});

Deno.test("13.E5 where a Union cannot know the record, lists are asked again and nothing is deleted", async () => {
  await using server = new ReplyServer(ROWS);
  const R = resource({ urlPrefix: server.origin, path: "/feed/:id", schema: byName });
  using controller = new Controller();
  await controller.fetch(R.getList);
  server.reply = () => ({ status: 204 });
  for (
    const call of [() => controller.fetch(R.delete, { id: "7" }), () => controller.fetch(R.update, { id: "7" }, {})]
  ) {
    await controller.fetch(R.getList);
    assertEquals(await call() as unknown ?? undefined, undefined);
    assertEquals(controller.getResponse(R.getList).data?.length, 2);
    assert(controller.getResponse(R.getList).expiresAt <= Date.now());
  }
});

Deno.test("13.E5 a mutation of a Union with unknown outcome leaves nothing fresh that it may have changed", async () => {
  for (const verb of ["partialUpdate", "delete", "create"] as const) {
    await using server = new ReplyServer(ROWS);
    const R = resource({ urlPrefix: server.origin, path: "/feed/:id", schema: byName });
    using controller = new Controller();
    await controller.fetch(R.getList);
    await controller.fetch(R.get, { id: "1" });
    server.reply = () => ({ status: 502, body: "" });
    const call = verb === "create" ? controller.fetch(R.create, { kind: "post", title: "x" }) : controller.fetch(
      R[verb] as typeof R.partialUpdate,
      { id: "1" },
      verb === "delete" ? undefined! : { title: "x" },
    );
    await assertRejects(() => call, NetworkError);
    assert(controller.getResponse(R.getList).expiresAt <= Date.now(), verb);
    if (verb !== "create") assert(controller.getResponse(R.get, { id: "1" }).expiresAt <= Date.now(), verb);
  }
});

class Page extends Entity {
  id = "";
  slug = "";
  title = "";
  static key = "Page";
}

for (const [form, make] of Object.entries(FORMS)) {
  Deno.test(`13.E4 ${form}: an address that is no pk names the record that its read shows`, async () => {
    for (const verb of ["partialUpdate", "update", "delete"] as const) {
      for (const [said, reply] of [...EMPTY, ["{slug}", json({ slug: "home" })], ["502", { status: 502 }]] as const) {
        await using server = new ReplyServer([{ id: "home", slug: "home", title: "old" }]);
        server.show = (row) => ({ ...row, id: "1" });
        const R = make({ urlPrefix: server.origin, path: "/pages/:slug", schema: Page });
        using controller = new Controller();
        await controller.fetch(R.getList);
        await controller.fetch(R.get, { slug: "home" });
        const get = () => controller.getResponse(R.get, { slug: "home" });
        server.reply = () => reply;
        const sending = verb === "delete"
          ? controller.fetch(R.delete, { slug: "home" })
          : controller.fetch(R[verb], { slug: "home" }, { slug: "home", title: "new" });
        if (said === "502") {
          await assertRejects(() => sending, NetworkError);
          assert(get().expiresAt <= Date.now(), `${verb} ${said}: fresh`);
        } else if (verb === "delete") {
          assertEquals(await sending as unknown, { slug: "home" }, said);
          assertEquals([get().data, controller.getResponse(R.getList).data?.length], [undefined, 0], said);
        } else {
          assertEquals([(await sending).title, get().data?.title], ["new", "new"], said);
          assert(get().expiresAt <= Date.now(), `${verb} ${said}: fresh`);
        }
      }
    }
  });
}

Deno.test("13.E4 the record that a read shows is never one that it holds, nor one of several", async () => {
  class Summary extends Entity {
    id = "";
    slug = "";
    title = "";
    parent: Summary | undefined = undefined;
    static key = "Node";
  }
  Summary.schema = { parent: Summary };
  class Detail extends Summary {}
  const row = { id: "1", slug: "home", title: "old", parent: { id: "2", slug: "root", title: "root" } };
  for (
    const [said, declared, answer] of [
      ["another class of the family", Detail, row],
      ["an envelope", { data: Detail }, { data: row }],
      ["two", { data: Detail, next: Summary }, { data: row, next: { id: "3", title: "next" } }],
    ] as const
  ) {
    for (const verb of ["partialUpdate", "delete", "502"] as const) {
      await using server = new ReplyServer([{ id: "home" }]);
      server.show = () => answer;
      const R = resource({ urlPrefix: server.origin, path: "/nodes/:slug", schema: Summary })
        .extend("get", { schema: declared as typeof Detail });
      using controller = new Controller();
      await controller.fetch(R.get, { slug: "home" });
      server.reply = () => ({ status: verb === "502" ? 502 : 204 });
      if (verb === "delete") await controller.fetch(R.delete, { slug: "home" });
      else {
        await controller.fetch(R.partialUpdate, { slug: "home" }, { title: "new" }).catch((error) => {
          assertEquals([verb, error.status], ["502", 502]);
        });
      }
      assertEquals(controller.get(Summary, { id: "2" })?.title, "root", `${said} ${verb}`);
      const { data, expiresAt } = controller.getResponse(R.get, { slug: "home" });
      assert(data === undefined || expiresAt <= Date.now(), `${said} ${verb}: fresh`);
    }
  }
});

Deno.test("13.E4 the 5.0 form: a URL without the pk names the record that detail() shows", async () => {
  for (const verb of ["partialUpdate", "update", "delete"] as const) {
    for (const status of [204, 502]) {
      await using server = new ReplyServer([{ id: "home", title: "old" }]);
      server.show = (row) => ({ ...row, id: "1" });
      server.reply = () => ({ status });
      class Old extends Resource {
        id = "";
        title = "";
        pk() {
          return this.id;
        }
        static urlRoot = `${server.origin}/pages`;
        static override url(params: { readonly slug?: string }): string {
          return params.slug === undefined ? super.url(params) : `${this.urlRoot}/${params.slug}`;
        }
      }
      using controller = new Controller();
      await controller.fetch(Old.list());
      await controller.fetch(Old.detail(), { slug: "home" });
      const sent = verb === "delete" ? [] : [{ title: "new" }];
      const call = controller.fetch(
        Old[verb]() as ReturnType<typeof Old.update>,
        { slug: "home" },
        ...sent as [object],
      );
      if (status === 502) await assertRejects(() => call, NetworkError);
      else await call;
      const { data, expiresAt } = controller.getResponse(Old.detail(), { slug: "home" });
      assertEquals(data?.title, status === 502 ? "old" : verb === "delete" ? undefined : "new", `${verb} ${status}`);
      assert(data === undefined || expiresAt <= Date.now(), `${verb} ${status}: fresh`);
    }
  }
});

Deno.test("13.E4 a mutation of one's own, whose reply names no record, leaves the one stale that it was called with", async () => {
  for (const [said, reply] of [["204", { status: 204 }], ["{}", json({})], ["null", { body: "null" }]] as const) {
    await using server = new ReplyServer([{ id: "1", title: "old" }, { id: "2", title: "other" }]);
    const path = "/pages/:id" as const;
    const get = new RestEndpoint({ urlPrefix: server.origin, path, schema: Page });
    const patch = get.extend({ method: "PATCH", body: {} as object });
    using controller = new Controller();
    for (const id of ["1", "2"]) await controller.fetch(get, { id });
    server.reply = () => reply;
    await controller.fetch(patch, { id: "1" }, { title: "new" });
    const isFresh = (id: string) => controller.getResponse(get, { id }).expiresAt > Date.now();
    assertEquals([isFresh("1"), isFresh("2")], [false, true], said);
  }
});

Deno.test("13.E4 an update of many, answered with nothing or cut, leaves those stale that its body names", async () => {
  for (const [status, params] of [[204, []], [204, [{}]], [502, []]] as const) {
    await using server = new ReplyServer([]);
    server.show = () => ({});
    const R = resource({ urlPrefix: server.origin, path: "/pages/:id", schema: Page });
    const updateMany = R.update.extend({ path: "/pages", schema: [Page], body: [] as object[] });
    using controller = new Controller();
    for (const id of ["1", "2", "3"]) controller.setResponse(R.get, { id }, { id, title: "old" });
    server.reply = () => ({ status });
    const body = [{ id: "1", title: "new" }, { id: "2", title: "new" }];
    const call = controller.fetch(updateMany as RestEndpoint, ...params, body);
    if (status === 502) await assertRejects(() => call as Promise<unknown>, NetworkError);
    else await call;
    const isFresh = (id: string) => controller.getResponse(R.get, { id }).expiresAt > Date.now();
    assertEquals(["1", "2", "3"].map(isFresh), [false, false, true], String(status));
  }
});

Deno.test("13.E4 a word in the address (`me`) names the record that its read shows, whatever is called with it", async () => {
  for (const verb of ["partialUpdate", "delete", "502"] as const) {
    await using server = new ReplyServer([{ id: "me", title: "old" }]);
    server.show = (row) => ({ ...row, id: "7" });
    const R = resource({ urlPrefix: server.origin, path: "/pages/:id", schema: Page });
    using controller = new Controller();
    await controller.fetch(R.get, { id: "me" });
    await controller.fetch(R.getList);
    server.reply = () => ({ status: verb === "502" ? 502 : 204 });
    if (verb === "delete") await controller.fetch(R.delete, { id: "me" });
    else await controller.fetch(R.partialUpdate, { id: "me" }, { title: "new" }).catch(() => {});
    for (const id of ["me", "7"]) {
      const { data, expiresAt } = controller.getResponse(R.get, { id });
      const title = verb === "partialUpdate" ? "new" : verb === "delete" ? undefined : "old";
      assertEquals(data?.title, title, `${verb} ${id}`);
      assert(data === undefined || expiresAt <= Date.now(), `${verb} ${id}: fresh`);
    }
    if (verb === "delete") assertEquals(controller.getResponse(R.getList).data, []);
    else assert(controller.getResponse(R.getList).expiresAt <= Date.now(), `${verb}: the list is fresh`);
  }
});

Deno.test("13.E4 a delete answered with another record takes out the one that was asked for, and asks for the other", async () => {
  for (const search of [{}, { id: "2" }]) {
    await using server = new ReplyServer([{ id: "1", title: "one" }, { id: "2", title: "parent" }]);
    server.reply = () => json({ id: "2", title: "parent" });
    const R = resource({ urlPrefix: server.origin, path: "/pages/:id", schema: Page });
    using controller = new Controller();
    await controller.fetch(R.getList, search);
    await controller.fetch(R.delete, { id: "1" });
    assertEquals(controller.get(Page, "1"), undefined);
    // What was deleted, the reply only says where nothing was known of it.
    if (!("id" in search)) assertEquals(controller.get(Page, "2")?.title, "parent");
    assert(controller.getResponse(R.getList, search).expiresAt <= Date.now(), "nobody knows what became of the other");
    await controller.fetch(R.getList, search);
    assertEquals(controller.get(Page, "2")?.title, "parent");
  }
});

Deno.test("13.E5 a mutation that makes another class of a union of a record leaves nothing fresh of what it was", async () => {
  for (const reply of [undefined, { status: 204 }]) {
    await using server = new ReplyServer(ROWS);
    server.reply = reply && (() => reply);
    const R = resource({ urlPrefix: server.origin, path: "/feed/:id", schema: byName });
    using controller = new Controller();
    await controller.fetch(R.getList);
    await controller.fetch(R.get, { id: "1" });
    await controller.fetch(R.partialUpdate, { id: "1" }, { kind: "link", url: "/1" } as never);
    for (const { expiresAt } of [controller.getResponse(R.getList), controller.getResponse(R.get, { id: "1" })]) {
      assert(expiresAt <= Date.now(), `${reply?.status}: fresh`);
    }
    assertInstanceOf(await controller.fetch(R.get, { id: "1" }), Link);
  }
});

Deno.test("13.E5 a delete of what became another class of a union leaves nothing fresh of either", async () => {
  await using server = new ReplyServer(ROWS);
  const R = resource({ urlPrefix: server.origin, path: "/feed/:id", schema: byName });
  using controller = new Controller();
  controller.setResponse(R.getList, [{ id: "1", kind: "post" }]);
  controller.setResponse(R.getList, [{ id: "1", kind: "link" }]);
  server.reply = () => EMPTY[0]![1];
  await controller.fetch(R.delete, { id: "1" });
  for (const { expiresAt } of [controller.getResponse(R.getList), controller.getResponse(R.get, { id: "1" })]) {
    assert(expiresAt <= Date.now(), "fresh");
  }
});

Deno.test("13.E4 an edit of what an address says of a record leaves nothing fresh under the old address", async () => {
  class Item extends Entity {
    id = "";
    slug = "";
    listId = "";
    static key = "Item";
  }
  let row = { id: "1", slug: "old", listId: "a" };
  const fetch = { fetchResponse: () => Promise.resolve(Response.json(row)) };
  const options = { urlPrefix: "https://api.test", schema: Item } as const;
  const Items = resource({ ...options, path: "/lists/:listId/items/:id" });
  const partialUpdate = Items.partialUpdate.extend(fetch);
  const bySlug = new RestEndpoint({ ...options, path: "/by-slug/:slug", ...fetch });
  const inList = new RestEndpoint({ ...options, path: "/plain/:listId", schema: [Item], ...fetch });
  using controller = new Controller();
  const old = { listId: "a", id: "1" };
  controller.setResponse(Items.get, old, row);
  controller.setResponse(bySlug, { slug: "old" }, row);
  controller.setResponse(inList, { listId: "a" }, [row]);
  const isFresh = () =>
    [
      controller.getResponse(Items.get, old),
      controller.getResponse(bySlug, { slug: "old" }),
      controller.getResponse(inList, { listId: "a" }),
    ].map(({ data, expiresAt }) => data !== undefined && expiresAt > Date.now());
  assertEquals(isFresh(), [true, true, true]);
  row = { ...row, slug: "new" };
  await controller.fetch(partialUpdate, old, { slug: "new" });
  assertEquals(isFresh(), [true, false, true]);
  row = { ...row, listId: "b" };
  await controller.fetch(partialUpdate, old, { listId: "b" });
  assertEquals(isFresh(), [false, false, false]);
});

Deno.test("13.E4 an answer under an old address that comes after the edit is stale", async () => {
  const read = Promise.withResolvers<Response>();
  const options = { urlPrefix: "https://api.test", schema: Post } as const;
  const get = new RestEndpoint({ ...options, path: "/by-title/:title", fetchResponse: () => read.promise });
  const { update } = resource({ ...options, path: "/posts/:id" });
  using controller = new Controller();
  const reading = controller.fetch(get, { title: "one" });
  const row = { id: "1", kind: "post", title: "two", body: "" };
  controller.setResponse(update, { id: "1" }, row, row);
  read.resolve(Response.json({ id: "1", title: "one" }));
  await reading;
  const { data, expiresAt } = controller.getResponse(get, { title: "one" });
  assertEquals([data?.title, expiresAt], ["two", 0]);
});

Deno.test("13.E4 a record that says something else than the address is not shown for it", () => {
  class Item extends Entity {
    id = "";
    listId = 0;
    static key = "Item";
  }
  const Items = resource({ urlPrefix: "https://api.test", path: "/lists/:listId/items/:id", schema: Item });
  using controller = new Controller();
  controller.setResponse(Items.getList, { listId: 1 }, [{ id: "5", listId: 1 }]);
  const shown = (listId: number | string) => controller.getResponse(Items.get, { listId, id: "5" }).data?.listId;
  assertEquals([shown(1), shown("1"), shown(2)], [1, 1, undefined]);
});
