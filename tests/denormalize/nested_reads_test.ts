import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import { Controller, denormalize, Endpoint, Entity, schema } from "@rejoin/data";
import { readerOf } from "../contracts/reader.ts";

class User extends Entity {
  id = "";
  name = "";
  pk() {
    return this.id;
  }
  static key = "User";
}
class Post extends Entity {
  id = "";
  /** Required: its default is truthy. */
  author = User.fromJS();
  editor: User | undefined = undefined;
  checker: User | null = null;
  readers: User[] = [];
  more: { first?: User | undefined; list: User[]; size: number } = { list: [], size: 7 };
  pk() {
    return this.id;
  }
  static key = "Post";
  static schema = {
    author: User,
    editor: User,
    checker: User,
    readers: [User],
    more: { first: User, list: [User], size: 3 },
  };
}

const tables = (post: object) => ({
  Post: { 1: { id: "1", ...post } },
  User: { a: { id: "a", name: "Ann" }, b: { id: "b", name: "Bo" } },
});

Deno.test("an absent field reads as the class's default", () => {
  const post = denormalize(Post, "1", tables({}))!;
  assert(post.author instanceof User);
  assertEquals([post.author.id, post.editor, post.checker, post.readers, post.more.size], ["", undefined, null, [], 7]);
});

Deno.test("null reads as null, also where the field is required", () => {
  const post = denormalize(
    Post,
    "1",
    tables({ author: null, editor: null, checker: null, readers: null, more: null }),
  )!;
  assertEquals([post.author, post.editor, post.checker, post.readers, post.more] as unknown[], Array(5).fill(null));
});

Deno.test("a pk reads as the instance, a number in hand-written tables, too", () => {
  const written = { Post: { 1: { id: "1", author: 7, readers: [7, 8n, "9"] } }, User: { 7: { id: 7, name: "Ann" } } };
  const post = denormalize(Post, 1, written)!;
  assertEquals([post.author.name, post.readers.map(({ name }) => name)], ["Ann", ["Ann"]]);
  assertEquals(denormalize([Post], [1, "1"], written)!.map(({ id }) => id), ["1", "1"]);
});

Deno.test("a row that is not there reads as undefined where the default is falsy", () => {
  const post = denormalize(Post, "1", tables({ author: "a", editor: "x", checker: "y" }))!;
  assertEquals([post.author.name, post.editor, post.checker], ["Ann", undefined, undefined as never]);
});

Deno.test("13.E2 a row that was never here reads as undefined where the default is truthy, too", () => {
  const post = denormalize(Post, "1", tables({ author: "x" }))!;
  assertEquals([post.id, post.author as unknown], ["1", undefined]);
  assertEquals(denormalize([Post], ["1", "1"], tables({ author: "x" }))!.map(({ id }) => id), ["1", "1"]);
});

Deno.test("arrays leave what is missing out and keep null, in fields, objects and responses", () => {
  const post = denormalize(
    Post,
    "1",
    tables({ readers: ["a", "x", null, "b"], more: { list: ["x", "b"], first: "x" } }),
  )!;
  assertEquals(post.readers.map((user) => user && user.name), ["Ann", null as never, "Bo"]);
  assertEquals([post.more.list.map(({ name }) => name), post.more.first, post.more.size], [["Bo"], undefined, 3]);
  assertEquals(denormalize([User], ["x", "a", null], tables({}))!.map((user) => user?.name), ["Ann", undefined]);
});

Deno.test("13.A12 never here and deleted are two things where a member is required, and the same elsewhere", () => {
  const list = new Endpoint(async () => await Promise.resolve([]), { name: "list", schema: [Post] });
  const remove = new Endpoint(async (id: string) => await Promise.resolve(id), {
    name: "remove",
    schema: new schema.Invalidate(User),
    sideEffect: true,
  });
  const rows = [
    { id: "1", author: "a", editor: "b", readers: ["a", "b"] },
    { id: "2", author: "b", readers: ["b"] },
  ];
  const shape = (posts: readonly Post[]) =>
    posts.map((post) => [post.id, post.author?.name, post.editor?.name, post.readers.map(({ name }) => name)]);
  // As two lists that two requests bring: a join on the client.
  const read = (controller: Controller, ...users: readonly string[]) => {
    controller.setResponse(list, rows.map(({ id }) => ({ id })));
    for (const id of users) controller.set(User, id, { id, name: id === "a" ? "Ann" : "Bo" });
    for (const row of rows) controller.set(Post, row.id, row as never);
    return controller;
  };
  const absent = read(new Controller(), "a");
  const deleted = read(new Controller(), "a", "b");
  assertEquals(shape(deleted.getResponse(list).data!), [
    ["1", "Ann", "Bo", ["Ann", "Bo"]],
    ["2", "Bo", undefined, ["Bo"]],
  ]);
  deleted.setResponse(remove, "b", "b");
  assertEquals(shape(deleted.getResponse(list).data!), [["1", "Ann", undefined, ["Ann"]]]);
  assertEquals(shape(absent.getResponse(list).data!), [["1", "Ann", undefined, ["Ann"]], [
    "2",
    undefined,
    undefined,
    [],
  ]]);
  assertEquals([deleted.get(Post, "2"), deleted.get(User, "b")], [undefined, undefined]);
});

Deno.test("13.E2 a record that arrives later is filled in, in the parent and in the list, and those who wait are told", () => {
  const controller = new Controller();
  const list = new Endpoint(async () => await Promise.resolve([]), { name: "list", schema: [Post] });
  controller.setResponse(list, [{ id: "1" }, { id: "2" }]);
  controller.set(Post, "1", { author: "a" });
  controller.set(Post, "2", { author: "b" });
  const post = readerOf<Post | undefined>(controller, Post, "1");
  const user = readerOf<User | undefined>(controller, User, "a");
  const ids = () => controller.getResponse(list).data!.map(({ id }) => id);
  assertEquals([post.value?.id, post.value?.author as unknown, user.value, ids()], ["1", undefined, undefined, [
    "1",
    "2",
  ]]);
  controller.set(User, "a", { id: "a", name: "Ann" });
  assertStrictEquals(post.value!.author, user.value);
  assertEquals([post.told, user.told], [1, 1]);
  controller.set(User, "b", { id: "b", name: "Bo" });
  assertEquals(ids(), ["1", "2"]);
  assertStrictEquals(controller.getResponse(list).data![0], post.value);
  assertEquals([post.told, user.told], [1, 1]);
});

Deno.test("a record that was deleted and arrives again is a new object of the new record", () => {
  const controller = new Controller();
  const remove = new Endpoint(async (id: string) => await Promise.resolve(id), {
    name: "remove",
    schema: new schema.Invalidate(User),
    sideEffect: true,
  });
  controller.set(Post, "1", { id: "1", author: { id: "a", name: "Ann" } } as never);
  const post = readerOf<Post | undefined>(controller, Post, "1");
  const before = post.value!;
  controller.setResponse(remove, "a", "a");
  assertEquals(post.value, undefined);
  controller.set(User, "a", { id: "a" });
  assertNotStrictEquals(post.value, before);
  // Nothing of the deleted record is left.
  assertEquals([post.value!.author.name, before.author.name, post.told], ["", "Ann", 2]);
});

Deno.test("validate gets the merged record, with pks and stored values, and hides it from this class only", () => {
  const seen: unknown[] = [];
  class Summary extends Entity {
    id = "";
    title = "";
    pk() {
      return this.id;
    }
    static key = "Film";
  }
  class Detail extends Summary {
    text = "";
    director: User | undefined = undefined;
    at = new Date(0);
    static override schema = { director: User, at: Date };
    static override validate(record: { text?: string }) {
      seen.push(record);
      return record.text === undefined ? "text is missing" : undefined;
    }
  }
  const controller = new Controller();
  controller.set(Summary, "1", { id: "1", title: "A" });
  const detail = readerOf<Detail | undefined>(controller, Detail, "1");
  const summary = readerOf<Summary>(controller, Summary, "1");
  assertEquals([detail.value, summary.value.title], [undefined, "A"]);
  controller.set(Detail, "1", { id: "1", text: "t", director: { id: "a", name: "Ann" }, at: "2026-01-01" } as never);
  assertEquals(seen.at(-1), { id: "1", title: "A", text: "t", director: "a", at: "2026-01-01" });
  assert(detail.value instanceof Detail && !(summary.value instanceof Detail));
  assertEquals([detail.value.title, detail.value.director!.name, summary.value.title], ["A", "Ann", "A"]);
  assertEquals((summary.value as unknown as { text: string }).text, "t");
  // Each class has its own instance of the one record; what changes in one is seen in both.
  controller.set(Summary, "1", { title: "B" });
  assertEquals([detail.value!.title, summary.value.title], ["B", "B"]);
  assertNotStrictEquals<unknown>(detail.value, summary.value);
  // The director is embedded by Detail only: Summary does not hear of her.
  const told = summary.told;
  const before = summary.value;
  controller.set(User, "a", { id: "a", name: "Bea" });
  assertEquals([detail.value!.director!.name, summary.told - told], ["Bea", 0]);
  assertStrictEquals(summary.value, before);
});

Deno.test("what a class finds invalid, however it changes, tells nobody who does not see it", () => {
  class Draft extends Entity {
    id = "";
    text = "";
    pk() {
      return this.id;
    }
    static key = "Draft";
    static validate(record: { text?: string }) {
      return !record.text;
    }
  }
  class Folder extends Entity {
    id = "";
    best: Draft | undefined = undefined;
    drafts: Draft[] = [];
    pk() {
      return this.id;
    }
    static key = "Folder";
    static schema = { best: Draft, drafts: [Draft] };
  }
  const controller = new Controller();
  controller.set(Folder, "f", { id: "f", best: { id: "1" }, drafts: [{ id: "1" }, { id: "2", text: "x" }] } as never);
  const folder = readerOf<Folder>(controller, Folder, "f");
  const before = folder.value;
  assertEquals([before.best, before.drafts.map(({ id }) => id)], [undefined, ["2"]]);
  controller.set(Draft, "1", { id: "1", text: "", note: "still nothing" } as never);
  assertStrictEquals(folder.value, before);
  assertEquals(folder.told, 0);
  controller.set(Draft, "1", { id: "1", text: "now" });
  assertEquals([folder.value.best!.text, folder.value.drafts.length, folder.told], ["now", 2, 1]);
  controller.set(Draft, "1", { id: "1", text: "" });
  assertEquals([folder.value.best, folder.value.drafts.length, folder.told], [undefined, 1, 2]);
});

Deno.test("validity over cycles is the least fixed point: a cycle alone makes nothing incomplete, a refusal all that require it", () => {
  class Ring extends Entity {
    id = "";
    next: Ring = NONE;
    pk() {
      return this.id;
    }
    static key = "Ring";
    static schema: { next: typeof Ring };
    static validate(record: { bad?: boolean }) {
      return record.bad;
    }
  }
  const NONE = { id: "none" } as Ring;
  Ring.schema = { next: Ring };
  const ring = (size: number) =>
    Object.fromEntries(
      Array.from({ length: size }, (_, i) => [`${i}`, { id: `${i}`, next: `${(i + 1) % size}` }]),
    );
  for (const size of [1, 2, 5, 100]) {
    const whole = denormalize(Ring, "0", { Ring: ring(size) })!;
    let at = whole;
    for (let i = 0; i < size; i++) at = at.next;
    assertStrictEquals(at, whole);
    const broken: Record<string, Record<string, unknown>> = ring(size);
    broken[`${size - 1}`] = { ...broken[`${size - 1}`], bad: true };
    for (let i = 0; i < size; i++) assertEquals(denormalize(Ring, `${i}`, { Ring: broken }), undefined);
    delete broken[`${size - 1}`];
    // What is not in the tables was never here.
    for (let i = 0; i < size - 1; i++) assertEquals(denormalize(Ring, `${i}`, { Ring: broken })?.id, `${i}`);
    const controller = new Controller();
    for (const record of Object.values(ring(size))) controller.set(Ring, record.id, record as object);
    assertEquals(controller.get(Ring, "0")?.id, "0");
    controller.set(new schema.Invalidate(Ring), { id: `${size - 1}` });
    for (let i = 0; i < size; i++) assertEquals(controller.get(Ring, `${i}`), undefined);
  }
});

Deno.test("tables that hold something else than records and lists do not break the reading of the rest", () => {
  const odd = {
    Post: { 1: { id: "1", readers: "abc", more: "text" }, 2: { id: "2", readers: 5, more: [1] } },
    User: { a: null as never, b: 5 as never },
  };
  const [one, two] = denormalize([Post], ["1", "2"], odd)!;
  assertEquals([one!.readers, one!.more, two!.readers] as unknown[], ["abc", "text", 5]);
  assertEquals(denormalize([User], ["a", "b"], odd), []);
  assertEquals(denormalize(User, "a", {}), undefined);
});
