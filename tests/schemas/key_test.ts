import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { type AnyEntity, Controller, Entity, normalize, schema, SchemaError, stateOf } from "@rejoin/data";

/** A class of this name, as a bundler or another module may make one; with or without a key written by hand. */
function classNamed(
  name: string,
  members: object = {},
  key?: string,
  schema?: object,
): typeof Entity & { new (): Entity } {
  const made = {
    [name]: class extends Entity {
      id = "";
      constructor() {
        super();
        Object.assign(this, members);
      }
      pk() {
        return this.id;
      }
    },
  }[name]!;
  if (key !== undefined) Object.defineProperty(made, "key", { value: key, configurable: true, writable: true });
  if (schema !== undefined) Object.defineProperty(made, "schema", { value: schema, configurable: true });
  return made as never;
}

const write = (controller: Controller, entity: AnyEntity, id: string, more: object = {}) =>
  controller.set(entity, id, { id, ...more } as object);
const read = (controller: Controller, entity: AnyEntity, id: string) =>
  controller.get(entity, id) as Record<string, unknown> | undefined;

Deno.test("key defaults to the name of the class", () => {
  const { entities } = normalize(classNamed("Article"), { id: "1" });
  assertEquals(Object.keys(entities), ["Article"]);
});

Deno.test("a key may be assigned later, and is the class's own", () => {
  const Base = classNamed("Base", {}, "Base");
  class Later extends Base {
    override pk() {
      return "1";
    }
  }
  const Named = classNamed("Named");
  (Named as unknown as { key: string }).key = "Assigned";
  assertEquals(Object.keys(normalize(Named, { id: "1" }).entities), ["Assigned"]);
  assertEquals(Object.keys(normalize(Later, {}).entities), ["Base"]);
});

for (const key of ["", 5, null, undefined]) {
  Deno.test(`a key that is ${JSON.stringify(key)} is a typed error with the cure`, () => {
    const Odd = classNamed("Odd", {}, key as string);
    Object.defineProperty(Odd, "key", { value: key });
    assertThrows(() => normalize(Odd, { id: "1" }), SchemaError, `write \`static key = "…"\` on it`);
  });
}

Deno.test("two different classes that reach one table by their names are a typed error that names both and the cure", () => {
  const controller = new Controller();
  write(controller, classNamed("e", { title: "" }), "1");
  const error = assertThrows(() => write(controller, classNamed("e", { name: "" }), "2"), SchemaError);
  assert(error.message.includes(`"e" and "e"`) && error.message.includes(`\`static key = "…"\``), error.message);
});

for (const [first, second] of [["Article", "Other"], ["Other", "Article"]]) {
  Deno.test(`13.E7 one that wrote the key shares it with the class of that name, ${first} first`, () => {
    const controller = new Controller();
    const User = classNamed("User", {}, "User");
    const classes: Record<string, ReturnType<typeof classNamed>> = {
      Article: classNamed("Article", { title: "", author: undefined }, undefined, { author: User }),
      Other: classNamed("Other", { title: "", author: undefined, body: "" }, "Article", { author: User }),
    };
    write(controller, classes[first!]!, "1", { title: "a" });
    write(controller, classes[second!]!, "1", { body: "b", author: { id: "u" } });
    for (const entity of Object.values(classes)) {
      const article = read(controller, entity, "1")!;
      assertEquals([article.title, article.body, (article.author as { id: string }).id], ["a", "b", "u"]);
      assert(article instanceof entity);
    }
    const Odd = classNamed("Odd", { author: "" }, "Article");
    assertThrows(() => write(controller, Odd, "1"), SchemaError, `"author"`);
    // Two that only have the name are refused as before.
    assertThrows(
      () => write(controller, classNamed("Article", { name: "" }), "2"),
      SchemaError,
      `"Article" and "Article"`,
    );
  });
}

Deno.test("a class re-evaluated by hot reload replaces the old one", () => {
  const controller = new Controller();
  const before = classNamed("Film", { title: "" });
  write(controller, before, "1", { title: "a" });
  const first = read(controller, before, "1");
  const after = classNamed("Film", { title: "" });
  const second = read(controller, after, "1")!;
  assertEquals(second.title, "a");
  assert(second instanceof after && !(second instanceof before) && first instanceof before);
  const again = classNamed("Film", { title: "" });
  write(controller, again, "1", { title: "b" });
  assertEquals(read(controller, again, "1")!.title, "b");
});

Deno.test("hot reload with a key written by hand works, whatever changed in the class", () => {
  const controller = new Controller();
  write(controller, classNamed("Film", { title: "" }, "Film"), "1", { title: "a", year: 1999 });
  const after = classNamed("Film", { title: "", year: 0 }, "Film");
  assertEquals(read(controller, after, "1")!.year, 1999);
});

Deno.test("13.C8 hot reload with a key written by hand works when the schema of a member was edited", () => {
  const controller = new Controller();
  const User = classNamed("User", {}, "User");
  const made = (schema?: object, members: object = {}) =>
    classNamed("Film", { author: undefined, ...members }, "Film", schema);
  const all = (entity: AnyEntity) =>
    controller.get(new schema.All(entity))!.map((film) => (film as Entity & { id: string }).id);
  write(controller, made(), "1", { author: "u" });
  write(controller, User, "u");
  const joined = made({ author: User });
  assert(read(controller, joined, "1")!.author instanceof User);
  assertEquals(all(joined), ["1"]);
  // A member more, then another schema: what was there before the last edit disagrees as well.
  const wider = made({ author: User }, { year: 0 });
  assert(read(controller, wider, "1")!.author instanceof User);
  const plain = made({}, { year: 0 });
  assertEquals(read(controller, plain, "1")!.author, "u");
  write(controller, plain, "2", { author: "v" });
  // Who still reads by a class of before sees what arrives.
  for (const entity of [joined, wider, plain]) assertEquals(all(entity), ["1", "2"]);
});

Deno.test("a family agrees, field by field, on where entities are: the first disagreement is a typed error", () => {
  const User = classNamed("User", {}, "User");
  const Tag = classNamed("Tag", {}, "Tag");
  const shapes = [User, [User], Tag, [Tag], { of: User }, { of: Tag }, { of: [User] }, { to: User }];
  shapes.forEach((one, i) =>
    shapes.forEach((other, j) => {
      const controller = new Controller();
      write(controller, classNamed("Summary", { ref: undefined }, "Film", { ref: one }), "1");
      const use = () => write(controller, classNamed("Detail", { ref: undefined }, "Film", { ref: other }), "1");
      if (i === j) return use();
      const error = assertThrows(use, SchemaError);
      for (const part of [`"Summary"`, `"Detail"`, `"Film"`, `"ref"`]) {
        assert(error.message.includes(part), error.message);
      }
    })
  );
});

Deno.test("a family member that declares a field without a schema disagrees with one that has it there", () => {
  const User = classNamed("User", {}, "User");
  const controller = new Controller();
  write(controller, classNamed("Detail", { author: undefined }, "Film", { author: User }), "1");
  assertThrows(() => write(controller, classNamed("Summary", { author: "" }, "Film"), "1"), SchemaError, `"author"`);
  // One that does not know the field has nothing to disagree about.
  write(controller, classNamed("Brief", { title: "" }, "Film"), "1");
});

Deno.test("serializers of a family may differ", () => {
  const controller = new Controller();
  const asDate = classNamed("A", { at: undefined }, "Film", { at: Date });
  const asText = classNamed("B", { at: "" }, "Film");
  const asNumber = classNamed("C", { at: 0 }, "Film", { at: (text: string) => text.length });
  write(controller, asText, "1", { at: "2026-01-01" });
  assertEquals(
    [asDate, asText, asNumber].map((entity) => read(controller, entity, "1")!.at),
    [new Date("2026-01-01"), "2026-01-01", 10],
  );
});

Deno.test("a write uses the statics of the class its schema names, a read those of the class it names", () => {
  class Adding extends Entity {
    id = "";
    n = 0;
    pk() {
      return this.id;
    }
    static key = "Count";
    static merge(existing: { n: number }, incoming: { n: number }) {
      return { ...existing, n: existing.n + incoming.n };
    }
  }
  class Setting extends Entity {
    id = "";
    n = 0;
    pk() {
      return this.id;
    }
    get double(): number {
      return this.n * 2;
    }
    static key = "Count";
  }
  const controller = new Controller();
  for (const n of [1, 2]) controller.set(Adding, "1", { id: "1", n });
  assertEquals(controller.get(Setting, "1")!.double, 6);
  controller.set(Setting, "1", { n: 10 });
  assertEquals([controller.get(Adding, "1")!.n, controller.get(Setting, "1")!.double], [10, 20]);
  assert(controller.get(Adding, "1") instanceof Adding && !(controller.get(Adding, "1") instanceof Setting));
});

Deno.test("names of tables are any text", () => {
  for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty", "a:b", " ", "\ud800", "0", "length"]) {
    const controller = new Controller();
    const entity = classNamed("Any", { n: 0 }, key);
    assertEquals(read(controller, entity, "1"), undefined);
    write(controller, entity, "1", { n: 1 });
    assertEquals(read(controller, entity, "1")!.n, 1);
    const { entities } = stateOf(controller);
    assertEquals(Object.keys(entities), [key]);
    assertStrictEquals(Object.getPrototypeOf(entities), null);
    const plain = normalize([entity], [{ id: "__proto__" }, { id: "toString" }]);
    assertEquals(
      JSON.stringify(plain.entities),
      JSON.stringify({ k: { a: { id: "__proto__" }, toString: { id: "toString" } } })
        .replace('"k"', JSON.stringify(key)).replace('"a"', '"__proto__"'),
    );
  }
});
