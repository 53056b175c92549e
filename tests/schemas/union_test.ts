import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import {
  Controller,
  denormalize,
  Endpoint,
  Entity,
  normalize,
  NormalizeError,
  Query,
  schema,
  SchemaError,
  stateOf,
  ValidationError,
} from "@rejoin/data";
import { readerOf, readerOfResponse } from "../contracts/reader.ts";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}
class Photo extends Entity {
  id = "";
  url = "";
  by: User | undefined = undefined;
  static key = "Photo";
  static schema = { by: User };
}
class Note extends Entity {
  id = "";
  text = "";
  static key = "Note";
}
const feedItem = new schema.Union({ photo: Photo, note: Note }, "type");
const getFeed = new Endpoint(async () => await Promise.resolve([]), { name: "getFeed", schema: [feedItem] });
const photo = (id: string, more: object = {}) => ({ type: "photo", id, ...more });
const note = (id: string, more: object = {}) => ({ type: "note", id, ...more });
const typesOf = (list: readonly unknown[] | undefined) =>
  list?.map((item) => [item!.constructor.name, (item as Note).id]);

Deno.test("a Union tells entities apart by a member, and keeps { id, schema }", () => {
  const { result, entities } = normalize([feedItem], [photo("1", { by: { id: "u", name: "Ann" } }), note("1")]);
  assertEquals(result as unknown, [{ id: "1", schema: "photo" }, { id: "1", schema: "note" }]);
  assertEquals([Object.keys(entities.Photo!), Object.keys(entities.Note!), entities.User!.u!.name], [
    ["1"],
    ["1"],
    "Ann",
  ]);
  const read = denormalize([feedItem], result, entities)!;
  assertEquals(typesOf(read), [["Photo", "1"], ["Note", "1"]]);
  assertEquals((read[0] as Photo).by!.name, "Ann");
});

Deno.test("a Union tells entities apart by a function of the value, its parent and its key; numbers are tags", () => {
  const seen: unknown[] = [];
  const union = new schema.Union({ 1: Photo, 2: Note, true: Note }, (value, parent, key) => {
    seen.push([value, parent, key]);
    return value.kind;
  });
  const body = { top: { kind: 1, id: "a" }, list: [{ kind: 2, id: "b" }, { kind: true, id: "c" }] };
  const { entities } = normalize({ top: union, list: [union] }, body);
  assertEquals([Object.keys(entities.Photo!), Object.keys(entities.Note!)], [["a"], ["b", "c"]]);
  assertEquals(seen, [[body.top, body, "top"], [body.list[0], body, "list"], [body.list[1], body, "list"]]);
});

for (const tag of ["ad", "__proto__", "constructor", "toString", "", undefined, null, {}, [], 5]) {
  Deno.test(`a value whose tag is ${JSON.stringify(tag)}, which is not mapped, stays in place unchanged and makes no record`, () => {
    const other = JSON.parse('{ "text": "Buy", "id": "1", "__proto__": { "x": 1 } }');
    const body = [note("1"), { ...other, type: tag }, note("2")];
    const controller = new Controller({ strict: true });
    const reader = readerOfResponse<readonly unknown[]>(controller, getFeed);
    for (let times = 0; times < 2; times++) controller.setResponse(getFeed, body);
    assertStrictEquals(reader.value[1], body[1]);
    assert(!Object.isFrozen(body[1]));
    assertEquals([reader.told, typesOf([reader.value[0], reader.value[2]])], [1, [["Note", "1"], ["Note", "2"]]]);
    assertEquals(Object.keys(stateOf(controller).entities), ["Note"]);
    const { result, entities } = normalize(feedItem, body[1]);
    assertEquals([Object.keys(entities), denormalize(feedItem, result, entities) as unknown], [[], body[1]]);
  });
}

Deno.test("reserved names are ordinary tags where the mapping has them", () => {
  const union = new schema.Union({ ["__proto__"]: Photo, constructor: Note, toString: User } as never, "type");
  const body = ["__proto__", "constructor", "toString", "valueOf"].map((type) => ({ type, id: type }));
  const { result, entities } = normalize([union], body);
  assertEquals(Object.keys(entities), ["Photo", "Note", "User"]);
  assertEquals((denormalize([union], result, entities) as unknown[]).map((item) => item!.constructor.name), [
    ...["Photo", "Note", "User", "Object"],
  ]);
});

Deno.test("a raw value that would be read as a reference is a typed error, one with more or less beside it is none", () => {
  const controller = new Controller();
  const before = stateOf(controller);
  for (const raw of [{ id: "1", schema: "photo" }, { schema: "note", id: { text: "x" } }]) {
    assertThrows(() => controller.setResponse(getFeed, [note("9"), raw]), NormalizeError, "[1]");
    assertStrictEquals(stateOf(controller), before);
  }
  controller.setResponse(getFeed, [{ id: "1", schema: "ad" }, { id: "1", schema: "photo", x: 1 }, { schema: "photo" }]);
  assertEquals(controller.getResponse(getFeed).data as unknown, [
    ...[{ id: "1", schema: "ad" }, { id: "1", schema: "photo", x: 1 }, { schema: "photo" }],
  ]);
  const bySchema = new schema.Union({ photo: Photo }, "schema");
  assertEquals(normalize(bySchema, { id: "1", schema: "photo" }).entities.Photo!["1"], { id: "1", schema: "photo" });
});

Deno.test("an entity without a pk stays in place, and is read as its class", () => {
  const { result, entities } = normalize([feedItem], [{ type: "note", text: "draft" }, note("1")]);
  assertEquals(result as unknown, [{ id: { type: "note", text: "draft" }, schema: "note" }, {
    id: "1",
    schema: "note",
  }]);
  const [draft] = denormalize([feedItem], result, entities)!;
  assert(draft instanceof Note);
  assertEquals(draft.text, "draft");
});

Deno.test("a bare pk says nothing of its table: it is kept and read as it is", () => {
  const { result, entities } = normalize([feedItem], ["1", 2, "", 0, false, null, note("1")]);
  assertEquals(result as unknown, ["1", 2, "", 0, false, null, { id: "1", schema: "note" }]);
  assertEquals((denormalize([feedItem], result, entities) as unknown[]).slice(0, 6), ["1", 2, "", 0, false, null]);
});

Deno.test("an array where a Union stands is a typed error with its path", () => {
  assertThrows(() => normalize({ items: [feedItem] }, { items: [note("1"), []] }), NormalizeError, "items[1]");
});

Deno.test("what process leaves out is left out", () => {
  class Shown extends Note {
    static override process(value: { hidden?: boolean }) {
      return value.hidden ? undefined : { ...value };
    }
  }
  const union = new schema.Union({ note: Shown }, "type");
  const body = { list: [note("1", { hidden: true }), note("2")], one: note("3", { hidden: true }) };
  assertEquals(normalize({ list: [union], one: union }, body).result as unknown, {
    list: [{ id: "2", schema: "note" }],
  });
});

Deno.test("a Union without an attribute, or of what is no entity, is a typed error that says what to write", () => {
  const wrong: [unknown, unknown, string][] = [
    [{ photo: Photo }, undefined, 'new schema.Union({ article: Article, video: Video }, "type")'],
    [{ photo: Photo }, null, "attribute"],
    [{ photo: Photo }, {}, "attribute"],
    [{ photo: [Photo] }, "type", '"photo"'],
    [{ photo: { id: "" } }, "type", "is not an entity class"],
    [{ photo: class {} }, "type", "is not an entity class"],
    [{ photo: undefined }, "type", "define()"],
    [Photo, "type", "mapping"],
    [[Photo], "type", "mapping"],
    ["photo", "type", "mapping"],
    [null, "type", "mapping"],
    [feedItem, "type", "mapping"],
  ];
  for (const [mapping, attribute, text] of wrong) {
    assertThrows(() => new schema.Union(mapping as never, attribute as never), SchemaError, text);
  }
});

Deno.test("a query with the tag reads that table, one without the only one that has the record", () => {
  const controller = new Controller();
  const reader = readerOf<unknown>(controller, feedItem, { id: "1" });
  const byPk = readerOf<unknown>(controller, feedItem, "1");
  assertEquals([reader.value, byPk.value], [undefined, undefined]);
  controller.set(Note, "1", { id: "1" });
  assertStrictEquals(reader.value, controller.get(Note, "1"));
  assertEquals([reader.told, byPk.told, controller.get(feedItem, { type: "photo", id: "1" })], [1, 1, undefined]);
  controller.set(Photo, "1", { id: "1" });
  // Which of the two is meant, only the server knows.
  assertEquals([reader.value, byPk.value], [undefined, undefined]);
  assertStrictEquals(controller.get(feedItem, { type: "note", id: "1" }), controller.get(Note, "1"));
  for (const type of ["ad", "toString", "__proto__"]) {
    assertEquals(controller.get(feedItem, { type, id: "1" } as never), undefined);
  }
  controller.set(Note, "1", { id: "1", text: "not seen" });
  assertEquals(reader.told, 2);
});

Deno.test("an attribute that throws on the arguments of a read finds no tag in them, and is heard on what the server sent", async () => {
  const union = new schema.Union({ photo: Photo, note: Note }, (value: { meta: { kind: string } }) => value.meta.kind);
  const getItem = new Endpoint(
    async ({ id }: { id: string }) => await Promise.resolve({ id, meta: { kind: "note" }, text: "Hi" }),
    { name: "getItem", schema: union },
  );
  using controller = new Controller();
  assertEquals(controller.getResponse(getItem, { id: "1" }).data, undefined);
  const item = await controller.fetch(getItem, { id: "1" });
  assert(item instanceof Note && item.text === "Hi");
  assertStrictEquals(controller.get(union, { id: "1" }), item);
  assertThrows(() => normalize(union, { id: "1" }), TypeError);
  assertThrows(() => controller.setResponse(getItem, { id: "1" }, { id: "1" } as never), TypeError);
});

Deno.test("an endpoint of a Union is served from what a list brought", () => {
  const getItem = new Endpoint(async ({ id }: { id: string }) => await Promise.resolve({ id }), {
    name: "getItem",
    schema: feedItem,
  });
  const controller = new Controller();
  controller.setResponse(getFeed, [note("7", { text: "Hi" })]);
  assertStrictEquals(controller.getResponse(getItem, { id: "7" }).data, controller.get(Note, "7"));
});

class Bookmark extends Entity {
  id = "";
  target: Photo | Note | undefined = undefined;
  static key = "Bookmark";
  static schema: { target: typeof feedItem } = { target: feedItem };
}
class Pinned extends Entity {
  id = "";
  target: Photo | Note = Note.fromJS();
  static key = "Pinned";
  static schema = { target: feedItem };
}
const remove = new Endpoint(async (_id: string) => await Promise.resolve(), {
  name: "remove",
  schema: new schema.Invalidate(Note),
  sideEffect: true,
});

Deno.test("a member that is a Union reads undefined when its record is gone, and its default when it is absent", () => {
  const controller = new Controller();
  controller.set(Bookmark, "1", { id: "1", target: note("n") as never });
  const reader = readerOf<Bookmark>(controller, Bookmark, "1");
  assertStrictEquals(reader.value.target, controller.get(Note, "n"));
  controller.setResponse(remove, "n", "n");
  assertEquals([reader.value.target, reader.told], [undefined, 1]);
  controller.set(Note, "n", { id: "n", text: "back" });
  assertEquals([(reader.value.target as Note).text, reader.told], ["back", 2]);
  controller.set(Bookmark, "2", { id: "2" });
  controller.set(Bookmark, "3", { id: "3", target: null as never });
  controller.set(Bookmark, "4", { id: "4", target: { type: "ad", id: "x" } as never });
  const targets = ["2", "3", "4"].map((id) => controller.get(Bookmark, id)!.target as unknown);
  assertEquals(targets, [undefined, null, { type: "ad", id: "x" }]);
});

Deno.test("a member that is a Union with a truthy default is required: without its record the object has no data", () => {
  const controller = new Controller();
  controller.set(Pinned, "1", { id: "1", target: note("n", { text: "Hi" }) as never });
  const reader = readerOf<Pinned | undefined>(controller, Pinned, "1");
  assertEquals((reader.value!.target as Note).text, "Hi");
  controller.setResponse(remove, "n", "n");
  assertEquals(reader.value, undefined);
  controller.set(Note, "n", { id: "n", text: "back" });
  assertEquals((reader.value!.target as Note).text, "back");
  controller.set(Pinned, "2", { id: "2" });
  assert(controller.get(Pinned, "2")!.target instanceof Note);
});

Deno.test("a member of an object schema that refers to a record which is gone leaves the whole without data", () => {
  const page = new Endpoint(async () => await Promise.resolve({}), {
    name: "page",
    schema: { best: feedItem, next: "" },
  });
  const controller = new Controller();
  controller.setResponse(page, { best: note("1"), next: "n" });
  assertEquals((controller.getResponse(page).data!.best as Note).id, "1");
  const reader = readerOfResponse<unknown>(controller, page);
  controller.setResponse(remove, "1", "1");
  assertEquals(reader.value, undefined);
  controller.setResponse(page, { next: "n" });
  assertEquals(reader.value, { best: undefined, next: "n" });
});

Deno.test("after one of 1,000 items of a list of a Union changed, one item is read again", () => {
  let made = 0;
  class Counted extends Note {
    static override key = "Counted";
    constructor() {
      super();
      made++;
    }
  }
  const union = new schema.Union({ photo: Photo, note: Counted }, "type");
  for (const declared of [[union], new schema.Array(union)]) {
    const list = new Endpoint(async () => await Promise.resolve([]), {
      name: "list",
      schema: declared as [typeof union],
    });
    const controller = new Controller();
    controller.setResponse(
      list,
      Array.from({ length: 1000 }, (_, id) => id % 2 === 0 ? note(`${id}`) : photo(`${id}`)),
    );
    const reader = readerOfResponse<Note[]>(controller, list);
    const before = reader.value;
    made = 0;
    controller.set(Counted, "500", { id: "500", text: "new" });
    assertEquals([reader.value[500]!.text, made, reader.told], ["new", 1, 1]);
    assertEquals(reader.value.filter((item, at) => item !== before[at]).length, 1);
  }
});

Deno.test("a list of a Union that comes again with one item more keeps the objects of the others", () => {
  const controller = new Controller();
  const body = () => [note("1"), { type: "ad", text: "Buy" }, photo("1"), { type: "note", text: "draft" }];
  controller.setResponse(getFeed, body());
  const before = controller.getResponse(getFeed).data!;
  controller.setResponse(getFeed, body());
  assertStrictEquals(controller.getResponse(getFeed).data, before);
  controller.setResponse(getFeed, [...body(), note("2")]);
  const after = controller.getResponse(getFeed).data!;
  assertEquals(after.map((item, at) => item === before[at]), [true, true, true, true, false]);
});

Deno.test("a Query over a Union, and over a list of one, sees what changes", () => {
  const texts = new Query(new schema.All(feedItem), (items) => items.map((item) => item.constructor.name).join());
  const one = new Query(feedItem, (item) => item.id);
  const controller = new Controller();
  controller.set(Note, "1", { id: "1" });
  const reader = readerOf<string>(controller, texts);
  assertEquals([reader.value, controller.get(one, { id: "1" })], ["Note", "1"]);
  controller.set(Photo, "2", { id: "2" });
  assertEquals([reader.value, reader.told], ["Photo,Note", 1]);
});

Deno.test("set writes through a Union, in layers too", async () => {
  using controller = new Controller();
  controller.set(feedItem, { type: "note", id: "1" }, { type: "note", id: "1", text: "first" } as never);
  assertEquals(controller.get(Note, "1")!.text, "first");
  const reply = Promise.withResolvers<unknown>();
  const update = new Endpoint(async (_body: object) => await reply.promise, {
    name: "update",
    schema: feedItem,
    sideEffect: true,
    getOptimisticResponse: (_snapshot: unknown, body: object) => body,
  });
  const reader = readerOf<Note>(controller, feedItem, { id: "1" });
  const call = controller.fetch(update, note("1", { text: "soon" }));
  assertEquals(reader.value.text, "soon");
  reply.resolve(note("1", { text: "now" }));
  assertStrictEquals(await call, controller.get(Note, "1"));
  assertEquals(reader.value.text, "now");
});

class Detail extends Entity {
  id = "";
  text = "";
  static key = "Detail";
  static validate(record: { text?: string }) {
    return record.text === undefined ? "text is missing" : undefined;
  }
}

/** Schemas that hold a detail, an answer in which one is refused, and where. */
const DETAILS: readonly (readonly [schema: unknown, body: unknown, path: string])[] = [
  [[Detail], [{ id: "0", text: "" }, { id: "1" }], "[1]"],
  [new schema.Array(Detail), [{ id: "0", text: "" }, { id: "1" }], "[1]"],
  [{ page: new schema.Array({ d: Detail }, "type") }, { page: [{ id: "1", type: "d" }] }, "page[0]"],
  [new schema.Union({ d: Detail }, "type"), { id: "1", type: "d" }, ""],
  [{ list: [new schema.Union({ d: Detail }, "type")] }, { list: [{ id: "1", type: "d" }] }, "list[0]"],
  [new schema.Values(Detail), { a: { id: "0", text: "" }, "b c": { id: "1" } }, '["b c"]'],
  [new schema.Object({ best: { detail: Detail } }), { best: { detail: { id: "1" } } }, "best.detail"],
  [new schema.Values(new schema.Array(new schema.Object({ d: Detail }))), { x: [{ d: { id: "1" } }] }, "x[0].d"],
  [new Query(new schema.Array(Detail)), [{ id: "1" }], "[0]"],
];
for (const [declared, body, path] of DETAILS) {
  Deno.test(`a read whose answer its class refuses at ${path || "the root"} rejects and writes nothing: ${JSON.stringify(body)}`, async () => {
    using controller = new Controller();
    const read = new Endpoint(async () => await Promise.resolve(body), {
      name: "read",
      schema: declared as [typeof Detail],
    });
    const before = stateOf(controller);
    const error = await assertRejects(() => controller.fetch(read), ValidationError);
    assertEquals([error.entity, error.path], ["Detail", path]);
    assertEquals(stateOf(controller).entities, before.entities);
    assertThrows(() => controller.setResponse(read, body), ValidationError);
  });
}

Deno.test("a read whose required Union member is refused rejects", () => {
  class Holder extends Entity {
    id = "";
    held = Detail.fromJS();
    static key = "Holder";
    static schema = { held: new schema.Union({ d: Detail }, "type") };
  }
  const controller = new Controller();
  const read = new Endpoint(async () => await Promise.resolve(), { name: "read", schema: new schema.Values(Holder) });
  const body = { a: { id: "h", held: { type: "d", id: "1" } } };
  const error = assertThrows(() => controller.setResponse(read, body), ValidationError, "held");
  assertEquals(error.path, "a");
});

Deno.test("two classes of one table must agree on what their Union is of", () => {
  class Summary extends Entity {
    id = "";
    target: unknown = undefined;
    static key = "Family";
    static schema = { target: new schema.Union({ photo: Photo }, "type") };
  }
  const detailOf = (target: unknown) =>
    class Detailed extends Summary {
      static override schema = { target } as never;
    };
  const controller = new Controller();
  controller.set(Summary, "1", { id: "1" });
  controller.set(detailOf(new schema.Union({ photo: Photo }, "type")), "1", { id: "1" });
  assertThrows(
    () => controller.set(detailOf(new schema.Union({ photo: Note }, "type")), "1", { id: "1" }),
    SchemaError,
  );
});

Deno.test("set fills in what its arguments name, and writes only what a function changes, in the table of the tag", () => {
  const controller = new Controller();
  const byNote = { type: "note", id: "1" } as const;
  controller.set(feedItem, byNote, { text: "first" });
  assertEquals(stateOf(controller).entities, { Note: { 1: { text: "first", type: "note", id: "1" } } } as never);
  controller.set(feedItem, byNote, (one) => ({ ...one!, text: "second" }));
  controller.set(feedItem, { type: "photo", id: "1" }, (one) => ({ ...one, url: "/1" }));
  assertEquals([controller.get(Note, "1")!.text, controller.get(Photo, "1")!.url], ["second", "/1"]);
  assertThrows(() => controller.set(feedItem, "1", (one) => ({ ...one!, url: "/2" })), NormalizeError);
  controller.set(feedItem, { type: "photo", id: "2" }, { url: "/2" });
  controller.set(feedItem, "2", (one) => ({ ...one!, url: "/3" }));
  assertEquals(stateOf(controller).entities.Photo!["2"], { id: "2", type: "photo", url: "/3" });
});

Deno.test("set that does not say which entity it is of is a typed error, and nothing is written", () => {
  const controller = new Controller();
  controller.set(Note, "1", { id: "1" });
  const before = stateOf(controller);
  for (
    const [args, value] of [["1", { text: "x" }], [{ id: "1" }, { text: "x" }], [{ type: "ad", id: "1" }, {}], [
      "9",
      () => ({}),
    ]]
  ) {
    assertThrows(
      () => controller.set(feedItem, args as never, value as never),
      NormalizeError,
      "a Union of photo, note",
    );
    assertStrictEquals(stateOf(controller), before);
  }
});

Deno.test("collections of two unions with the same arguments are two lists, arrays and Values of a mapping are lists of unions", () => {
  const others = new schema.Collection(new schema.Array({ user: User, note: Note }, "type"));
  const items = new schema.Collection([feedItem]);
  const named = new schema.Collection(new schema.Values({ photo: Photo, note: Note }, "type"));
  const controller = new Controller();
  const endpointOf = (declared: unknown, name: string, sideEffect?: true) =>
    new Endpoint(async (_params: object) => await Promise.resolve([]), {
      name,
      schema: declared as [typeof Note],
      ...(sideEffect && { sideEffect }),
    });
  const [getOthers, getItems] = [endpointOf(others, "others"), endpointOf(items, "items")];
  controller.setResponse(getOthers, {}, [{ type: "user", id: "1" }, { type: "ad" }]);
  controller.setResponse(getItems, {}, [photo("1"), { type: "ad" }]);
  controller.setResponse(endpointOf(items.push, "push", true), {}, note("2"));
  assertEquals(controller.getResponse(getItems, {}).data!.map((one) => one.constructor.name), [
    "Photo",
    "Object",
    "Note",
  ]);
  assertEquals(controller.getResponse(getOthers, {}).data!.map((one) => one.constructor.name), ["User", "Object"]);
  const getNamed = endpointOf(named, "named");
  controller.setResponse(getNamed, {}, { a: photo("1"), ["__proto__"]: note("2") });
  const read = Object.entries(controller.getResponse(getNamed, {}).data!);
  assertEquals(read.map(([name, one]) => [name, one.constructor.name]), [["a", "Photo"], ["__proto__", "Note"]]);
});
