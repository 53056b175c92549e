import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, Entity } from "@rejoin/data";
import { watch } from "../../src/store/watch.ts";

class User extends Entity {
  id = "";
  name = "";
  seen = 0;
  pk() {
    return this.id;
  }
  static key = "User";
}

const getUsers = new Endpoint((): Promise<unknown> => Promise.resolve([]), { name: "getUsers", schema: [User] });

Deno.test("an equal refetch tells nobody when a response has a record twice, in two states", () => {
  const controller = new Controller();
  const { store } = controller;
  const body = () => [{ id: "1", name: "Ann" }, { id: "1", name: "Bo" }];
  controller.setResponse(getUsers, body());
  const before = controller.get(User, "1");
  assertEquals(before?.name, "Bo");
  let told = 0;
  const stop = watch(store, store.graph.query(User, ["1"]), () => told++);
  controller.setResponse(getUsers, body());
  stop();
  assertEquals(told, 0);
  assertStrictEquals(controller.get(User, "1"), before);
});

Deno.test("a NaN that stays NaN is no change", () => {
  const controller = new Controller();
  const { store } = controller;
  const getMean = new Endpoint((): Promise<number> => Promise.resolve(0), { name: "getMean" });
  controller.setResponse(getMean, NaN);
  let told = 0;
  const stop = watch(store, store.response(getMean, [], getMean.key()), () => told++);
  controller.setResponse(getMean, NaN);
  stop();
  assertEquals(told, 0);
});

Deno.test("endpoints with a declaration that contains itself are compared without end", () => {
  const tree = (): { user: typeof User; children: unknown[] } => {
    const made = { user: User, children: [] as unknown[] };
    made.children.push(made);
    return made;
  };
  const controller = new Controller();
  const answer = { user: { id: "1", name: "Ann" }, children: [{ user: "1", children: [] }] };
  for (const schema of [tree(), tree()]) {
    const getTree = new Endpoint((): Promise<unknown> => Promise.resolve(answer), {
      name: "getTree",
      schema: schema as never,
    });
    controller.setResponse(getTree, answer);
    assertEquals((controller.getResponse(getTree).data as { user: User }).user.name, "Ann");
  }
});
