import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { Controller, Endpoint, Entity, normalize, NormalizeError, schema } from "@rejoin/data";

interface Call {
  readonly value: unknown;
  readonly parent: unknown;
  readonly key: string | undefined;
  readonly args: readonly unknown[];
}
let calls: Call[] = [];

class Tag extends Entity {
  id = "";
  static key = "Tag";
  static process(value: object, parent: unknown, key: string | undefined, args: readonly unknown[]) {
    calls.push({ value, parent, key, args });
    return { ...value };
  }
}
class Tag2 extends Entity {
  id = "";
  static key = "Tag2";
}
class Post extends Entity {
  id = "";
  main: Tag | undefined = undefined;
  tags: Tag[] = [];
  meta: { first?: Tag; others: Tag[] } = { others: [] };
  static key = "Post";
  static schema = { main: Tag, tags: [Tag], meta: { first: Tag, others: [Tag] } };
}

function callsOf(declared: Parameters<typeof normalize>[0], response: unknown, ...args: unknown[]): Call[] {
  calls = [];
  normalize(declared, response, args);
  return calls;
}

/** Compares values and parents by identity, because `process` must get the very objects of the input. */
function assertCalls(actual: Call[], expected: readonly (readonly [unknown, unknown, string | undefined])[]): void {
  assertEquals(actual.length, expected.length);
  expected.forEach(([value, parent, key], index) => {
    assertStrictEquals(actual[index]!.value, value);
    assertStrictEquals(actual[index]!.parent, parent);
    assertEquals(actual[index]!.key, key);
  });
}

Deno.test("process of the root entity gets the value as its parent, no key, and the arguments of the call", () => {
  const tag = { id: "1" };
  const made = callsOf(Tag, tag, { page: 2 }, "x");
  assertCalls(made, [[tag, tag, undefined]]);
  assertEquals(made[0]!.args, [{ page: 2 }, "x"]);
});

Deno.test("process of an item of a root array gets the array as parent, and no key", () => {
  const list = [{ id: "1" }, { id: "2" }];
  assertCalls(callsOf([Tag], list), [[list[0], list, undefined], [list[1], list, undefined]]);
  assertCalls(callsOf(new schema.All(Tag), list), [[list[0], list, undefined], [list[1], list, undefined]]);
});

Deno.test("process of a nested entity gets the owner as parent and the member's name as key, in lists, too", () => {
  const post = { id: "1", main: { id: "a" }, tags: [{ id: "b" }, { id: "c" }] };
  assertCalls(callsOf(Post, post), [
    [post.main, post, "main"],
    [post.tags[0], post, "tags"],
    [post.tags[1], post, "tags"],
  ]);
});

Deno.test("process of an entity in an object schema gets the object as parent and the member's name as key", () => {
  const page = { first: { id: "a" }, results: [{ id: "b" }] };
  assertCalls(callsOf({ first: Tag, results: [Tag] }, page), [
    [page.first, page, "first"],
    [page.results[0], page, "results"],
  ]);
  const post = { id: "1", meta: { first: { id: "a" }, others: [{ id: "b" }] } };
  assertCalls(callsOf([Post], [post]), [
    [post.meta.first, post.meta, "first"],
    [post.meta.others[0], post.meta, "others"],
  ]);
});

Deno.test("process gets its parent as the parent's own process returned it", () => {
  class Renamed extends Post {
    static override key = "Renamed";
    static override process(value: { post_id: string; main_tag: object }) {
      return { id: value.post_id, main: value.main_tag, tags: [value.main_tag], extra: true };
    }
  }
  const raw = { post_id: "1", main_tag: { id: "a" } };
  const made = callsOf([Renamed], [raw]);
  assertEquals(made.map(({ value, key }) => [value === raw.main_tag, key]), [[true, "main"], [true, "tags"]]);
  for (const { parent } of made) {
    const { id, main, extra } = parent as { id: string; main: unknown; extra: boolean };
    assertEquals([id, main === raw.main_tag, extra], ["1", true, true]);
  }
});

Deno.test("pk() gets its parent as the parent's own process returned it", () => {
  class Child extends Entity {
    name = "";
    static key = "Child";
    pk(parent: { id: string }) {
      return `${parent.id}/${this.name}`;
    }
  }
  class Owner extends Entity {
    id = "";
    child = new Child();
    children: Child[] = [];
    static key = "Owner";
    static schema = { child: Child, children: [Child] };
    static process({ owner_id, ...rest }: { owner_id: string }) {
      return { id: owner_id, ...rest };
    }
  }
  const { entities } = normalize(Owner, { owner_id: "7", child: { name: "a" }, children: [{ name: "b" }] });
  assertEquals(Object.keys(entities.Child!), ["7/a", "7/b"]);
  assertEquals(entities.Owner!["7"], { id: "7", child: "7/a", children: ["7/b"] });
});

Deno.test("process may turn an array into a record, at the root, in lists, members and objects", () => {
  class Level extends Entity {
    price = 0;
    amount = 0;
    static key = "Level";
    pk({ symbol = "" }: { symbol?: string }) {
      return `${symbol} ${this.price}`;
    }
    static process([price, amount]: readonly [number, number]) {
      return { price, amount };
    }
  }
  class Book extends Entity {
    id = "";
    best: Level | undefined = undefined;
    bids: Level[] = [];
    more: { asks: Level[] } = { asks: [] };
    static key = "Book";
    static schema = { best: Level, bids: [Level], more: { asks: [Level] } };
    static process(value: { id: string }) {
      return { ...value, symbol: value.id };
    }
  }
  const controller = new Controller();
  const get = new Endpoint(async () => await Promise.resolve({}), { name: "get", schema: Book });
  const book = { id: "BTC", best: [10, 1], bids: [[10, 1], [9, 2]], more: { asks: [[11, 3]] } };
  for (const amount of [1, 5]) {
    book.bids[0]![1] = book.best[1] = amount;
    controller.setResponse(get, structuredClone(book));
    const read = controller.getResponse(get).data!;
    assertEquals([read.best?.price, read.best === read.bids[0], read.best?.amount], [10, true, amount]);
    assertEquals(read.bids.map((level) => level.amount), [amount, 2]);
    assertEquals(read.more.asks[0]?.amount, 3);
  }
  assertEquals(normalize(Level, [7, 1]).result, " 7");
  assertEquals(normalize([Level], [[7, 1], [8, 1]]).result, [" 7", " 8"]);
  // An array is no record for a class without a `process` of its own.
  assertThrows(() => normalize([Tag2], [[7, 1]]), NormalizeError, "got an array of 2");
});

Deno.test("process that returns undefined drops the value, at the root, in lists, members and All", () => {
  class Visible extends Entity {
    id = "";
    hidden = false;
    static key = "Visible";
    static process(value: { hidden?: boolean }) {
      return value.hidden ? undefined : value;
    }
  }
  class Owner extends Entity {
    id = "";
    one: Visible | undefined = undefined;
    many: Visible[] = [];
    static key = "Owner";
    static schema = { one: Visible, many: [Visible] };
  }
  const hidden = { id: "h", hidden: true };
  assertEquals(normalize(Visible, hidden).result, undefined as never);
  assertEquals(normalize([Visible], [hidden, { id: "1" }]).result, ["1"]);
  assertEquals(normalize({ one: Visible, many: [Visible] }, { one: hidden, many: [hidden] }).result as unknown, {
    one: undefined,
    many: [],
  });
  const { entities } = normalize(Owner, { id: "1", one: hidden, many: [{ id: "2" }, hidden] });
  assertEquals(entities.Owner!["1"]! as unknown, { id: "1", many: ["2"] });
  assertEquals(Object.keys(entities.Visible!), ["2"]);
  // A dropped member is absent, so that the stored one stays.
  const both = normalize([Owner], [{ id: "1", one: { id: "2" } }, { id: "1", one: hidden }]);
  assertEquals(both.entities.Owner!["1"]!.one, "2");
  const { tables } = { tables: normalize(new schema.All(Visible), [hidden, { id: "1" }]).entities };
  assertEquals(Object.keys(tables.Visible!), ["1"]);
});

Deno.test("an error that process throws reaches the caller unchanged", () => {
  class Bad extends Entity {
    pk() {
      return "1";
    }
    static key = "Bad";
    static process(value: { name: { length: number } }) {
      return { length: value.name.length };
    }
  }
  assertThrows(() => normalize([Bad], [{ name: null }]), TypeError);
});

Deno.test("a value that contains itself is normalized, even if process gives it another pk at each place", () => {
  class Folder extends Entity {
    path = "";
    folders: Folder[] = [];
    pk() {
      return this.path;
    }
    static key = "Folder";
    static process(value: { name: string }, parent: { path: string }, key: string | undefined) {
      return { ...value, path: (key === undefined ? "" : `${parent.path}/`) + value.name };
    }
    static schema: { folders: (typeof Folder)[] };
  }
  Folder.schema = { folders: [Folder] };
  const root = { name: "a", folders: [] as unknown[] };
  root.folders.push(root, { name: "b", folders: [root] });
  const { entities } = normalize(Folder, root);
  assertEquals(Object.keys(entities.Folder!).slice(0, 3), ["a", "a/a", "a/b"]);
});
