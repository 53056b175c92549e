import { assertEquals } from "@std/assert";
import { Controller, Endpoint, Entity, hydrate, onCommit, stateOf } from "@rejoin/data";

class Film extends Entity {
  id = "";
  static key = "Film";
}

Deno.test("a commit tells what an answer was before, also one of a hydrated store that nobody has read", () => {
  const list = new Endpoint(() => Promise.resolve([] as unknown), { name: "list", key: () => "list", schema: [Film] });
  const there = new Controller();
  there.setResponse(list, [{ id: "1" }]);
  const here = new Controller({ use: [hydrate(JSON.parse(JSON.stringify(stateOf(there))))] });
  const told: unknown[] = [];
  onCommit(here, ({ endpoints }) => told.push(...endpoints));
  here.expireAll({ testKey: (key) => key === "list" });
  here.setResponse(list, [{ id: "2" }]);
  assertEquals(told, [
    { key: "list", before: ["1"], after: ["1"] },
    { key: "list", before: ["1"], after: ["2"] },
  ]);
});
