/** `Endpoint`: a function with a key, a schema and options. */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Endpoint, Entity } from "@rejoin/data";

class Film extends Entity {
  id = "";
  title = "";
  static override key = "Film";
}
const getFilm = new Endpoint(({ id }: { id: string }) => Promise.resolve({ id, title: "Alien" }), {
  name: "getFilm",
  schema: Film,
});

Deno.test("a call asks, and stores nothing; controller.fetch stores the answer", async () => {
  const c = new Controller();
  assertEquals(await getFilm({ id: "1" }), { id: "1", title: "Alien" });
  assertEquals(c.get(Film, { id: "1" }), undefined);
  assertStrictEquals(await c.fetch(getFilm, { id: "1" }), c.get(Film, { id: "1" }));
});
Deno.test("its name is the option, else that of the function; keys are the name and the arguments in any order", () => {
  async function getAll() {
    return await Promise.resolve([]);
  }
  assertEquals([getFilm.name, new Endpoint(getAll).name], ["getFilm", "getAll"]);
  const find = new Endpoint((_: { a: number; b: number }) => Promise.resolve(0), { name: "find" });
  assertEquals(find.key({ a: 1, b: 2 }), find.key({ b: 2, a: 1 }));
  assert(find.testKey(find.key({ a: 1, b: 2 })) && !find.testKey(getFilm.key({ id: "1" })));
});
Deno.test("extend makes a copy with other options, or another function; the original stays", async () => {
  const shout = getFilm.extend({
    dataExpiryLength: 5,
    fetch: async ({ id }: { id: string }) => await Promise.resolve({ id, title: "ALIEN" }),
  });
  assertEquals([(await shout({ id: "1" })).title, (await getFilm({ id: "1" })).title], ["ALIEN", "Alien"]);
  assertEquals([shout.dataExpiryLength, getFilm.dataExpiryLength], [5, undefined]);
  assertStrictEquals(shout.schema, Film);
});
Deno.test("in the function `this` is the endpoint, with its signal; members of the app stay", async () => {
  const get = new Endpoint(
    // deno-lint-ignore no-explicit-any -- the endpoint
    function (this: any) {
      return Promise.resolve([this.origin, this.signal instanceof AbortSignal]);
    },
    { name: "origin", origin: "https://a.test" },
  );
  assertEquals(await new Controller().fetch(get), ["https://a.test", true]);
  assertEquals(get.origin, "https://a.test");
});
Deno.test("it is a function: call and apply work", async () => {
  assert(typeof getFilm === "function" && getFilm instanceof Endpoint && getFilm instanceof Function);
  // deno-lint-ignore no-explicit-any -- what functions have
  assertEquals(await (getFilm as any).call(undefined, { id: "2" }), { id: "2", title: "Alien" });
});
