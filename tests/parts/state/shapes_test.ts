import { assertEquals } from "@std/assert";
import { Controller, Endpoint, Entity, stateOf } from "@rejoin/data";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}
const options = { name: "getUser", key: () => "user 1" };
const plain = new Endpoint((): Promise<unknown> => Promise.reject(), options);
const joined = new Endpoint((): Promise<unknown> => Promise.reject(), { ...options, schema: User });

Deno.test("the state of a key with two shapes has the answer of the one that was answered", () => {
  using controller = new Controller();
  controller.invalidate(plain);
  controller.setResponse(joined, { id: "1", name: "Ann" });
  const { endpoints, meta } = stateOf(controller);
  assertEquals(endpoints["user 1"], "1");
  assertEquals("invalid" in meta["user 1"]!, false);
  // Of two answers it is the first.
  controller.setResponse(plain, "text");
  assertEquals(stateOf(controller).endpoints["user 1"], "text");
});
