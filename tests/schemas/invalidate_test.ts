import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import {
  Controller,
  denormalize,
  Endpoint,
  Entity,
  normalize,
  NormalizeError,
  type Schema,
  schema,
  SchemaError,
  stateOf,
  WriteError,
} from "@rejoin/data";
import { readerOf } from "../contracts/reader.ts";

class User extends Entity {
  id = "";
  name = "";
  pk() {
    return this.id;
  }
  static key = "User";
}
const remove = new Endpoint(async (_value: unknown) => await Promise.resolve(), {
  name: "remove",
  schema: new schema.Invalidate(User),
  sideEffect: true,
});
const list = new Endpoint(async () => await Promise.resolve([]), { name: "list", schema: [User] });

for (const value of ["1", 1, 1n, { id: "1" }, { id: 1 }, { id: "1", name: "whatever" }]) {
  const name = typeof value === "bigint" ? "1n" : JSON.stringify(value);
  Deno.test(`Invalidate deletes what ${name} names: an object with a pk, or a bare pk`, () => {
    const controller = new Controller();
    controller.setResponse(list, [{ id: "1" }, { id: "2" }]);
    const user = readerOf<User | undefined>(controller, User, "1");
    const other = readerOf<User>(controller, User, "2");
    controller.setResponse(remove, value, value);
    assertEquals([user.value, other.value.id, user.told, other.told], [undefined, "2", 1, 0]);
    assertEquals(controller.getResponse(list).data!.map(({ id }) => id), ["2"]);
    assertEquals(Object.keys(stateOf(controller).entities.User!), ["2"]);
    const { result, entities } = normalize([User, new schema.Invalidate(User)][1]!, value);
    assertEquals([result, Object.keys(entities.User!)] as unknown[], ["1", []]);
  });
}

for (const value of ["", {}, { name: "x" }, { id: "" }, { id: null }, [], true, NaN]) {
  Deno.test(`Invalidate of ${JSON.stringify(value)} is a typed error, and nothing is deleted`, () => {
    const controller = new Controller();
    controller.setResponse(list, [{ id: "1" }]);
    const before = stateOf(controller);
    assertThrows(() => controller.setResponse(remove, value, value), NormalizeError, `"User"`);
    assertEquals(stateOf(controller), before);
  });
}

Deno.test("fetch of an Invalidate resolves with the value it was given", async () => {
  using controller = new Controller();
  controller.setResponse(list, [{ id: "1" }]);
  const value = { id: "1", note: "gone" };
  const call = remove.extend({ fetch: async (_value: unknown) => await Promise.resolve(value) });
  assertEquals(await controller.fetch(call, "1") as unknown, value);
  assertEquals(controller.get(User, "1"), undefined);
});

Deno.test("Invalidate works in objects and arrays, beside what is written, in the order of the response", () => {
  const declared = { removed: [new schema.Invalidate(User)], users: [User], last: new schema.Invalidate(User) };
  const controller = new Controller();
  const sync = new Endpoint(async () => await Promise.resolve(), { name: "sync", schema: declared, sideEffect: true });
  controller.setResponse(list, [{ id: "1" }, { id: "2" }, { id: "3" }]);
  controller.setResponse(sync, {
    removed: ["1", { id: "2" }],
    users: [{ id: "2", name: "back" }, { id: "4" }],
    last: 4,
  });
  assertEquals(Object.keys(stateOf(controller).entities.User!).sort(), ["2", "3"]);
  assertEquals(controller.get(User, "2")!.name, "back");
});

Deno.test("Invalidate uses the class's process and pk", () => {
  class Coded extends Entity {
    code = "";
    pk() {
      return this.code && `#${this.code}`;
    }
    static key = "Coded";
    static process(value: { Code: string }) {
      return { code: value.Code };
    }
  }
  const written = normalize({ all: [Coded], gone: new schema.Invalidate(Coded) }, {
    all: [{ Code: "a" }, { Code: "b" }],
    gone: { Code: "a" },
  });
  assertEquals(Object.keys(written.entities.Coded!), ["#b"]);
});

Deno.test("what is kept of an Invalidate reads as the record, while something still holds it", () => {
  const declared = new schema.Invalidate(User);
  assertEquals(denormalize(declared, "1", { User: {} }), undefined);
  assertEquals(denormalize(declared, "1", { User: { 1: { id: "1", name: "Ann" } } })!.name, "Ann");
});

Deno.test("deleting what is not there changes nothing and tells nobody", () => {
  const controller = new Controller();
  controller.setResponse(list, [{ id: "1" }]);
  const readers = [readerOf(controller, User, "9"), readerOf(controller, new schema.All(User))];
  controller.setResponse(remove, "9", "9");
  assertEquals(readers.map(({ told }) => told), [0, 0]);
});

class Note extends Entity {
  id = "";
  static key = "Note";
}
const either = new schema.Union({ user: User, note: Note }, "type");

/** Ways to declare a list of what is deleted. */
const LISTS: Record<string, Schema> = {
  "Invalidate of an array": new schema.Invalidate([User]),
  "array of Invalidate": [new schema.Invalidate(User)],
  "schema.Array of Invalidate": new schema.Array(new schema.Invalidate(User)),
};
for (const [name, declared] of Object.entries(LISTS)) {
  Deno.test(`${name} deletes each, objects and bare pks, and the call resolves with what it was given`, async () => {
    using controller = new Controller();
    controller.setResponse(list, ["1", "2", "3", "4"].map((id) => ({ id })));
    const reply = [{ id: "1", note: "x" }, 2, "3"];
    const archive = new Endpoint(async () => await Promise.resolve(reply), {
      name: "archive",
      schema: declared as typeof User,
      sideEffect: true,
    });
    assertStrictEquals(await controller.fetch(archive) as unknown, reply);
    assertEquals(controller.getResponse(list).data!.map(({ id }) => id), ["4"]);
    const { result, entities } = normalize({ all: [User], gone: declared as typeof User }, {
      all: [{ id: "1" }, { id: "4" }],
      gone: ["1", "9"],
    });
    assertEquals([result.gone as unknown, Object.keys(entities.User!)], [["1", "9"], ["4"]]);
  });

  Deno.test(`${name} is a typed error, and deletes nothing, when one of them names nothing or there is no array`, () => {
    const controller = new Controller();
    const archive = new Endpoint(async () => await Promise.resolve(), {
      name: "archive",
      schema: declared as typeof User,
      sideEffect: true,
    });
    controller.setResponse(list, [{ id: "1" }]);
    const before = stateOf(controller);
    for (const wrong of [["1", {}], ["1", ""], ["1", true], { id: "1" }, "1"]) {
      assertThrows(() => controller.setResponse(archive, wrong), NormalizeError);
      assertStrictEquals(stateOf(controller), before);
    }
  });
}

for (
  const [name, declared] of [
    ["a union", new schema.Invalidate(either)],
    ["a mapping", new schema.Invalidate({ user: User, note: Note }, "type")],
  ] as const
) {
  const drop = new Endpoint(async (value: unknown) => await Promise.resolve(value), {
    name: "drop",
    schema: declared,
    sideEffect: true,
  });

  Deno.test(`Invalidate of ${name} deletes from the table of the tag, and resolves with what it was given`, async () => {
    using controller = new Controller();
    controller.set(User, "1", { id: "1" });
    controller.set(Note, "1", { id: "1" });
    const value = { type: "note", id: "1" };
    assertStrictEquals(await controller.fetch(drop, value) as unknown, value);
    assertEquals([controller.get(User, "1")!.id, controller.get(Note, "1")], ["1", undefined]);
  });

  Deno.test(`Invalidate of ${name} leaves what is not mapped as it is`, async () => {
    using controller = new Controller();
    controller.set(Note, "1", { id: "1" });
    const value = { type: "ad", id: "1" };
    assertStrictEquals(await controller.fetch(drop, value) as unknown, value);
    assertEquals(controller.get(Note, "1")!.id, "1");
  });

  Deno.test(`Invalidate of ${name} is a typed error where nothing says what to delete`, () => {
    const controller = new Controller();
    controller.set(Note, "1", { id: "1" });
    const before = stateOf(controller);
    for (
      const wrong of ["1", 1, {}, { id: "1" }, [], { type: "note" }, { type: "note", id: "" }, { type: {}, id: "1" }]
    ) {
      assertThrows(() => controller.setResponse(drop, wrong, wrong), NormalizeError, "nothing to delete");
      assertStrictEquals(stateOf(controller), before);
    }
  });
}

Deno.test("Invalidate of an array of a union deletes each by its tag", () => {
  const controller = new Controller();
  controller.set(User, "1", { id: "1" });
  controller.set(Note, "1", { id: "1" });
  controller.set(Note, "2", { id: "2" });
  const purge = new Endpoint(async () => await Promise.resolve(), {
    name: "purge",
    schema: { gone: new schema.Invalidate([either]) },
    sideEffect: true,
  });
  controller.setResponse(purge, { gone: [{ type: "user", id: "1" }, { type: "note", id: "2" }] });
  assertEquals([controller.get(User, "1"), controller.get(Note, "1")!.id, controller.get(Note, "2")], [
    undefined,
    "1",
    undefined,
  ]);
});

Deno.test("what is hidden while a delete is pending is there again when it fails, in lists of a union, too", async () => {
  using controller = new Controller();
  const feed = new Endpoint(async () => await Promise.resolve([]), { name: "feed", schema: new schema.Array(either) });
  controller.setResponse(feed, [{ type: "user", id: "1" }, { type: "note", id: "1" }]);
  const before = controller.getResponse(feed).data!;
  const reply = Promise.withResolvers<unknown>();
  const drop = new Endpoint(async (_value: object) => await reply.promise, {
    name: "drop",
    schema: new schema.Invalidate(either),
    sideEffect: true,
    getOptimisticResponse: (_snapshot: unknown, value: object) => value,
  });
  const call = controller.fetch(drop, { type: "note", id: "1" });
  assertEquals(controller.getResponse(feed).data, [before[0]]);
  reply.reject(new Error("refused"));
  await assertRejects(() => call, Error, "refused");
  assertEquals(controller.getResponse(feed).data!.map(({ id }) => id), ["1", "1"]);
});

Deno.test("what Invalidate cannot be of is a typed error when it is declared", () => {
  for (
    const wrong of [{ user: User }, "User", null, undefined, [], [User, Note], [[User]], [{}], new schema.All(User)]
  ) {
    assertThrows(() => new schema.Invalidate(wrong as never), SchemaError);
  }
  assertThrows(
    () => new schema.Invalidate(User as never, "type"),
    SchemaError,
    'new schema.Invalidate({ article: Article }, "type")',
  );
});

Deno.test("a mutation that answers with nothing, where it is to say what is gone, is a typed error", async () => {
  class Person extends Entity {
    id = "";
    static key = "Person";
  }
  for (const nothing of [undefined, null]) {
    const remove = new Endpoint(async (_: { id: string }): Promise<unknown> => await Promise.resolve(nothing), {
      name: "remove",
      schema: new schema.Invalidate(Person),
      sideEffect: true,
    });
    const controller = new Controller();
    controller.set(Person, { id: "5" }, {});
    const error = await assertRejects(() => controller.fetch(remove, { id: "5" }), WriteError);
    assert((error.cause as Error).message.includes(`got ${nothing}`));
    assert(controller.get(Person, "5") !== undefined);
  }
});
