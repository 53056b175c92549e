// A resource of several entity classes, told apart by a tag.
import { assertEquals, assertInstanceOf, assertStrictEquals } from "@std/assert";
import { Controller, createResource, Entity, resource, schema } from "@rejoin/data";

class Post extends Entity {
  id = "";
  type = "post";
  title = "";
  static key = "Post";
}
class Link extends Entity {
  id = "";
  type = "link";
  url = "";
  static key = "Link";
}
const item = new schema.Union({ post: Post, link: Link }, "type");

/** A feed of posts and links. */
function serveFeed() {
  const rows = new Map<string, Record<string, unknown>>([
    ["1", { id: "1", type: "post", title: "One" }],
    ["2", { id: "2", type: "link", url: "/two" }],
  ]);
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const id = new URL(request.url).pathname.split("/")[2];
    if (request.method === "GET") return Response.json(id === undefined ? [...rows.values()] : rows.get(id));
    const body = request.method === "DELETE" ? {} : await request.json();
    const at = id ?? String(rows.size + 1);
    const row = { ...request.method === "PUT" ? {} : rows.get(at), id: at, ...body };
    if (request.method === "DELETE") rows.delete(at);
    else rows.set(at, row);
    return Response.json(row);
  });
  return {
    urlPrefix: `http://127.0.0.1:${server.addr.port}`,
    rows,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const makers = {
  createResource: (urlPrefix: string, optimistic: boolean) =>
    createResource({ urlPrefix, path: "/feed/:id", schema: item, optimistic }),
  resource: (urlPrefix: string, optimistic: boolean) =>
    resource({ urlPrefix, path: "/feed/:id", schema: item, optimistic }),
};

for (const [name, make] of Object.entries(makers)) {
  for (const optimistic of [false, true]) {
    Deno.test(`13.E5 ${name} of a Union reads and writes each of its entities${optimistic ? ", optimistic too" : ""}`, async () => {
      await using feed = serveFeed();
      const FeedResource = make(feed.urlPrefix, optimistic);
      using controller = new Controller();
      const list = await controller.fetch(FeedResource.getList);
      assertEquals(list.map(({ constructor }) => constructor), [Post, Link]);
      assertStrictEquals(await controller.fetch(FeedResource.get, { id: "1" }), list[0]);

      const made = await controller.fetch(FeedResource.create, { type: "post", title: "Three" });
      assertInstanceOf(made, Post);
      assertStrictEquals(made, controller.get(Post, "3"));
      const length = () => controller.getResponse(FeedResource.getList).data?.length;
      assertEquals(length(), name === "resource" ? 3 : 2);

      const changed = await controller.fetch(FeedResource.partialUpdate, { id: "2" }, { url: "/2" });
      assertEquals([changed instanceof Link && changed.url, controller.get(Link, "2")?.url], ["/2", "/2"]);
      await controller.fetch(FeedResource.update, { id: "1" }, { type: "post", title: "1" });
      assertEquals(controller.get(Post, "1")?.title, "1");

      await controller.fetch(FeedResource.delete, { id: "2" });
      assertEquals([controller.get(Link, "2"), length()], [undefined, name === "resource" ? 2 : 1]);
    });
  }
}
