/** The sections "createResource(options)" and "Endpoints" of the declared interface, sentence by sentence. */
import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, createResource, Entity, RestEndpoint, type RestGenerics, schema, typed } from "@rejoin/data";
import { empty, serve } from "../support/api.ts";

class Todo extends Entity {
  id = "";
  title = "";
  done = false;
  override pk() {
    return this.id;
  }
  static override key = "Todo";
}
const todoServer = () =>
  serve(({ method, path, body }) => {
    const id = path.split("/")[2];
    if (method === "GET") return id ? { id, title: "Read", done: false } : [{ id: "1", title: "Read", done: false }];
    if (method === "DELETE") return empty();
    return { id: id ?? "2", title: "", done: false, ...JSON.parse(body) };
  });

Deno.test("createResource: path is a template with :name parameters, schema goes to every member", () => {
  const R = createResource({ urlPrefix: "https://a.test", path: "/todos/:id", schema: Todo });
  for (const name of ["get", "getList", "create", "update", "partialUpdate", "delete"] as const) assert(name in R);
  assertEquals(R.get.path, "/todos/:id");
  assertEquals([R.get.schema, R.update.schema, R.partialUpdate.schema, R.create.schema], [Todo, Todo, Todo, Todo]);
  assertEquals(R.getList.schema, [Todo]);
  assert(R.delete.schema instanceof schema.Invalidate);
});
for (const optimistic of [false, true]) {
  Deno.test(`createResource: schema may be an object with the entity in it${optimistic ? ", optimistic, too" : ""}`, async () => {
    const todo = (id = "2", more: object = {}) => ({ data: { id, title: "Read", done: false, ...more }, token: "t" });
    await using api = serve(({ method, path, body }) =>
      method === "DELETE"
        ? empty()
        : path === "/todos" && method === "GET"
        ? [todo("1")]
        : todo(path.split("/")[2], body ? JSON.parse(body) : {})
    );
    const schema = { data: Todo, token: "" }, path = "/todos/:id";
    const R = createResource({ urlPrefix: api.urlPrefix, path, schema, optimistic }), c = new Controller();
    const [first] = await c.fetch(R.getList),
      title: string | undefined = first?.data?.title,
      token: string = first!.token;
    const shown = () => [c.get(Todo, "1")?.title, c.get(Todo, "2")?.title];
    assertEquals([title, token, (await c.fetch(R.get, { id: "1" })).data], ["Read", "t", c.get(Todo, "1")]);
    const patch = c.fetch(R.partialUpdate, { id: "1" }, { title: "Write" });
    assertEquals(shown(), [optimistic ? "Write" : "Read", undefined]);
    await patch;
    await c.fetch(R.create, { title: "New" });
    assertEquals(shown(), ["Write", "New"]);
    const remove = c.fetch(R.delete, { id: "1" });
    assertEquals(shown(), [optimistic ? undefined : "Write", "New"]);
    await remove;
    assertEquals(shown(), [undefined, "New"]);
    // @ts-expect-error a body has the members of the entity
    void (() => c.fetch(R.create, { titel: "New" }));
  });
}
Deno.test("createResource: Endpoint is the class of every member", () => {
  class Mine<O extends RestGenerics> extends RestEndpoint<O> {
    override urlPrefix = "https://mine.test";
  }
  const R = createResource({ path: "/todos/:id", schema: Todo, Endpoint: Mine });
  for (const member of [R.get, R.getList, R.create, R.update, R.partialUpdate, R.delete]) {
    assert(member instanceof Mine);
  }
  assertEquals(R.get.url({ id: 1 }), "https://mine.test/todos/1");
  const other = createResource({ path: "/todos/:id", schema: Todo, Endpoint: Mine, urlPrefix: "https://other.test" });
  assertEquals(other.get.url({ id: 1 }), "https://other.test/todos/1", "an option wins over the class");
});
Deno.test("createResource: urlPrefix may be protocol-relative", async () => {
  const R = createResource({ urlPrefix: "//a.test", path: "/todos/:id", schema: Todo });
  assertEquals(R.get.url({ id: "5" }), "//a.test/todos/5");
  const urls: string[] = [];
  const get = R.get.extend({
    fetchResponse: (url: string) => (urls.push(url), Promise.resolve(Response.json({ id: "5" }))),
  });
  await get({ id: "5" });
  assertEquals(urls, ["https://a.test/todos/5"], "without a page it is https");
});
Deno.test("createResource: searchParams are of getList and create, body is of create, update, partialUpdate", async () => {
  await using api = todoServer();
  const R = createResource({
    urlPrefix: api.urlPrefix,
    path: "/todos/:id",
    schema: Todo,
    searchParams: typed<{ tag?: string }>(),
    body: typed<{ title: string }>(),
  });
  await R.getList({ tag: "a" });
  await R.create({ tag: "b" }, { title: "c" });
  await R.update({ id: "1" }, { title: "d" });
  await R.partialUpdate({ id: "1" }, { title: "e" });
  assertEquals(api.lines(), ["GET /todos?tag=a", "POST /todos?tag=b", "PUT /todos/1", "PATCH /todos/1"]);
  assertEquals(api.asked.map(({ body }) => body), ["", '{"title":"c"}', '{"title":"d"}', '{"title":"e"}']);
});
Deno.test("createResource: optimistic shows all mutations before they are answered", async () => {
  let gate = Promise.withResolvers<void>();
  await using api = serve(async ({ method, path, body }) => {
    if (method !== "GET") await gate.promise;
    if (method === "DELETE") return {};
    return { id: path.split("/")[2] ?? "9", title: "Read", done: false, ...body ? JSON.parse(body) : {} };
  });
  const R = createResource({ urlPrefix: api.urlPrefix, path: "/todos/:id", schema: Todo, optimistic: true });
  using controller = new Controller();
  await controller.fetch(R.get, { id: "1" });
  const read = () => controller.get(Todo, { id: "1" });
  const during = async (call: Promise<unknown>, look: () => void) => {
    look();
    gate.resolve();
    await call;
    gate = Promise.withResolvers();
  };
  await during(controller.fetch(R.partialUpdate, { id: "1" }, { title: "A" }), () => assertEquals(read()?.title, "A"));
  await during(controller.fetch(R.update, { id: "1" }, { title: "B" }), () => assertEquals(read()?.title, "B"));
  await during(controller.fetch(R.delete, { id: "1" }), () => assertEquals(read(), undefined));
  assertEquals(read(), undefined);
});
Deno.test("createResource: dataExpiryLength: Infinity is accepted", async () => {
  await using api = todoServer();
  const R = createResource({ urlPrefix: api.urlPrefix, path: "/todos/:id", schema: Todo, dataExpiryLength: Infinity });
  using controller = new Controller();
  await controller.fetch(R.get, { id: "1" });
  assertEquals(controller.getResponse(R.get, { id: "1" }).expiresAt, Infinity);
});
Deno.test("createResource: members are replaced or added by spreading, and by extend of schema, searchParams, parseResponse", async () => {
  await using api = todoServer();
  const base = createResource({ urlPrefix: api.urlPrefix, path: "/todos/:id", schema: Todo });
  const R = {
    ...base,
    getList: base.getList.extend({
      schema: { results: [Todo], count: 0 },
      searchParams: typed<{ tag: string }>(),
      parseResponse: async (response: Response) => {
        const results = await response.json();
        return { results, count: results.length };
      },
    }),
    finish: base.partialUpdate.extend({ path: "/todos/:id/finish" }),
  };
  using controller = new Controller();
  const page = await controller.fetch(R.getList, { tag: "a" });
  assertEquals([page.count, page.results.map(({ id }) => id)], [1, ["1"]]);
  assertEquals(R.finish.url({ id: "1" }), `${api.urlPrefix}/todos/1/finish`);
  assertEquals(base.getList.schema, [Todo], "the original stays as it is");
});

const rows: [name: string, method: string, path: string, args: unknown[], line: string, body: string][] = [
  ["get", "GET", "/todos/:id", [{ id: "1" }], "GET /todos/1", ""],
  ["getList", "GET", "/todos", [{ tag: "a b" }], "GET /todos?tag=a%20b", ""],
  ["create", "POST", "/todos", [{ title: "x" }], "POST /todos", '{"title":"x"}'],
  ["update", "PUT", "/todos/:id", [{ id: "1" }, { title: "x" }], "PUT /todos/1", '{"title":"x"}'],
  ["partialUpdate", "PATCH", "/todos/:id", [{ id: "1" }, { done: true }], "PATCH /todos/1", '{"done":true}'],
  ["delete", "DELETE", "/todos/:id", [{ id: "1" }], "DELETE /todos/1", ""],
];
for (const [name, method, path, args, line, body] of rows) {
  Deno.test(`Endpoints: ${name} is ${method} ${path}`, async () => {
    await using api = todoServer();
    const R = createResource({ urlPrefix: api.urlPrefix, path: "/todos/:id", schema: Todo });
    // deno-lint-ignore no-explicit-any -- by name
    const member = (R as any)[name];
    assertEquals([member.method, member.path], [method, path]);
    await member(...args);
    assertEquals([api.lines(), api.asked[0]!.body], [[line], body]);
  });
}
Deno.test("Endpoints: the last parameter is removed for lists, and what is not in the path is the search", () => {
  const two = createResource({ urlPrefix: "https://a.test", path: "/:first/:second", schema: Todo });
  assertEquals([two.getList.path, two.create.path], ["/:first", "/:first"]);
  assertEquals(two.getList.url({ first: "x", q: 1 }), "https://a.test/x?q=1");
  const one = createResource({ urlPrefix: "https://a.test", path: "/:first", schema: Todo });
  assertEquals([one.getList.path, one.getList.url()], ["/", "https://a.test/"]);
});
Deno.test("Endpoints: get, create, update, partialUpdate give the entity, getList an array of them", async () => {
  await using api = todoServer();
  const R = createResource({ urlPrefix: api.urlPrefix, path: "/todos/:id", schema: Todo });
  using controller = new Controller();
  const got = await controller.fetch(R.get, { id: "1" });
  assert(got instanceof Todo);
  assertStrictEquals((await controller.fetch(R.getList))[0], got);
  const created = await controller.fetch(R.create, { title: "new" });
  assertEquals([created instanceof Todo, created.title], [true, "new"]);
  const updated = await controller.fetch(R.update, { id: "1" }, { title: "a" });
  assertStrictEquals(updated, controller.get(Todo, { id: "1" }));
  const patched = await controller.fetch(R.partialUpdate, { id: "1" }, { done: true });
  assertEquals([patched.title, patched.done], ["", true]);
});
Deno.test("Endpoints: delete uses its reply where it has a key, else the params", async () => {
  const replies: unknown[] = [empty(), {}, {}, { id: "2" }];
  await using api = serve(({ method, path }) =>
    method === "DELETE" ? replies.shift() : { id: path.split("/")[2], title: "t", done: true }
  );
  const R = createResource({ urlPrefix: api.urlPrefix, path: "/todos/:id", schema: Todo });
  assertEquals([await R.delete({ id: "7" }), await R.delete({ id: "8" })], [{ id: "7" }, { id: "8" }]);
  using controller = new Controller();
  for (const id of ["1", "2", "3"]) await controller.fetch(R.get, { id });
  await controller.fetch(R.delete, { id: "1" });
  assertEquals(controller.get(Todo, { id: "1" }), undefined);
  await controller.fetch(R.delete, { id: "3" });
  assertEquals(["2", "3"].map((id) => controller.get(Todo, { id })?.id), [undefined, "3"], "the reply is the value");
});
Deno.test("Endpoints: a member is invalidated by Controller.invalidate", async () => {
  await using api = todoServer();
  const R = createResource({ urlPrefix: api.urlPrefix, path: "/todos/:id", schema: Todo });
  using controller = new Controller();
  await controller.fetch(R.get, { id: "1" });
  controller.invalidate(R.get, { id: "1" });
  assertEquals(controller.getResponse(R.get, { id: "1" }).data, undefined);
});
