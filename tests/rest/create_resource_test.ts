import { stateOf } from "@rejoin/data";
import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { Controller } from "../../src/controller/controller.ts";
import type { Snapshot } from "../../src/endpoint/interface.ts";
import { EndpointError } from "../../src/errors/endpoint_error.ts";
import { UrlError } from "../../src/errors/url_error.ts";
import { createResource } from "../../src/rest/create_resource.ts";
import { RestEndpoint } from "../../src/rest/rest_endpoint.ts";
import type { RestGenerics } from "../../src/rest/rest_types.ts";
import { Entity } from "../../src/schemas/entity.ts";
import { Invalidate } from "../../src/schemas/invalidate.ts";

class Article extends Entity {
  id = "";
  title = "";
  votes = 0;
  createdAt = new Date(0);
  pk() {
    return this.id;
  }
  static key = "Article";
  static schema = { createdAt: Date };
}

/** What a server answers a mutation with; `undefined`: the record, as a good server does. */
type Reply = { readonly status?: number; readonly body?: string; readonly type?: string } | undefined;

/** A small API over articles, whose mutations answer as they are told. */
function serveArticles(reply?: Reply): AsyncDisposable & { origin: string; requests: string[] } {
  const rows = new Map<string, Record<string, unknown>>([
    ["5", { id: "5", title: "old", votes: 1, createdAt: "2026-01-01T00:00:00.000Z" }],
    ["6", { id: "6", title: "other", votes: 2, createdAt: "2026-01-01T00:00:00.000Z" }],
  ]);
  const requests: string[] = [];
  const answer = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const id = pathname.split("/")[2];
    requests.push(`${request.method} ${pathname}${search}`);
    const text = await request.text();
    const sent = text === "" ? undefined : JSON.parse(text);
    if (request.method === "GET") {
      if (id === undefined) return Response.json([...rows.values()]);
      return rows.has(id) ? Response.json(rows.get(id)) : new Response("<h1>not found</h1>", { status: 404 });
    }
    if (request.method === "POST") rows.set("7", { id: "7", votes: 0, createdAt: "2026-02-02T00:00:00.000Z", ...sent });
    if (request.method === "PUT") rows.set(id!, { id, ...sent });
    if (request.method === "PATCH") rows.set(id!, { ...rows.get(id!), ...sent });
    if (request.method === "DELETE") rows.delete(id!);
    if (reply === undefined) return Response.json(rows.get(id ?? "7") ?? {});
    const { status = 200, body = null, type = "application/json" } = reply;
    return new Response(body, { status, headers: body === null ? {} : { "content-type": type } });
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, answer);
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const at = (urlPrefix: string, optimistic = false) =>
  createResource({ urlPrefix, path: "/articles/:id", schema: Article, optimistic });

Deno.test("a resource has six members, as declared", () => {
  const { get, getList, create, update, partialUpdate, delete: remove, ...others } = at("https://api.example.com");
  assertEquals(others, {});
  const list = [get, getList, create, update, partialUpdate, remove].map(({ name, method, path, sideEffect }) =>
    [name, method, path, sideEffect].join(" ").trim()
  );
  assertEquals(list, [
    "Article.get GET /articles/:id",
    "Article.getList GET /articles",
    "Article.create POST /articles true",
    "Article.update PUT /articles/:id true",
    "Article.partialUpdate PATCH /articles/:id true",
    "Article.delete DELETE /articles/:id true",
  ]);
  for (const { schema } of [get, create, update, partialUpdate]) assertStrictEquals(schema, Article);
  assertEquals(getList.schema, [Article]);
  assert(remove.schema instanceof Invalidate);
  assertStrictEquals(remove.schema.entity, Article);
});

Deno.test("every further option goes to each member, and wins over fields of the class", () => {
  class Api<O extends RestGenerics> extends RestEndpoint<O> {
    override urlPrefix = "https://field.example";
  }
  const resource = createResource({
    path: "/articles/:id",
    schema: Article,
    Endpoint: Api,
    urlPrefix: "https://option.example",
    dataExpiryLength: 5,
    errorPolicy: () => "soft",
    extra: "x",
  });
  for (const member of Object.values(resource)) {
    assert(member instanceof Api);
    assertEquals([member.urlPrefix, member.dataExpiryLength, member.extra], ["https://option.example", 5, "x"]);
    assertEquals(member.errorPolicy(new Error()), "soft");
  }
  assertEquals(
    createResource({ path: "/articles/:id", schema: Article, Endpoint: Api }).get.urlPrefix,
    "https://field.example",
  );
  assertEquals(createResource({ path: "/x/:id", schema: Article, name: "Draft" }).get.name, "Draft.get");
});

Deno.test("searchParams and body are types only, but an undefined body means none", () => {
  const resource = createResource({
    path: "/articles/:id",
    schema: Article,
    searchParams: { tag: "value" },
    body: undefined,
  });
  assertEquals(resource.getList.url(), "/articles");
  assertEquals(resource.create.readArgs([{ a: 1 }]), { params: { a: 1 }, body: undefined });
});

Deno.test("the path of lists: last parameter, last group, the root, no parameters", () => {
  const paths = (path: string) => {
    const { get, getList } = createResource({ path, schema: Article });
    return [get.path, getList.path];
  };
  assertEquals(paths("/articles/:id"), ["/articles/:id", "/articles"]);
  assertEquals(paths("/:first"), ["/:first", "/"]);
  assertEquals(paths("/groups/:group/articles/:id"), ["/groups/:group/articles/:id", "/groups/:group/articles"]);
  assertEquals(paths("/articles{/:id}"), ["/articles{/:id}", "/articles"]);
  assertEquals(paths("/me"), ["/me", "/me"]);
  assertThrows(
    () => createResource({ path: "/articles/:id?" as string, schema: Article }),
    UrlError,
    "write /articles{/:id}",
  );
});

Deno.test("where text follows the last parameter, lists throw when they are used, and spreading still works", () => {
  const settings = createResource({ path: "/users/:id/settings", schema: Article });
  const { get, ...others } = { ...settings };
  assertEquals(get.url({ id: 5 }), "/users/5/settings");
  assertEquals(Object.keys(others), ["update", "partialUpdate", "delete"]);
  const loose = settings as unknown as { getList: unknown; create: unknown };
  assertThrows(() => loose.getList, EndpointError, 'Cannot use "Article.getList": text follows the last parameter');
  assertThrows(() => loose.create, EndpointError, 'Cannot use "Article.create"');
});

Deno.test("members are replaced by spreading", async () => {
  await using server = serveArticles();
  const base = at(server.origin);
  const resource = { ...base, getList: base.getList.extend({ schema: { results: [Article] }, process: wrap }) };
  function wrap(results: unknown[]) {
    return { results };
  }
  using controller = new Controller();
  const { results } = await controller.fetch(resource.getList);
  assertEquals(results.map(({ title }) => title), ["old", "other"]);
  assertStrictEquals(controller.get(Article, "5"), results[0]);
});

Deno.test("the six members against a server that answers as it should", async () => {
  await using server = serveArticles();
  const resource = at(server.origin);
  using controller = new Controller();
  const list = await controller.fetch(resource.getList, { tag: "x" });
  const article = await controller.fetch(resource.get, { id: 5 });
  assertStrictEquals(list[0], article);
  assertEquals(article.createdAt, new Date("2026-01-01"));
  const patched = await controller.fetch(resource.partialUpdate, { id: 5 }, { title: "new" });
  assertEquals([patched.title, patched.votes], ["new", 1]);
  assertStrictEquals(controller.get(Article, "5"), patched);
  const created = await controller.fetch(resource.create, { title: "created" });
  assertEquals([created.id, created.title], ["7", "created"]);
  const updated = await controller.fetch(resource.update, { id: 6 }, { title: "put", votes: 3 });
  assertEquals([updated.title, updated.votes], ["put", 3]);
  await controller.fetch(resource.delete, { id: 5 });
  assertEquals(controller.get(Article, "5"), undefined);
  assertEquals(server.requests, [
    "GET /articles?tag=x",
    "GET /articles/5",
    "PATCH /articles/5",
    "POST /articles",
    "PUT /articles/6",
    "DELETE /articles/5",
  ]);
});

/** The replies that docs/replies.md tells of, and how each is sent. */
const REPLIES: readonly (readonly [string, NonNullable<Reply>])[] = [
  ["204", { status: 204 }],
  ["an empty body", { body: "" }],
  ["an empty body without a type", { body: "", type: "text/plain" }],
  ['""', { body: '""' }],
  ["null", { body: "null" }],
  ["{}", { body: "{}" }],
  ["{success:true}", { body: '{"success":true}' }],
  ['"OK"', { body: '"OK"' }],
  ["OK as text", { body: "OK", type: "text/plain" }],
  ["1", { body: "1" }],
  ["an empty array", { body: "[]" }],
];

for (const [said, reply] of REPLIES) {
  Deno.test(`update and partialUpdate, answered with ${said}, write what was sent and mark it stale`, async () => {
    for (const member of ["update", "partialUpdate"] as const) {
      await using server = serveArticles(reply);
      const resource = at(server.origin);
      using controller = new Controller();
      await controller.fetch(resource.get, { id: "5" });
      const article = await controller.fetch(resource[member], { id: "5" }, { title: "new" });
      assertEquals([article.id, article.title, article.votes], ["5", "new", 1]);
      assertStrictEquals(controller.get(Article, "5"), article);
      const { expiresAt } = controller.getResponse(resource.get, { id: "5" });
      assert(expiresAt <= Date.now(), `${member}: the record is to be asked for again`);
    }
  });

  Deno.test(`delete, answered with ${said}, takes the record from its parameters`, async () => {
    await using server = serveArticles(reply);
    const resource = at(server.origin);
    using controller = new Controller();
    await controller.fetch(resource.getList);
    await controller.fetch(resource.delete, { id: "5" });
    assertEquals(controller.get(Article, "5"), undefined);
    assertEquals(controller.get(Article, "6")?.title, "other");
    assertEquals(controller.getResponse(resource.getList).data?.map(({ id }) => id), ["6"]);
  });

  Deno.test(`create, answered with ${said}, writes nothing and lets lists be fetched again`, async () => {
    await using server = serveArticles(reply);
    const resource = at(server.origin);
    using controller = new Controller();
    await controller.fetch(resource.getList);
    const before = stateOf(controller).entities;
    const created: unknown = await controller.fetch(resource.create, { title: "new" });
    assertEquals(created, undefined);
    assertEquals(stateOf(controller).entities, before);
    const { data, expiresAt } = controller.getResponse(resource.getList);
    assertEquals(data?.length, 2);
    assert(expiresAt <= Date.now(), "the list is to be asked for again");
  });
}

Deno.test("a reply that only names the record is completed by what was sent", async () => {
  for (const id of ["5", 5]) {
    await using server = serveArticles({ body: JSON.stringify({ id }) });
    const resource = at(server.origin);
    using controller = new Controller();
    await controller.fetch(resource.get, { id: "5" });
    const article = await controller.fetch(resource.partialUpdate, { id: "5" }, { title: "new" });
    assertEquals([article.title, article.votes], ["new", 1]);
    assert(controller.getResponse(resource.get, { id: "5" }).expiresAt <= Date.now());
    const created = await controller.fetch(resource.create, { title: "created" });
    assertEquals(created.title, "created");
    await controller.fetch(resource.delete, { id: "6" });
    assertEquals(controller.get(Article, "5"), undefined, "the reply names the deleted record");
  }
});

Deno.test("a full reply is the record, whatever was sent", async () => {
  await using server = serveArticles({ body: '{"id":"5","title":"as the server has it","votes":9}' });
  const resource = at(server.origin);
  using controller = new Controller();
  const article = await controller.fetch(resource.partialUpdate, { id: "5" }, { title: "new" });
  assertEquals([article.title, article.votes], ["as the server has it", 9]);
  assert(controller.getResponse(resource.get, { id: "5" }).expiresAt !== undefined);
});

const nothing: Snapshot = {
  fetchedAt: 0,
  get: () => undefined,
  getResponse: () => ({ data: undefined }),
  temporaryId: () => "~1",
  abort: new Error("abort"),
};

Deno.test("the reply of delete names the record when it is an object with a pk, and a bare value never does", () => {
  const { delete: remove } = at("https://api.example.com");
  const stored: Snapshot = { ...nothing, get: (_, pk) => (pk === "7" ? { id: "7" } : undefined) };
  const read = (reply: unknown) => remove.readReply?.(reply, [{ id: "5" }], stored)?.value;
  for (const bare of [7, "7", 8, "OK", true, ["7"]]) assertEquals(read(bare), { id: "5" });
  assertEquals(read({ id: "9", title: "x" }), { id: "9", title: "x" });
});

Deno.test("where nothing names the record, lists are expired and a warning says so", () => {
  const bySlug = createResource({ path: "/articles/:slug", schema: Article });
  for (const reply of [null, "", {}, "OK", 1]) {
    const deleted = bySlug.delete.readReply?.(reply, [{ slug: "x" }], nothing);
    assertEquals([deleted?.value, deleted?.stale], [undefined, undefined]);
    assertStringIncludes(deleted!.warning!, '"Article.delete"');
    assert(deleted!.expire!.testKey(bySlug.getList.key({ any: "thing" })));
    const updated = bySlug.update.readReply?.(reply, [{ slug: "x" }, { title: "y" }], nothing);
    assertEquals(updated?.value, undefined);
    assertStringIncludes(updated!.warning!, '"Article.update"');
  }
  // The record is named by what was sent.
  const named = bySlug.update.readReply?.(null, [{ slug: "x" }, { id: "5", title: "y" }], nothing);
  assertEquals([named?.value, named?.stale], ["5", true]);
  assertEquals(named?.sent?.[0]?.members, { slug: "x", id: "5", title: "y" });
});

Deno.test("pk and process of the class decide what names a record", () => {
  class Wrapped extends Entity {
    uuid = "";
    pk() {
      return this.uuid;
    }
    static key = "Wrapped";
    static process(value: { data?: { uuid: string } }) {
      return value.data ?? value;
    }
  }
  const resource = createResource({ path: "/x/:uuid", schema: Wrapped });
  const reply = { data: { uuid: "5", title: "x" } };
  assertEquals(resource.update.readReply?.(reply, [{ uuid: "5" }, {}], nothing)?.value, reply);
  class Strict extends Entity {
    id = "";
    pk() {
      return this.id.toLowerCase();
    }
    static key = "Strict";
  }
  const strict = createResource({ path: "/x/:id", schema: Strict });
  assertEquals(strict.delete.readReply?.({ success: true }, [{ id: "A" }], nothing)?.value, { id: "A" });
});

Deno.test("forms are read as what was sent; other bodies say nothing", () => {
  const { update } = at("");
  const form = new FormData();
  form.set("title", "x");
  form.set("file", new Blob(["bytes"]));
  const value = (body: unknown) => update.readReply?.(null, [{ id: "5" }, body], nothing)?.sent?.[0]?.members;
  assertEquals(value(form), { id: "5", title: "x" });
  assertEquals(value(new URLSearchParams({ title: "y" })), { id: "5", title: "y" });
  const several = new URLSearchParams([["tag", "a"], ["title", "y"], ["tag", "b"], ["tag", "c"], ["__proto__", "z"]]);
  assertEquals(
    value(several),
    Object.fromEntries([["id", "5"], ["tag", ["a", "b", "c"]], ["title", "y"], ["__proto__", "z"]]),
  );
  assertEquals(value("text"), { id: "5" });
  assertEquals(value(new Blob(["bytes"])), { id: "5" });
});

Deno.test("a member with another schema reads its replies itself", () => {
  const { update, delete: remove } = at("");
  class Other extends Entity {
    id = "";
    static key = "Other";
  }
  const other = update.extend({ schema: { article: Other } });
  assertEquals(other.readReply?.({ article: { id: "5" } }, [{ id: "5" }, {}], nothing), {
    value: { article: { id: "5" } },
  });
  const silent = remove.extend({ schema: undefined });
  assertEquals(silent.readReply?.("OK", [{ id: "5" }], nothing), { value: "OK" });
});

Deno.test("optimistic: every mutation shows what it will do", () => {
  const resource = at("", true);
  const stored: Snapshot = { ...nothing, get: (_, pk) => (pk === "5" ? Article.fromJS({ id: "5" }) : undefined) };
  assertEquals(resource.update.getOptimisticResponse?.(nothing, { id: "5" }, { title: "x" }), { id: "5", title: "x" });
  assertEquals(resource.partialUpdate.getOptimisticResponse?.(stored, { id: "5" }, { title: "x" }), {
    id: "5",
    title: "x",
  });
  assertEquals(resource.delete.getOptimisticResponse?.(nothing, { id: "5" }), { id: "5" });
  for (
    const abort of [
      () => resource.partialUpdate.getOptimisticResponse?.(nothing, { id: "5" }, { title: "x" }),
      () => resource.update.getOptimisticResponse?.(nothing, { slug: "x" }, { title: "x" }),
      () => resource.delete.getOptimisticResponse?.(nothing, { slug: "x" }),
    ]
  ) {
    assertStrictEquals(assertThrows(abort, Error), nothing.abort);
  }
  assertEquals(resource.create.getOptimisticResponse?.(nothing, { title: "x" }), { id: "~1", title: "x" });
  assertEquals(resource.create.getOptimisticResponse?.(nothing, { id: "own", title: "x" }), { id: "own", title: "x" });
  assertEquals(at("").update.getOptimisticResponse, undefined);
});

Deno.test("optimistic: shown at once, confirmed by the reply, taken back when the server refuses", async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    if (request.method === "GET") return Response.json({ id: "5", title: "old", votes: 1 });
    await gates[request.method === "PATCH" ? 0 : 1]!.promise;
    return request.method === "PATCH" ? new Response(null, { status: 204 }) : new Response("no", { status: 403 });
  });
  try {
    const resource = at(`http://127.0.0.1:${server.addr.port}`, true);
    using controller = new Controller();
    const shown = () => controller.get(Article, "5");
    await controller.fetch(resource.get, { id: "5" });
    const patch = controller.fetch(resource.partialUpdate, { id: "5" }, { title: "new" });
    assertEquals([shown()?.title, shown()?.votes], ["new", 1]);
    gates[0]!.resolve();
    assertStrictEquals(await patch, shown());
    assertEquals(shown()?.title, "new");
    const removal = controller.fetch(resource.delete, { id: "5" });
    assertEquals(shown(), undefined);
    gates[1]!.resolve();
    await assertRejects(() => removal, Error, "403");
    assertEquals(shown()?.title, "new");
  } finally {
    await server.shutdown();
  }
});

Deno.test("options inherited from a prototype count for nothing", () => {
  const prototype = Object.prototype as Record<string, unknown>;
  prototype.optimistic = true;
  prototype.body = undefined;
  try {
    const resource = at("");
    assertEquals(resource.update.getOptimisticResponse, undefined);
    assertEquals(resource.create.readArgs([{ title: "x" }]), { params: {}, body: { title: "x" } });
  } finally {
    delete prototype.optimistic;
    delete prototype.body;
  }
});
