/**
 * Cases 1, 2, 3 and 5: reads with different arguments have different answers, and a body names no list. More of them
 * are in tests/rest/resource_test.ts.
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  Controller,
  Endpoint,
  Entity,
  resource,
  RestEndpoint,
  type RestGenerics,
  schema,
  typed,
  Union,
} from "@rejoin/data";
import { serve } from "../support/api.ts";

class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}
class Person extends Entity {
  id = "";
  static key = "Person";
}
const film = (id: string) => ({ id, title: `Film ${id}` });
const ids = (list: readonly { id: string }[] | undefined) => list?.map(({ id }) => id);

Deno.test("case 1: two QUERY bodies are two lists, also of a union in an envelope", async () => {
  await using api = serve(({ body }) => ({ hits: [{ type: "film", id: JSON.parse(body).q }], took: 3 }));
  const search = new RestEndpoint({
    urlPrefix: api.urlPrefix,
    path: "/search",
    method: "QUERY",
    body: typed<{ q: string }>(),
    schema: { hits: new schema.Collection([new Union({ film: Film, person: Person }, "type")]), took: 0 },
  });
  using c = new Controller();
  await c.fetch(search, { q: "cat" });
  assertEquals(c.getResponse(search, { q: "dog" }).data, undefined);
  const dogs = await c.fetch(search, { q: "dog" });
  assertEquals([ids(dogs.hits), ids(c.getResponse(search, { q: "cat" }).data?.hits)], [["dog"], ["cat"]]);
});
Deno.test("case 1: a number and its text are one URL and one list; a list and its text joined are two", () => {
  const { getList } = resource({ urlPrefix: "https://a.test", path: "/films/:id", schema: Film });
  assertEquals(getList.key({ page: 2 }), getList.key({ page: "2" }));
  assert(getList.key({ tag: ["a", "b"] }) !== getList.key({ tag: "a,b" }));
  assert(getList.key({ where: { a: 1 } }) !== getList.key({ where: "[object Object]" }));
});
Deno.test("case 1: a language in the URL prefix is another list and another record's answer", async () => {
  await using api = serve(({ path }) => path.endsWith("films") ? [film(path.split("/")[1]!)] : film("1"));
  let language = "de";
  class Localized<O extends RestGenerics = any> extends RestEndpoint<O> {
    override get urlPrefix() {
      return `${api.urlPrefix}/${language}`;
    }
  }
  const R = resource({ path: "/films/:id", schema: Film, Endpoint: Localized });
  using c = new Controller();
  await c.fetch(R.getList);
  language = "fr";
  assertEquals(c.getResponse(R.getList).data, undefined);
  assertEquals(ids(await c.fetch(R.getList)), ["fr"]);
  language = "de";
  assertEquals(ids(c.getResponse(R.getList).data), ["de"]);
});
Deno.test("case 1: two lists below one record of the path, and one record below two, are four", async () => {
  await using api = serve(({ path, search }) => [film(path.split("/")[2]! + search)]);
  const R = resource({ urlPrefix: api.urlPrefix, path: "/of/:by/films/:id", schema: Film });
  using c = new Controller();
  const calls = [{ by: "a" }, { by: "b" }, { by: "a", sort: "id" }, { by: "b", sort: "id" }];
  for (const call of calls) await c.fetch(R.getList, call);
  assertEquals(calls.map((call) => ids(c.getResponse(R.getList, call).data)), [["a"], ["b"], ["a?sort=id"], [
    "b?sort=id",
  ]]);
});

Deno.test("case 2: below a parameter, the reply of a mutation that is a list writes the list of that parameter", async () => {
  await using api = serve(({ method, path }) =>
    (method === "GET" ? ["1", "2"] : ["2"]).map((id) => film(path.split("/")[2] + id))
  );
  const R = resource({ urlPrefix: api.urlPrefix, path: "/of/:by/films/:id", schema: Film });
  const archive = new RestEndpoint({
    urlPrefix: api.urlPrefix,
    path: "/of/:by/archive",
    method: "POST",
    body: typed<{ by: string; until: number }>(),
    schema: R.getList.schema,
  });
  using c = new Controller();
  await c.fetch(R.getList, { by: "a" });
  await c.fetch(R.getList, { by: "b" });
  await c.fetch(archive, { by: "a" }, { by: "b", until: 2020 });
  assertEquals([{ by: "a" }, { by: "b" }].map((call) => ids(c.getResponse(R.getList, call).data)), [["a2"], [
    "b1",
    "b2",
  ]]);
});
Deno.test("case 2: in an envelope, too", async () => {
  await using api = serve(({ method }) => ({ data: (method === "GET" ? ["1", "2"] : ["2"]).map(film) }));
  const R = resource({ urlPrefix: api.urlPrefix, path: "/films/:id", schema: Film, list: (data) => ({ data }) });
  const clear = new RestEndpoint({
    urlPrefix: api.urlPrefix,
    path: "/films/clear",
    method: "POST",
    body: typed<{ done: boolean }>(),
    schema: R.getList.schema,
  });
  using c = new Controller();
  await c.fetch(R.getList);
  await c.fetch(clear, { done: true });
  assertEquals(ids(c.getResponse(R.getList).data?.data), ["2"]);
});

Deno.test("case 3: a record answers its detail only: no other path, body, method or form of it", async () => {
  await using api = serve(({ path, search, method }) => film(path.split("/")[2]! && `${method} ${path}${search}`));
  const { get, getList } = resource({ urlPrefix: api.urlPrefix, path: "/films/:id", schema: Film });
  using c = new Controller();
  c.setResponse(getList, [{ id: "5", title: "Five" }]);
  const has = (endpoint: any, ...args: unknown[]) => c.getResponse(endpoint, ...args).data !== undefined;
  assert(has(get, { id: "5" }), "the record has all that the class declares");
  assert(
    !has(get.extend({ method: "POST", sideEffect: false, body: typed<object>() } as object), { id: "5" }, { as: "x" }),
  );
  assert(!has(get.extend({ schema: { data: Film } }), { id: "5" }));
  assert(!has(get, { id: "5", fields: ["title"] }));
  assert(!has(get.extend({ path: "/films" } as object), { id: "5" }));
});

Deno.test("case 5: methods of two objects with one name are two endpoints; a copy of one is not", () => {
  const films = { load: (id: string) => Promise.resolve(film(id)) },
    people = { load: (id: string) => Promise.resolve({ id }) };
  const one = new Endpoint(films.load), two = new Endpoint(people.load), c = new Controller();
  c.getResponse(one, "1");
  assertThrows(() => c.getResponse(two, "1"), Error, '"load"');
  c.getResponse(one.extend({ dataExpiryLength: 5 }), "1");
  c.getResponse(two.extend({ name: "loadPerson" }), "1");
  new Controller().getResponse(two, "1"); // another store
});
Deno.test("case 5: two closures of one maker are two endpoints of one name, with other arguments and kinds, too", () => {
  const make = (id: string, sideEffect?: true) =>
    new Endpoint(() => Promise.resolve(film(id)), { name: "film", sideEffect });
  for (const [one, two] of [[make("1"), make("2")], [make("1"), make("2").extend({ schema: Film })]] as const) {
    const c = new Controller();
    c.getResponse(one);
    assertThrows(() => c.getResponse(two), Error, '"film"');
  }
  // An endpoint with its own `key`, and a mutation, which has no answer, cannot be confused with another.
  const c = new Controller();
  c.getResponse(make("1"));
  c.getResponse(make("2").extend({ key: () => "two" }));
  void c.fetch(make("3", true));
});
