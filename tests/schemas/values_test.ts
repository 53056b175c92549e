import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, denormalize, Endpoint, Entity, normalize, schema } from "@rejoin/data";
import { readerOf, readerOfResponse } from "./_reader.ts";

class Text extends Entity {
  id = "";
  title = "";
  static key = "Text";
}
class Video extends Entity {
  id = "";
  static key = "Video";
}
const texts = new schema.Values(Text);
const getTexts = new Endpoint(async () => await Promise.resolve({}), { name: "getTexts", schema: texts });
const remove = new Endpoint(async (_id: string) => await Promise.resolve(), {
  name: "remove",
  schema: new schema.Invalidate(Text),
  sideEffect: true,
});
const ids = (read: Record<string, Text | null> | undefined) =>
  Object.entries(read ?? {}).map(([name, text]) => [name, text?.id]);

Deno.test("Values store pks under their names, and read instances under the same names", () => {
  const { result, entities } = normalize(texts, { de: { id: "1", title: "Hallo" }, fr: { id: "2" } });
  assertEquals([result, Object.keys(entities.Text!)], [{ de: "1", fr: "2" }, ["1", "2"]]);
  assertEquals(denormalize(texts, result, entities)!.de!.title, "Hallo");
});

Deno.test("Values leave out missing records, and have them once they arrive", () => {
  const controller = new Controller();
  controller.setResponse(getTexts, { de: { id: "1" }, fr: { id: "2" }, en: 7 });
  const reader = readerOfResponse(controller, getTexts);
  assertEquals(ids(reader.value), [["de", "1"], ["fr", "2"]]);
  controller.setResponse(remove, "1", "1");
  assertEquals([ids(reader.value), reader.told], [[["fr", "2"]], 1]);
  const { fr } = reader.value;
  controller.set(Text, "7", { id: "7" });
  assertEquals(ids(reader.value), [["fr", "2"], ["en", "7"]]);
  assertStrictEquals(reader.value.fr, fr);
});

Deno.test("when one of 10,000 values changes, only one is another object", () => {
  const controller = new Controller();
  const body = Object.fromEntries(Array.from({ length: 10_000 }, (_, id) => [`n${id}`, { id: `${id}` }]));
  controller.setResponse(getTexts, body);
  const reader = readerOfResponse(controller, getTexts);
  const before = reader.value;
  controller.set(Text, "5000", { id: "5000", title: "new" });
  const changed = Object.keys(before).filter((name) => reader.value[name] !== before[name]);
  assertEquals([changed, reader.value.n5000!.title, reader.told], [["n5000"], "new", 1]);
});

Deno.test("Values take names such as __proto__ for ordinary ones", () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "", "0", "a b"];
  const body = Object.fromEntries(names.map((name) => [name, { id: name === "" ? "empty" : name }]));
  const controller = new Controller();
  controller.setResponse(getTexts, body);
  const read = controller.getResponse(getTexts).data!;
  assertEquals(Object.keys(read).sort(), names.toSorted());
  assertStrictEquals(Object.getPrototypeOf(read), Object.prototype);
  for (const name of names) {
    assertStrictEquals(Object.getOwnPropertyDescriptor(read, name)!.value, controller.get(Text, name || "empty"));
  }
});

Deno.test("process and pk() of an entity in Values get the object as parent and the name as key", () => {
  const seen: unknown[] = [];
  class Keyed extends Entity {
    lang = "";
    static key = "Keyed";
    override pk(parent?: unknown, key?: string) {
      seen.push([parent, key]);
      return this.lang || key;
    }
    static process(value: object, parent: unknown, key: string | undefined) {
      seen.push([parent, key]);
      return { ...value, lang: key };
    }
  }
  const body = { texts: { de: { t: 1 } } };
  const { result, entities } = normalize({ texts: new schema.Values(Keyed) }, body);
  assertEquals(seen, [[body.texts, "de"], [body.texts, "de"]]);
  assertEquals([result.texts, entities.Keyed!.de!.lang], [{ de: "de" }, "de"]);
});

Deno.test("Values of several entities are told apart by a member, or by a function of value, parent and key", () => {
  const byType = new schema.Values({ text: Text, video: Video }, "type");
  const { result, entities } = normalize(byType, {
    a: { type: "text", id: "1" },
    b: { type: "video", id: "1" },
    c: { type: "ad" },
  });
  assertEquals(result as unknown, {
    a: { id: "1", schema: "text" },
    b: { id: "1", schema: "video" },
    c: { type: "ad" },
  });
  const read = denormalize(byType, result, entities)!;
  assertEquals([read.a instanceof Text, read.b instanceof Video, read.c as unknown], [true, true, { type: "ad" }]);
  const byName = new schema.Values({ text: Text, video: Video }, (_value, parent, key) => parent.kinds[key!]);
  const kinds = { a: "video" };
  assertEquals(Object.keys(normalize(byName, { kinds, a: { id: "9" } }).entities), ["Video"]);
});

Deno.test("Values as a member of an entity follow changes, and read as the default if they are absent", () => {
  class Page extends Entity {
    id = "";
    texts: Record<string, Text> = { none: Text.fromJS() };
    static key = "Page";
    static schema: { texts: typeof texts } = { texts };
  }
  const controller = new Controller();
  controller.set(Page, "p", { id: "p", texts: { de: { id: "1" }, fr: { id: "2" } } as never });
  const reader = readerOf(controller, Page, "p");
  const before = reader.value;
  controller.set(Text, "2", { id: "2", title: "Salut" });
  assertEquals([reader.value.texts.fr!.title, reader.value.texts.de === before.texts.de], ["Salut", true]);
  controller.setResponse(remove, "1", "1");
  assertEquals(ids(reader.value.texts), [["fr", "2"]]);
  controller.set(Page, "q", { id: "q" });
  assertEquals(Object.keys(controller.get(Page, "q")!.texts), ["none"]);
});

Deno.test("absent Values in an object schema read as {}", () => {
  const page = new Endpoint(async () => await Promise.resolve({}), { name: "page", schema: { texts, next: "" } });
  const controller = new Controller();
  controller.setResponse(page, { next: "n" });
  assertEquals(controller.getResponse(page).data, { texts: {}, next: "n" });
});

Deno.test("Values may hold objects of arrays, dates and defaults", () => {
  const declared = new schema.Values({ texts: [Text], at: Date, note: "none" });
  const { result, entities } = normalize(declared, { a: { texts: [{ id: "1" }], at: "2026-01-01" }, b: {} });
  const read = denormalize(declared, result, entities)!;
  assertEquals([read.a!.texts[0]!.id, read.a!.at, read.a!.note], ["1", new Date("2026-01-01"), "none"]);
  assertEquals(read.b as unknown, { texts: [], at: undefined, note: "none" });
});

Deno.test("an absent member whose schema contains itself reads one level deep", () => {
  const comment = new schema.Object({ text: "" });
  comment.define({ parent: comment });
  const { result, entities } = normalize(comment, { text: "a" });
  assertEquals(denormalize(comment, result, entities) as unknown, {
    text: "a",
    parent: { text: "", parent: undefined },
  });
});
