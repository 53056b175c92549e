// deno-lint-ignore-file no-explicit-any require-await
import {
  All,
  Controller,
  createResource,
  denormalize,
  Endpoint,
  Entity,
  normalize,
  NormalizeError,
  Query,
  schema,
  ValidationError,
} from "@rejoin/data";
import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import { assertRejected, assertThrown } from "../support/rejected.ts";
import { Film, ids, list, mount, test, tick, Todo, User, wiredFilms } from "../support/wired.ts";

test("rule 1: instances are real; prototype names and __proto__ stay in the record", () => {
  class A extends Entity {
    id = "";
    get upper() {
      return "U";
    }
    static override key = "A1";
  }
  const { result, entities } = normalize(A, JSON.parse('{"id":"1","pk":"x","upper":"y","__proto__":{"z":1},"more":1}'));
  const a: any = denormalize(A, result as any, entities);
  assert(
    (a as object) instanceof A && a.upper === "U" && a.more === 1 && a.z === undefined && typeof a.pk === "function",
  );
  assertEquals(Object.keys(entities.A1!["1"]!).sort(), ["__proto__", "id", "more", "pk", "upper"]);
});
test("rule 2: a pk is text; without one the value is kept in place", () => {
  const c: any = new Controller();
  c.setResponse(list, [{ id: 1, title: "a" }, { title: "none" }, { id: 2n }]);
  assertStrictEquals(c.get(Todo, "1"), c.get(Todo, { id: 1 }));
  assertStrictEquals(c.getResponse(list).data[1].title, "none");
  assert(c.get(Todo, "2"));
  assertStrictEquals(c.store.table("Todo").rows.size, 2);
});
test("rule 3: classes of one key are one record, an instance each; the key defaults to the name", () => {
  class Short extends Entity {
    id = "";
    title = "";
    static override key = "Todo";
  }
  const c: any = new Controller();
  c.set(Todo, "1", { id: "1", title: "a" });
  assert(c.get(Short, "1") instanceof Short);
  assertStrictEquals(c.get(Short, "1").title, "a");
  class Plain extends Entity {
    id = "";
  }
  assertStrictEquals(Plain.key, "Plain");
});
test("rule 4: an equal record tells nobody, equal members keep their reference; own merge", () => {
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
test("rules 5, 6: a missing reference reads as the default, in lists it is left out; null is data", () => {
  const c: any = new Controller();
  c.set(Todo, "1", { user: "9", tags: ["8", { id: "7" }] });
  const todo = c.get(Todo, "1");
  assert(todo.user instanceof User && todo.user.id === "");
  assertEquals(ids(todo.tags), ["7"]);
  c.set(Todo, "1", { user: null });
  assertStrictEquals(c.get(Todo, "1").user, null);
});
test("rule 7: an invalid reply of a read writes nothing and rejects", async () => {
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
test("rule 8: Date: the same object while the stored value is the same", () => {
  const c: any = new Controller();
  c.set(Todo, "1", { at: "2020-01-01T00:00:00Z" });
  const { at } = c.get(Todo, "1");
  assert(at instanceof Date);
  c.set(Todo, "1", { title: "x" });
  assertStrictEquals(c.get(Todo, "1").at, at);
  c.set(Todo, "1", { at: "2021-01-01T00:00:00Z" });
  assertNotStrictEquals(c.get(Todo, "1").at, at);
});
test("rule 9: cycles, and 100,000 levels", () => {
  class N extends Entity {
    id = "";
    next: any = undefined;
    static override key = "N";
    static override schema: any = {};
  }
  N.schema = { next: N };
  let deep: any = { id: "0" };
  for (let i = 1; i < 1e5; i++) deep = { id: `${i}`, next: deep };
  const { result, entities } = normalize(N, deep);
  let node: any = denormalize(N, result, entities), n = 0;
  while (node.next) {
    node = node.next;
    n++;
  }
  assertStrictEquals(n, 99999);
  const c: any = new Controller(), get: any = new Endpoint(async () => deep, { name: "deep", schema: N });
  c.setResponse(get, deep);
  const before = c.getResponse(get).data;
  c.set(N, "0", { x: 1 });
  assertNotStrictEquals(c.getResponse(get).data, before);
});
test("rule 28: All: in order of arrival; undefined until something was written or asked", () => {
  const c: any = new Controller(), all = new All(Todo);
  assertStrictEquals(c.get(all), undefined);
  c.setResponse(list, []);
  assertEquals(c.get(all), []);
  c.setResponse(list, [{ id: "2" }, { id: "1" }]);
  assertEquals(ids(c.get(all)), ["2", "1"]);
});
test("rule 28: Query: same inputs, same result object; Union, Values, Lazy", () => {
  const c: any = new Controller(),
    q = new Query(new All(Todo), (all: any, { done }: any = {}) => all.filter((t: any) => t.done === done));
  c.set(Todo, "1", { done: true });
  const before = c.get(q, { done: true });
  assertEquals(ids(before), ["1"]);
  c.set(Todo, "2", { done: false });
  assertStrictEquals(c.get(q, { done: true }), before);
  const union = new schema.Union({ todo: Todo, user: User }, "type"),
    e: any = new Endpoint(async () => 0 as any, {
      name: "u",
      schema: { items: [union], map: new schema.Values(User), lazy: new schema.Lazy([User]) } as any,
    });
  c.setResponse(e, {
    items: [{ type: "user", id: "1", name: "A" }, { type: "other", id: "2" }],
    map: { a: { id: "3" } },
    lazy: [{ id: "4" }],
  });
  const { data } = c.getResponse(e);
  assert(data.items[0] instanceof User && data.map.a instanceof User);
  assertEquals(data.items[1], { type: "other", id: "2" });
  assertEquals(data.lazy, ["4"]);
  assertEquals(ids(c.get(e.schema.lazy.query, data.lazy)), ["4"]);
});
test("rule 2: the root of a read without pk is an error that shows the envelope", async () => {
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
test("rule 6: what can be no default is named where the schema is first used", () => {
  for (const bad of [[], new Date(), new Map()]) {
    assertThrown(() =>
      new Controller().getResponse(
        new Endpoint(async () => 0, { name: "bad", schema: { films: [Film], more: { last: bad } } as any }),
      ), /"last"/);
  }
});
