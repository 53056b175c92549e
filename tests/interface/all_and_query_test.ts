/** The section "schema.All" of the declared interface; the tests of schemas/ hold the rest. */
import { assertEquals } from "@std/assert";
import { Controller, Entity, RestEndpoint, schema } from "@rejoin/data";

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
