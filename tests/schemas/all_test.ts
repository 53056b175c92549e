import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, denormalize, Endpoint, Entity, normalize, Query, schema } from "@rejoin/data";
import { entitiesOf, readerOf, readerOfResponse } from "./_reader.ts";

class User extends Entity {
  id = "";
  name = "";
  boss: User | undefined = undefined;
  static key = "User";
  static schema: { boss: typeof User };
}
User.schema = { boss: User };

const all = new schema.All(User);
const getAll = new Endpoint(async () => await Promise.resolve([]), { name: "getAll", schema: all });
const getPage = new Endpoint(async () => await Promise.resolve({}), {
  name: "getPage",
  schema: { users: all, next: "" },
});
const remove = new Endpoint(async (id: string) => await Promise.resolve(id), {
  name: "remove",
  schema: new schema.Invalidate(User),
  sideEffect: true,
});
const ids = (users: readonly User[] | undefined) => users?.map(({ id }) => id);

Deno.test("All is undefined until a record or an empty list of its entity arrives, and an array from then on", () => {
  for (const known of [() => [getAll, []] as const, () => [getPage, { users: [] }] as const]) {
    const controller = new Controller();
    assertEquals(controller.get(all), undefined);
    const reader = readerOf(controller, all);
    const [endpoint, body] = known();
    controller.setResponse(endpoint, body);
    assertEquals([reader.value, reader.told], [[], 1]);
    controller.setResponse(endpoint, body);
    assertEquals([reader.value, reader.told], [[], 1]);
  }
});

Deno.test("All is an empty array after the last record is deleted, and undefined after a reset", () => {
  const controller = new Controller();
  controller.setResponse(getAll, [{ id: "1" }]);
  controller.setResponse(remove, "1", "1");
  assertEquals(controller.get(all), []);
  controller.resetEntireStore();
  assertEquals(controller.get(all), undefined);
  controller.setResponse(getAll, [{ id: "2" }]);
  assertEquals(ids(controller.get(all)), ["2"]);
});

Deno.test("All is in order of first arrival, also for pks like integers and for nested records", () => {
  const controller = new Controller();
  controller.setResponse(getAll, [{ id: "10", boss: { id: "2" } }, { id: "b" }, { id: "1" }]);
  controller.set(User, "0", { id: "0" });
  controller.setResponse(getAll, [{ id: "3" }, { id: "1", name: "again" }, { id: "b" }]);
  assertEquals(ids(controller.get(all)), ["10", "2", "b", "1", "0", "3"]);
  assertEquals(ids(controller.getResponse(getAll).data), ["10", "2", "b", "1", "0", "3"]);
});

Deno.test("All of plain tables has their order, whatever was read before it", () => {
  const { entities } = normalize([User], [{ id: "a" }, { id: "b" }]);
  assertEquals(ids(denormalize({ last: User, all }, { last: "b", all: "" }, entities)!.all), ["a", "b"]);
});

Deno.test("a record that was looked for early is listed by its arrival, not by that read", () => {
  const controller = new Controller();
  const waiting = readerOf(controller, User, "5");
  const members = readerOf(controller, all);
  controller.setResponse(getAll, [{ id: "9" }, { id: "7", boss: "5" }]);
  controller.get(User, "3");
  assertEquals(ids(members.value), ["9", "7"]);
  controller.set(User, "3", { id: "3" });
  controller.setResponse(getAll, [{ id: "1" }, { id: "5" }]);
  assertEquals(ids(members.value), ["9", "7", "3", "1", "5"]);
  assertStrictEquals(members.value!.at(-1), waiting.value);
  assertStrictEquals(members.value![1]!.boss, waiting.value);
});

Deno.test("a deleted record that arrives again is listed last", () => {
  const controller = new Controller();
  controller.setResponse(getAll, [{ id: "1" }, { id: "2" }, { id: "3" }]);
  const reader = readerOf(controller, all);
  controller.setResponse(remove, "2", "2");
  assertEquals(ids(reader.value), ["1", "3"]);
  controller.set(User, "4", { id: "4" });
  controller.set(User, "2", { id: "2" });
  assertEquals(ids(reader.value), ["1", "3", "4", "2"]);
  assertEquals(reader.told, 3);
});

Deno.test("All includes records of every write, keeps the other instances, and tells readers only of changes", () => {
  const controller = new Controller();
  controller.setResponse(getAll, [{ id: "1" }, { id: "2" }]);
  const reader = readerOf(controller, all);
  const response = readerOfResponse(controller, getAll);
  const before = reader.value;
  controller.set(User, "3", { id: "3" });
  assertEquals(ids(reader.value), ["1", "2", "3"]);
  assertStrictEquals(response.value, reader.value);
  reader.value.slice(0, 2).forEach((user: User, index: number) => assertStrictEquals(user, before[index]));
  const grown = reader.value;
  controller.set(User, "3", { id: "3" });
  controller.setResponse(getAll, [{ id: "3" }]);
  controller.get(User, "unknown");
  assertStrictEquals(reader.value, grown);
  assertEquals([reader.told, response.told], [1, 1]);
});

Deno.test("All leaves out invalid records, and lists them by arrival once they are valid", () => {
  class Named extends User {
    static override validate(record: { name?: string }) {
      return !record.name;
    }
  }
  const controller = new Controller();
  const named = new schema.All(Named);
  controller.setResponse(getAll, [{ id: "1", name: "a" }, { id: "2" }, { id: "3", name: "c" }]);
  const reader = readerOf(controller, named);
  assertEquals(ids(reader.value), ["1", "3"]);
  controller.set(User, "2", { id: "2", name: "b" });
  assertEquals([ids(reader.value), ids(controller.get(all))], [["1", "2", "3"], ["1", "2", "3"]]);
});

Deno.test("All shows the record of an optimistic create, and its place stays when the reply comes", async () => {
  using controller = new Controller();
  controller.setResponse(getAll, [{ id: "1" }, { id: "2" }]);
  const reader = readerOf(controller, all);
  const pending = Promise.withResolvers<unknown>();
  const create = new Endpoint(async (_body: object) => await pending.promise, {
    name: "create",
    schema: User,
    sideEffect: true,
    getOptimisticResponse: (_snapshot: unknown, body: object) => body,
  });
  const call = controller.fetch(create, { id: "3", name: "soon" });
  assertEquals(reader.value.map(({ id, name }: User) => [id, name]), [["1", ""], ["2", ""], ["3", "soon"]]);
  pending.resolve({ id: "3", name: "now" });
  await call;
  assertEquals(reader.value.map(({ id, name }: User) => [id, name]), [["1", ""], ["2", ""], ["3", "now"]]);
});

Deno.test("All and a Query of it read the whole table as parts of a reply, too", () => {
  const controller = new Controller();
  const names = new Query(all, (users) => users.map(({ name }) => name));
  const endpoint = new Endpoint(async () => await Promise.resolve({}), {
    name: "both",
    schema: { users: all, names, next: "" },
  });
  const direct = new Endpoint(async () => await Promise.resolve({}), { name: "names", schema: names });
  controller.setResponse(endpoint, { users: [{ id: "1", name: "a" }], names: [{ id: "2", name: "b" }], next: "x" });
  controller.setResponse(direct, [{ id: "3", name: "c" }]);
  const data = controller.getResponse(endpoint).data!;
  assertEquals([ids(data.users), data.names, data.next], [["1", "2", "3"], ["a", "b", "c"], "x"]);
  assertEquals(controller.getResponse(direct).data, ["a", "b", "c"]);
  controller.set(User, "4", { id: "4", name: "d" });
  assertEquals(controller.getResponse(endpoint).data!.names, ["a", "b", "c", "d"]);
  assertEquals(controller.getResponse(direct).data, ["a", "b", "c", "d"]);
});

class Bot extends Entity {
  id = "";
  static key = "Bot";
}
const everybody = new schema.All({ user: User, bot: Bot }, "type");
const getEverybody = new Endpoint(async () => await Promise.resolve([]), { name: "getEverybody", schema: everybody });
const user = (id: string) => ({ type: "user", id });
const bot = (id: string) => ({ type: "bot", id });
const namesOf = (list: readonly object[] | undefined) =>
  list?.map((one) => `${one.constructor.name} ${(one as User).id}`);

Deno.test("All of several entities is undefined until one of their tables is known; unknown ones count as empty", () => {
  const controller = new Controller();
  assertEquals(controller.get(everybody), undefined);
  controller.set(Bot, "1", { id: "1" });
  assertEquals(namesOf(controller.get(everybody)), ["Bot 1"]);
  const empty = new Controller();
  empty.setResponse(getEverybody, []);
  assertEquals([empty.get(everybody), empty.get(all)], [[], []]);
  empty.resetEntireStore();
  assertEquals(empty.get(everybody), undefined);
});

Deno.test("All returns items with an unmapped tag unchanged, after the entities, and only to the endpoint that received them", () => {
  const ad = { type: "ad", id: "1", text: "Buy" };
  const controller = new Controller();
  const reader = readerOfResponse(controller, getEverybody);
  controller.setResponse(getEverybody, [ad, user("1"), "text", bot("1")]);
  assertEquals(namesOf(reader.value.slice(0, 2) as object[]), ["User 1", "Bot 1"]);
  assertEquals(reader.value.slice(2), [ad, "text"]);
  assertStrictEquals(reader.value[2], ad);
  assertEquals(namesOf(controller.get(everybody)), ["User 1", "Bot 1"]);
  assertEquals(Object.keys(entitiesOf(controller)), ["User", "Bot"]);
  controller.set(Bot, "2", { id: "2" });
  assertEquals([namesOf(reader.value.slice(0, 3) as object[]), reader.value[3]], [["User 1", "Bot 1", "Bot 2"], ad]);
  const told = reader.told;
  controller.setResponse(getEverybody, [user("1"), { ...ad }, "text"]);
  assertEquals(reader.told, told);
  const { result, entities } = normalize(everybody, [ad, user("1")]);
  const read = denormalize(everybody, result, entities) as unknown[];
  assertEquals([result as unknown, namesOf([read[0] as User]), read[1]], [[ad], ["User 1"], ad]);
});

Deno.test("All lists a table once if two tags map to it", () => {
  class Admin extends User {}
  const controller = new Controller();
  const declared = new schema.All({ user: User, admin: Admin, person: User }, "type");
  controller.set(User, "1", { id: "1" });
  assertEquals(ids(controller.get(declared)), ["1"]);
});

Deno.test("All and a Query of several entities are read inside a literal object, without a reply", () => {
  const both = { people: everybody, again: new Query(everybody, (people) => people.length) };
  const controller = new Controller();
  controller.set(Bot, "1", { id: "1" });
  controller.set(User, "1", { id: "1" });
  const read = controller.get(both)!;
  assertEquals([namesOf(read.people), read.again], [["User 1", "Bot 1"], 2]);
});

Deno.test("a shorter list in the reply of an All removes no record from the table", () => {
  const rows = new Endpoint(async () => await Promise.resolve([]), {
    name: "rows",
    schema: [{ everyone: all, some: [User] }],
  });
  const controller = new Controller();
  const read = () => controller.getResponse(rows).data?.map(({ everyone, some }) => [ids(everyone), ids(some)]);
  const [ann, bo] = [{ id: "1" }, { id: "2" }];
  controller.setResponse(rows, [{ everyone: [ann, bo], some: null }, { everyone: [], some: [bo] }]);
  assertEquals(read(), [[["1", "2"], undefined], [["1", "2"], ["2"]]]);
  controller.setResponse(rows, [{ everyone: [], some: [ann] }, { everyone: [], some: [bo] }]);
  assertEquals(read(), [[["1", "2"], ["1"]], [["1", "2"], ["2"]]]);
  assertEquals(ids(controller.get(all)), ["1", "2"]);
});
