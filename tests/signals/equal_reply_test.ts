import { effect } from "@preact/signals-core";
import { Controller, Endpoint, Entity } from "@rejoin/data";
import { signalOf } from "@rejoin/data/signals";
import { assertEquals } from "@std/assert";
import { test } from "../support/wired.ts";

class User extends Entity {
  id = "";
  static override key = "User";
}
class Item extends Entity {
  id = "";
  title = "";
  user = User.fromJS();
  static override key = "Item";
  static override schema = { user: User };
}
test("rules 4, 14, 37: a reply that says what was shown already tells no reader", async () => {
  const controller = new Controller(), list = new Endpoint(() => Promise.resolve([]), { name: "list", schema: [Item] });
  const edit = new Endpoint((item: { id: string; title: string }) => Promise.resolve(item), {
    name: "edit",
    schema: Item,
    sideEffect: true,
    getOptimisticResponse: (_snapshot, item: { id: string; title: string }) => item,
  });
  controller.setResponse(list, [{ id: "1", title: "a", user: { id: "7" } }, { id: "2", title: "b" }] as never);
  const seen: string[] = [];
  const stops = [
    effect(() => void seen.push(`one ${signalOf(controller, Item, { id: "1" }).value?.title}`)),
    effect(() => void seen.push(`list ${signalOf(controller, list).value?.[0]?.title}`)),
  ];
  await controller.fetch(edit, { id: "1", title: "new" });
  for (const stop of stops) stop();
  assertEquals(seen.slice(2).toSorted(), ["list new", "one new"]);
});
