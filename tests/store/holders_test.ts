import { assert, assertEquals, assertRejects } from "@std/assert";
import { type AnyEndpoint, Controller, Endpoint, Entity, hydrate, stateOf, WriteError } from "@rejoin/data";
import { Wire } from "../support/wire.ts";

class User extends Entity {
  id = "";
  name = "";
  best: Article | undefined = undefined;
  static key = "User";
  static schema: { best: typeof Article } = {} as never;
}

class Article extends Entity {
  id = "";
  title = "";
  author: User | undefined = undefined;
  static key = "Article";
  static schema = { author: User };
}
User.schema = { best: Article };

/** The answers of a blog, asked for, that nobody has read. */
async function setUp() {
  const wire = new Wire();
  const controller = new Controller({ defaults: { dataExpiryLength: Infinity } });
  const getArticle = new Endpoint(wire.fn<[id: string]>("getArticle"), { name: "getArticle", schema: Article });
  const getPage = new Endpoint(wire.fn<[]>("getPage"), { name: "getPage", schema: { articles: [Article], count: 0 } });
  const getUsers = new Endpoint(wire.fn<[]>("getUsers"), { name: "getUsers", schema: [User] });
  const rename = new Endpoint(wire.fn<[id: string, name: string]>("rename"), {
    name: "rename",
    schema: User,
    sideEffect: true,
  });
  controller.setResponse(getArticle, "1", { id: "1", title: "one", author: { id: "ann", name: "Ann", best: "1" } });
  controller.setResponse(getArticle, "2", { id: "2", title: "two", author: { id: "bo", name: "Bo", best: "3" } });
  controller.setResponse(getArticle, "3", { id: "3", title: "three", author: "bo" });
  controller.setResponse(getPage, { articles: ["2", "1"], count: 2 });
  controller.setResponse(getUsers, [{ id: "bo" }]);
  await Promise.resolve();
  return { wire, controller, getArticle, getPage, getUsers, rename };
}

/** Which answers are stale, by key. */
function staleOf({ store }: Controller): string[] {
  return [...store.entries.all()].filter(({ expiresAt }) => expiresAt === 0).map(({ key }) => key).sort();
}

/** Two mutations of Ann that overlap. */
async function overlap({ wire, controller, rename }: Awaited<ReturnType<typeof setUp>>) {
  const done = [controller.fetch(rename, "ann", "x"), controller.fetch(rename, "ann", "y")];
  const [x, y] = wire.calls.slice(-2);
  await y!.reply({ id: "ann", name: "y" });
  await x!.reply({ id: "ann", name: "x" });
  await Promise.all(done);
}

Deno.test("an answer that nobody has read is stale when a record that it comes to is", async () => {
  const app = await setUp();
  const { controller, getArticle, getPage } = app;
  await overlap(app);
  assertEquals(staleOf(controller), [getArticle.key("1"), getPage.key()].sort());
  assertEquals(controller.store.responsesByKey.size, 0, "nothing was read for it");
  assertEquals(controller.getResponse(getPage).expiresAt, 0, "the first reader is told");
});

Deno.test("read and unread answers are told alike, each once, and those that changed since by what they are now", async () => {
  const app = await setUp();
  const { controller, getArticle, getPage, getUsers } = app;
  for (const endpoint of [getPage, getUsers]) controller.getResponse(endpoint as AnyEndpoint);
  // Read with Ann, and without her since; and the other way round.
  controller.setResponse(getPage, { articles: ["2"], count: 1 });
  controller.setResponse(getUsers, [{ id: "ann" }]);
  await overlap(app);
  assertEquals(staleOf(controller), [getArticle.key("1"), getUsers.key()].sort());
  assertEquals([...controller.store.entries.all()].map(({ mark }) => mark).sort(), [0, 0, 0, 1, 1]);
});

Deno.test("hydrated answers that nobody has claimed may hold anything", async () => {
  const app = await setUp();
  const { getArticle, getUsers, wire, rename } = app;
  const controller = new Controller({ use: [hydrate(stateOf(app.controller))] });
  controller.getResponse(getUsers);
  controller.getResponse(getArticle, "1");
  await overlap({ ...app, controller, wire, rename });
  assertEquals(controller.getResponse(getUsers).expiresAt, Infinity, "this one was read, and it does not");
  for (const id of ["1", "2"]) assertEquals(controller.getResponse(getArticle, id).expiresAt, 0, id);
});

Deno.test("a mutation that was accepted and could not be stored expires what nobody has read, too", async () => {
  const app = await setUp();
  const { wire, controller, getArticle, getPage, getUsers, rename } = app;
  const done = controller.fetch(rename, "ann", "x");
  await Promise.all([assertRejects(() => done, WriteError), wire.last.reply("OK")]);
  // The lists of the class, too: it may be in one now.
  assertEquals(staleOf(controller), [getArticle.key("1"), getPage.key(), getUsers.key()].sort());
});

Deno.test("records that hold each other come to an end, however many answers", async () => {
  const app = await setUp();
  const { controller, getArticle } = app;
  const length = 20_000;
  for (let at = 0; at < length; at += 100) {
    const chain = Array.from({ length: 100 }, (_, index) => ({
      id: `c${at + index}`,
      author: { id: `u${at + index}`, best: `c${(at + index + 1) % length}` },
    }));
    controller.setResponse(
      new Endpoint((_: number) => Promise.resolve(chain), { name: "chain", schema: [Article] }),
      at,
      chain,
    );
  }
  await overlap(app);
  assertEquals(staleOf(controller).length, 2);
  controller.setResponse(getArticle, "c77", { id: "c77", author: "ann" });
  await overlap(app);
  assert(staleOf(controller).length > length / 100);
});
