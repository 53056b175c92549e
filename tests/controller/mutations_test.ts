// deno-lint-ignore-file no-explicit-any require-await
import { createResource, Endpoint, WriteError } from "@rejoin/data";
import { assert, assertRejects, assertStrictEquals } from "@std/assert";
import { Film, fresh, Person, test, wiredFilms } from "../support/wired.ts";

test("rule 19: members that were shown stay if the reply lacks them, and the record is stale; a reply's member wins", async () => {
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
test("rules 14 and 22: a mutation whose `expires` gives no endpoint writes nothing, and the store works on", async () => {
  const { R, c } = wiredFilms();
  // In a circular import the endpoint may still be undefined.
  const add: any = new Endpoint(async (film: any) => await Promise.resolve(film), {
    name: "add",
    schema: Film,
    sideEffect: true,
    expires: () => [undefined],
  } as any);
  const throws = add.extend({ expires: (_args: any, reply: any) => reply.lists.map(String) });
  c.setResponse(R.getList, []);
  for (const one of [add, throws]) await assertRejects(() => c.fetch(one, { id: "1", title: "a" }), WriteError);
  assertStrictEquals(c.get(Film, "1"), undefined);
  c.set(Film, { id: "1" }, { id: "1", title: "b" });
  assertStrictEquals(c.get(Film, "1").title, "b");
});
