import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import {
  Collection,
  Controller,
  denormalize,
  Endpoint,
  Entity,
  normalize,
  NormalizeError,
  schema,
  stateOf,
} from "@rejoin/data";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}
class Post extends Entity {
  id = "";
  author: User | undefined = undefined;
  readers: User[] = [];
  stats = { best: undefined as User | undefined, all: [] as User[], count: 0 };
  static key = "Post";
  static schema = { author: User, readers: [User], stats: { best: User, all: [User], count: 0 } };
}

/** A wrong body: its description, the schema, the body, and a part of the message. */
const WRONG: readonly (readonly [string, Parameters<typeof normalize>[0], unknown, string])[] = [
  ["{} where a list is", [User], {}, "Cannot normalize [User]: expected an array, got {}."],
  [
    "an envelope where a list is",
    [User],
    { total: 1, data: [{ id: "1" }] },
    "Cannot normalize [User]: expected an array, got an object with total, data. " +
    "Say where the items are: schema: { data: [User] }.",
  ],
  ["an envelope in an envelope", { users: [User] }, { users: { items: [] } }, "schema: { items: [User] }"],
  ["HTML where a list is", [User], "<html>", "expected an array, got string."],
  ["a list where an entity is", User, [{ id: "1" }], "For a list write schema: [User]."],
  ["a list where a page is", { results: [User] }, [{ id: "1" }], "Cannot normalize { results }: expected an object"],
  ["{} where All is", new schema.All(User), {}, "expected an array, got {}"],
  ["{} where a Collection is", new Collection([User]), {}, "expected an array, got {}"],
  ["{} in a member", { page: { results: [User] } }, { page: { results: {} } }, 'at "results": expected an array'],
  ["a list in a list", [User], [{ id: "1" }, [{ id: "2" }]], "expected an object, got an array of 1."],
  ["HTML where an entity's list is", [Post], [{ id: "1", readers: "<html>" }], 'at "readers" of Post 1: expected an'],
  ["a list where an entity's entity is", Post, { id: "1", author: [] }, 'at "author" of Post 1: expected an object'],
  ["{} deep in an entity's object", Post, { id: "1", stats: { all: {} } }, 'at "all" of Post 1: expected an array'],
];

for (const [name, declared, body, words] of WRONG) {
  Deno.test(`${name}: a NormalizeError names the place, and nothing is written`, () => {
    const error = assertThrows(() => normalize(declared, body), NormalizeError, words);
    assertEquals(error.code, 201);
    const controller = new Controller(),
      endpoint = new Endpoint(() => Promise.resolve(), { name: "get", schema: declared });
    assertThrows(() => controller.setResponse(endpoint, body), NormalizeError, words);
    assertEquals(stateOf(controller).answers, []);
    assertEquals(Object.values(stateOf(controller).tables).flat(), []);
  });
}

for (const wrong of [null, "text", 5, true, ["array"]]) {
  Deno.test(`process that returns ${JSON.stringify(wrong)} is a NormalizeError`, () => {
    class Bad extends User {
      static override process() {
        return wrong;
      }
    }
    assertThrows(() => normalize({ results: [Bad] }, { results: [{}] }), NormalizeError, "expected an object");
  });
}

Deno.test("a wrong last row leaves nothing of the rows before it in the store", () => {
  const controller = new Controller();
  const list = new Endpoint(async () => await Promise.resolve([]), { name: "list", schema: [Post] });
  controller.setResponse(list, [{ id: "1", author: { id: "a", name: "Ann" } }]);
  const before = stateOf(controller);
  const data = controller.getResponse(list).data;
  const rows = [{ id: "1", author: { id: "a", name: "Bo" } }, { id: "2" }, { id: "3", readers: "<html>" }];
  assertThrows(() => controller.setResponse(list, rows), NormalizeError, '"readers" of Post 3');
  assertEquals(stateOf(controller), before);
  assertStrictEquals(controller.getResponse(list).data, data);
  assertEquals(controller.get(Post, "2"), undefined);
  // A later reply is written as if the refused one had not come.
  controller.setResponse(list, [{ id: "1" }, { id: "2" }]);
  assertEquals(controller.get(User, "a")!.name, "Ann");
  assertEquals(controller.getResponse(list).data!.map(({ id }) => id), ["1", "2"]);
});

Deno.test("rule 6: null reads as null at the root, in members, lists, objects and entities", () => {
  const cases: readonly (readonly [Parameters<typeof normalize>[0], unknown])[] = [
    [User, null],
    [[User], null],
    [{ results: [User], next: "" }, null],
    [{ user: User, users: [User], page: { next: "" }, at: Date }, { user: null, users: null, page: null, at: null }],
    [{ users: [User], next: "" }, { users: [null, { id: "1" }, null], next: null }],
  ];
  for (const [declared, body] of cases) {
    const { result, entities } = normalize(declared, body);
    const read = denormalize(declared, result, entities);
    assertEquals(
      JSON.parse(JSON.stringify(read)),
      JSON.parse(
        JSON.stringify(body),
        (key, value) => typeof value === "object" && value !== null && key === "1" ? { ...value, name: "" } : value,
      ),
    );
  }
  const post = normalize(Post, { id: "1", author: null, readers: null, stats: null });
  const read = denormalize(Post, post.result, post.entities)!;
  assertEquals([read.author, read.readers, read.stats] as unknown[], [null, null, null]);
});

Deno.test("undefined members and items are left out", () => {
  const { result } = normalize({ user: User, users: [User], next: "" }, {
    user: undefined,
    users: [undefined, { id: "1" }],
    next: undefined,
  });
  assertEquals(JSON.stringify(result), '{"users":["1"]}');
  assertEquals(normalize(User, undefined).result as unknown, undefined);
});

Deno.test("rule 6: an absent member reads as its default, an absent array as [], an absent entity as undefined", () => {
  const declared = { user: User, users: [User], next: "none", page: { size: 20, more: true, last: [User] }, at: Date };
  const { result, entities } = normalize(declared, { page: { size: 5 }, extra: 1 });
  assertEquals(denormalize(declared, result, entities) as unknown, {
    user: undefined,
    users: [],
    next: "none",
    page: { size: 5, more: true, last: [] },
    at: undefined,
    extra: 1,
  });
  const bare = denormalize(declared, normalize(declared, { users: [] }).result, {});
  assertEquals(bare!.page as unknown, { size: 20, more: true, last: [] });
});

Deno.test("members that an object schema does not name are kept as they are", () => {
  const meta = { cursor: "x", nested: [{ a: 1 }] };
  const declared = { results: [User] };
  const { result, entities } = normalize(declared, { results: [], meta });
  assertStrictEquals((result as { meta?: unknown }).meta, meta);
  assertStrictEquals((denormalize(declared, result, entities) as { meta?: unknown }).meta, meta);
});

Deno.test("a frozen input is stored and later written over: the store never changes an input", () => {
  const freeze = <T>(value: T): T => {
    if (typeof value === "object" && value !== null) Object.values(value).forEach(freeze);
    return Object.freeze(value);
  };
  const body = freeze({
    results: [
      { id: "1", author: { id: "a" }, readers: [{ id: "a" }, { id: "b" }, { id: "a" }], stats: { all: [{ id: "a" }] } },
      { author: { name: "no pk" }, at: new Date(5) },
    ],
    at: new Date(5),
  });
  const declared = { results: [Post], at: Date };
  const controller = new Controller({});
  const endpoint = new Endpoint(async () => await Promise.resolve(), { name: "get", schema: declared });
  for (let turn = 0; turn < 2; turn++) controller.setResponse(endpoint, body);
  controller.setResponse(endpoint, freeze({ results: [{ id: "1", author: { id: "b", name: "Bo" } }], at: null }));
  assertEquals(controller.getResponse(endpoint).data!.results[0]!.author!.name, "Bo");
  assertEquals(normalize(declared, body).result.results[0], "1");
});
