// deno-lint-ignore-file no-explicit-any
import { effect } from "@preact/signals-core";
import { Controller, Entity } from "@rejoin/data";
import { signalOf } from "@rejoin/data/signals";
import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { test } from "../support/wired.ts";

class Item extends Entity {
  id = "";
  title = "";
  list = "";
  static override key = "Item";
}
test("signals: one per node, told of changes and of a reset", () => {
  const c: any = new Controller(), seen: any[] = [], one = signalOf(c, Item, { id: "1" });
  const stop = effect(() => void seen.push(one.value?.title));
  assertStrictEquals(one, signalOf(c, Item, { id: "1" }));
  c.set(Item, "1", { title: "a" });
  c.set(Item, "2", { title: "x" });
  c.resetEntireStore();
  c.set(Item, "1", { title: "b" });
  stop();
  c.set(Item, "1", { title: "c" });
  assertEquals(seen, [undefined, "a", undefined, "b"]);
});
test("signals: who was told that reading threw is told of what mends it", () => {
  class Big extends Item {
    static override key = "Big";
    static override schema: any = { title: BigInt };
  }
  const c: any = new Controller(), seen: any[] = [], one: any = signalOf(c, Big, "1");
  c.set(Big, "1", { title: "1" });
  const stop = effect(() => {
    try {
      seen.push(one.value.title);
    } catch (error: any) {
      seen.push(error.name);
    }
  });
  c.set(Big, "1", { title: "x" });
  assertThrows(() => c.get(Big, "1"), SyntaxError);
  c.set(Big, "1", { title: "2" });
  assertEquals(seen, [1n, "SyntaxError", 2n]);
  stop();
});
