// deno-lint-ignore-file no-explicit-any require-await
import { createResource, Endpoint, resource } from "@rejoin/data";
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { Film, fresh, ids, Person, test, Todo, wired, wiredFilms } from "../support/wired.ts";

test("rule 19: what is written is { ...body, ...reply }; empty replies are stale; a create without pk writes nothing", async () => {
  const { R, c, calls, go } = wired();
  c.setResponse(R.get, { id: "1" }, { id: "1", title: "a" });
  let p = c.fetch(R.partialUpdate, { id: "1" }, { title: "b", secret: 1 });
  await go(calls[0], { id: "1", done: true });
  await p;
  assertEquals([c.get(Todo, "1").title, c.get(Todo, "1").done, c.get(Todo, "1").secret], ["b", true, undefined]);
  assertStrictEquals(c.getResponse(R.get, { id: "1" }).expiresAt, 0);
  p = c.fetch(R.update, { id: "1" }, { title: "c" });
  await go(calls[1], null);
  await p;
  assertStrictEquals(c.get(Todo, "1").title, "c");
  assertStrictEquals(c.getResponse(R.get, { id: "1" }).expiresAt, 0);
  c.setResponse(R.getList, [{ id: "1" }]);
  p = c.fetch(R.create, { title: "n" });
  await go(calls[2], {});
  await p;
  assertEquals(ids(c.getResponse(R.getList).data), ["1"]);
  assertStrictEquals(c.getResponse(R.getList).expiresAt, 0);
});
test("rule 19: what was shown stays until the server says more, then the record is stale", async () => {
  const { R, c, calls, go } = wiredFilms(createResource);
  c.setResponse(R.get, { id: "1" }, { id: "1", title: "a", director: { id: "p", name: "P" } });
  c.set(Person, "q", { name: "Q" });
  const move = R.update.extend({
      getOptimisticResponse: (_: any, { id }: any, body: any) => ({ id, director: body.by }),
    }),
    seen = () => c.get(Film, "1").director.name,
    p = c.fetch(move, { id: "1" }, { by: "q" });
  assertStrictEquals(seen(), "Q");
  await go(calls[0], { id: "1" });
  await p;
  assertStrictEquals(seen(), "Q");
  assert(!fresh(c, R.get, { id: "1" }));
  const q = c.fetch(R.update, { id: "1" }, { title: "b" });
  await go(calls[1], { id: "1", title: "B", year: 4 });
  await q;
  assertStrictEquals(c.get(Film, "1").title, "B");
});
test("rules 20, 21: `me` is the record that get shows: update, optimism, empty reply, delete", async () => {
  const { R, c, calls, go, refuse } = wiredFilms(resource, { optimistic: true }),
    me = { id: "me" },
    title = () => c.getResponse(R.get, me).data?.title;
  c.fetch(R.get, me);
  await go(calls[0], { id: "5", title: "a" });
  let p = c.fetch(R.partialUpdate, me, { title: "b" });
  assertStrictEquals(title(), "b");
  await go(calls[1], null);
  await p;
  assertStrictEquals(title(), "b");
  assertStrictEquals(c.get(Film, "5").id, "5");
  assertStrictEquals(c.get(Film, "me"), undefined);
  assert(!fresh(c, R.get, me));
  p = c.fetch(R.delete, me);
  p.catch(() => {});
  assertStrictEquals(title(), undefined);
  await refuse(calls[2], 403);
  assertStrictEquals(title(), "b");
  p = c.fetch(R.delete, me);
  await go(calls[3], {});
  await p;
  assertStrictEquals(c.get(Film, "5"), undefined);
});
test("rule 22: expires is an option of every endpoint", async () => {
  const { R, c } = wiredFilms();
  c.setResponse(R.getList, []);
  const rate: any = new Endpoint(
    async () => ({ ok: true }),
    {
      name: "rate",
      sideEffect: true,
      expires: ([film]: any, reply: any) => reply.ok && film === 7 ? [R.getList] : [],
    } as any,
  );
  await c.fetch(rate, 6);
  assert(fresh(c, R.getList));
  await c.fetch(rate, 7);
  assert(!fresh(c, R.getList));
});
test("rule 23: after an unknown outcome, 404, 410, 412 the record is stale; after another refusal it is not", async () => {
  for (
    const [status, isFresh] of [[undefined, false], [502, false], [404, false], [410, false], [412, false], [
      409,
      true,
    ]] as const
  ) {
    const { R, c, calls, refuse } = wiredFilms();
    c.setResponse(R.get, { id: "1" }, { id: "1" });
    c.fetch(R.update, { id: "1" }, { title: "x" }).catch(() => {});
    await refuse(calls[0], status);
    assertStrictEquals(fresh(c, R.get, { id: "1" }), isFresh, `${status}`);
  }
});
