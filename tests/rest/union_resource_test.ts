// A resource of several entity classes, told apart by a tag.
import { assert, assertEquals, assertInstanceOf, assertStrictEquals } from "@std/assert";
import { Controller, createResource, Entity, resource, schema, stateOf } from "@rejoin/data";
import { EMPTY, json, ReplyServer, type Row, type Said } from "../support/reply_server.ts";

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

class Film extends Entity {
  id = "";
  kind = "film";
  title = "";
  note = "";
  static key = "Film";
}
class Book extends Entity {
  id = "";
  kind = "book";
  title = "";
  note = "";
  static key = "Book";
}
const mapping = { film: Film, book: Book };
const works = {
  "by a member": new schema.Union(mapping, "kind"),
  "by a function": new schema.Union(mapping, ({ kind }: { kind: string }) => kind.toLowerCase()),
};
const BOOK = { id: "1", kind: "book", title: "old title", note: "old note" };
const isStale = ({ expiresAt }: { readonly expiresAt: number }) => expiresAt <= Date.now();
const WRAPS:
  readonly (readonly [name: string, (of: typeof works["by a member"]) => unknown, (row: unknown) => unknown])[] = [
    ["", (of) => of, (row) => row],
    [", wrapped", (of) => ({ data: of }), (data) => ({ data })],
  ];

for (const [by, of] of Object.entries(works)) {
  for (
    const [form, make] of Object.entries({ resource: resource as unknown as typeof createResource, createResource })
  ) {
    for (const optimistic of form === "resource" ? [false, true] : [false]) {
      for (const [wrapped, wrapSchema, wrap] of WRAPS) {
        const said: readonly (readonly [string, (row: Row) => Said])[] = [
          ["tagged, in part", ({ id, kind, title }) => json(wrap({ id, kind, title }))],
          ["untagged, in part", ({ id, title }) => json(wrap({ id, title }))],
          ["tersely", ({ id }) => json(wrap({ id }))],
          ["with a tag and no id", ({ kind }) => json(wrap({ kind }))],
          ...EMPTY.map(([name, said]) => [name, () => said] as const),
        ];
        const name = `${form} of a Union ${by}${wrapped}${optimistic ? ", optimistic" : ""}`;
        const serve = () => {
          const server = new ReplyServer([BOOK]);
          const things = make({
            urlPrefix: server.origin,
            path: "/things/:id",
            schema: of as typeof works["by a member"],
            optimistic,
          });
          const wrapping = { schema: wrapSchema(of as typeof works["by a member"]) as typeof works["by a member"] };
          return {
            server,
            ...things,
            update: things.update.extend(wrapping),
            partialUpdate: things.partialUpdate.extend(wrapping),
            create: wrapped === "" ? things.create : things.create.extend(wrapping),
            start() {
              server.rows = new Map([["1", BOOK]]);
              server.next = 10;
            },
            [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
          };
        };

        Deno.test(`13.A1 ${name}: update and partialUpdate, whatever they are answered`, async () => {
          await using things = serve();
          for (const verb of ["update", "partialUpdate"] as const) {
            for (const [reply, of] of said) {
              const { server, get, getList, [verb]: change } = things;
              using controller = new Controller();
              things.start();
              await controller.fetch(getList);
              await controller.fetch(get, { id: "1" });
              server.reply = of;
              const sent = { title: "new title", note: "new note", ...verb === "update" && { kind: "book" } };
              const answer = await controller.fetch(change, { id: "1" }, sent as { title: string });
              const book = controller.get(Book, "1");
              assertInstanceOf(book, Book, reply);
              assertEquals([book.title, book.note], ["new title", "new note"], reply);
              assertStrictEquals(
                wrapped === "" ? answer : (answer as unknown as { data: Book }).data,
                book as unknown,
                reply,
              );
              assertStrictEquals(controller.getResponse(getList).data?.[0], book as unknown);
              assert(isStale(controller.getResponse(get, { id: "1" })), reply);
              assert(isStale(controller.getResponse(getList)), reply);
            }
          }
        });

        Deno.test(`13.A1 ${name}: create, answered in part`, async () => {
          await using things = serve();
          for (const [reply, of] of said.slice(0, 3)) {
            const { server, get, getList, create } = things;
            using controller = new Controller();
            things.start();
            await controller.fetch(getList);
            server.reply = of;
            await controller.fetch(create, { kind: "book", title: "made", note: "text" });
            const made = controller.get(Book, "10");
            assertEquals([made?.title, made?.note], ["made", "text"], reply);
            assert(isStale(controller.getResponse(get, { id: "10" })), reply);
            const list = controller.getResponse(getList);
            if (form === "resource") assert(list.data?.length === 2 || isStale(list));
            assert(!JSON.stringify(stateOf(controller)).includes("~"));
          }
        });

        Deno.test(`13.A1 ${name}: create, answered with nothing, expires the lists`, async () => {
          await using things = serve();
          for (const [reply, of] of said.slice(3)) {
            const { server, getList, create } = things;
            using controller = new Controller();
            things.start();
            await controller.fetch(getList);
            server.reply = of;
            await controller.fetch(create, { kind: "book", title: "made" });
            assertEquals(Object.keys(stateOf(controller).entities.Book!), ["1"], reply);
            assert(isStale(controller.getResponse(getList)), reply);
          }
        });

        Deno.test(`13.A1 ${name}: delete, whatever it is answered`, async () => {
          await using things = serve();
          for (const [reply, of] of said) {
            const { server, get, getList, delete: remove } = things;
            using controller = new Controller();
            things.start();
            await controller.fetch(getList);
            await controller.fetch(get, { id: "1" });
            server.reply = of;
            const gone = await controller.fetch(remove, { id: "1" });
            assert(gone === undefined || Object.getPrototypeOf(gone) === Object.prototype, reply);
            assertEquals(controller.get(Book, "1"), undefined, reply);
            assertEquals(controller.getResponse(getList).data, [], reply);
            // Nobody knows what it was: that it is done is no reason to fail.
            await controller.fetch(remove, { id: "7" });
            assert(reply.includes("tag") || isStale(controller.getResponse(getList)), reply);
          }
        });
      }
    }
  }
}
