import { mount, settled } from "../../support/dom.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { type Controller, Endpoint, Entity, latest, OvertakenError, serial } from "@rejoin/data";
import { DataProvider, useController, useQuery } from "@rejoin/data/preact";
import { Wire } from "../../support/wire.ts";

class Todo extends Entity {
  id = "";
  title = "";
  static key = "Todo";
}

for (const scope of [serial, latest]) {
  Deno.test(`14.5 ${scope.name}: what waits is sent when its component is gone, and is not when the provider is`, async () => {
    const wire = new Wire();
    const save = new Endpoint(wire.fn<[{ id: string }, object]>("save"), {
      name: "save",
      schema: Todo,
      sideEffect: true,
      method: "PATCH",
      scope: scope(({ id }: { id: string }) => id),
      getOptimisticResponse: (_: unknown, { id }: { id: string }, body: object) => ({ id, ...body }),
    });
    let controller: Controller;
    function Form() {
      controller = useController();
      return <p>{useQuery(Todo, { id: "5" })?.title}</p>;
    }
    const app = (isOpen: boolean) => <DataProvider>{isOpen ? <Form /> : <i />}</DataProvider>;
    const root = mount(app(true));
    controller!.set(Todo, { id: "5" }, { id: "5", title: "zero" });
    const calls = ["one", "two", "three"].map((title) => controller.fetch(save, { id: "5" }, { title }));
    for (const call of calls) call.catch(() => {});
    await settled();
    assertEquals(root.text, "three");
    root.render(app(false));
    await settled();
    await wire.last.reply({ id: "5", title: "one" });
    await settled();
    const titles = wire.calls.map(({ args }) => (args[1] as Todo).title);
    assertEquals(titles, scope === latest ? ["one", "three"] : ["one", "two"]);
    await root[Symbol.asyncDispose]();
    for (const call of calls.slice(1)) await assertRejects(() => call, OvertakenError, "was stopped");
    await wire.last.reply({ id: "5", title: "late" });
    assertEquals(wire.calls.length, 2);
  });
}
