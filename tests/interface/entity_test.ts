/** The section "Entity" of the declared interface; the tests of schemas/ and normalize/ hold the rest. */
import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, createResource, Entity, validateRequired } from "@rejoin/data";
import { serve } from "../support/api.ts";

Deno.test("Entity: rules 3, 4: summary and detail share a key; validate with validateRequired makes a detail be fetched", async () => {
  await using api = serve(({ path }) =>
    path === "/films" ? [{ id: "1", title: "Alien" }] : { id: "1", title: "Alien", meta: { id: "m", views: 5 } }
  );
  class Meta extends Entity {
    id = "";
    views = 0;
    static override key = "Meta";
  }
  class Summary extends Entity {
    id = "";
    title = "";
    override pk() {
      return this.id;
    }
    static override key = "Film";
  }
  class Detail extends Summary {
    meta: Meta | undefined = undefined;
    static override schema = { meta: Meta };
    static override validate(record: Record<string, unknown>) {
      return validateRequired(record, this.defaults) || super.validate(record);
    }
  }
  const base = createResource({ urlPrefix: api.urlPrefix, path: "/films/:id", schema: Detail });
  const R = { ...base, getList: base.getList.extend({ schema: [Summary] }) };
  using controller = new Controller();
  const [summary] = await controller.fetch(R.getList);
  assertEquals(summary?.title, "Alien");
  assertEquals(controller.getResponse(R.get, { id: "1" }).data, undefined, "a summary does not satisfy a detail read");
  const detail = await controller.fetchIfStale(R.get, { id: "1" });
  assertEquals([detail.meta?.views, api.lines()], [5, ["GET /films", "GET /films/1"]]);
  assertStrictEquals(detail.meta, controller.get(Meta, "m"));
  assertEquals(controller.getResponse(R.getList).data?.[0]?.title, "Alien");
});
Deno.test("Entity: pk() that gives `${this.id}` of a record without id names none", async () => {
  class Todo extends Entity {
    id: number | undefined = undefined;
    title = "";
    static override key = "Todo";
    override pk() {
      return `${this.id}`;
    }
  }
  await using api = serve(({ method }) => method === "GET" ? [{ id: 1, title: "x" }] : { message: "saved" });
  const R = createResource({ urlPrefix: api.urlPrefix, path: "/todos/:id", schema: Todo });
  using controller = new Controller();
  await controller.fetch(R.getList);
  await controller.fetch(R.partialUpdate, { id: 1 }, { title: "new" });
  assertEquals([controller.get(Todo, 1)?.title, controller.get(Todo, "undefined")], ["new", undefined]);
});
