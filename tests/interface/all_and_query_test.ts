/** The sections "schema.All" and "Query" of the declared interface. */
import { assertEquals } from "@std/assert";
import { Controller, createResource, Entity, Query, RestEndpoint, schema } from "@rejoin/data";
import { serve } from "../support/api.ts";

class User extends Entity {
  id = "";
  name = "";
  isAdmin = false;
  static override key = "User";
}
class Todo extends Entity {
  id = "";
  userId = User.fromJS();
  static override key = "Todo";
  static override schema = { userId: User };
}
class Cat extends Entity {
  id = "";
  type = "cat";
  static override key = "Cat";
}
class Dog extends Entity {
  id = "";
  type = "dog";
  static override key = "Dog";
}
const users = [{ id: "1", name: "Zoe", isAdmin: true }, { id: "2", name: "Ann", isAdmin: false }];
const userServer = () =>
  serve(({ method, body }) => method === "POST" ? { id: "3", isAdmin: false, ...JSON.parse(body) } : users);
const resourceAt = (urlPrefix: string) => createResource({ urlPrefix, path: "/users/:id", schema: User });

Deno.test("schema.All: every entity of the type; what is created appears in it", async () => {
  await using api = userServer();
  const base = resourceAt(api.urlPrefix),
    R = { ...base, getList: base.getList.extend({ schema: new schema.All(User) }) };
  using controller = new Controller();
  await controller.fetch(R.getList);
  await controller.fetch(R.create, { name: "Bo" });
  assertEquals(controller.getResponse(R.getList).data?.map(({ name }) => name), ["Zoe", "Ann", "Bo"]);
});
Deno.test("schema.All: a mapping picks the entity by an attribute; what has no mapping is unchanged and no entity", () => {
  const pets = new schema.All({ cat: Cat, dog: Dog }, "type");
  const getPets = new RestEndpoint({
    urlPrefix: "https://a.test",
    path: "/pets",
    schema: [new schema.Union({ cat: Cat, dog: Dog }, "type")],
  });
  const controller = new Controller();
  controller.setResponse(getPets, [{ id: "1", type: "cat" }, { id: "2", type: "dog" }, { id: "3", type: "cow" }]);
  assertEquals(controller.get(pets)?.map((pet) => pet.constructor), [Cat, Dog]);
  assertEquals(controller.getResponse(getPets).data?.[2] as unknown, { id: "3", type: "cow" });
});
Deno.test("schema.All: schemaAttribute may be a function (value, parent, key)", () => {
  const pets = new schema.All({ c: Cat, d: Dog }, ({ id }, { kinds }, key) => kinds[key + id]);
  const getPets = new RestEndpoint({ urlPrefix: "https://a.test", path: "/pets", schema: { pets } });
  const controller = new Controller();
  controller.setResponse(getPets, { kinds: { pets1: "c", pets2: "d" }, pets: [{ id: "1" }, { id: "2" }] });
  assertEquals(controller.getResponse(getPets).data?.pets?.map((pet) => pet.constructor), [Cat, Dog]);
});
Deno.test("schema.All: define merges into the definition", () => {
  // deno-lint-ignore no-explicit-any -- it grows
  const pets: any = new schema.All({ cat: Cat } as any, "type");
  pets.define({ dog: Dog });
  const controller = new Controller();
  for (const E of [Cat, Dog]) controller.set(E, { id: "2" }, { id: "2" });
  assertEquals(controller.get(pets).map((pet: object) => pet.constructor), [Cat, Dog]);
});

const sorted = new Query(
  new schema.All(User),
  (entries, { asc = true, isAdmin }: { asc?: boolean; isAdmin?: boolean } = {}) => {
    const found = entries.filter((user) => isAdmin === undefined || user.isAdmin === isAdmin);
    found.sort((a, b) => a.name.localeCompare(b.name));
    return asc ? found : found.reverse();
  },
);
Deno.test("Query: undefined while the cache holds nothing; process sorts and filters by its arguments", async () => {
  await using api = userServer();
  using controller = new Controller();
  const names = (...args: [{ asc?: boolean; isAdmin?: boolean }?]) =>
    controller.getResponse(sorted, ...args).data?.map(({ name }) => name);
  assertEquals(names(), undefined);
  await controller.fetch(resourceAt(api.urlPrefix).getList);
  assertEquals([names(), names({ asc: false }), names({ isAdmin: true })], [["Ann", "Zoe"], ["Zoe", "Ann"], ["Zoe"]]);
});
Deno.test("Query: client-side joins: a flat reference is rejoined, and process filters on its pk", () => {
  const controller = new Controller();
  controller.set(User, { id: "1" }, { id: "1", name: "Ann" });
  for (const [id, userId] of [["a", "1"], ["b", "2"]] as const) controller.set(Todo, { id }, { id, userId });
  const ofUser = new Query(
    new schema.All(Todo),
    (todos, { userId }: { userId: string }) => todos.filter((todo) => todo.userId?.pk() === userId),
  );
  const found = controller.getResponse(ofUser, { userId: "1" }).data;
  assertEquals(found?.map(({ id, userId }) => [id, userId.name]), [["a", "Ann"]]);
});
