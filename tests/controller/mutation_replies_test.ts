import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, createResource, Entity } from "@rejoin/data";
import { startFaultServer } from "../support/fault_server.ts";

class Article extends Entity {
  id = "";
  title = "";
  votes = 0;
  pk() {
    return this.id;
  }
  static key = "Article";
}

/** What servers answer mutations with. */
const REPLIES: readonly (readonly [name: string, reply: () => Response])[] = [
  ["204", () => new Response(null, { status: 204 })],
  ['""', () => new Response("", { headers: { "content-type": "application/json" } })],
  ["null", () => Response.json(null)],
  ["{}", () => Response.json({})],
  ["{success:true}", () => Response.json({ success: true })],
  ['"OK"', () => Response.json("OK")],
  ["OK as text", () => new Response("OK", { headers: { "content-type": "text/plain" } })],
  ["1", () => Response.json(1)],
  ["{id}", () => Response.json({ id: "1" })],
];

for (const [name, reply] of REPLIES) {
  Deno.test(`delete, update, partialUpdate and create come to the right end when the server answers ${name}`, async () => {
    await using server = await startFaultServer({
      fallback: (request) =>
        request.method === "GET"
          ? Response.json([{ id: "1", title: "one", votes: 1 }, { id: "2", title: "two", votes: 2 }])
          : reply(),
    });
    for (const optimistic of [false, true]) {
      using controller = new Controller();
      const Resource = createResource({ urlPrefix: server.origin, path: "/articles/:id", schema: Article, optimistic });
      const { getList, get } = Resource;
      const start = async () => {
        controller.resetEntireStore();
        await controller.fetch(getList);
      };
      const article = () => controller.get(Article, { id: "1" });
      const isStale = () => controller.getResponse(getList).expiresAt === 0;

      await start();
      const patched = await controller.fetch(Resource.partialUpdate, { id: "1" }, { title: "new" });
      assertStrictEquals(patched, article());
      assertEquals([article()!.title, article()!.votes], ["new", 1]);
      assertEquals([isStale(), controller.getResponse(get, { id: "1" }).expiresAt], [true, 0], "it was guessed");

      await start();
      const updated = await controller.fetch(Resource.update, { id: "1" }, { title: "new", votes: 5 });
      assertStrictEquals(updated, article());
      assertEquals([article()!.title, article()!.votes, isStale()], ["new", 5, true]);

      await start();
      await controller.fetch(Resource.delete, { id: "1" });
      assertEquals(article(), undefined);
      assertEquals(controller.getResponse(getList).data?.map(({ id }) => id), ["2"]);

      await start();
      const created = await controller.fetch(Resource.create, { title: "three" });
      if (name === "{id}") assertEquals([created.id, created.title], ["1", "three"]);
      else {
        assertEquals(created as unknown, undefined);
        assertEquals([isStale(), controller.getResponse(getList).data?.length], [true, 2]);
      }
      assertEquals([controller.store.layers.length, controller.store.sequence.size], [0, 0]);
    }
  });
}

Deno.test("the full reply of a mutation is fresh, and nothing else is asked again", async () => {
  await using server = await startFaultServer({
    fallback: async (request) =>
      request.method === "GET"
        ? Response.json([{ id: "1", title: "one", votes: 1 }])
        : Response.json({ id: "1", votes: 9, ...await request.json() }),
  });
  using controller = new Controller();
  const Resource = createResource({ urlPrefix: server.origin, path: "/articles/:id", schema: Article });
  await controller.fetch(Resource.getList);
  const { expiresAt } = controller.getResponse(Resource.getList);
  const patched = await controller.fetch(Resource.partialUpdate, { id: "1" }, { title: "new" });
  assertEquals([patched.title, patched.votes], ["new", 9]);
  assertEquals(controller.getResponse(Resource.getList).expiresAt, expiresAt);
  assertStrictEquals(controller.getResponse(Resource.getList).data?.[0], patched);
});

Deno.test("a delete that nothing names expires the lists, and says so once for each endpoint", async () => {
  await using server = await startFaultServer({
    fallback: (request) => Response.json(request.method === "GET" ? [{ id: "1" }] : { success: true }),
  });
  const warn = console.warn;
  const warnings: string[] = [];
  console.warn = (message) => void warnings.push(message);
  try {
    using controller = new Controller({ strict: true });
    for (const name of ["First", "Second"]) {
      const Resource = createResource({ urlPrefix: server.origin, path: "/articles/:slug", schema: Article, name });
      await controller.fetch(Resource.getList);
      for (const slug of ["a", "b"]) await controller.fetch(Resource.delete, { slug });
      assertEquals(controller.getResponse(Resource.getList).expiresAt, 0);
      assertEquals(controller.getResponse(Resource.getList).data?.length, 1);
    }
    assertEquals(warnings.length, 2);
    assertEquals(warnings.map((text) => /"(\w+)\.delete"/.exec(text)?.[1]), ["First", "Second"]);
  } finally {
    console.warn = warn;
  }
});
