// Where a record stands in its table, when a patch is dropped, a layer goes, or a late reply is put in.
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Endpoint, Entity, schema, type Snapshot, temporaryIds } from "@rejoin/data";
import { PatientController as Controller } from "../support/patient_controller.ts";
import { Wire } from "../support/wire.ts";
import { graphBelow } from "../../src/store/layers.ts";
import { Patch } from "../../src/store/patch.ts";
import { NEVER } from "../../src/store/slot.ts";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}
class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
}
/** It is nothing without its user. */
class Post extends Entity {
  id = "";
  author: User = User.fromJS({ id: "nobody" });
  static key = "Post";
  static schema = { author: User };
}
/** A member of it is no member of its schema where a list is missing. */
class Deep extends Entity {
  id = "";
  held = {};
  static key = "Deep";
  static schema = { held: { list: [User] } };
}
let meddle: (id: string) => void = () => {};
class Met extends Entity {
  id = "";
  title = "";
  static key = "Met";
  static override process(value: { id: string }) {
    meddle(value.id);
    return { ...value };
  }
}
let refuses = false;
class Log extends Entity {
  id = "";
  lines: string[] = [];
  static key = "Log";
  static override merge(existing: { lines: string[] }, incoming: { lines: string[] }) {
    if (refuses) throw new Error("merge");
    return { ...existing, ...incoming, lines: [...existing.lines, ...incoming.lines] };
  }
}

const articles = new schema.All(Article);
const users = new schema.All(User);

function setUp() {
  const wire = new Wire();
  const controller = new Controller({ use: [temporaryIds()] });
  const mutate = (show: (snapshot: Snapshot) => object, schema: typeof Article | schema.Invalidate<typeof Article>) => {
    const endpoint = new Endpoint(wire.fn("mutate"), {
      name: "mutate",
      schema,
      sideEffect: true,
      getOptimisticResponse: show,
    });
    void controller.fetch(endpoint);
    return wire.last;
  };
  const show = (id: string) => mutate(() => ({ id, title: "shown" }), Article);
  const hide = (id: string) => mutate(() => ({ id }), new schema.Invalidate(Article));
  const set = (...ids: string[]) => ids.forEach((id) => controller.set(Article, { id }, { title: id }));
  const ids = () => controller.get(articles)?.map(({ id }) => id).join();
  return { wire, controller, show, hide, set, ids };
}

Deno.test("a record that only a mutation showed, and that failed, is the last when it comes", async () => {
  const { controller, show, set, ids } = setUp();
  set("1");
  await show("9").fail();
  assertEquals([...controller.store.tables.byKey.get("Article")!.slots.keys()], ["1"]);
  set("2", "9");
  assertEquals(ids(), "1,2,9");
});

Deno.test("the same when another mutation shows it", async () => {
  const { show, set, ids } = setUp();
  set("1");
  await show("9").fail();
  set("2");
  const again = show("9");
  assertEquals(ids(), "1,2,9");
  await again.reply({ id: "9", title: "made" });
  assertEquals(ids(), "1,2,9");
});

Deno.test("a record that one mutation shows and another hides is the last when it comes", async () => {
  const { show, hide, set, ids } = setUp();
  const showing = show("2");
  const hiding = hide("2");
  set("5", "2");
  assertEquals(ids(), "5,2");
  await hiding.fail();
  await showing.fail();
  assertEquals(ids(), "5,2");
});

Deno.test("what a mutation shows of another's record follows that also when it goes and comes in a late reply", async () => {
  const { controller, wire, show, set } = setUp();
  set("1");
  void controller.fetch(new Endpoint(wire.fn("read"), { name: "read", schema: [Article] }));
  const older = wire.last;
  const showing = show("9");
  const update = new Endpoint(wire.fn("update"), {
    name: "update",
    schema: Article,
    sideEffect: true,
    getOptimisticResponse: (snapshot: Snapshot) => ({
      id: "1",
      title: `sees ${(snapshot.get(Article, "9") as Article | undefined)?.title}`,
    }),
  });
  void controller.fetch(update);
  const updating = wire.last;
  const title = () => controller.get(Article, "1")!.title;
  assertEquals(title(), "sees shown");
  await showing.fail();
  assertEquals(title(), "sees undefined");
  await older.reply([{ id: "9", title: "read" }]);
  assertEquals(title(), "sees read");
  await updating.reply({ id: "1", title: "done" });
  assertEquals(title(), "done");
});

Deno.test("what is shown under a temporary name keeps its place, also when nobody has looked", async () => {
  const { controller, wire, set, ids } = setUp();
  set("1");
  const create = new Endpoint(wire.fn("create"), {
    name: "create",
    schema: Article,
    sideEffect: true,
    getOptimisticResponse: (snapshot: Snapshot) => ({ id: snapshot.temporaryId(), title: "new" }),
  });
  const creating = controller.fetch(create);
  set("2");
  await wire.last.reply({ id: "9", title: "new" });
  await creating;
  assertEquals(ids(), "1,9,2");
});

Deno.test("a record that could not be walked leaves no place behind", () => {
  const { controller } = setUp();
  const read = new Endpoint(() => Promise.resolve([]), { name: "read", schema: [Deep] });
  const refused = [{ id: "9", held: { list: { not: "a list" } } }] as unknown as [];
  assertThrows(() => controller.setResponse(read, refused));
  assertEquals([...controller.store.tables.byKey.get("Deep")!.slots.keys()], []);
  for (const id of ["10", "9"]) controller.set(Deep, { id }, {});
  assertEquals(controller.get(new schema.All(Deep))!.map(({ id }) => id), ["10", "9"]);
});

Deno.test("a merge() that throws when a late reply is put in leaves no log behind", async () => {
  const { controller, wire } = setUp();
  const read = new Endpoint(wire.fn("read"), { name: "read", schema: [Log] });
  controller.set(Log, { id: "1" }, { lines: ["0"] });
  const reading = controller.fetch(read);
  controller.set(Log, { id: "1" }, { lines: ["2"] });
  refuses = true;
  await wire.last.reply([{ id: "1", lines: ["1"] }]);
  refuses = false;
  await assertRejects(() => reading, Error, "merge");
  assertEquals(controller.store.logs.size, 0);
  assertEquals(controller.get(Log, "1")!.lines, ["0", "2"]);
});

for (const how of ["read", "not read", "shown"] as const) {
  Deno.test(`a deleted record, ${how}, that a later answer names is not brought back by an older one`, async () => {
    const { controller, wire } = setUp();
    const readUsers = new Endpoint(wire.fn("users"), { name: "users", schema: [User] });
    const readPosts = new Endpoint(wire.fn("posts"), { name: "posts", schema: [Post] });
    controller.set(User, { id: "u" }, { name: "there" });
    void controller.fetch(readUsers);
    const older = wire.last;
    controller.set(new schema.Invalidate(User), { id: "u" });
    if (how === "read") controller.get(User, "u");
    const update = new Endpoint(wire.fn("update"), {
      name: "update",
      schema: User,
      sideEffect: true,
      getOptimisticResponse: () => ({ id: "u", name: "shown" }),
    });
    if (how === "shown") void controller.fetch(update);
    const updating = wire.last;
    void controller.fetch(readPosts);
    await wire.last.reply([{ id: "1", author: "u" }]);
    await older.reply([{ id: "u", name: "old" }, { id: "v", name: "other" }]);
    const names = () => controller.get(users)!.map(({ name }) => name);
    assertEquals(names(), how === "shown" ? ["shown", "other"] : ["other"]);
    // Nobody says that it was deleted: its holder is whole.
    if (how === "shown") await updating.reply({ id: "u", name: "made" });
    const authors = controller.getResponse(readPosts).data!.map((post) => (post.author as User | undefined)?.name);
    assertEquals(authors, how === "shown" ? ["made"] : [undefined]);
    assertEquals([controller.store.logs.size, controller.store.covered.size], [0, 0]);
  });
}

Deno.test("what is read with a patch of its own while another is computed does not keep that from being dropped", () => {
  const { controller } = setUp();
  const read = new Endpoint(() => Promise.resolve([]), { name: "read", schema: [Met] });
  controller.set(Met, { id: "1" }, { title: "old" });
  meddle = (id) => {
    if (id !== "2") return;
    graphBelow(new Patch(controller.store, NEVER)).readOnce(Met, "1", [], undefined);
    throw new Error("process");
  };
  assertThrows(() => controller.setResponse(read, [{ id: "1", title: "new" }, { id: "2" }] as unknown as []));
  meddle = () => {};
  assertEquals(controller.store.tables.byKey.get("Met")!.slots.get("1")!.next, undefined);
  assertEquals(controller.store.draft, undefined);
  controller.set(Met, { id: "1" }, {});
  assertEquals(controller.get(Met, "1")!.title, "old");
});

for (const waited of ["1", "2"]) {
  Deno.test(`what a mutation shows stands as it names it, where somebody has waited for ${waited} of it`, async () => {
    const { controller, wire, ids } = setUp();
    controller.get(Article, waited);
    const rows = () => [{ id: "1" }, { id: "2" }];
    const create = new Endpoint(wire.fn("create"), {
      name: "create",
      schema: [Article],
      sideEffect: true,
      getOptimisticResponse: rows,
    });
    void controller.fetch(create);
    assertEquals(ids(), "1,2");
    await wire.last.reply(rows());
    assertEquals(ids(), "1,2");
  });
}
