// Mutations whose reply has the record in an object of members, as many APIs send it: { data: … }.
import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { Controller, createResource, Entity, keyOf, resource, schema, stateOf } from "@rejoin/data";
import { Resource } from "@rejoin/data/legacy";
import { EMPTY, json, ReplyServer, type Row, type Said, withoutNulls } from "../support/reply_server.ts";

class Thing extends Entity {
  id = "";
  title = "";
  body = "";
  listId = "";
  assignee: string | null | undefined = undefined;
  static key = "Thing";
}

const OLD = { id: "1", title: "old title", body: "old body", listId: "a", assignee: "ann" };
const FORMS = { resource: resource as unknown as typeof createResource, createResource };
type Wrap = (thing: unknown) => object;
const SHAPES: readonly (readonly [name: string, schema: object, wrap: Wrap])[] = [
  ["{ data }", { data: Thing }, (data) => ({ data })],
  ["schema.Object", new schema.Object({ data: Thing, ok: false }), (data) => ({ data, ok: true })],
  ["below another", { result: { thing: Thing }, ok: false }, (thing) => ({ result: { thing, ms: 1 }, ok: true })],
];
const CASES = Object.entries(FORMS).flatMap(([form, make]) =>
  [false, true].flatMap((optimistic) =>
    SHAPES.filter(([shape]) => !optimistic || shape === "{ data }").map(([shape, of, wrap]) =>
      [`${form}, ${shape}${optimistic ? ", optimistic" : ""}`, make, optimistic, of, wrap] as const
    )
  )
);

const isStale = ({ expiresAt }: { readonly expiresAt: number }) => expiresAt <= Date.now();
const terse = ({ id }: Row) => ({ id });
const part = ({ id, title }: Row) => ({ id, title });

/** A resource all of whose answers are wrapped. */
function at(server: ReplyServer, [, make, optimistic, of, wrap]: typeof CASES[number]) {
  const { get, getList, update, partialUpdate, create, delete: remove } = make({
    urlPrefix: server.origin,
    path: "/things/:id",
    schema: Thing,
    optimistic,
  });
  server.reply = (row) => json(wrap(row));
  const wrapped = { schema: of as { readonly data: typeof Thing } };
  return {
    get,
    getList,
    remove,
    update: update.extend(wrapped),
    partialUpdate: partialUpdate.extend(wrapped),
    create: create.extend(wrapped),
  };
}

for (const each of CASES) {
  const [name, , , , wrap] = each;
  const said: readonly (readonly [string, (row: Row) => Said])[] = [
    ["in part", (row) => json(wrap(part(row)))],
    ["tersely", (row) => json(wrap(terse(row)))],
    ...EMPTY.map(([name, said]) => [name, () => said] as const),
    ...[null, {}, "", "OK", 1, []].map((value) =>
      [`a wrapped ${JSON.stringify(value)}`, () => json(wrap(value))] as const
    ),
  ];
  Deno.test(`13.A1 ${name}: update and partialUpdate, whatever they are answered`, async (t) => {
    await using server = new ReplyServer([]);
    server.show = withoutNulls;
    for (const verb of ["update", "partialUpdate"] as const) {
      const { get, getList, [verb]: change } = at(server, each);
      for (const [reply, of] of said) {
        await t.step(`${verb}, answered ${reply}`, async () => {
          server.rows = new Map([["1", OLD]]);
          using controller = new Controller();
          await controller.fetch(getList);
          await controller.fetch(get, { id: "1" });
          server.reply = of;
          const sent = { ...OLD, title: "new title", body: "new body", assignee: null, password: "secret" };
          const answer = await controller.fetch(change, { id: "1" }, sent);
          const changed = controller.get(Thing, "1");
          assertEquals([changed?.title, changed?.body, changed?.assignee], ["new title", "new body", null]);
          const { data, result } = answer as { data?: Thing; result?: { thing: Thing } };
          assertStrictEquals(data ?? result?.thing, changed);
          assertStrictEquals(controller.getResponse(getList).data?.[0], changed);
          assert(isStale(controller.getResponse(get, { id: "1" })), "the detail is asked again");
          assert(isStale(controller.getResponse(getList)), "so is the list that holds it");
          assert(!JSON.stringify(stateOf(controller)).includes("secret"));
          assertEquals((await controller.fetch(get, { id: "1" })).assignee, undefined);
          assert(!isStale(controller.getResponse(get, { id: "1" })));
        });
      }
    }
  });

  Deno.test(`13.A1 ${name}: a full reply is fresh, whichever verb`, async () => {
    await using server = new ReplyServer([OLD]);
    const { get, update, partialUpdate, create } = at(server, each);
    using controller = new Controller();
    await controller.fetch(get, { id: "1" });
    await controller.fetch(update, { id: "1" }, { ...OLD, title: "a" });
    await controller.fetch(partialUpdate, { id: "1" }, { assignee: null });
    await controller.fetch(create, { ...OLD, id: "2" });
    assertEquals([controller.get(Thing, "1")?.title, controller.get(Thing, "1")?.assignee], ["a", null]);
    for (const id of ["1", "2"]) assert(!isStale(controller.getResponse(get, { id })));
  });

  Deno.test(`13.A1 ${name}: create, answered in part, or with a pk and nothing else`, async () => {
    for (const shown of [part, terse]) {
      await using server = new ReplyServer([OLD]);
      const { get, getList, create } = at(server, each);
      using controller = new Controller();
      await controller.fetch(getList);
      server.reply = (row) => json(wrap(shown(row)));
      await controller.fetch(create, { title: "made", body: "text", listId: "a", assignee: null });
      const made = controller.get(Thing, "10");
      assertEquals([made?.title, made?.body, made?.assignee], ["made", "text", null]);
      assert(isStale(controller.getResponse(get, { id: "10" })));
    }
  });

  Deno.test(`13.A1 ${name}: create, answered with nothing, expires the lists`, async () => {
    for (const [, of] of said.slice(2)) {
      await using server = new ReplyServer([OLD]);
      const { getList, create } = at(server, each);
      using controller = new Controller();
      await controller.fetch(getList);
      server.reply = of;
      await controller.fetch(create, { title: "made" });
      assertEquals(Object.keys(stateOf(controller).entities.Thing!), ["1"]);
      assert(isStale(controller.getResponse(getList)));
    }
  });
}

Deno.test("13.A1 wrapped and optimistic: what is sent shows at once, under one name after the other", async () => {
  for (const each of CASES.filter(([, , optimistic]) => optimistic)) {
    const [name, make, , , wrap] = each;
    await using server = new ReplyServer([OLD]);
    const { get, getList, update, partialUpdate, create, remove } = at(server, each);
    using controller = new Controller();
    await controller.fetch(getList);
    await controller.fetch(get, { id: "1" });
    const hanging = Promise.withResolvers<void>();
    server.gate = () => hanging.promise;
    const title = () => controller.get(Thing, "1")?.title;
    const calls = [controller.fetch(partialUpdate, { id: "1" }, { title: "patched" })];
    assertEquals(title(), "patched", name);
    calls.push(controller.fetch(update, { id: "1" }, { ...OLD, title: "put" }));
    assertEquals(title(), "put", name);
    calls.push(controller.fetch(create, { title: "made" }));
    const titles = () => controller.getResponse(getList).data?.map(({ title }) => title);
    // A list of createResource, and one whose create says that it makes a plain record, is asked again.
    assertEquals(titles()?.slice(0, 1), ["put"], name);
    server.reply = (row, method) => json(method === "POST" ? wrap(terse(row)) : wrap(row));
    hanging.resolve();
    await Promise.all(calls);
    assertEquals([controller.get(Thing, "10")?.title], ["made"], name);
    assert(!JSON.stringify(stateOf(controller)).includes("~"), name);
    await controller.fetch(remove, { id: "1" });
    assertEquals(controller.get(Thing, "1"), undefined);
    assert(make === createResource || controller.getResponse(getList).data?.every(({ id }) => id !== "1"));
  }
});

Deno.test("13.A1 the verbs of a list, wrapped: items join and leave, and what was not said is stale", async () => {
  for (const optimistic of [false, true]) {
    for (const shown of [terse, part]) {
      await using server = new ReplyServer([OLD]);
      const things = resource({ urlPrefix: server.origin, path: "/things/:id", schema: Thing, optimistic });
      const { get, getList } = things;
      const { push, unshift, move, remove } = getList;
      using controller = new Controller();
      const ids = (listId: string) => controller.getResponse(getList, { listId }).data?.map(({ id }) => id).join();
      for (const listId of ["a", "b"]) await controller.fetch(getList, { listId });
      await controller.fetch(get, { id: "1" });
      server.reply = (row) => json({ data: shown(row) });
      const sent = { title: "made", body: "text", listId: "a", assignee: null };
      await controller.fetch(push.extend({ schema: { data: getList.schema.push } }), sent);
      await controller.fetch(unshift.extend({ schema: { data: getList.schema.unshift } }), sent);
      assertEquals(ids("a"), "11,1,10");
      for (const id of ["10", "11"]) {
        assertEquals([controller.get(Thing, id)?.body, controller.get(Thing, id)?.assignee], ["text", null]);
        assert(isStale(controller.getResponse(get, { id })));
      }
      const moving = move.extend({ schema: { data: getList.schema.move } });
      await controller.fetch(moving, { id: "1" }, { listId: "b", assignee: null });
      assertEquals([ids("a"), ids("b"), controller.get(Thing, "1")?.assignee], ["11,10", "1", null]);
      assert(isStale(controller.getResponse(get, { id: "1" })));
      for (const [, said] of EMPTY) {
        server.reply = () => said;
        await controller.fetch(moving, { id: "1" }, { listId: "a", body: "moved" });
        assertEquals([ids("b"), controller.get(Thing, "1")?.body], ["", "moved"]);
        assert(isStale(controller.getResponse(get, { id: "1" })));
        await controller.fetch(moving, { id: "1" }, { listId: "b" });
      }
      const removing = remove.extend({ schema: { data: getList.schema.remove } });
      await controller.fetch(removing, { id: "1" } as object);
      assertEquals(ids("b"), "");
      assertEquals(controller.get(Thing, "1")?.title, "old title");
      assert(isStale(controller.getResponse(get, { id: "1" })));
    }
  }
});

Deno.test("13.A1 create of a resource that is said to answer with a plain record in an envelope", async () => {
  for (const optimistic of [false, true]) {
    await using server = new ReplyServer([OLD]);
    const { get, getList, create } = resource({
      urlPrefix: server.origin,
      path: "/things/:id",
      schema: Thing,
      optimistic,
    });
    using controller = new Controller();
    await controller.fetch(getList, { listId: "a" });
    server.reply = (row) => json({ data: part(row) });
    const { data } = await controller.fetch(create.extend({ schema: { data: Thing } }), {
      title: "made",
      body: "text",
      listId: "a",
    });
    assertEquals([data?.title, data?.body], ["made", "text"]);
    assert(isStale(controller.getResponse(get, { id: "10" })));
    const list = controller.getResponse(getList, { listId: "a" });
    assert(list.data?.length === 2 || isStale(list), "it joins the list, or the list is asked again");
  }
});

Deno.test("13.A1 delete in a wrapper: what its params name, unless the reply names a record", async () => {
  for (const form of Object.values(FORMS)) {
    for (const optimistic of [false, true]) {
      for (
        const [said, of] of [...EMPTY, ["the record", json({ data: { id: "1" } })], [
          "null",
          json({ data: null }),
        ]] as const
      ) {
        await using server = new ReplyServer([OLD]);
        const things = form({ urlPrefix: server.origin, path: "/things/:id", schema: Thing, optimistic });
        using controller = new Controller();
        await controller.fetch(things.getList);
        server.reply = () => of;
        await controller.fetch(things.delete.extend({ schema: { data: new schema.Invalidate(Thing) } }), { id: "1" });
        assertEquals(controller.get(Thing, "1"), undefined, said);
        assertEquals(controller.getResponse(things.getList).data, [], said);
      }
    }
  }
});

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}

Deno.test("13.A1 beside records of other classes, the one of the resource is meant; of several, the one that was named", async () => {
  const user = { id: "1", name: "ann" };
  const log = { before: Thing, after: Thing };
  const shapes: readonly (readonly [object, (row: Row) => unknown])[] = [
    [{ data: Thing, user: User }, (row) => ({ data: terse(row), user })],
    [
      { user: User, data: Thing, others: [Thing] },
      (row) => ({ user, data: terse(row), others: [{ id: "2", title: "2" }] }),
    ],
    [{ next: Thing, data: Thing }, (row) => ({ next: { id: "2", title: "two" }, data: terse(row) })],
    [{ data: log }, (row) => ({ data: { before: terse(row), after: terse(row) } })],
    [{ data: [Thing] }, (row) => ({ data: [terse(row)] })],
    [[Thing], (row) => [terse(row)]],
    [{ next: Thing, other: Thing }, () => ({ next: { id: "2", title: "two" }, other: null })],
    [{ next: Thing, other: Thing }, () => null],
    [{ next: Thing, other: Thing }, () => ({})],
  ];
  for (const [of, reply] of shapes) {
    for (const make of Object.values(FORMS)) {
      for (const verb of ["update", "partialUpdate"] as const) {
        for (const optimistic of [false, true]) {
          await using server = new ReplyServer([OLD]);
          const things = make({ urlPrefix: server.origin, path: "/things/:id", schema: Thing, optimistic });
          using controller = new Controller();
          await controller.fetch(things.get, { id: "1" });
          server.reply = (row) => json(reply(row));
          await controller.fetch(things[verb].extend({ schema: of as { data: typeof Thing } }), { id: "1" }, {
            ...OLD,
            title: "new",
            body: "new body",
          });
          const { title, body } = controller.get(Thing, "1")!;
          assertEquals([title, body], ["new", "new body"], JSON.stringify(reply(OLD)));
          assert(isStale(controller.getResponse(things.get, { id: "1" })), JSON.stringify(reply(OLD)));
        }
      }
    }
  }
});

Deno.test("13.A1 a class of the same table in a reply, wrapped or not, is a part of the record", async () => {
  class Summary extends Entity {
    id = "";
    title = "";
    static key = "Thing";
  }
  for (
    const [of, wrap] of [[Summary, (row: unknown) => row], [{ data: Summary }, (data: unknown) => ({ data })]] as const
  ) {
    await using server = new ReplyServer([OLD]);
    const { get, partialUpdate } = createResource({ urlPrefix: server.origin, path: "/things/:id", schema: Thing });
    using controller = new Controller();
    await controller.fetch(get, { id: "1" });
    server.reply = (row) => json(wrap(part(row)));
    await controller.fetch(partialUpdate.extend({ schema: of as typeof Summary }), { id: "1" }, {
      title: "new",
      body: "new body",
    });
    assertEquals(controller.get(Thing, "1")?.body, "new body");
    assert(isStale(controller.getResponse(get, { id: "1" })));
  }
});

Deno.test("13.A1 a reply that names another record makes nothing fresh of the one that was asked for", async () => {
  for (
    const [of, wrap] of [[Thing, (row: unknown) => row], [{ data: Thing }, (data: unknown) => ({ data })]] as const
  ) {
    for (const make of Object.values(FORMS)) {
      for (const verb of ["update", "partialUpdate"] as const) {
        await using server = new ReplyServer([OLD]);
        const things = make({ urlPrefix: server.origin, path: "/things/:id", schema: Thing });
        using controller = new Controller();
        await controller.fetch(things.getList);
        await controller.fetch(things.get, { id: "1" });
        server.reply = (row) => json(wrap({ ...row, id: "2" }));
        await controller.fetch(things[verb].extend({ schema: of as typeof Thing }), { id: "1" }, {
          ...OLD,
          title: "new",
        });
        assertEquals(controller.get(Thing, "2")?.title, "new");
        assert(isStale(controller.getResponse(things.get, { id: "1" })));
        assert(isStale(controller.getResponse(things.getList)));
      }
    }
  }
});

Deno.test("13.A1 the 5.0 form, wrapped: partial, terse and empty replies", async () => {
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
  const replies: readonly ((row: Row) => Said)[] = [
    (row) => json({ data: part(row) }),
    (row) => json({ data: terse(row) }),
    ...EMPTY.map(([, said]) => () => said),
  ];
  for (const verb of ["update", "partialUpdate"] as const) {
    for (const reply of replies) {
      server.rows.set("1", OLD);
      server.reply = undefined;
      await controller.fetch(Old.detail(), { id: "1" });
      server.reply = reply;
      const sent = { ...OLD, body: "new", assignee: null };
      await controller.fetch(Old[verb]().extend({ schema: { data: Old } }), { id: "1" }, sent);
      const changed = controller.get(Old, "1");
      assertEquals([changed?.body, changed?.assignee], ["new", null]);
      assert(isStale(controller.getResponse(Old.detail(), { id: "1" })));
      assertEquals((await controller.fetch(Old.detail(), { id: "1" }))?.assignee, undefined);
    }
  }
  server.reply = (row) => json({ data: terse(row) });
  await controller.fetch(Old.create().extend({ schema: { data: Old } }), { title: "made", body: "text" });
  assertEquals(controller.get(Old, "10")?.body, "text");
  assert(isStale(controller.getResponse(Old.detail(), { id: "10" })));
  server.reply = () => ({ status: 204 });
  await controller.fetch(Old.delete().extend({ schema: { data: new schema.Invalidate(Old) } }), { id: "10" });
  assertEquals(controller.get(Old, "10"), undefined);
});

Deno.test("13.A1 push, unshift and move of one item, answered with an array: of several, nobody knows which was sent", async () => {
  for (
    const [several, wrap] of [[false, (row: Row) => [terse(row)]], [
      true,
      (row: Row) => [terse(row), { id: "2" }],
    ]] as const
  ) {
    for (const inEnvelope of [false, true]) {
      await using server = new ReplyServer([OLD]);
      const { get, getList } = resource({ urlPrefix: server.origin, path: "/things/:id", schema: Thing });
      using controller = new Controller();
      await controller.fetch(getList);
      await controller.fetch(get, { id: "1" });
      server.reply = (row) => json(inEnvelope ? { data: wrap(row) } : wrap(row));
      for (const [at, verb] of (["push", "unshift", "move"] as const).entries()) {
        const of = getList.schema[verb];
        const change = getList[verb].extend({ schema: (inEnvelope ? { data: of } : of) as typeof of });
        const sent = { title: "new", body: "new body" };
        if (verb === "move") await controller.fetch(change as typeof getList.move, { id: "1" }, sent);
        else await controller.fetch(change as typeof getList.push, sent);
        const id = verb === "move" ? "1" : String(10 + at);
        assert(isStale(controller.getResponse(get, { id })), verb);
        if (!several) assertEquals(controller.get(Thing, id)?.body, "new body", verb);
      }
    }
  }
});

Deno.test("13.A1 move in a list, answered with records by name, is no list by name", async () => {
  await using server = new ReplyServer([OLD]);
  const { get, getList } = resource({ urlPrefix: server.origin, path: "/things/:id", schema: Thing });
  using controller = new Controller();
  for (const listId of ["a", "b"]) await controller.fetch(getList, { listId });
  await controller.fetch(get, { id: "1" });
  server.reply = (row) => json({ before: OLD, after: row });
  await controller.fetch(getList.move, { id: "1" }, { listId: "b", body: "new body" });
  assertEquals(controller.get(Thing, "1")?.body, "new body");
  assertEquals(["a", "b"].map((listId) => controller.getResponse(getList, { listId }).data?.length), [0, 1]);
  assert(isStale(controller.getResponse(get, { id: "1" })));
});

Deno.test("13.A1 create whose reply has several of the class, or one of a class with fewer members, is stale where it says less", async () => {
  class Summary extends Entity {
    id = "";
    title = "";
    static key = "Thing";
  }
  const shapes: readonly (readonly [object, (row: Row) => unknown])[] = [
    [{ next: Thing, data: Thing }, (row) => ({ next: null, data: terse(row) })],
    [{ data: [Thing] }, (row) => ({ data: [terse(row)] })],
    [Summary, part],
    [{ data: Summary }, (row) => ({ data: part(row) })],
  ];
  for (const make of Object.values(FORMS)) {
    for (const [of, reply] of shapes) {
      await using server = new ReplyServer([OLD]);
      const { get, create } = make({ urlPrefix: server.origin, path: "/things/:id", schema: Thing });
      using controller = new Controller();
      server.reply = (row) => json(reply(row));
      await controller.fetch(create.extend({ schema: of as typeof Thing }), { title: "made", body: "text" });
      assertEquals(Object.keys(stateOf(controller).entities.Thing!), ["10"]);
      const read = controller.getResponse(get, { id: "10" });
      assert(isStale(read) || read.data?.body === "text");
    }
  }
});

Deno.test("13.A1 a mutation that was accepted and whose reply cannot be stored expires the lists of its class, too", async () => {
  for (const make of Object.values(FORMS)) {
    for (
      const [of, reply] of [[{ data: [Thing] }, { data: 7 }], [{ thing: Thing, tags: [User] }, { tags: 7 }]] as const
    ) {
      await using server = new ReplyServer([OLD]);
      const { getList, create } = make({ urlPrefix: server.origin, path: "/things/:id", schema: Thing });
      using controller = new Controller();
      await controller.fetch(getList);
      server.reply = () => json({ ...reply, extra: {} });
      const error = await controller.fetch(create.extend({ schema: of as unknown as typeof Thing }), { title: "made" })
        .catch((error: Error) => error);
      assert(isStale(controller.getResponse(getList)), String(error));
    }
  }
});

Deno.test("13.A1 a wrapped create shows its row in the lists at once, and the row keeps its name when the reply comes", async () => {
  class Note extends Thing {
    static override key = "Note";
  }
  const notes = new schema.Union({ note: Note, thing: Thing }, "kind");
  for (const owner of [Thing, notes]) {
    await using server = new ReplyServer([OLD]);
    const things = resource({
      urlPrefix: server.origin,
      path: "/things/:id",
      schema: owner as typeof Thing,
      optimistic: true,
    });
    const { getList } = things;
    using controller = new Controller();
    await controller.fetch(getList, { listId: "a" });
    const hanging = Promise.withResolvers<void>();
    server.gate = () => hanging.promise;
    server.reply = (row) => json({ data: terse(row) });
    const made = controller.fetch(getList.push.extend({ schema: { data: getList.schema.push } }), {
      kind: "thing",
      title: "made",
      listId: "a",
    } as object);
    const last = () => controller.getResponse(getList, { listId: "a" }).data!.at(-1)!;
    assertEquals(last().title, "made");
    const name = keyOf(last());
    hanging.resolve();
    await made;
    assertEquals([last().id, last().title, keyOf(last())], ["10", "made", name]);
  }
});

Deno.test("13.A5 an unknown outcome makes the record stale, and the lists, also where the schema wraps it or is a Union", async () => {
  class Note extends Entity {
    id = "";
    kind = "";
    static key = "Note";
  }
  const union = new schema.Union({ note: Note, thing: Thing }, "kind");
  const shapes: readonly (readonly [owner: unknown, of: unknown])[] = [
    ...SHAPES.map(([, of]) => [Thing, of] as const),
    [Thing, { data: Thing, user: User }],
    [Thing, { before: Thing, after: Thing }],
    [union, union],
    [union, { data: union }],
  ];
  for (const make of Object.values(FORMS)) {
    for (const [owner, of] of shapes) {
      await using server = new ReplyServer([{ ...OLD, kind: "thing" }]);
      const things = make({ urlPrefix: server.origin, path: "/things/:id", schema: owner as typeof Thing });
      using controller = new Controller();
      for (const verb of ["partialUpdate", "update"] as const) {
        await controller.fetch(things.getList);
        await controller.fetch(things.get, { id: "1" });
        assert(!isStale(controller.getResponse(things.get, { id: "1" })));
        server.reply = () => ({ status: 502 });
        await assertRejects(() =>
          controller.fetch(things[verb].extend({ schema: of as typeof Thing }), { id: "1" }, OLD)
        );
        assert(isStale(controller.getResponse(things.get, { id: "1" })), verb);
        assert(isStale(controller.getResponse(things.getList)), verb);
      }
    }
  }
});

Deno.test("13.A1 a wrapped get confirms what was sent, or takes it away", async () => {
  await using server = new ReplyServer([OLD]);
  server.show = (row) => ({ data: withoutNulls(row) });
  const things = createResource({ urlPrefix: server.origin, path: "/things/:id", schema: Thing });
  const get = things.get.extend({ schema: { data: Thing } });
  const change = things.partialUpdate.extend({ schema: { data: Thing } });
  using controller = new Controller();
  await controller.fetch(get, { id: "1" });
  const { data } = await controller.fetch(change, { id: "1" }, { body: "new", assignee: null });
  assertEquals([data?.body, data?.assignee], ["new", null]);
  assert(isStale(controller.getResponse(get, { id: "1" })));
  const read = await controller.fetch(get, { id: "1" });
  assertEquals([read.data?.body, read.data?.assignee], ["new", undefined]);
  assert(!isStale(controller.getResponse(get, { id: "1" })));
});

Deno.test("13.A1 a mutation whose schema contains itself", async () => {
  await using server = new ReplyServer([OLD]);
  const { get, partialUpdate } = createResource({ urlPrefix: server.origin, path: "/things/:id", schema: Thing });
  const values = new schema.Values();
  values.define(values as never);
  const array = new schema.Array();
  array.define(array as never);
  const tree = new schema.Object({ data: Thing });
  tree.define({ below: tree, rows: [tree], list: array, named: values });
  using controller = new Controller();
  const answers: readonly (readonly [object, unknown])[] = [
    [values, { a: { b: {} } }],
    [array, [[[]]]],
    [tree, { data: { id: "1" }, below: { data: { id: "2" } } }],
  ];
  for (const [of, reply] of answers) {
    await controller.fetch(get, { id: "1" });
    server.reply = () => json(reply);
    const answer = await controller.fetch(partialUpdate.extend({ schema: of as typeof Thing }), { id: "1" }, {
      body: "new",
    });
    if (of !== tree) continue;
    assertStrictEquals((answer as unknown as { data: Thing }).data, controller.get(Thing, "1"));
    assertEquals(controller.get(Thing, "1")?.body, "new");
    assert(isStale(controller.getResponse(get, { id: "1" })));
  }
});
