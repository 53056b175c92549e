// deno-lint-ignore-file no-explicit-any require-await
import { Controller, createResource, Endpoint, Entity, NormalizeError, ValidationError } from "@rejoin/data";
import { assert, assertStrictEquals } from "@std/assert";
import { assertRejected } from "../support/rejected.ts";
import { list, mount, test, tick, Todo, wiredFilms } from "../support/wired.ts";

test("rule 4: an equal record tells no reader, an equal member keeps its object; static merge and shouldUpdate are called", () => {
  const c: any = new Controller(), reader = mount(c, list);
  c.setResponse(list, [{ id: "1", meta: { a: [1] } }]);
  const { meta } = c.get(Todo, "1"), n = reader.count();
  c.setResponse(list, [{ id: "1", meta: { a: [1] } }]);
  assertStrictEquals(reader.count(), n);
  c.set(Todo, "1", { title: "x", meta: { a: [1] } });
  assertStrictEquals(c.get(Todo, "1").meta, meta);
  class Sum extends Entity {
    id = "";
    n = 0;
    static override key = "Sum";
    static override merge(a: any, b: any) {
      return { ...b, n: a.n + b.n };
    }
    static override shouldUpdate(_a: any, _b: any, _c: any, incoming: any) {
      return incoming.n > 0;
    }
  }
  c.set(Sum, "1", { n: 1 });
  c.set(Sum, "1", { n: 2 });
  c.set(Sum, "1", { n: -9 });
  assertStrictEquals(c.get(Sum, "1").n, 3);
});
test("rule 7: a reply that fails `validate` writes nothing, and the read rejects with a ValidationError", async () => {
  class Strict extends Entity {
    id = "";
    body = "";
    static override key = "Strict";
    static override validate(rec: any) {
      return !rec.body && "no body";
    }
  }
  const get: any = new Endpoint(async () => ({ id: "1" }), { name: "strict", schema: Strict }),
    c: any = new Controller();
  await assertRejected(c.fetch(get), ValidationError);
  assertStrictEquals(c.store.table("Strict").rows.get("1")?.rec, undefined);
  assert(c.getError(get) instanceof ValidationError);
});
test("rule 2: a read whose root entity has no pk rejects with an error that shows how to declare the envelope", async () => {
  const { R, c, calls } = wiredFilms(createResource), p = c.fetch(R.get, { id: "7" });
  calls[0].reply({ film: { id: "7" }, took: 3 });
  await assertRejected(
    p,
    (error: any) => error instanceof NormalizeError && error.code === 202 && /\{ film: Film \}/.test(error.message),
  );
  assertStrictEquals(c.getError(R.get, { id: "7" }).code, 202);
  c.fetch(R.get, { id: "8" });
  calls[1].reply(null);
  await tick();
  assertStrictEquals(c.getError(R.get, { id: "8" }), undefined);
});
