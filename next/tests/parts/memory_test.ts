// deno-lint-ignore-file no-explicit-any
import { Controller, memory } from "@rejoin/data";
import { assert, assertStrictEquals } from "@std/assert";
import { sweep } from "../../src/parts/memory.ts";
import { list, mount, test, Todo } from "../support/wired.ts";

test("rule 39: what nothing read and nothing kept refers to is removed", () => {
  const c: any = new Controller({ use: [memory()] });
  c.setResponse(list, [{ id: "1", user: { id: "u" } }]);
  c.set(Todo, "2", { title: "x" });
  const reader = mount(c, list);
  for (let i = 0; i < 4; i++) [...sweep(c.store)];
  assertStrictEquals(c.get(Todo, "2"), undefined);
  assertStrictEquals(reader.data[0].user.id, "u");
  assert(c.store.table("User").rows.has("u"));
  reader.stop();
  for (let i = 0; i < 4; i++) [...sweep(c.store)];
  assertStrictEquals(c.store.table("User").rows.size, 0);
  c.cleanup();
});
