/**
 * Cases 4, 6, 8, 9, 12 and 24: how replies change records. The inputs of the reports are in tests/rest/replies_test.ts,
 * resource_test.ts and tests/controller/.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Controller, Endpoint, Entity, isTemporary, NormalizeError, resource, RestEndpoint } from "@rejoin/data";
import { type Asked, empty, serve } from "../support/api.ts";

class Author extends Entity {
  id = "";
  name = "";
  about = "";
  static key = "Author";
}
class Article extends Entity {
  id = "";
  title = "";
  text = "";
  owner = "";
  author: Author | undefined = undefined;
  static key = "Article";
  static schema = { author: Author };
}
/** A resource on a server, a controller, and the requests. */
function scene(answer: (asked: Asked) => unknown, more: { optimistic?: boolean; path?: "/a/:id" } = {}) {
  const api = serve(answer), c = new Controller();
  const R = resource({ urlPrefix: api.urlPrefix, path: "/a/:id", schema: Article, ...more });
  const isStale = (id: string) => c.getResponse(R.get, { id }).expiresAt <= Date.now();
  return {
    ...{ api, c, R, isStale },
    async [Symbol.asyncDispose]() {
      c[Symbol.dispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}

for (
  const [what, reply] of [
    ["the list of a summary", [{ id: "1", title: "One" }]],
    ["an envelope", { data: [{ id: "1", title: "One" }] }],
    ["a record that nests it", { id: "9", title: "", article: { id: "1", title: "One" } }],
  ] as const
) {
  Deno.test(`case 4: of a record from ${what}, the detail is fetched before a form shows it`, async () => {
    await using s = scene(({ path }) => path === "/a/1" ? { id: "1", title: "One", text: "Text", owner: "x" } : reply);
    const { c, R, api } = s,
      schema = what === "an envelope" ? { data: [Article] } : Array.isArray(reply) ? [Article] : { article: Article };
    await c.fetch(new RestEndpoint({ urlPrefix: api.urlPrefix, path: "/some", schema }) as any);
    assertEquals([c.get(Article, { id: "1" })?.title, c.getResponse(R.get, { id: "1" }).data], ["One", undefined]);
    assertEquals((await c.fetchIfStale(R.get, { id: "1" })).text, "Text");
  });
}
Deno.test("case 4: of a nested author with some members, the detail is fetched; with all of them, it is not", async () => {
  await using s = scene(() => ({ id: "1", author: { id: "7", name: "Ada" } }));
  const people = resource({ urlPrefix: s.api.urlPrefix, path: "/people/:id", schema: Author });
  await s.c.fetch(s.R.get, { id: "1" });
  assertEquals(s.c.getResponse(people.get, { id: "7" }).data, undefined);
  s.c.set(Author, { id: "7" }, { about: "Countess" });
  assertEquals(s.c.getResponse(people.get, { id: "7" }).data?.about, "Countess");
});

for (
  const [what, reply] of [
    ["its id and a date", { id: "5", updated_at: "now" }],
    ["nothing", undefined],
    ["a message", { message: "saved" }],
  ] as const
) {
  Deno.test(`case 6: a change that was shown by another name stays when the reply is ${what}`, async () => {
    let owner = "Ann";
    await using s = scene(({ method }) => {
      if (method === "GET") return { id: "5", title: "T", text: "x", owner };
      owner = "Bo";
      return reply ?? empty();
    });
    const assign = new RestEndpoint({
      urlPrefix: s.api.urlPrefix,
      path: "/a/:id",
      method: "PATCH",
      body: {} as { owner_id: string },
      schema: Article,
      getOptimisticResponse: (_snapshot, { id }, { owner_id, ...rest }) => ({ id, ...rest, owner: owner_id }),
    });
    const patch = s.R.partialUpdate.extend({
      body: {} as { owner_id: string },
      getOptimisticResponse: (_snapshot, { id }, { owner_id, ...rest }) => ({ id, ...rest, owner: owner_id }),
    });
    const shown = () => s.c.get(Article, { id: "5" })?.owner;
    await s.c.fetch(s.R.get, { id: "5" });
    const call = s.c.fetch(patch, { id: "5" }, { owner_id: "Bo" });
    assertEquals(shown(), "Bo");
    await call;
    assertEquals([shown(), s.isStale("5")], ["Bo", true]);
    await s.c.fetch(s.R.get, { id: "5" });
    assertEquals(shown(), "Bo");
    // An endpoint outside of a resource also shows the change.
    const alone = s.c.fetch(assign, { id: "5" }, { owner_id: "Cy" });
    assertEquals(shown(), "Cy");
    await alone.catch(() => {});
  });
}
Deno.test("case 6: a create whose reply is its id keeps what was sent, in the list, too", async () => {
  await using s = scene(({ method }) => method === "GET" ? [] : { id: "5" }, { optimistic: true });
  await s.c.fetch(s.R.getList);
  const made = await s.c.fetch(s.R.create, { title: "T", text: "x" });
  assertEquals([made.id, made.title], ["5", "T"]);
  assertEquals(s.c.getResponse(s.R.getList).data?.map(({ title }) => title), ["T"]);
  assert(s.isStale("5"), "the server may have made more of it");
});

for (
  const [what, reply, gone] of [
    ["an envelope without pk", { data: { id: "3" } }, "2"],
    ["a count", 1, "2"],
    ["a pk that is none", { id: null }, "2"],
    ["another record", { id: 3, title: "Three" }, "3"],
  ] as const
) {
  Deno.test(`case 8: a delete that is answered with ${what} deletes ${gone}`, async () => {
    await using s = scene(({ method }) => method === "DELETE" ? reply : ["2", "3"].map((id) => ({ id })));
    await s.c.fetch(s.R.getList);
    await s.c.fetch(s.R.delete, { id: "2" });
    assertEquals(s.c.getResponse(s.R.getList).data?.map(({ id }) => id), gone === "2" ? ["3"] : ["2"]);
  });
}

Deno.test("case 9: an envelope beside a token, of a QUERY, and of an Endpoint, names the member to declare", async () => {
  await using s = scene(() => ({ user: { id: "1", name: "Ada" }, token: "t" }));
  const { c, api: { urlPrefix } } = s;
  const reads = [
    new RestEndpoint({ urlPrefix, path: "/me", schema: Author }),
    new RestEndpoint({ urlPrefix, path: "/me", method: "QUERY", body: {} as object, schema: Author }),
    new Endpoint(() => Promise.resolve({ user: { id: "1" } }), { name: "me", schema: Author }),
  ];
  for (const [at, read] of reads.entries()) {
    await assertRejects(() => (c.fetch as any)(read, ...at === 1 ? [{}, {}] : []), NormalizeError, "{ user: Author }");
  }
  assertEquals(c.get(Author, { id: "1" }), undefined);
  const declared = new RestEndpoint({ urlPrefix, path: "/me", schema: { user: Author, token: "" } });
  assertEquals((await c.fetch(declared)).user?.name, "Ada");
});
Deno.test("case 9: a mutation in an envelope that was not declared writes no empty record", async () => {
  await using s = scene(({ method }) => method === "GET" ? [] : { data: { id: "1", title: "T" } });
  await s.c.fetch(s.R.getList);
  await s.c.fetch(s.R.create, { title: "T" });
  assertEquals(s.c.getResponse(s.R.getList).data, [], "rule 19: it writes nothing, and its lists are expired");
  assert(s.c.getResponse(s.R.getList).expiresAt <= Date.now());
});

Deno.test("case 12: a slug names the record that get shows: patch, put and delete show it at once", async () => {
  let go = () => {};
  await using s = scene(async ({ method }) => {
    if (method !== "GET") await new Promise<void>((resolve) => go = resolve);
    return method === "DELETE" ? empty() : { id: "5", title: "Old", text: "", owner: "" };
  }, { optimistic: true });
  const slug = { id: "hello-world" }, now = () => s.c.get(Article, { id: "5" })?.title;
  await s.c.fetch(s.R.get, slug);
  for (
    const [member, body, shown] of [
      ["update", { title: "Put" }, "Put"],
      ["partialUpdate", { title: "Patch" }, "Patch"],
      ["delete", undefined, undefined],
    ] as const
  ) {
    const call: Promise<unknown> = (s.c.fetch as any)(s.R[member], slug, ...body ? [body] : []);
    assertEquals(now(), shown, member);
    while (s.api.asked.at(-1)!.method === "GET") await new Promise((done) => setTimeout(done, 1));
    await new Promise((done) => setTimeout(done, 5));
    go();
    await call;
    if (body) await s.c.fetch(s.R.get, slug);
  }
  assertEquals(now(), undefined);
});
Deno.test("case 12: a slug that was never read shows nothing, and its reply is the record", async () => {
  await using s = scene(() => ({ id: "5", title: "New" }), { optimistic: true });
  const call = s.c.fetch(s.R.partialUpdate, { id: "me" }, { title: "New" });
  assertEquals([s.c.get(Article, { id: "me" }), s.c.get(Article, { id: "5" })], [undefined, undefined]);
  assertEquals([(await call).id, s.c.get(Article, { id: "me" })], ["5", undefined]);
});

Deno.test("case 24: what waits for its id says so, and is a record like any other when it has one", async () => {
  await using s = scene(({ method }) => method === "GET" ? [] : { id: 5, title: "T" }, { optimistic: true });
  await s.c.fetch(s.R.getList);
  const call = s.c.fetch(s.R.create, { title: "T" }), [pending] = s.c.getResponse(s.R.getList).data!;
  assert(isTemporary(pending!));
  await call;
  const [made] = s.c.getResponse(s.R.getList).data!;
  assertEquals([isTemporary(made!), `${made!.id}`], [false, "5"]);
});
for (const name of ["id", "number", "_id"]) {
  Deno.test(`case 24: a pk that is a number, in "${name}", is text while its create is pending`, async () => {
    class Issue extends Entity {
      static key = `Issue ${name}`;
      constructor() {
        super();
        Object.assign(this, { [name]: 0, title: "" });
      }
      override pk() {
        return (this as any)[name] || undefined;
      }
    }
    await using api = serve(({ method }) => method === "GET" ? [] : { [name]: 7, title: "T" });
    const R: any = resource({ urlPrefix: api.urlPrefix, path: "/i/:id", schema: Issue, optimistic: true });
    using c = new Controller();
    await c.fetch(R.getList);
    const call = c.fetch(R.create, { title: "T" }), shown = () => (c.getResponse(R.getList) as any).data[0];
    assertEquals([isTemporary(shown()), typeof shown()[name]], [true, "string"]);
    await call;
    assertEquals([isTemporary(shown()), shown()[name]], [false, 7]);
  });
}
