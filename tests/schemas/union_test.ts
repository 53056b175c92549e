import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { Controller, denormalize, Endpoint, Entity, normalize, Query, schema } from "@rejoin/data";
import { readerOf, readerOfResponse } from "./_reader.ts";

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
const photo = (id: string, more: object = {}) => ({ type: "photo", id, ...more });
const note = (id: string, more: object = {}) => ({ type: "note", id, ...more });
const typesOf = (list: readonly unknown[] | undefined) =>
  list?.map((item) => [item!.constructor.name, (item as Note).id]);

Deno.test("a Union tells entities apart by a member, and stores { id, schema }", () => {
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

Deno.test("a Union tells entities apart by a function of value, parent and key, whose result may be a number or boolean", () => {
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

Deno.test("names such as __proto__ are ordinary tags if they are in the mapping", () => {
  const union = new schema.Union({ ["__proto__"]: Photo, constructor: Note, toString: User } as never, "type");
  const body = ["__proto__", "constructor", "toString", "valueOf"].map((type) => ({ type, id: type }));
  const { result, entities } = normalize([union], body);
  assertEquals(Object.keys(entities), ["Photo", "Note", "User"]);
  assertEquals((denormalize([union], result, entities) as unknown[]).map((item) => item!.constructor.name), [
    ...["Photo", "Note", "User", "Object"],
  ]);
});

Deno.test("an item of a Union without a pk stays in its place, and reads as an instance", () => {
  const { result, entities } = normalize([feedItem], [{ type: "note", text: "draft" }, note("1")]);
  assertEquals(result as unknown, [{ id: { type: "note", text: "draft" }, schema: "note" }, {
    id: "1",
    schema: "note",
  }]);
  const [draft] = denormalize([feedItem], result, entities)!;
  assert(draft instanceof Note);
  assertEquals(draft.text, "draft");
});

Deno.test("a pk without a tag, or another scalar, is kept and read as it is", () => {
  const { result, entities } = normalize([feedItem], ["1", 2, "", 0, false, null, note("1")]);
  assertEquals(result as unknown, ["1", 2, "", 0, false, null, { id: "1", schema: "note" }]);
  assertEquals((denormalize([feedItem], result, entities) as unknown[]).slice(0, 6), ["1", 2, "", 0, false, null]);
});

Deno.test("a read of a Union needs the tag in its arguments, and is undefined without it", () => {
  const controller = new Controller(), tagged = { type: "note", id: "1" } as const;
  const reader = readerOf(controller, feedItem, tagged);
  assertEquals([reader.value, controller.get(feedItem, "1")], [undefined, undefined]);
  controller.set(Note, "1", { id: "1" });
  assertStrictEquals(reader.value, controller.get(Note, "1"));
  assertEquals([reader.told, controller.get(feedItem, { type: "photo", id: "1" })], [1, undefined]);
  assertEquals([controller.get(feedItem, "1"), controller.get(feedItem, { id: "1" })], [undefined, undefined]);
  for (const type of ["ad", "toString", "__proto__"]) {
    assertEquals(controller.get(feedItem, { type, id: "1" } as never), undefined);
  }
});

Deno.test("an attribute function that throws on a read's arguments finds no tag; an error on a reply reaches the caller", async () => {
  const union = new schema.Union({ photo: Photo, note: Note }, (value: { meta: { kind: string } }) => value.meta.kind);
  const getItem = new Endpoint(
    async ({ id }: { id: string }) => await Promise.resolve({ id, meta: { kind: "note" }, text: "Hi" }),
    { name: "getItem", schema: union },
  );
  using controller = new Controller();
  assertEquals(controller.getResponse(getItem, { id: "1" }).data, undefined);
  const item = await controller.fetch(getItem, { id: "1" });
  assert(item instanceof Note && item.text === "Hi");
  assertStrictEquals(controller.get(union, { id: "1", meta: { kind: "note" } } as never), item);
  assertThrows(() => normalize(union, { id: "1" }), TypeError);
  assertThrows(() => controller.setResponse(getItem, { id: "1" }, { id: "1" } as never), TypeError);
});

class Bookmark extends Entity {
  id = "";
  target: Photo | Note | undefined = undefined;
  static key = "Bookmark";
  static schema: { target: typeof feedItem } = { target: feedItem };
}
const remove = new Endpoint(async (_id: string) => await Promise.resolve(), {
  name: "remove",
  schema: new schema.Invalidate(Note),
  sideEffect: true,
});

Deno.test("a member with a Union reads as undefined once its record is deleted, and as its default if it is absent", () => {
  const controller = new Controller();
  controller.set(Bookmark, "1", { id: "1", target: note("n") as never });
  const reader = readerOf(controller, Bookmark, "1");
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

Deno.test("when one of 1,000 items of a Union changes, only one instance is made", () => {
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
    const reader = readerOfResponse(controller, list);
    const before = reader.value;
    made = 0;
    controller.set(Counted, "500", { id: "500", text: "new" });
    assertEquals([reader.value[500]!.text, made, reader.told], ["new", 1, 1]);
    assertEquals(reader.value.filter((item: unknown, at: number) => item !== before[at]).length, 1);
  }
});

Deno.test("a Query over a Union, or over All of one, follows changes", () => {
  const texts = new Query(new schema.All(feedItem), (items) => items.map((item) => item.constructor.name).join());
  const one = new Query(feedItem, (item) => item.id);
  const controller = new Controller();
  controller.set(Note, "1", { id: "1" });
  const reader = readerOf(controller, texts);
  assertEquals([reader.value, controller.get(one, { type: "note", id: "1" })], ["Note", "1"]);
  controller.set(Photo, "2", { id: "2" });
  assertEquals([reader.value, reader.told], ["Photo,Note", 1]);
});

Deno.test("controller.set and optimistic updates write records through a Union", async () => {
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
  const reader = readerOf(controller, feedItem, { type: "note", id: "1" });
  const call = controller.fetch(update, note("1", { text: "soon" }));
  assertEquals(reader.value.text, "soon");
  reply.resolve(note("1", { text: "now" }));
  assertStrictEquals(await call, controller.get(Note, "1"));
  assertEquals(reader.value.text, "now");
});
