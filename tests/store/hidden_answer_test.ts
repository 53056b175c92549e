import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, Entity, memory } from "@rejoin/data";
import { readerOfResponse } from "../contracts/reader.ts";
import { FakeClock } from "../support/clock.ts";
import { Wire } from "../support/wire.ts";

class Todo extends Entity {
  id = "";
  title = "";
  static key = "Todo";
}

for (const isList of [false, true]) {
  Deno.test(`a mounted ${isList ? "list" : "record"} that was hidden until memory was collected is shown when it comes again`, async () => {
    const clock = new FakeClock();
    using _ = clock.install();
    const wire = new Wire();
    const controller = new Controller({ use: [memory()] });
    const get = new Endpoint(wire.fn("get"), { name: "get", schema: isList ? [Todo] : Todo });
    const bodyOf = (title: string) => isList ? [{ id: "1", title }] : { id: "1", title };
    const reader = readerOfResponse<Todo | readonly Todo[] | undefined>(controller, get);
    const title = () => [reader.value].flat()[0]?.title;

    controller.fetch(get);
    await wire.last.reply(bodyOf("one"));
    assertEquals(title(), "one");
    controller.invalidate(get);
    // It is asked for in vain.
    controller.fetch(get);
    await wire.last.fail();
    for (let minute = 0; minute < 20; minute++) await clock.tickAsync(60_000);
    assertEquals([title(), controller.get(Todo, "1")], [undefined, undefined]);

    const { told } = reader;
    const again = controller.fetch(get);
    await wire.last.reply(bodyOf("two"));
    assertEquals([title(), reader.told], ["two", told + 1]);
    assertStrictEquals(await again, reader.value);
    reader.stop();
    controller.cleanup();
  });
}
