import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import {
  Controller,
  denormalize,
  Endpoint,
  Entity,
  normalize,
  type Schema,
  schema,
  SchemaError,
  stateOf,
} from "@rejoin/data";
import { size } from "../support/property.ts";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}
class Bot extends Entity {
  id = "";
  static key = "Bot";
}
class Team extends Entity {
  id = "";
  static key = "Team";
}

/** Schemas that take a mapping and an attribute, and a value of each that holds these. */
const MAPPED = {
  Union: (mapping: Record<string, typeof User>) => new schema.Union(mapping, "type"),
  Array: (mapping: Record<string, typeof User>) => new schema.Array(mapping, "type"),
  Values: (mapping: Record<string, typeof User>) => new schema.Values(mapping, "type"),
  All: (mapping: Record<string, typeof User>) => new schema.All(mapping, "type"),
};
type Definable = Schema & { define(definition: unknown): unknown };
const valueOf = (kind: string, item: object): unknown =>
  kind === "Union" ? item : kind === "Values" ? { one: item } : [item];

for (const [kind, make] of Object.entries(MAPPED)) {
  Deno.test(`define of ${kind} merges a mapping into a mapping, before and after its own tags`, () => {
    const declared = make({ user: User }) as Definable;
    assertStrictEquals(declared.define({ bot: Bot, user: Team }), declared);
    for (const [type, key] of [["user", "Team"], ["bot", "Bot"]] as const) {
      const { entities } = normalize(declared, valueOf(kind, { type, id: "1" }));
      assertEquals(Object.keys(entities[key]!), ["1"]);
    }
  });

  Deno.test(`define of ${kind} fills a mapping that was left empty`, () => {
    const declared = make({}) as Definable;
    assertThrows(() => normalize(declared, valueOf(kind, { type: "user", id: "1" })), SchemaError, "define()");
    declared.define({ user: User });
    assertEquals(Object.keys(normalize(declared, valueOf(kind, { type: "user", id: "1" })).entities.User!), ["1"]);
  });

  Deno.test(`define of ${kind} takes any name for an ordinary tag`, () => {
    const declared = make({ user: User }) as Definable;
    declared.define(JSON.parse('{"toString": 1}', () => ({ ["__proto__"]: Bot, toString: Team })));
    const { entities } = normalize({ list: [declared] }, {
      list: ["__proto__", "toString", "valueOf"].map((type) => valueOf(kind, { type, id: type })),
    });
    assertEquals([Object.keys(entities.Bot!), Object.keys(entities.Team!)], [["__proto__"], ["toString"]]);
  });

  Deno.test(`define of ${kind} is a typed error for what is no mapping, and once the schema has been used`, () => {
    const declared = make({ user: User }) as Definable;
    for (
      const wrong of [undefined, null, "bot", User, [User], { bot: undefined }, { bot: class Bot {} }, { bot: {} }]
    ) {
      assertThrows(() => declared.define(wrong), SchemaError);
    }
    normalize(declared, valueOf(kind, { type: "user", id: "1" }));
    assertThrows(() => declared.define({ bot: Bot }), SchemaError, "has been used");
    const { entities } = normalize(declared, valueOf(kind, { type: "bot", id: "1" }));
    assertEquals(Object.keys(entities.Bot ?? {}), []);
  });
}

/** Schemas whose definition may be left out, what to give, and a value. */
const LEFT_OUT: readonly (readonly [name: string, () => Definable, definition: unknown, value: unknown])[] = [
  ["Array", () => new schema.Array<typeof User>() as Definable, User, [{ id: "1" }]],
  ["Values", () => new schema.Values<typeof User>() as Definable, User, { a: { id: "1" } }],
  ["All", () => new schema.All<typeof User>() as Definable, User, [{ id: "1" }]],
  ["Object", () => new schema.Object() as unknown as Definable, { user: User }, { user: { id: "1" } }],
];
for (const [name, make, definition, value] of LEFT_OUT) {
  Deno.test(`define of ${name} sets a definition that was left out, once; until then its use is a typed error`, () => {
    const declared = make();
    assertThrows(() => normalize(declared, value), SchemaError, `schema.${name}`);
    assertThrows(() => denormalize(declared, value, {}), SchemaError, `schema.${name}`);
    declared.define(definition);
    if (name !== "Object") assertThrows(() => declared.define(Bot), SchemaError, "merges members into members");
    assertEquals(Object.keys(normalize(declared, value).entities.User!), ["1"]);
    assertThrows(() => declared.define(definition), SchemaError, "has been used");
  });
}

Deno.test("define of Object, and of an Array or Values of members, merges members into members", () => {
  const object = new schema.Object({ id: "", user: User }).define({ bot: Bot });
  const list = new schema.Array({ user: User }).define({ bot: Bot });
  const values = new schema.Values({ user: User }).define({ bot: Bot });
  const item = { user: { id: "1" }, bot: { id: "2" } };
  for (const [declared, value] of [[object, item], [list, [item]], [values, { a: item }]] as [Schema, unknown][]) {
    const { entities } = normalize(declared, value);
    assertEquals([Object.keys(entities.User!), Object.keys(entities.Bot!)], [["1"], ["2"]]);
  }
  for (const wrong of [undefined, null, "x", [User], User, new schema.Array(User)]) {
    assertThrows(() => new schema.Object({ user: User }).define(wrong as never), SchemaError);
  }
});

Deno.test("define never changes the object that was given", () => {
  const members = { user: User };
  new schema.Object(members).define({ bot: Bot });
  new schema.Union(members, "type").define({ bot: Bot });
  new schema.Array(members).define({ bot: Bot });
  assertEquals(Object.keys(members), ["user"]);
});

Deno.test("a read is a use, and so is a query", () => {
  const declared = new schema.All({ user: User }, "type");
  new Controller().get(declared);
  assertThrows(() => declared.define({ bot: Bot }), SchemaError, "has been used");
  const union = new schema.Union({ user: User }, "type");
  new Controller().get(union, { id: "1" });
  assertThrows(() => union.define({ bot: Bot }), SchemaError, "has been used");
});

interface Comment {
  text: string;
  author?: User;
  replies: Comment[];
}
function comments() {
  const comment = new schema.Object({ text: "", author: User });
  const replies = new schema.Array(comment);
  comment.define({ replies });
  return comment;
}

Deno.test("a tree of comments is declared by define, and reads as it was sent with the entities in it", () => {
  const comment = comments();
  const getTree = new Endpoint(async () => await Promise.resolve(), { name: "getTree", schema: comment });
  const controller = new Controller();
  controller.setResponse(getTree, {
    text: "First",
    author: { id: "1", name: "Ann" },
    replies: [{ text: "Second", author: { id: "2" }, replies: [] }, { text: "Third", author: "1", replies: [] }],
  });
  const tree = controller.getResponse(getTree).data as unknown as Comment;
  assertEquals(tree.replies.map(({ text, author }) => [text, author?.id]), [["Second", "2"], ["Third", "1"]]);
  assertStrictEquals(tree.replies[1]!.author, tree.author);
  const [second] = tree.replies;
  controller.set(User, "1", { id: "1", name: "Anne" });
  const after = controller.getResponse(getTree).data as unknown as Comment;
  assertEquals(after.replies[1]!.author!.name, "Anne");
  assertStrictEquals(after.replies[0], second);
});

/** Recursion ends at 10,000 on every runtime we know. */
const DEPTH = size(25_000, 100_000);

/** Declarations that contain themselves, one level of data over another, and how to go down one level. */
const RECURSIVE = {
  "Object and Array": () => ({
    declared: comments() as Schema,
    over: (below: object | undefined, author: object) => ({
      text: "",
      author,
      replies: below === undefined ? [] : [below],
    }),
    down: (level: unknown) => (level as Comment).replies[0],
    userOf: (level: unknown) => (level as Comment).author,
  }),
  "Values of Values": () => {
    const folders = new schema.Values<Schema>();
    const folder = new schema.Object({ owner: User, folders });
    folders.define(folder);
    return {
      declared: folder as Schema,
      over: (below: object | undefined, owner: object) => ({
        owner,
        folders: below === undefined ? {} : { sub: below },
      }),
      down: (level: unknown) => (level as { folders: { sub?: unknown } }).folders.sub,
      userOf: (level: unknown) => (level as { owner?: User }).owner,
    };
  },
};

for (const [name, make] of Object.entries(RECURSIVE)) {
  Deno.test(`${name} that contain themselves are written and read ${DEPTH} levels deep, in a response and in an entity`, () => {
    const { declared, over, down, userOf } = make();
    let deepest: object | undefined;
    for (let level = 0; level < DEPTH; level++) deepest = over(deepest, { id: `${level}` });
    class Page extends Entity {
      id = "";
      tree: unknown = undefined;
      static key = "Page";
      static schema = { tree: declared };
    }
    for (
      const [schema, body, find] of [
        [declared, deepest, (read: unknown) => read],
        [Page, { id: "p", tree: deepest }, (read: unknown) => (read as Page).tree],
      ] as const
    ) {
      const controller = new Controller();
      const endpoint = new Endpoint(async () => await Promise.resolve(), {
        name: "deep",
        schema: schema as typeof Page,
      });
      controller.setResponse(endpoint, body);
      let read: unknown = find(controller.getResponse(endpoint).data);
      let levels = 0;
      for (; read !== undefined; read = down(read)) {
        assert(userOf(read) instanceof User);
        levels++;
      }
      assertEquals(levels, DEPTH);
      controller.setResponse(endpoint, body);
      assertEquals(Object.keys(stateOf(controller).entities.User!).length, DEPTH);
    }
  });

  Deno.test(`${name} that contain themselves end on a value that contains itself, and read as one that does`, () => {
    const { declared, over, down, userOf } = make();
    const body = over(undefined, { id: "1" }) as Record<string, Record<string, unknown>>;
    const container = (body.replies ?? body.folders)!;
    container[body.replies === undefined ? "sub" : 0] = body;
    for (
      const [schema, value, find] of [
        [declared, body, (read: unknown) => read],
        [{ tree: declared }, { tree: body }, (read: unknown) => (read as { tree: unknown }).tree],
      ] as const
    ) {
      const { result, entities } = normalize(schema, value);
      assertEquals(Object.keys(entities.User!), ["1"]);
      const read = find(denormalize(schema, result, entities));
      assertStrictEquals(down(read), read);
      assertEquals(userOf(read)!.id, "1");
      const controller = new Controller({ strict: true });
      const endpoint = new Endpoint(async () => await Promise.resolve(), {
        name: "loop",
        schema: schema as typeof User,
      });
      for (let times = 0; times < 2; times++) controller.setResponse(endpoint, value);
      const stored = find(controller.getResponse(endpoint).data);
      assertStrictEquals(down(stored), stored);
    }
  });
}

Deno.test("a class that is not defined yet is a typed error that says so, wherever a definition is used", () => {
  const later = undefined as unknown as typeof User;
  for (
    const use of [
      () => normalize(new schema.Array(later), []),
      () => normalize(new schema.Values(later), {}),
      () => normalize(new schema.All(later), []),
      () => new schema.Union({ user: later }, "type"),
      () => new schema.Invalidate(later),
    ]
  ) assertThrows(use, SchemaError, "undefined");
});

Deno.test("an array of a class that is not defined yet is a typed error in an endpoint, too, with its path; nothing is written", () => {
  const later = undefined as unknown as typeof User;
  const controller = new Controller();
  for (
    const [declared, value, where] of [
      [[later], [], "of an array is"],
      [[later], [{ id: "1" }], "of an array is"],
      [{ user: User, page: { results: [later] } }, { user: { id: "1" }, page: { results: [] } }, "at page.results is"],
      [{ users: [User], rows: [[later]] }, { users: [{ id: "1" }], rows: [[{ id: "1" }]] }, "at rows[0] is"],
    ] as const
  ) {
    const list = new Endpoint(async () => await Promise.resolve(), { name: "list", schema: declared as [typeof User] });
    const error = assertThrows(() => controller.setResponse(list, value as never), SchemaError, where);
    assert(error.message.includes("define()"));
    assertEquals(stateOf(controller).entities, {});
  }
});

Deno.test("a schema that is assigned after the error which asked for it counts at once: by set, and by an answer", () => {
  for (const write of ["set", "answer"]) {
    class Article extends Entity {
      id = "";
      author: User | null = null;
      static key = "Article";
      static schema: Record<string, Schema> = { author: undefined as unknown as Schema };
    }
    const controller = new Controller();
    const getArticle = new Endpoint(async () => await Promise.resolve(), { name: "getArticle", schema: Article });
    // What has the schema comes first.
    const value = { author: { id: "a", name: "Ann" }, id: "1" };
    const put = () =>
      write === "set"
        ? controller.set(Article, { id: "1" }, value)
        : controller.setResponse(getArticle, value as unknown as void);
    assertThrows(put, SchemaError, "Assign it later");
    Article.schema = { author: User };
    put();
    assertEquals(controller.get(User, { id: "a" })?.name, "Ann");
    assertStrictEquals(controller.get(Article, { id: "1" })?.author, controller.get(User, { id: "a" }));
  }
});
