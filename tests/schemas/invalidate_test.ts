import { assertEquals, assertThrows } from "@std/assert";
import { Controller, denormalize, Endpoint, Entity, normalize, NormalizeError, schema } from "@rejoin/data";
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
    assertEquals(Object.keys(controller.getState().entities.User!), ["2"]);
    const { result, entities } = normalize([User, new schema.Invalidate(User)][1]!, value);
    assertEquals([result, Object.keys(entities.User!)] as unknown[], ["1", []]);
  });
}

for (const value of ["", {}, { name: "x" }, { id: "" }, { id: null }, [], true, NaN]) {
  Deno.test(`Invalidate of ${JSON.stringify(value)} is a typed error, and nothing is deleted`, () => {
    const controller = new Controller();
    controller.setResponse(list, [{ id: "1" }]);
    const before = controller.getState();
    assertThrows(() => controller.setResponse(remove, value, value), NormalizeError, `"User"`);
    assertEquals(controller.getState(), before);
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
  assertEquals(Object.keys(controller.getState().entities.User!).sort(), ["2", "3"]);
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
