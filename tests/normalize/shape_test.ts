import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
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
  pk() {
    return this.id;
  }
  static key = "User";
}
class Post extends Entity {
  id = "";
  author: User | undefined = undefined;
  readers: User[] = [];
  stats = { best: undefined as User | undefined, all: [] as User[], count: 0 };
  pk() {
    return this.id;
  }
  static key = "Post";
  static schema = { author: User, readers: [User], stats: { best: User, all: [User], count: 0 } };
}

const ERROR_BODY = { error: "boom", code: 500 };
const HTML = "<html><body>502</body></html>";

/** Schema, body, the path that the message names, words of the message. */
const WRONG: readonly (readonly [string, Parameters<typeof normalize>[0], unknown, string, string])[] = [
  ["{} where a list is", [User], {}, "", `Cannot normalize ["User"]: expected an array, got {}`],
  ["an error where a list is", [User], ERROR_BODY, "", "expected an array, got an object with error, code"],
  [
    "13.D6 an envelope where a list is",
    [User],
    { total: 1, data: [{ id: "1" }] },
    "",
    "expected an array, got an object with total, data. Say where the items are: schema: { data: … }",
  ],
  [
    "13.D6 an envelope with other members",
    { results: [User] },
    { items: [{ id: "1" }] },
    "",
    "it is an object with items. Say where the items are: schema: { items: … }",
  ],
  [
    "13.D6 an envelope where a Collection is",
    new Collection([User]),
    { data: [], total: 0 },
    "",
    "expected an array, got an object with data, total. Say where the items are: schema: { data: … }",
  ],
  [
    "13.D6 an envelope where All is",
    { users: new schema.All(User) },
    { users: { items: [] } },
    "users",
    "expected an array, got an object with items. Say where the items are: schema: { items: … }",
  ],
  [
    "13.D6 an envelope where an entity's list is",
    Post,
    { id: "1", readers: { data: [{ id: "2" }] } },
    "readers",
    "expected an array, got an object with data. Say where the items are: schema: { data: … }",
  ],
  [
    "13.D6 an envelope in an envelope where a list is",
    [User],
    { meta: { total: 1 }, data: { "the items": [{ id: "1" }] } },
    "",
    'schema: { data: { "the items": … } }, for a resource list: (items) => ({ data: { "the items": items } })',
  ],
  ["HTML where a list is", [User], HTML, "", `expected an array, got "<html>`],
  ["a number where a list is", [User], 5, "", "expected an array, got 5"],
  ["HTML where an entity is", User, HTML, "", `Cannot normalize "User": expected an object, got "<html>`],
  ["13.D6 a list where an entity is", User, [{ id: "1" }], "", "an array of 1. For a list write schema: [ … ]"],
  ["true where an entity is", User, true, "", "expected an object, got true"],
  [
    "{} where a page is",
    { results: [User], next: "" },
    {},
    "",
    "Cannot normalize { results, next }: it has none of these",
  ],
  ["an error where a page is", { results: [User] }, ERROR_BODY, "", "it is an object with error, code"],
  ["13.D6 a list where a page is", { results: [User] }, [{ id: "1" }], "", "1. For a list write schema: [ … ]"],
  ["HTML where a page is", { results: [User] }, HTML, "", "expected an object, got"],
  ["{} where All is", new schema.All(User), {}, "", `All of "User": expected an array`],
  ["HTML in a member", { results: [User] }, { results: HTML }, "results", "expected an array, got"],
  [
    "{} in a member",
    { page: { results: [User] } },
    { page: { results: {} } },
    "page.results",
    "expected an array, got {}",
  ],
  ["a list in a member", { user: User }, { user: [1] }, "user", "expected an object, got an array of 1"],
  ["true in a list", [User], [{ id: "1" }, true], "[1]", "expected an object or a pk, got true"],
  ["NaN in a list", { results: [User] }, { results: [1, NaN] }, "results[1]", "expected an object or a pk, got NaN"],
  ["a list in a list", [User], [{ id: "1" }, [{ id: "2" }]], "[1]", "expected an object, got an array of 1"],
  ["HTML where an entity's list is", [Post], [{ id: "1", readers: HTML }], "[0].readers", `["User"] at [0].readers`],
  ["an object where an entity's list is", Post, { id: "1", readers: { id: "2" } }, "readers", "expected an array"],
  ["a list where an entity's entity is", Post, { id: "1", author: [] }, "author", "expected an object, got []"],
  ["true where an entity's entity is", [Post], [{ id: "1", author: true }], "[0].author", "a pk, got true"],
  ["true in an entity's list", [Post], [{ id: "1", readers: [1, true] }], "[0].readers[1]", "a pk, got true"],
  ["HTML where an entity's object is", Post, { id: "1", stats: HTML }, "stats", "expected an object, got"],
  ["a list where an entity's object is", Post, { id: "1", stats: [] }, "stats", "expected an object, got []"],
  ["{} deep in an entity's object", Post, { id: "1", stats: { all: {} } }, "stats.all", "expected an array, got {}"],
  ["true deep in an entity's object", Post, { id: "1", stats: { best: true } }, "stats.best", "a pk, got true"],
  ["odd names", { "a b": [User] }, { "a b": [{ id: "1" }, true] }, `["a b"][1]`, "a pk, got true"],
  ["nothing to delete", new schema.Invalidate(User), ERROR_BODY, "", "nothing to delete"],
  ["true to delete", [new schema.Invalidate(User)], [1, true], "[1]", "nothing to delete"],
];

for (const [name, declared, body, path, words] of WRONG) {
  Deno.test(`${name}: a typed error that names the path, and nothing is written`, () => {
    const error = assertThrows(() => normalize(declared, body), NormalizeError, words);
    assertEquals(error.path, path);
    if (path !== "") assert(error.message.includes(` at ${path}: `), error.message);
    const controller = new Controller();
    const endpoint = new Endpoint(async () => await Promise.resolve(), {
      name: "get",
      schema: declared as typeof User,
    });
    const before = stateOf(controller);
    assertThrows(() => controller.setResponse(endpoint, body), NormalizeError, words);
    assertStrictEquals(stateOf(controller), before);
  });
}

Deno.test("what is wrong in the last row leaves nothing of the first ones behind", () => {
  const controller = new Controller();
  const list = new Endpoint(async () => await Promise.resolve([]), { name: "list", schema: [Post] });
  controller.setResponse(list, [{ id: "1", author: { id: "a", name: "Ann" } }]);
  const before = stateOf(controller);
  const data = controller.getResponse(list).data;
  const rows = [{ id: "1", author: { id: "a", name: "Bo" } }, { id: "2" }, { id: "3", readers: HTML }];
  assertThrows(() => controller.setResponse(list, rows), NormalizeError, "[2].readers");
  assertStrictEquals(stateOf(controller), before);
  assertStrictEquals(controller.getResponse(list).data, data);
  assertEquals(controller.get(Post, "2"), undefined);
  // The abandoned patch has left nothing that a later one would trip over.
  controller.setResponse(list, [{ id: "1" }, { id: "2" }]);
  assertEquals(controller.get(User, "a")!.name, "Ann");
  assertEquals(controller.getResponse(list).data!.map(({ id }) => id), ["1", "2"]);
});

Deno.test("null is data everywhere: root, members, lists, objects, entities", () => {
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

Deno.test("undefined is absence: members are left out, items too", () => {
  const { result } = normalize({ user: User, users: [User], next: "" }, {
    user: undefined,
    users: [undefined, { id: "1" }],
    next: undefined,
  });
  assertEquals(result as unknown, { users: ["1"] });
  assertEquals(normalize(User, undefined).result as unknown, undefined);
});

Deno.test("an absent literal reads as the literal, an absent array as [], an absent entity as undefined", () => {
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

Deno.test("names of the prototype are members like others in object schemas", () => {
  const declared = { ["__proto__"]: [User], constructor: User, toString: "text" } as never;
  const body = JSON.parse(`{"__proto__": [{"id": "1"}], "constructor": {"id": "2"}, "valueOf": 5}`);
  const { result, entities } = normalize(declared, body);
  assertEquals(JSON.stringify(result), `{"__proto__":["1"],"constructor":"2","valueOf":5}`);
  const read = denormalize(declared, result, entities) as Record<string, unknown>;
  assertStrictEquals(Object.getPrototypeOf(read), Object.prototype);
  assert(Object.hasOwn(read, "__proto__"));
  assertEquals((read["__proto__"] as User[])[0]!.id, "1");
  assertEquals((read["constructor"] as unknown as User).id, "2");
  assertEquals([read.toString, read.valueOf] as unknown[], ["text", 5]);
  const controller = new Controller();
  const endpoint = new Endpoint(async () => await Promise.resolve(), { name: "get", schema: declared });
  const inactive = (controller.getResponse as (endpoint: unknown, inactive: null) => { data: object })(endpoint, null);
  assertStrictEquals(Object.getPrototypeOf(inactive.data), Object.prototype);
  assertEquals(Object.keys(inactive.data), ["__proto__", "constructor", "toString"]);
});

Deno.test("a bare pk is the client-side join; 0, false and '' are no reference and stay", () => {
  const { result, entities } = normalize([Post], [
    { id: "1", author: 7, readers: [7, "8", 9n] },
    { id: "2", author: 0, readers: [0, "", false, null] },
    { id: "3", author: "" },
    { id: "4", author: false },
    { id: "5", author: { id: "7", name: "Ann" } },
  ]);
  assertEquals(entities.Post!["1"]!.readers, ["7", "8", "9"]);
  const posts = denormalize([Post], result, entities)!;
  assertStrictEquals(posts[0]!.author, posts[4]!.author);
  assertEquals(posts[0]!.readers.map(({ name }) => name), ["Ann"]);
  assertEquals(posts.slice(1, 4).map(({ author }) => author) as unknown[], [0, "", false]);
  assertEquals(posts[1]!.readers as unknown[], [0, "", false, null]);
});

Deno.test("inputs are never changed, nor what is kept of them handed out to be changed by a later write", () => {
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
  for (const strict of [true, false]) {
    const controller = new Controller({ strict });
    const endpoint = new Endpoint(async () => await Promise.resolve(), { name: "get", schema: declared });
    for (let turn = 0; turn < 2; turn++) controller.setResponse(endpoint, body);
    controller.setResponse(endpoint, freeze({ results: [{ id: "1", author: { id: "b", name: "Bo" } }], at: null }));
    assertEquals(controller.getResponse(endpoint).data!.results[0]!.author!.name, "Bo");
  }
  assertEquals(normalize(declared, body).result.results[0], "1");
});

Deno.test("an empty member name, and names that look like paths, are members like others", () => {
  const declared = { "": [User], "a.b": User, "[0]": User };
  const { result, entities } = normalize(declared, { "": [{ id: "1" }], "a.b": { id: "2" }, "[0]": { id: "3" } });
  assertEquals(result as unknown, { "": ["1"], "a.b": "2", "[0]": "3" });
  assertEquals(Object.keys(entities.User!), ["1", "2", "3"]);
  const error = assertThrows(() => normalize(declared, { "a.b": true }), NormalizeError);
  assertEquals(error.path, `["a.b"]`);
});
