import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, Entity, ExpiryStatus, Query, schema, snapshotOf } from "@rejoin/data";
import { type CallContext, remember, type RememberedReply } from "@rejoin/data/extend";
import { FakeClock } from "../support/clock.ts";
import { Wire } from "../support/wire.ts";

class User extends Entity {
  id = "";
  name = "";
  pk() {
    return this.id;
  }
  static key = "User";
}
class Article extends Entity {
  id = "";
  title = "";
  tag = "";
  author: User | undefined = undefined;
  pk() {
    return this.id;
  }
  static key = "Article";
  static schema = { author: User };
  static indexes = ["tag"] as const;
}
const all = new Query(new schema.All(Article));

function start() {
  const wire = new Wire();
  const controller = new Controller();
  const list = new Endpoint(wire.fn("list"), { name: "list", schema: [Article] });
  const get = new Endpoint(wire.fn<[args: { id: string }]>("get"), { name: "get", schema: Article });
  const remove = new Endpoint(wire.fn<[args: { id: string }]>("remove"), {
    name: "remove",
    schema: new schema.Invalidate(Article),
    sideEffect: true,
  });
  controller.setResponse(list, [
    { id: "1", title: "One", tag: "deno", author: { id: "7", name: "Ann" } },
    { id: "2", title: "Two", tag: "node", author: "7" },
  ]);
  return { wire, controller, list, get, remove };
}
type It = ReturnType<typeof start>;

/** Everything that the reads of a snapshot, or of a controller, give; as plain data. */
function look(it: It, from: Pick<Controller, "get" | "getResponse" | "getError">) {
  const ids = (articles: readonly Article[] | undefined) => articles?.map(({ id }) => id).join();
  const one = from.get(Article, "1");
  return {
    one: one && { ...one, author: { ...one.author } },
    all: ids(from.get(all)),
    list: ids(from.getResponse(it.list).data),
    detail: from.getResponse(it.get, { id: "2" }).data?.title,
    listStatus: from.getResponse(it.list).expiryStatus,
    detailError: from.getError(it.get, { id: "1" }),
    tagged: ids([from.get(Article, { tag: "deno" })].flatMap((article) => article === undefined ? [] : [article])),
  };
}

const CHANGES: Readonly<Record<string, (it: It) => unknown>> = {
  "a set": ({ controller }) => controller.set(User, "7", { id: "7", name: "Eve" }),
  "a new record": ({ controller }) => controller.set(Article, "3", { id: "3", title: "Three", tag: "deno" }),
  "another list": ({ controller, list }) => controller.setResponse(list, [{ id: "2" }]),
  "a delete": ({ controller, remove }) => controller.setResponse(remove, { id: "1" }, "1"),
  "an invalidation": ({ controller, list }) => controller.invalidate(list),
  "an expiry": ({ controller, list }) => controller.expire(list),
  "an error": ({ controller, get }) => controller.setError(get, { id: "1" }, new Error("no")),
  "a reset": ({ controller }) => controller.resetEntireStore(),
  "a reset and other data": ({ controller }) => {
    controller.resetEntireStore();
    controller.set(Article, "1", { id: "1", title: "Of another person" });
  },
};

for (const [name, change] of Object.entries(CHANGES)) {
  Deno.test(`a snapshot gives what was there before ${name}, whether it was read before or not`, () => {
    const it = start();
    const expected = look(it, it.controller);
    const read = snapshotOf(it.controller);
    assertEquals(look(it, read), expected);
    const author = read.get(Article, "1")?.author;
    const unread = snapshotOf(it.controller);
    change(it);
    assertEquals(look(it, read), expected);
    assertStrictEquals(read.get(Article, "1")?.author, author, "its objects stay the same");
    assertEquals(look(it, unread), expected);
    change(it);
    assertEquals(look(it, unread), expected);
    assertEquals(look(it, snapshotOf(it.controller)), look(it, it.controller));
  });
}

Deno.test("a snapshot that nobody has read gives what was there before", () => {
  for (const change of Object.values(CHANGES)) {
    const it = start();
    const expected = look(it, it.controller);
    const snapshot = snapshotOf(it.controller);
    change(it);
    assertEquals(look(it, snapshot), expected);
  }
});

Deno.test("a snapshot shows what pending mutations showed, also when they have failed since", async () => {
  const { wire, controller } = start();
  const rename = new Endpoint(wire.fn<[args: { id: string }]>("rename"), {
    name: "rename",
    schema: Article,
    sideEffect: true,
    getOptimisticResponse: (_: unknown, { id }: { id: string }) => ({ id, title: "Expected" }),
  });
  const promise = controller.fetch(rename, { id: "1" }).catch(() => {});
  const snapshot = snapshotOf(controller);
  await wire.last.fail();
  await promise;
  assertEquals([controller.get(Article, "1")?.title, snapshot.get(Article, "1")?.title], ["One", "Expected"]);
});

Deno.test("a snapshot keeps the freshness of its moment when the server says that the same answer still holds", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const controller = new Controller();
  const get = new Endpoint((_: { id: string }) => Promise.resolve({}), { name: "get", schema: Article });
  const list = new Endpoint(() => Promise.resolve([]), { name: "list", schema: [Article] });
  const replies: RememberedReply[] = [
    { value: [{ id: "1", title: "One" }], memo: "v1" },
    { value: undefined, memo: "v1", unchanged: true },
  ];
  Object.defineProperty(list, "fetchReply", {
    value: (context: CallContext) => Promise.resolve(remember(context, replies.shift()!)),
  });
  await controller.fetch(list);
  const expiresAt = clock.now() + 60_000;
  const snapshots = [snapshotOf(controller), snapshotOf(controller)] as const;
  assertEquals(snapshots[0].getResponse(get, { id: "1" }).expiresAt, expiresAt, "read before");
  clock.tick(1_000);
  await controller.fetch(list);
  assertEquals(controller.getResponse(get, { id: "1" }).expiresAt, expiresAt + 1_000);
  for (const snapshot of snapshots) {
    const { expiresAt: kept } = snapshot.getResponse(get, { id: "1" });
    assertEquals([kept, snapshot.getResponse(list).expiresAt], [expiresAt, expiresAt]);
  }
});

Deno.test("a snapshot of an empty store stays empty, and null is inactive", () => {
  const controller = new Controller();
  const get = new Endpoint((_: { id: string }) => Promise.resolve({}), { name: "get", schema: Article });
  const snapshot = snapshotOf(controller);
  assertEquals(snapshot.get(Article, null), undefined);
  for (const id of ["1", "__proto__", "constructor", "toString"]) {
    controller.set(Article, id, { id, title: "New" });
    assertEquals([snapshot.get(Article, id), snapshot.getResponse(get, { id }).data], [undefined, undefined]);
    assertEquals(snapshotOf(controller).get(Article, id)?.title, "New");
  }
  assertEquals(snapshot.get(all), undefined);
  const { data, expiryStatus } = snapshot.getResponse(get, null);
  assertEquals([data, expiryStatus, snapshot.getError(get, null)], [undefined, ExpiryStatus.Valid, undefined]);
});

Deno.test("to take a snapshot neither commits nor tells anybody, and it is not held for its own sake", () => {
  const { controller } = start();
  const { commits } = controller.store;
  snapshotOf(controller);
  assertEquals(controller.store.commits, commits);
  controller.set(User, "7", { id: "7", name: "Eve" });
});
