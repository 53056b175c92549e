/** Rules 19 to 23: what the reply of a mutation writes and expires. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Controller, createResource, Entity, isEnding, resource } from "@rejoin/data";
import { empty, serve } from "../support/api.ts";

class Note extends Entity {
  id = "";
  title = "";
  votes = 0;
  static override key = "Note";
}
/** A resource whose mutations get `reply` as their response. */
async function scene(
  make: typeof resource | typeof createResource,
  reply: () => unknown,
  run: (of: {
    // deno-lint-ignore no-explicit-any -- either kind of resource
    R: any;
    c: Controller;
    isStale(...args: unknown[]): boolean;
    lines(): string[];
  }) => Promise<void>,
) {
  await using api = serve(({ method, path }) => {
    if (method !== "GET") return reply();
    const id = path.split("/")[2];
    return id && id !== "mine"
      ? { id: id === "me" ? "5" : id, title: "Old", votes: 3 }
      : [{ id: "5", title: "Old", votes: 3 }];
  });
  // deno-lint-ignore no-explicit-any -- either kind of resource
  const R: any = (make as any)({ urlPrefix: api.urlPrefix, path: "/notes/:id", schema: Note });
  using c = new Controller();
  await c.fetch(R.get, { id: "5" });
  await c.fetch(R.getList);
  const isStale = (member: unknown, ...args: unknown[]) =>
    // deno-lint-ignore no-explicit-any -- any read
    (c.getResponse as any)(member, ...args).expiresAt <= Date.now();
  await run({ R, c, isStale, lines: api.lines });
}
const note = (c: Controller) => {
  const { id, title, votes } = c.get(Note, { id: "5" }) ?? {};
  return { id, title, votes };
};

Deno.test("rule 19: a whole reply is written, and the record is fresh", () =>
  scene(resource, () => ({ id: "5", title: "New", votes: 4 }), async ({ R, c, isStale }) => {
    await c.fetch(R.partialUpdate, { id: "5" }, { title: "new" });
    assertEquals([note(c), isStale(R.get, { id: "5" })], [{ id: "5", title: "New", votes: 4 }, false]);
    const plain = R.update.extend({ schema: undefined });
    assertEquals(await c.fetch(plain, { id: "5" }, {}), { id: "5", title: "New", votes: 4 }, "without a schema, too");
  }));
for (
  const reply of [
    empty,
    () => "",
    () => ({}),
    () => [],
    () => ({ success: true }),
    () => "OK",
    () => new Response("OK"),
    () => 1,
  ]
) {
  Deno.test(`rule 19: a PATCH answered with ${reply} writes the sent members, is stale, and resolves with the record`, () =>
    scene(resource, reply, async ({ R, c, isStale }) => {
      const result = await c.fetch(R.partialUpdate, { id: "5" }, { title: "Sent" });
      assertEquals([note(c), isStale(R.get, { id: "5" })], [{ id: "5", title: "Sent", votes: 3 }, true]);
      assert(result === c.get(Note, { id: "5" }));
    }));
}
Deno.test("rule 19: a PATCH with a form, answered with 204, writes nothing, and the record is stale", () =>
  scene(resource, empty, async ({ R, c, isStale }) => {
    const form = new FormData();
    form.set("title", "Form");
    await c.fetch(R.partialUpdate, { id: "5" }, form);
    assertEquals([note(c).title, isStale(R.get, { id: "5" })], ["Old", true]);
  }));
Deno.test("rule 19, case 6: members that the reply lacks are written as they were sent, and the record is stale", () =>
  scene(resource, () => ({ id: "5" }), async ({ R, c, isStale }) => {
    await c.fetch(R.update, { id: "5" }, { title: "Sent", votes: 9, password: "x" });
    assertEquals([note(c), isStale(R.get, { id: "5" })], [{ id: "5", title: "Sent", votes: 9 }, true]);
    assert(!("password" in c.get(Note, { id: "5" })!), "what the class does not declare is not stored");
  }));
for (const make of [resource, createResource]) {
  Deno.test(`rule 19: a create with an empty reply writes nothing, and ${make === resource ? "resource" : "createResource"} expires its list`, () =>
    scene(make, empty, async ({ R, c, isStale }) => {
      assertEquals(await c.fetch(R.create, { title: "x" }) ?? undefined, undefined);
      assertEquals([c.getResponse(R.getList).data, isStale(R.getList)].flat().length, 2);
      assert(isStale(R.getList));
    }));
}
Deno.test("rule 20, case 8: a delete deletes the record in its reply, or that of its params if the reply names none", async () => {
  await scene(resource, () => ({ id: "3" }), async ({ R, c }) => {
    await c.fetch(R.get, { id: "3" });
    await c.fetch(R.delete, { id: "5" });
    assertEquals([c.get(Note, { id: "3" }), note(c).id], [undefined, "5"]);
  });
  for (const reply of [empty, () => ({}), () => "3", () => ({ message: "gone" }), () => [{ id: "3" }]]) {
    await scene(resource, reply, async ({ R, c }) => {
      await c.fetch(R.delete, { id: "5" });
      assertEquals([c.get(Note, { id: "5" }), c.getResponse(R.getList).data], [undefined, []], `${reply}`);
    });
  }
});
Deno.test("rule 21, case 12: a mutation whose params name no pk changes the record that get shows for them", async () => {
  let gate = Promise.withResolvers<void>();
  await using api = serve(async ({ method }) => {
    if (method === "GET") return { id: "5", title: "Old", votes: 3 };
    await gate.promise;
    return empty();
  });
  const R = resource({ urlPrefix: api.urlPrefix, path: "/notes/:id", schema: Note, optimistic: true });
  using c = new Controller();
  await c.fetch(R.get, { id: "me" });
  const patch = c.fetch(R.partialUpdate, { id: "me" }, { title: "Shown" });
  assertEquals(note(c), { id: "5", title: "Shown", votes: 3 });
  gate.resolve();
  await patch;
  gate = Promise.withResolvers();
  assertEquals(note(c), { id: "5", title: "Shown", votes: 3 });
  const remove = c.fetch(R.delete, { id: "me" });
  assertEquals(c.get(Note, { id: "5" }), undefined);
  gate.resolve();
  await remove;
  assertEquals([c.get(Note, { id: "5" }), c.get(Note, { id: "me" })], [undefined, undefined]);
});
Deno.test("rule 22: `expires` makes reads stale; create and delete of createResource expire its lists", async () => {
  await scene(createResource, () => ({ id: "6", title: "x", votes: 0 }), async ({ R, c, isStale }) => {
    await c.fetch(R.create, { title: "x" });
    assert(isStale(R.getList));
    await c.fetch(R.getList);
    await c.fetch(R.delete, { id: "6" });
    assert(isStale(R.getList));
    const own = R.getList.extend({ path: "/notes/mine" }),
      publish = R.get.extend({
        path: "/notes/:id/publish",
        method: "POST",
        expires: ([{ id }]: [{ id: string }]) => id === "5" ? [own] : [],
      });
    await c.fetch(own);
    await c.fetch(publish, { id: "5" });
    assert(isStale(own));
  });
});
Deno.test("rule 22: create expires the list that extend has put in the place of getList", async () => {
  for (const [make, reply] of [[createResource, empty()], [resource, Response.json({ id: "6" })]] as const) {
    await scene(make as typeof resource, () => reply, async ({ R, c, isStale }) => {
      const mine = R.extend("getList", {
        path: "/notes",
        searchParams: undefined,
        schema: { results: [Note] },
        parseResponse: async (r: Response) => ({ results: await r.json() }),
      });
      await c.fetch(mine.getList);
      await c.fetch(mine.create, { title: "x" });
      assert(isStale(mine.getList));
    });
  }
});
Deno.test("rule 23: a refused mutation changes nothing; 404, 410 and 412 also expire the record", async () => {
  for (const [status, isExpired] of [[422, false], [404, true], [410, true], [412, true]] as const) {
    await scene(resource, () => new Response("{}", { status }), async ({ R, c, isStale }) => {
      const error = await assertRejects(() => c.fetch(R.partialUpdate, { id: "5" }, { title: "x" })) as {
        status?: number;
      };
      assertEquals([error.status, note(c).title, isStale(R.get, { id: "5" })], [status, "Old", isExpired]);
      assert(!isEnding(error));
    });
  }
});
Deno.test("rule 23: a mutation with an unknown outcome (502, no JSON) expires the record and its lists", async () => {
  const headers = { "Content-Type": "application/json" };
  for (const reply of [() => empty(502), () => new Response('{"id":"5","ti', { headers })]) {
    await scene(resource, reply, async ({ R, c, isStale }) => {
      await assertRejects(() => c.fetch(R.partialUpdate, { id: "5" }, { title: "x" }));
      assertEquals([isStale(R.get, { id: "5" }), isStale(R.getList), note(c).title], [true, true, "Old"]);
      // A record that a delete has hidden is shown again.
      await c.fetch(R.getList);
      const remove = R.delete.extend({ getOptimisticResponse: (_snapshot: unknown, params: unknown) => params });
      const removed = c.fetch(remove, { id: "5" });
      assertEquals(c.getResponse(R.getList).data, []);
      await assertRejects(() => removed);
      assertEquals([isStale(R.get, { id: "5" }), isStale(R.getList), note(c).title], [true, true, "Old"]);
      assertEquals(c.getResponse(R.getList).data.length, 1);
    });
  }
});
Deno.test("case 6: a member that getOptimisticResponse showed stays if the reply lacks it, and the record is stale", async () => {
  const seen: unknown[] = [];
  await using api = serve(({ method }) =>
    method === "GET" ? { id: "5", title: "Ann", votes: 1 } : { id: "5", updated_at: "now" }
  );
  const R = resource({ urlPrefix: api.urlPrefix, path: "/notes/:id", schema: Note });
  const rename = R.partialUpdate.extend({
    body: {} as { name: string },
    getOptimisticResponse: (_snapshot, { id }, { name }) => ({ id, title: name }),
  });
  using c = new Controller();
  await c.fetch(R.get, { id: "5" });
  seen.push(note(c).title);
  const call = c.fetch(rename, { id: "5" }, { name: "Bo" });
  seen.push(note(c).title);
  await call;
  seen.push(note(c).title);
  assertEquals(seen, ["Ann", "Bo", "Bo"]);
  assert(c.getResponse(R.get, { id: "5" }).expiresAt <= Date.now(), "and it is asked for again");
});

Deno.test("rule 19: `process` gets the reply of a mutation as that of a read: with its parent, and once", async () => {
  class Priced extends Entity {
    id = "";
    price = 0;
    of = "";
    static override key = "Priced";
    static override process(value: Priced, parent: Priced) {
      value.price *= 100;
      return Object.assign(value, { of: parent.id });
    }
  }
  await using api = serve(() => ({ id: "1", price: 2 }));
  using c = new Controller();
  const R = createResource({ urlPrefix: api.urlPrefix, path: "/items/:id", schema: Priced });
  const seen = [await c.fetch(R.get, { id: "1" }), await c.fetch(R.partialUpdate, { id: "1" }, {})];
  assertEquals(seen.map(({ price, of }) => [price, of]), [[200, "1"], [200, "1"]]);
});
