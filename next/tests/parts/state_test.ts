// deno-lint-ignore-file no-explicit-any
import { Controller, hydrate, stateOf } from "@rejoin/data";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { ids, test, Todo, wired } from "../support/wired.ts";

test("state: a store begins with the state of another", () => {
  const { R, c } = wired();
  c.setResponse(R.getList, { q: "x" }, [{ id: "1", title: "a" }]);
  const state = JSON.parse(JSON.stringify(stateOf(c))), d: any = new Controller({ use: [hydrate(state)] });
  assertStrictEquals(d.get(Todo, "1").title, "a");
  assertEquals(ids(d.getResponse(R.getList, { q: "x" }).data), ["1"]);
});
