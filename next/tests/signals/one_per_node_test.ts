// deno-lint-ignore-file no-explicit-any
import { effect } from "@preact/signals-core";
import { Controller, Entity } from "@rejoin/data";
import { signalOf } from "@rejoin/data/signals";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { test } from "../support/wired.ts";

class Item extends Entity {
  id = "";
  title = "";
  list = "";
  static override key = "Item";
}
test("signals: one per node, told of changes and of a reset", () => {
  const c: any = new Controller(), seen: any[] = [], one = signalOf(c, Item, { id: "1" });
  assertStrictEquals(one, signalOf(c, Item, { id: "1" }));
  const stop = effect(() => void seen.push(one.value?.title));
  c.set(Item, "1", { title: "a" });
  c.set(Item, "2", { title: "x" });
  c.resetEntireStore();
  c.set(Item, "1", { title: "b" });
  stop();
  c.set(Item, "1", { title: "c" });
  assertEquals(seen, [undefined, "a", undefined, "b"]);
});
