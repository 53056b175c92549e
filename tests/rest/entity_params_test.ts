import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { Controller, createResource, Entity, resource, RestEndpoint, serial, UrlError } from "@rejoin/data";
import { startFaultServer } from "../support/fault_server.ts";

class Task extends Entity {
  id = "";
  title = "";
  secret = "";
  get shelf() {
    return "a";
  }
  pk() {
    return this.id;
  }
  static key = "Task";
}

const STORED = { id: "1", title: "Buy milk", secret: "s3cret" };

/** Answers reads with one task, and mutations with nothing. */
async function taskServer() {
  return await startFaultServer({
    fallback: ({ method, url }) =>
      method === "GET"
        ? Response.json(/tasks$/.test(new URL(url).pathname) ? [STORED] : STORED)
        : new Response(null, { status: 204 }),
  });
}

for (
  const [name, make] of [["resource", resource as unknown as typeof createResource], [
    "createResource",
    createResource,
  ]] as const
) {
  Deno.test(`13.B3 an entity given as params to ${name} is what the path takes of it`, async () => {
    await using server = await taskServer();
    const { get, getList, update, partialUpdate, delete: remove } = make({
      urlPrefix: server.origin,
      path: "/shelves/:shelf/tasks/:id",
      schema: Task,
      optimistic: true,
      scope: serial("record"),
    });
    using controller = new Controller();
    const params = { shelf: "a", id: "1" };
    await controller.fetch(getList, { shelf: "a" });
    const task = controller.get(Task, { id: "1" })!;
    server.clear();
    for (const endpoint of [get, update, partialUpdate, remove]) {
      const { url, key } = endpoint as unknown as RestEndpoint;
      assertEquals(url.call(endpoint, task), `${server.origin}/shelves/a/tasks/1`);
      assertEquals(key.call(endpoint, task), key.call(endpoint, params));
    }
    await controller.fetch(get, task);
    assertEquals(controller.getResponse(get, params).data, controller.getResponse(get, task).data);
    const changed = controller.fetch(partialUpdate, task, { title: "Buy bread" });
    assertEquals(controller.get(Task, "1")?.title, "Buy bread");
    await changed;
    await controller.fetch(update, task, { id: "1", title: "Buy butter", secret: "s3cret" });
    // Of what was read before, nothing is written: it may have changed since.
    controller.set(Task, "1", { id: "1", secret: "newer" });
    await controller.fetch(partialUpdate, task, { title: "Buy eggs" });
    assertEquals({ ...controller.get(Task, "1") }, { id: "1", title: "Buy eggs", secret: "newer" });
    const removed = controller.fetch(remove, task);
    assertEquals(controller.get(Task, "1"), undefined);
    await removed;
    assertEquals(controller.get(Task, "1"), undefined);
    await remove(task);
    assertEquals(server.requests.map(({ method, path }) => `${method} ${path}`), [
      "GET /shelves/a/tasks/1",
      "PATCH /shelves/a/tasks/1",
      "PUT /shelves/a/tasks/1",
      "PATCH /shelves/a/tasks/1",
      "DELETE /shelves/a/tasks/1",
      "DELETE /shelves/a/tasks/1",
    ]);
    assert(!JSON.stringify(server.requests.map(({ path }) => path)).includes("s3cret"));
  });
}

Deno.test("13.B3 an entity names its record also where the path has another name for it", async () => {
  await using server = await taskServer();
  const { getList, partialUpdate, delete: remove } = resource({
    urlPrefix: server.origin,
    path: "/tasks/:title",
    schema: Task,
    optimistic: true,
  });
  using controller = new Controller({ strict: true });
  await controller.fetch(getList);
  const task = controller.get(Task, "1")!;
  const changed = controller.fetch(partialUpdate, task, { secret: "new" });
  assertEquals(controller.get(Task, "1")?.secret, "new");
  await changed;
  assertEquals(controller.get(Task, "1")?.secret, "new");
  const removed = controller.fetch(remove, task);
  assertEquals(controller.get(Task, "1"), undefined);
  await removed;
  assertEquals(controller.get(Task, "1"), undefined);
  assertEquals(server.requests.at(-1)!.path, "/tasks/Buy%20milk");
});

Deno.test("13.B3 a member of the record that the path does not take is an error, and not shown in it", () => {
  const { get, update, partialUpdate, delete: remove, getList } = resource({
    urlPrefix: "https://api.example.com",
    path: "/tasks/:id",
    schema: Task,
  });
  for (const endpoint of [get, update, partialUpdate, remove]) {
    const { url } = endpoint as unknown as RestEndpoint;
    for (const params of [{ id: "1", secret: "s3cret" }, { ...Task.fromJS({ ...STORED }) }]) {
      const error = assertThrows(() => url.call(endpoint, params), UrlError);
      assertStringIncludes(error.message, 'is a member of "Task", and not a parameter of the path');
      assert(!Deno.inspect(error).includes("s3cret"));
    }
    // All else is loose, as ever.
    assertEquals(url.call(endpoint, { id: "1", lang: "en" }), "https://api.example.com/tasks/1?lang=en");
    assertEquals(url.call(endpoint, { id: "1", secret: undefined }), "https://api.example.com/tasks/1");
  }
  // A path in the spelling of OpenAPI has no parameter.
  const braces = resource({ urlPrefix: "https://api.example.com", path: "/tasks/{id}", schema: Task });
  const { message } = assertThrows(() => braces.get.url.call(braces.get, { id: "1" } as never), UrlError);
  assertStringIncludes(message, "A parameter of a path begins with a colon, as in /articles/:id");
  // Where it is meant, the endpoint says so; lists, and endpoints by themselves, search by what they like.
  const searching = get.extend({ searchParams: {} as { secret?: string } });
  assertEquals(searching.url({ id: "1", secret: "x" }), "https://api.example.com/tasks/1?secret=x");
  assertEquals(getList.url({ title: "x" }), "https://api.example.com/tasks?title=x");
  const plain = new RestEndpoint({ urlPrefix: "https://api.example.com", path: "/search", schema: Task });
  assertEquals(plain.url({ title: "x" }), "https://api.example.com/search?title=x");
  const other = get.extend({ path: "/tasks/:id/similar" });
  assertEquals(other.url({ id: "1", title: "x" }), "https://api.example.com/tasks/1/similar?title=x");
});
