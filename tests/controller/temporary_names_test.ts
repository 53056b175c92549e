/** What the server has named since is found by the name that it had before. */
import "../support/fixed_names.ts";
import { assertEquals } from "@std/assert";
import { Controller, Endpoint, Entity, temporaryIds } from "@rejoin/data";
import { Wire } from "../support/wire.ts";

class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
}

Deno.test("invalidate, setError and setResponse reach what a temporary name has become, also in flight", async () => {
  const wire = new Wire();
  const create = new Endpoint(async () => await Promise.resolve({ id: "42", title: "new" }), {
    name: "create",
    schema: Article,
    sideEffect: true,
    getOptimisticResponse: (snapshot) => ({ id: snapshot.temporaryId(), title: "new" }),
  });
  const get = new Endpoint(wire.fn<[{ id: string }]>("get"), { name: "get", schema: Article });
  const controller = new Controller({ use: [temporaryIds()] });
  await controller.fetch(create);
  const old = { id: "~0000000000000000-1" };
  const asked = controller.fetch(get, { id: "42" });
  controller.invalidate(get, old);
  assertEquals(wire.calls.length, 2, "it started anew");
  await wire.last.reply({ id: "42", title: "got" });
  await asked;
  controller.invalidate(get, old);
  assertEquals(controller.getResponse(get, { id: "42" }).expiryStatus, 1);
  controller.setError(get, old, new Error("x"));
  assertEquals((controller.getError(get, { id: "42" }) as Error).message, "x");
  controller.setResponse(get, old, { id: "42", title: "set" });
  const { data, expiresAt } = controller.getResponse(get, { id: "42" });
  assertEquals([data?.title, expiresAt > 0], ["set", true]);
});
