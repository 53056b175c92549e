/** The package json-server, which many examples and prototypes use. */
import { assert, assertEquals } from "@std/assert";
import { Controller, Entity, resource } from "@rejoin/data";
import { createApp } from "json-server/lib/app.js";
import type { AddressInfo } from "node:net";
import { live } from "./_scene.ts";

class Author extends Entity {
  id = "";
  name = "";
  static key = "Author";
}
class Post extends Entity {
  id = "";
  title = "";
  views = 0;
  authorId: Author | undefined = undefined;
  static key = "Post";
  static schema = { authorId: Author };
}

/** Starts json-server with its tables in memory. */
async function start() {
  const data = {
    posts: ["1", "2", "3"].map((id) => ({ id, title: `Post ${id}`, views: Number(id), authorId: "a" })),
    authors: [{ id: "a", name: "Ada" }],
  };
  const none = () => Promise.resolve(),
    server = createApp({ data, read: none, write: none } as never).listen(0, undefined, "127.0.0.1");
  await new Promise((go) => server.listening ? go(0) : server.once("listening", go));
  const urlPrefix = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const resourceOf = (optimistic: boolean) => resource({ urlPrefix, path: "/posts/:id", schema: Post, optimistic });
  return {
    data,
    urlPrefix,
    resourceOf,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((go) => server.close(go));
    },
  };
}
/** Its connections stay open after a request. */
const test = (name: string, fn: () => Promise<void>) =>
  Deno.test({ name, sanitizeOps: false, sanitizeResources: false, fn });

for (const optimistic of [false, true]) {
  test(`json-server: list, detail, create, edit, delete, error${optimistic ? ", optimistic" : ""}`, async () => {
    await using server = await start();
    await live({
      R: server.resourceOf(optimistic),
      onServer: (id) => server.data.posts.find((post) => post.id === id),
      refused: {
        body: ["no object"],
        status: 400,
        errorsOf: (body) => body,
        said: { error: "Body must be a JSON object" },
      },
    }, optimistic);
  });
}
test("json-server: pages in an envelope join the list until the last one", async () => {
  await using server = await start();
  const { getList } = resource({
    urlPrefix: server.urlPrefix,
    path: "/posts/:id",
    schema: Post,
    paginationField: "_page",
    list: (posts) => ({ data: posts, next: 0, items: 0 }),
  });
  using c = new Controller();
  const shown = () => c.getResponse(getList, { _per_page: 2 }).data;
  let { next } = await c.fetch(getList.getPage, { _per_page: 2, _page: 1 });
  while (next) next = (await c.fetch(getList.getPage, { _per_page: 2, _page: next })).next;
  assertEquals([shown()?.data.map(({ id }) => id), shown()?.items], [["1", "2", "3"], 3]);
});
test("json-server: a flat reference is joined; an edit asks lists again that filter or sort by what changed", async () => {
  await using server = await start();
  const R = server.resourceOf(true),
    authors = resource({ urlPrefix: server.urlPrefix, path: "/authors/:id", schema: Author });
  using c = new Controller();
  await c.fetch(authors.getList);
  const lists = [{}, { _sort: "-views" }, { views: 2 }, { title: "Post 3" }];
  for (const args of lists) await c.fetch(R.getList, args);
  assertEquals(
    c.getResponse(R.getList, { _sort: "-views" }).data?.map(({ id, authorId }) => `${id} ${authorId?.name}`),
    ["3 Ada", "2 Ada", "1 Ada"],
  );
  await c.fetch(R.partialUpdate, { id: "2" }, { views: 9 });
  const stale = lists.map((args) => c.getResponse(R.getList, args).expiresAt <= Date.now());
  assertEquals(stale, [false, true, true, false]);
  assertEquals((await c.fetch(R.getList, { _sort: "-views" })).map(({ id }) => id), ["2", "3", "1"]);
  assert((await c.fetch(R.getList, { views: 2 })).length === 0);
});
