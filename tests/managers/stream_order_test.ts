import { assert, assertEquals } from "@std/assert";
import { Controller, Endpoint, Entity, onCommit, record, replay, schema, stateOf, StreamManager } from "@rejoin/data";
import type { StreamListener } from "@rejoin/data/extend";
import { FakeClock, flush } from "../support/clock.ts";
import { Wire } from "../support/wire.ts";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}
class Article extends Entity {
  id = "";
  title = "";
  note = "";
  author: User | undefined = undefined;
  static key = "Article";
  static schema = { author: User };
}
/** What only the stream knows. */
class Cursor extends Entity {
  id = "";
  x = 0;
  static key = "Cursor";
}

/**
 * A stream, and requests, that say something when the test does.
 *
 * @param isLate The controller was made without the stream.
 */
async function start(isLate = false) {
  const wire = new Wire();
  let listener: StreamListener;
  const get = new Endpoint(wire.fn<[args: { id: string }]>("get"), { name: "get", schema: Article });
  const list = new Endpoint(wire.fn("list"), { name: "list", schema: [Article] });
  const patch = new Endpoint(wire.fn<[args: { id: string }, body: { title: string }]>("patch"), {
    name: "patch",
    schema: Article,
    sideEffect: true,
  });
  const stream = new StreamManager({
    source: (given) => {
      listener = given;
      listener.open();
      return { close() {} };
    },
    messages: {
      article: Article,
      user: User,
      cursor: Cursor,
      removed: new schema.Invalidate(Article),
      byHand: (data: object, to: Controller) => to.set(Article, data as Article, data as Article),
      answer: (data: { id: string }, to: Controller) => to.setResponse(get, { id: data.id }, data),
    },
  });
  const controller = new Controller(isLate ? {} : { managers: [stream] });
  if (isLate) stream.init(controller);
  const reading = controller.fetch(list);
  await wire.last.reply([
    { id: "1", title: "old", note: "", author: { id: "7", name: "Ann" } },
    { id: "2", title: "two", note: "", author: { id: "7", name: "Ann" } },
  ]);
  await reading;
  const isFresh = (id?: string) =>
    (id === undefined ? controller.getResponse(list) : controller.getResponse(get, { id })).expiresAt > Date.now();
  const say = (type: string, data: unknown) => listener.message({ type, data });
  const title = (id = "1") => controller.get(Article, { id })?.title;
  assert(isFresh() && isFresh("1") && isFresh("2"));
  return { wire, controller, get, list, patch, isFresh, say, title };
}

for (
  const [type, isLate] of [["article", false], ["byHand", false], ["answer", false], ["article", true]] as const
) {
  const what = isLate ? "of one that began later" : type;
  Deno.test(`13.A4 a stream message during a PATCH does not beat its reply, and leaves the record stale: ${what}`, async () => {
    const { wire, controller, patch, isFresh, say, title } = await start(isLate);
    const patching = controller.fetch(patch, { id: "1" }, { title: "mine" });
    say(type, { id: "1", title: "another's", note: "read this" });
    assertEquals(title(), "another's");
    await wire.last.reply({ id: "1", title: "mine" });
    const article = await patching;
    // Each says something that the other does not.
    assertEquals([article.title, article.note, title()], ["mine", "read this", "mine"]);
    assertEquals([isFresh("1"), isFresh(), isFresh("2")], [false, false, true]);
    say(type, { id: "1", title: "later" });
    assertEquals(title(), "later");
  });
}

Deno.test("13.A4 an echo of one's own first edit does not turn back the second", async () => {
  for (const order of [[0, 1], [1, 0]]) {
    const { wire, controller, patch, say, title, isFresh } = await start();
    const shown = patch.extend({
      getOptimisticResponse: (_snapshot: unknown, args: object, body: object) => ({ ...args, ...body }),
    });
    const titles = ["first", "second"];
    const edits = titles.map((text) => controller.fetch(shown, { id: "1" }, { title: text }));
    const seen: unknown[] = [];
    onCommit(controller, () => seen.push(title()));
    say("article", { id: "1", title: "first" });
    const calls = wire.calls.slice(-2);
    for (const at of order) await calls[at]!.reply({ id: "1", title: titles[at] });
    await Promise.all(edits);
    assertEquals(new Set(seen), new Set(["second"]));
    assert(!isFresh("1"));
  }
});

Deno.test("13.A4 a message of a record that no mutation in flight writes is seen at once, and is fresh", async () => {
  const { wire, controller, patch, isFresh, say, title } = await start();
  const patching = controller.fetch(patch, { id: "1" }, { title: "mine" });
  say("article", { id: "2", title: "news" });
  assertEquals([title("2"), isFresh("2")], ["news", true]);
  await wire.last.reply({ id: "1", title: "mine" });
  await patching;
  assertEquals([title("2"), isFresh("2"), isFresh("1"), isFresh()], ["news", true, true, true]);
});

Deno.test("13.A4 a message of a record that a reply nests leaves that stale", async () => {
  const { wire, controller, patch, say, isFresh } = await start();
  const patching = controller.fetch(patch, { id: "1" }, { title: "mine" });
  say("user", { id: "7", name: "Anna" });
  assertEquals(controller.get(User, { id: "7" })?.name, "Anna");
  await wire.last.reply({ id: "1", title: "mine", author: { id: "7", name: "Ann" } });
  assertEquals((await patching).author?.name, "Ann");
  assertEquals([isFresh("1"), isFresh("2"), isFresh()], [false, false, false]);
});

Deno.test("13.A4 a record that no read can ask for keeps the order of arrival", async () => {
  const { wire, controller, patch, say } = await start();
  say("cursor", { id: "c", x: 1 });
  const x = () => controller.get(Cursor, { id: "c" })?.x;
  const patching = controller.fetch(patch, { id: "1" }, { title: "mine" });
  controller.set(Cursor, { id: "c" }, { x: 2 });
  say("cursor", { id: "c", x: 3 });
  assertEquals(x(), 3);
  await wire.last.reply({ id: "1", title: "mine" });
  await patching;
  assertEquals(x(), 3);
});

Deno.test("13.A4 a message of what was written since is asked for when the mutations have settled", async () => {
  const { wire, controller, get, patch, say, title, isFresh } = await start();
  const slow = controller.fetch(patch, { id: "2" }, { title: "slow" });
  const slowCall = wire.last;
  const quick = controller.fetch(patch, { id: "1" }, { title: "mine" });
  await wire.last.reply({ id: "1", title: "mine" });
  await quick;
  assert(isFresh("1"));
  // It stands before the slow one, as a read would: what was confirmed since lies over it, and may be older or not.
  say("article", { id: "1", title: "another's" });
  assertEquals([title(), isFresh("1"), isFresh()], ["mine", false, false]);
  await slowCall.reply({ id: "2", title: "slow" });
  await slow;
  assertEquals([isFresh("1"), isFresh("2")], [false, true]);
  const again = controller.fetch(get, { id: "1" });
  await wire.last.reply({ id: "1", title: "another's" });
  await again;
  assertEquals([title(), isFresh("1")], ["another's", true]);
});

Deno.test("13.A4 a delete that a stream tells of during a PATCH is asked about", async () => {
  const { wire, controller, patch, say, title, isFresh } = await start();
  const patching = controller.fetch(patch, { id: "1" }, { title: "mine" });
  say("removed", { id: "1" });
  assertEquals(title(), undefined);
  await wire.last.reply({ id: "1", title: "mine" });
  assertEquals((await patching).title, "mine");
  assert(!isFresh("1") && !isFresh());
});

Deno.test("13.A4 what those write who are told of a message counts as later than everything", async () => {
  const { wire, controller, patch, say, title } = await start();
  const patching = controller.fetch(patch, { id: "1" }, { title: "mine" });
  let isDone = false;
  onCommit(controller, () => {
    if (isDone) return;
    isDone = true;
    controller.set(Article, { id: "1" }, { title: "by hand" });
  });
  say("article", { id: "1", title: "another's" });
  await wire.last.reply({ id: "1", title: "mine" });
  await patching;
  assertEquals(title(), "by hand");
});

Deno.test("13.A4 a recording plays what a stream said at its place", async () => {
  // The wall clock of a machine may be set back a little at any time, and what it has stamped with it.
  using _ = new FakeClock(Date.now()).install();
  const { wire, controller, get, list, patch, say } = await start();
  const recorder = record(controller);
  const patching = controller.fetch(patch, { id: "1" }, { title: "mine" });
  say("article", { id: "1", title: "another's" });
  say("answer", { id: "1", title: "another's", note: "noted" });
  await wire.last.reply({ id: "1", title: "mine" });
  await patching;
  await flush();
  const again = replay(JSON.parse(JSON.stringify(recorder.stop())), { endpoints: [get, list, patch] });
  await again.run();
  assertEquals(again.controller.get(Article, { id: "1" })?.title, "mine");
  assertEquals(stateOf(again.controller).entities, stateOf(controller).entities);
  assertEquals(stateOf(again.controller).entitiesMeta, stateOf(controller).entitiesMeta);
});

Deno.test("13.A4 a replay judges no list for what a stream said while nothing was in flight", async () => {
  using _ = new FakeClock(Date.now()).install();
  const wire = new Wire();
  const noted = new Endpoint(wire.fn<[{ note: string }]>("noted"), {
    name: "noted",
    schema: new schema.Collection([Article]),
  });
  let listener: StreamListener;
  const source = (given: StreamListener) => (listener = given, { close() {} });
  const controller = new Controller({
    managers: [
      new StreamManager({
        source,
        messages: {
          article: Article,
          function: (data: Article, to: Controller) => to.set(Article, data, () => data),
        },
      }),
    ],
  });
  const recorder = record(controller);
  const reading = controller.fetch(noted, { note: "a" });
  await wire.last.reply([{ id: "1", title: "old", note: "a" }]);
  await reading;
  listener!.message({ type: "article", data: { id: "1", title: "new", note: "b" } });
  listener!.message({ type: "function", data: { id: "2", title: "new", note: "a" } });
  const look = (of: Controller) => {
    const { data, expiresAt } = of.getResponse(noted, { note: "a" });
    return [data?.map(({ id }) => id), expiresAt];
  };
  assertEquals(look(controller)[0], ["1"]);
  const again = replay(JSON.parse(JSON.stringify(recorder.stop())), { endpoints: [noted], schemas: [Article] });
  await again.run();
  assertEquals(look(again.controller), look(controller));
  controller.cleanup();
});
