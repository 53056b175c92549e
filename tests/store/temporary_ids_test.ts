import "../support/fixed_names.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { effect } from "@preact/signals-core";
import { Endpoint, EndpointError, Entity, memory, retain, schema, temporaryIds } from "@rejoin/data";
import { PatientController as Controller } from "../support/patient_controller.ts";
import { readQuery } from "@rejoin/data/signals";
import { FakeClock, flush } from "../support/clock.ts";
import { Wire } from "../support/wire.ts";

class Todo extends Entity {
  id = "";
  title = "";
  static key = "Todo";
}

function start() {
  const wire = new Wire();
  const controller = new Controller({ use: [memory(), temporaryIds()] });
  const create = new Endpoint(wire.fn<[{ title: string }]>("create"), {
    name: "create",
    schema: Todo,
    sideEffect: true,
    getOptimisticResponse: (snapshot, body) => ({ id: snapshot.temporaryId(), ...body }),
  });
  const remove = new Endpoint(wire.fn<[{ id: string }]>("remove"), {
    name: "remove",
    schema: new schema.Invalidate(Todo),
    sideEffect: true,
    getOptimisticResponse: (_, params) => params,
  });
  const get = new Endpoint(wire.fn<[{ id: string }]>("get"), { name: "get", schema: Todo });
  return { wire, controller, create, remove, get };
}

Deno.test("who asked for a row under its temporary name while it was hidden sees it when that is refused", async () => {
  const { wire, controller, create, remove } = start();
  const made = controller.fetch(create, { title: "new" });
  const [creation] = wire.calls;
  const gone = controller.fetch(remove, { id: "~0000000000000000-1" });
  const seen: (string | undefined)[] = [];
  const stop = effect(() => {
    seen.push(readQuery(controller, Todo, "~0000000000000000-1")?.title);
  });
  await creation!.reply({ id: "4", title: "made" });
  await wire.last.fail(new Error("refused"));
  await Promise.allSettled([made, gone]);
  assertEquals([seen.at(-1), seen.filter((title) => title !== undefined)], ["made", ["made"]]);
  stop();
});

Deno.test("a temporary name of what was collected names nothing, and is never sent", async () => {
  const clock = new FakeClock();
  using _ = clock.install();
  const { wire, controller, create, remove, get } = start();
  const made = controller.fetch(create, { title: "new" });
  await wire.last.reply({ id: "4", title: "made" });
  await made;
  assertEquals(controller.get(Todo, "~0000000000000000-1")?.id, "4");
  // Somebody looks at something else: memory is collected from then on.
  const release = retain(controller, Todo, "another");
  await clock.tickAsync(3_600_000);
  assertEquals([controller.get(Todo, "~0000000000000000-1"), controller.get(Todo, "4")], [undefined, undefined]);
  const { length } = wire.calls;
  await assertRejects(
    () => controller.fetch(get, { id: "~0000000000000000-1" }),
    EndpointError,
    '"~0000000000000000-1"',
  );
  await assertRejects(
    () => controller.fetch(remove, { id: "~0000000000000000-1" }),
    EndpointError,
    '"~0000000000000000-1"',
  );
  await flush();
  assertEquals(wire.calls.length, length);
  release();
  controller.cleanup();
});
