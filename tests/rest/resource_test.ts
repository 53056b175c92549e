/** Resources and endpoints as apps change them, keys, and bodies. */
import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import {
  AbortError,
  batch,
  Controller,
  createResource,
  Entity,
  resource,
  RestEndpoint,
  type RestGenerics,
  schema,
  typed,
} from "@rejoin/data";
import { empty, serve } from "../support/api.ts";

class Film extends Entity {
  id = "";
  title = "";
  static override key = "Film";
}
const urlPrefix = "https://a.test";
const films = (ids: readonly unknown[]) => ids.map((id) => ({ id: `${id}`, title: `Film ${id}` }));

Deno.test("resource.extend takes a name and options, an object, a function, or a new name", () => {
  const R = resource({ urlPrefix, path: "/films/:id", schema: Film });
  const named = R.extend("getList", { dataExpiryLength: 5 });
  assertEquals([named.getList.dataExpiryLength, R.getList.dataExpiryLength], [5, undefined]);
  const several = R.extend({ get: { dataExpiryLength: 1 }, create: { path: "/films/new" } });
  assertEquals([several.get.dataExpiryLength, several.create.url()], [1, `${urlPrefix}/films/new`]);
  const made = R.extend((base) => ({ publish: base.get.extend({ path: "/films/:id/publish", method: "POST" }) }));
  assertEquals([made.publish.method, made.get === R.get], ["POST", true]);
  const best = R.extend("best", { path: "/films/best", schema: [Film] });
  assertEquals([best.best.method, best.best.url(), best.best.name], ["GET", `${urlPrefix}/films/best`, "Film.best"]);
  assertEquals(typeof best.extend, "function");
  assertEquals({ ...R, more: 1 }.getList, R.getList);
});
Deno.test("a created item joins the Collection that extend gave getList", async () => {
  await using api = serve(({ method }) => method === "POST" ? { id: "2", title: "b" } : { items: films([1]) });
  const R = createResource({ urlPrefix: api.urlPrefix, path: "/films/:id", schema: Film, Endpoint: RestEndpoint })
    .extend("getList", { schema: { items: new schema.Collection([Film]) } });
  using c = new Controller();
  await c.fetch(R.getList);
  // deno-lint-ignore no-explicit-any -- its schema was changed by its list
  await c.fetch(R.create as any, { title: "b" });
  assertEquals(c.getResponse(R.getList).data?.items.map(({ id }) => id), ["1", "2"]);
});
Deno.test("options come from the call, extend, or a class with fields, getters, methods; an option wins, undefined removes", () => {
  class Api<O extends RestGenerics> extends RestEndpoint<O> {
    override urlPrefix = "https://field.test";
    override dataExpiryLength = 10;
    override searchToString(search: Record<string, unknown>) {
      return super.searchToString({ ...search, v: 2 });
    }
  }
  const get = new Api({ path: "/films", dataExpiryLength: Infinity });
  assertEquals([get.url({ a: 1 }), get.dataExpiryLength], ["https://field.test/films?a=1&v=2", Infinity]);
  const put = get.extend({ path: "/films/:id", method: "PUT", body: 0 as number, urlPrefix: "https://option.test" });
  assertEquals([put.sideEffect, put.url({ id: 1 }), put instanceof Api], [
    true,
    "https://option.test/films/1?v=2",
    true,
  ]);
  let tenant = "a";
  class Tenant<O extends RestGenerics> extends RestEndpoint<O> {
    override get urlPrefix() {
      return `https://${tenant}.test`;
    }
  }
  const list = new Tenant({ path: "/films" }), key = list.key();
  tenant = "b";
  assert(key !== list.key(), "case 1: the key has the host");
  const csv = new RestEndpoint({ urlPrefix, path: "/x", process: (text: string) => text.length, schema: undefined });
  assertEquals(csv.extend({ process: undefined, schema: undefined } as object).process("abc"), "abc");
});
Deno.test("a declared body makes a POST; `sideEffect: false` makes it a read; GET, HEAD and QUERY are reads", () => {
  assertEquals(new RestEndpoint({ path: "/a", body: undefined }).method, "GET");
  assertEquals(new RestEndpoint({ path: "/a", body: {} }).method, "POST");
  assertEquals(new RestEndpoint({ path: "/a", sideEffect: true }).method, "POST");
  for (const method of ["GET", "HEAD", "QUERY"]) {
    assertEquals(new RestEndpoint({ path: "/a", method }).sideEffect, undefined);
  }
  assertEquals(new RestEndpoint({ path: "/a", method: "POST", sideEffect: false }).sideEffect, false);
  assertEquals(new RestEndpoint({ path: "/a", content: "stream" }).sideEffect, true);
});

Deno.test("rule 18: keys are equal for equal forms and for the same blob", () => {
  const find = new RestEndpoint({ urlPrefix, path: "/find", method: "QUERY", body: typed<FormData | Blob>() });
  const form = (q: string, file?: Blob) => {
    const made = new FormData();
    made.set("q", q);
    if (file) made.set("file", file);
    return made;
  };
  assertEquals(find.key(form("a")), find.key(form("a")));
  assert(find.key(form("a")) !== find.key(form("b")));
  const blob = new Blob(["x"]), other = new Blob(["y"]);
  assertEquals(find.key(blob), find.key(blob));
  assert(find.key(blob) !== find.key(other));
});
Deno.test('rule 18, case 1: null, "null", an empty text and absence make different keys', () => {
  const { getList } = resource({ urlPrefix, path: "/films/:id", schema: Film });
  assertEquals(new Set([{ q: null }, { q: "null" }, { q: "" }, {}].map((args) => getList.key(args))).size, 4);
});
Deno.test("rule 17, case 3: a stored record serves no call with further arguments, and no path that goes on after the pk", async () => {
  await using api = serve(({ path, search }) => ({ id: "5", title: path + search }));
  const R = resource({ urlPrefix: api.urlPrefix, path: "/films/:id", schema: Film });
  using c = new Controller();
  await c.fetch(R.get, { id: "5" });
  // deno-lint-ignore no-explicit-any -- more than its type allows
  assertEquals((c.getResponse as any)(R.get, { id: "5", lang: "de" }).data, undefined);
  for (const path of ["/films/:id/draft", "/films/:id.json"] as const) {
    assertEquals(c.getResponse(R.get.extend({ path }), { id: "5" }).data, undefined);
  }
  for (const path of ["/a/:id/", "/a/*id", '/a/:"id"', "/a{/:id}"] as const) {
    assertEquals(c.getResponse(R.get.extend({ path }), { id: "5" }).data?.id, "5");
  }
  assertEquals(c.getResponse(R.get, { id: 5 }).data?.id, "5");
});
Deno.test("rule 35: arguments are copied when a call starts; an entity may be the params", async () => {
  await using api = serve(({ body }) => ({ id: "1", title: "t", ...body ? JSON.parse(body) : {} }));
  const R = resource({ urlPrefix: api.urlPrefix, path: "/films/:id", schema: Film });
  using c = new Controller();
  const body = { title: "one" }, call = c.fetch(R.partialUpdate, { id: "1" }, body);
  body.title = "two";
  assertEquals((await call).title, "one");
  await c.fetch(R.partialUpdate, c.get(Film, { id: "1" })!, { title: "three" });
  assertEquals(api.lines(), ["PATCH /films/1", "PATCH /films/1"]);
});
Deno.test("forms, blobs, text, bytes and search parameters are sent as they are, all other bodies as JSON", async () => {
  await using api = serve((
    { headers, body },
  ) => [headers.get("content-type")?.split(";")[0] ?? null, body.length > 50 ? "…" : body]);
  const send = new RestEndpoint({
    urlPrefix: api.urlPrefix,
    path: "/x",
    method: "POST",
    body: typed<unknown>(),
    process: (reply: unknown[]) => reply,
  });
  const form = new FormData();
  form.set("a", new Blob(["b"]));
  const rows: [body: unknown, type: string | null, sent: string][] = [
    [form, "multipart/form-data", "…"],
    [new Blob(["x"], { type: "image/png" }), "image/png", "x"],
    ["text", "text/plain", "text"],
    [new URLSearchParams("a=b"), "application/x-www-form-urlencoded", "a=b"],
    [new Uint8Array([65]), null, "A"],
    [{ a: 1 }, "application/json", '{"a":1}'],
    [[1], "application/json", "[1]"],
    [Film.fromJS({ id: "1" }), "application/json", '{"id":"1","title":""}'],
    [5, "application/json", "5"],
  ];
  for (const [body, type, sent] of rows) assertEquals(await send({}, body), [type, sent]);
});
Deno.test("search parameters are sorted; empty arrays and objects are left out, null and empty texts are not", () => {
  const text = (search: Record<string, unknown>) =>
    decodeURIComponent(new RestEndpoint({ path: "/" }).searchToString(search));
  const rows: [Record<string, unknown>, string][] = [
    [{ q: "a b", n: 5, on: true }, "n=5&on=true&q=a b"],
    [{ tag: ["a", "b"] }, "tag[]=a&tag[]=b"],
    [{ where: { author: 5 } }, "where[author]=5"],
    [{ sort: [{ by: "title" }, "id"] }, "sort[][by]=title&sort[]=id"],
    [{ at: new Date(0) }, "at=1970-01-01T00:00:00.000Z"],
    [{ a: undefined, b: null, c: "" }, "b&c="],
    [{ a: [], b: {} }, ""],
    [{ "\ud800": "\udfff" }, "\ufffd=\ufffd"],
  ];
  for (const [search, expected] of rows) assertEquals(text(search), expected);
});
Deno.test("rule 29: no parameter changes the host or the number of segments", () => {
  const at = (path: string, params: object, prefix = urlPrefix) =>
    new RestEndpoint({ path, urlPrefix: prefix }).url(params as never);
  for (const id of ["", "..", ".", "../x", "a/../b", "..\\x", null, undefined, NaN, {}, [], () => {}, Symbol("x")]) {
    assertThrows(() => at("/a/:id", { id }), Error, undefined, String(id));
  }
  for (
    const id of ["a/b", "?x=1", "#", "//evil.test", "@evil.test", "%2e%2e", "\ud800", "a b", "é", ":80", "http://x"]
  ) {
    const url = new URL(at("/a/:id/b", { id }));
    assertEquals([url.host, url.pathname.split("/").length], ["a.test", 4], id);
  }
  for (
    const [path, prefix] of [[":x", "https://a.test"], ["/:x", ""], ["https\\://:x/a", ""], ["/:x/y", "/"]] as const
  ) {
    const make = () => at(path, { x: ".evil.test" }, prefix);
    try {
      assertEquals(new URL(make(), "https://page.test").host, "page.test");
    } catch (error) {
      assertEquals((error as Error).name, "UrlError", path);
    }
  }
  assertEquals(at("/files/*path", { path: ["docs", "read me"] }), `${urlPrefix}/files/docs/read%20me`);
  assertEquals(at("/find\\?id=:id", { id: 5, q: 1 }), `${urlPrefix}/find?id=5&q=1`);
});
Deno.test("rule 29: a relative urlPrefix outside of a page is an error that names the option", async () => {
  await assertRejects(() => new RestEndpoint({ urlPrefix: "/api", path: "/x" })(), Error, "urlPrefix");
});

const getMany = batch({ param: "ids", separator: "," });
const batched = (urlPrefix: string) => resource({ urlPrefix, path: "/films/:id", schema: Film, getMany });
Deno.test("batch, case 11: reads of one tick are one request; a record that the reply lacks is fetched alone", async () => {
  await using api = serve(({ path, search }) => {
    const asked = new URLSearchParams(search).get("ids");
    return asked
      ? films(asked.split(",").filter((id) => id !== "4").map((id) => id.toLowerCase()))
      : films([path.split("/")[2]])[0];
  });
  const R = batched(api.urlPrefix);
  using c = new Controller();
  const got = await Promise.all(["1", "2", "4"].map((id) => c.fetch(R.get, { id })));
  assertEquals(got.map(({ id }) => id), ["1", "2", "4"]);
  assertEquals(api.lines(), ["GET /films?ids=1%2C2%2C4", "GET /films/4"]);
  await Promise.all(["AB", "CD"].map((id) => c.fetch(R.get, { id })));
  assertEquals(api.lines().slice(-2).sort(), ["GET /films/AB", "GET /films/CD"], "another spelling is asked for alone");
});
Deno.test("batch: controllers share no request; a single read, or one without a controller, is sent as it is", async () => {
  await using api = serve(({ path, search }) =>
    search ? films(new URLSearchParams(search).get("ids")!.split(",")) : films([path.split("/")[2]])[0]
  );
  const R = batched(api.urlPrefix);
  using one = new Controller();
  using two = new Controller();
  await Promise.all([one.fetch(R.get, { id: "1" }), two.fetch(R.get, { id: "2" }), R.get({ id: "3" })]);
  assertEquals(api.lines().sort(), ["GET /films/1", "GET /films/2", "GET /films/3"]);
});
Deno.test("batch: all calls of a request that fails reject with its error", async () => {
  await using api = serve(() => empty(403 as 204));
  const R = batched(api.urlPrefix);
  using c = new Controller();
  const all = await Promise.allSettled(["1", "2"].map((id) => c.fetch(R.get, { id })));
  assertEquals(all.map((one) => one.status === "rejected" && one.reason.status), [403, 403]);
});
Deno.test("batch: aborting one call ends that call, and the others resolve", async () => {
  await using api = serve(() => films([1, 2]));
  const R = batched(api.urlPrefix);
  using c = new Controller();
  const [aborted, other] = ["1", "2"].map((id) => c.fetch(R.get, { id }));
  c.abort(R.get, { id: "1" });
  await assertRejects(() => aborted!, AbortError);
  assertEquals((await other!).id, "2");
});
Deno.test("case 9: a record in an undeclared envelope is an error that shows how to declare it", async () => {
  await using api = serve(() => ({ data: { id: "1" } }));
  const R = resource({ urlPrefix: api.urlPrefix, path: "/films/:id", schema: Film });
  using c = new Controller();
  await assertRejects(() => c.fetch(R.get, { id: "1" }), Error, "{ data: Film }");
  const enveloped = R.get.extend({ schema: { data: Film } });
  assertEquals((await c.fetch(enveloped, { id: "1" })).data.id, "1");
  // deno-lint-ignore no-explicit-any -- a method of a class, as an option
  const put = R.update.extend({ url: (_: unknown, { id }: Film) => `${api.urlPrefix}/films/${id}` } as any);
  await c.fetch(put, { id: "1" }, { id: "1", title: "of the body" });
  assertEquals(api.lines().at(-1), "PUT /films/1");
});
Deno.test("getPage appends the items of a page to the base list, each once, and replaces the other members", async () => {
  await using api = serve(async ({ search }) => {
    const page = Number(new URLSearchParams(search).get("page") ?? 1);
    await new Promise((go) => setTimeout(go, page === 2 ? 30 : 0));
    return { results: films([page, page + 1]), next: page + 1 };
  });
  const R = resource({
    urlPrefix: api.urlPrefix,
    path: "/films/:id",
    schema: Film,
    paginationField: "page",
    list: (list) => ({ results: list, next: 0 }),
  });
  using c = new Controller();
  await c.fetch(R.getList);
  await c.fetch(R.getList.getPage, { page: 2 });
  await c.fetch(R.getList.getPage, { page: 3 });
  const { results, next } = c.getResponse(R.getList).data!;
  assertEquals([results.map(({ id }) => id), next], [["1", "2", "3", "4"], 4]);
  assertStrictEquals(c.get(Film, { id: "3" }), results[2]);
});
Deno.test("verbs: each access gives the same endpoint, and remove works with an empty reply", async () => {
  await using api = serve(({ method }) => method === "GET" ? films([1, 2]) : empty());
  const R = resource({ urlPrefix: api.urlPrefix, path: "/films/:id", schema: Film });
  assertStrictEquals(R.getList.push, R.getList.push);
  assertEquals([R.getList.push.method, R.getList.move.path, R.getList.remove.method], ["POST", "/films/:id", "PATCH"]);
  using c = new Controller();
  await c.fetch(R.getList);
  await c.fetch(R.getList.remove, { id: "2" });
  assertEquals(c.getResponse(R.getList).data?.map(({ id }) => id), ["1"]);
  assertEquals(c.get(Film, { id: "2" })?.title, "Film 2", "it stays a record");
});

Deno.test("a single argument is the body if the path needs no parameters; DELETE has a body only if one is declared", async () => {
  await using api = serve(({ body }) => body);
  const call = (path: string, options: object, ...args: unknown[]) =>
    // deno-lint-ignore no-explicit-any -- any arguments
    (new RestEndpoint({ urlPrefix: api.urlPrefix, path, ...options }) as any)(...args);
  await call("/a", { method: "POST" }, { x: 1 });
  await call("/a{/:id}", { method: "POST" }, { x: 1 });
  await call("/a{/:id}", { method: "POST" }, { id: 1 }, { x: 1 });
  await call("/a", { method: "DELETE" }, { x: 1 });
  await call("/a", { method: "DELETE", body: {} }, { x: 1 });
  await call("/a", { method: "POST", body: undefined }, { x: 1 });
  assertEquals(api.lines(), ["POST /a", "POST /a", "POST /a/1", "DELETE /a?x=1", "DELETE /a", "POST /a?x=1"]);
  const x = '{"x":1}';
  assertEquals(api.asked.map(({ body }) => body), [x, x, x, "", x, ""]);
});
Deno.test("headers of requestInit and getHeaders are sent together, in any form", async () => {
  await using api = serve(({ headers }) => [headers.get("a"), headers.get("b")]);
  const get = new RestEndpoint({
    urlPrefix: api.urlPrefix,
    path: "/x",
    requestInit: { headers: new Headers({ a: "1" }) },
    getHeaders: (headers) => Promise.resolve({ ...headers, b: "2" }),
  });
  assertEquals(await get(), ["1", "2"]);
});
