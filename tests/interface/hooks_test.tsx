/** The sentences of the declared interface that need hooks. */
import { mount, settled } from "../support/dom.ts";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, createResource, Entity, hookifyResource, Query, RestEndpoint, schema, typed } from "@rejoin/data";
import { AsyncBoundary, DataProvider, useCache, useController, useFetch, useSuspense } from "@rejoin/data/preact";
import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";
import { serve as serveAny } from "../support/api.ts";

class User extends Entity {
  id = "";
  name = "";
  isAdmin = false;
  static override key = "User";
}
class Todo extends Entity {
  id = "";
  title = "";
  user = User.fromJS();
  static override key = "Todo";
  static override schema = { user: User };
}

/** A server of todos that records its requests. */
function serve() {
  const todos = [{ id: "1", title: "Read", user: "1" }, { id: "2", title: "Write", user: "2" }];
  const server = serveAny(({ method, path, search, body }) => {
    const id = path.split("/")[2], found = todos.find((todo) => todo.id === id);
    if (path.startsWith("/users")) {
      return [{ id: "1", name: "Ann", isAdmin: true }, { id: "2", name: "Bo", isAdmin: false }];
    }
    if (path === "/feed") {
      return search ? { results: [todos[1]], cursor: "" } : { results: [todos[0]], cursor: "next" };
    }
    if (method === "DELETE") {
      todos.splice(todos.indexOf(found!), 1);
      return {};
    }
    if (method === "GET") return id ? found : todos;
    return { user: "1", ...found, id: id ?? "3", ...JSON.parse(body) };
  });
  const { urlPrefix } = server;
  const TodoResource = createResource({ urlPrefix, path: "/todos/:id", schema: Todo });
  const UserResource = createResource({ urlPrefix, path: "/users/:id", schema: User });
  return { ...server, TodoResource, UserResource };
}
const app = (controller: Controller, children: ComponentChildren) => (
  <DataProvider controller={controller}>
    <AsyncBoundary fallback="…" errorComponent={({ error }) => <>{error.message}</>}>{children}</AsyncBoundary>
  </DataProvider>
);
async function quiet(controller: Controller): Promise<void> {
  await controller.allSettled();
  await settled();
}

Deno.test("Endpoints 4: get and getList are read with useSuspense, invalidated and mutated with the controller", async () => {
  await using server = serve();
  using controller = new Controller();
  const { TodoResource } = server;
  let own: Controller | undefined;
  const List = () => <ul>{useSuspense(TodoResource.getList).map(({ id, title }) => <li key={id}>{title},</li>)}</ul>;
  const One = () => {
    own = useController();
    return <b>{useSuspense(TodoResource.get, { id: "1" }).title}</b>;
  };
  await using page = mount(app(controller, [<List key="list" />, <One key="one" />]));
  await Promise.resolve();
  assertEquals(page.text, "…");
  await quiet(controller);
  assertEquals([page.text, own === controller], ["Read,Write,Read", true]);
  await controller.fetch(TodoResource.partialUpdate, { id: "1" }, { title: "Rest" });
  await page.shows("Rest,Write,Rest");
  server.asked.length = 0;
  controller.invalidate(TodoResource.get, { id: "1" });
  await settled();
  await quiet(controller);
  assertEquals(server.lines().filter((line) => line === "GET /todos/1").length, 1);
  await controller.fetch(TodoResource.delete, { id: "2" });
  await settled();
  assertEquals(page.find("ul").textContent!.includes("Write"), false);
});

Deno.test("Endpoints 5: useFetch triggers a fetch without suspending, useSuspense suspends until data is available", async () => {
  await using server = serve();
  using controller = new Controller();
  const { TodoResource } = server;
  const Page = () => <>{useFetch(TodoResource.get, { id: "1" })?.value?.title ?? "not waiting"}</>;
  const Waits = () => <>{useSuspense(TodoResource.getList).length}</>;
  await using page = mount(app(controller, <Page />));
  assertEquals(page.text, "not waiting");
  await quiet(controller);
  assertEquals([page.text, server.lines()], ["Read", ["GET /todos/1"]]);
  page.render(app(controller, <Waits />));
  await settled();
  await quiet(controller);
  assertEquals(page.text, "2");
});

Deno.test("Query 1 to 3, 5: useCache reads it, undefined while there is nothing; results keep their reference; joins", async () => {
  await using server = serve();
  using controller = new Controller();
  const { TodoResource, UserResource } = server;
  const admins = new Query(
    new schema.All(User),
    (users, { isAdmin }: { isAdmin?: boolean } = {}) =>
      users.filter((user) => isAdmin === undefined || user.isAdmin === isAdmin),
  );
  const ofUser = new Query(
    new schema.All(Todo),
    (todos, { userId }: { userId: string }) => todos.filter(({ user }) => user.pk() === userId),
  );
  const count = new Query(new schema.All(Todo), (todos) => todos.length);
  const seen: unknown[] = [];
  const Page = () => {
    const users = useCache(admins, { isAdmin: true });
    seen.push(users);
    return (
      <>
        {users?.map(({ name }) => name).join() ?? "none"} {useCache(count) ?? "none"}{" "}
        {useCache(ofUser, { userId: "2" })?.map(({ title, user }) => title + user.name).join() ?? "none"}
      </>
    );
  };
  await using page = mount(app(controller, <Page />));
  assertEquals([page.text, server.asked.length], ["none none none", 0]);
  await controller.fetch(TodoResource.getList);
  await controller.fetch(UserResource.getList);
  await page.shows("Ann 2 WriteBo");
  const before = seen.at(-1);
  await controller.fetch(TodoResource.create, { title: "New" });
  await page.shows("Ann 3 WriteBo");
  assertStrictEquals(seen.at(-1), before);
});

Deno.test("Pagination 1: a list exposes results and tokens; the next page is appended to the list", async () => {
  await using server = serve();
  using controller = new Controller();
  const getFeed = new RestEndpoint({
    urlPrefix: server.urlPrefix,
    path: "/feed",
    searchParams: typed<{ cursor?: string } | undefined>(),
    schema: { results: [Todo], cursor: "" },
  });
  const getNext = getFeed.paginated(({ cursor: _, ...rest }: { cursor: string }) =>
    Object.keys(rest).length ? [rest] : []
  );
  let next: (() => Promise<unknown>) | undefined;
  const Feed = () => {
    const { results, cursor } = useSuspense(getFeed), own = useController();
    next = cursor ? () => own.fetch(getNext, { cursor }) : undefined;
    return <>{results.map(({ title }) => title).join()} {cursor && <button type="button">Next</button>}</>;
  };
  await using page = mount(app(controller, <Feed />));
  await quiet(controller);
  assertEquals(page.text, "Read Next");
  await next!();
  assertEquals([await page.settledText(), next], ["Read,Write ", undefined]);
});

Deno.test("hookifyResource: hooks that return endpoints; useInit gives overrides of the request to each", async () => {
  await using server = serve();
  using controller = new Controller();
  const Token = createContext("");
  const Todos = hookifyResource(server.TodoResource, () => ({ headers: { "Access-Token": useContext(Token) } }));
  const names: string[] = [];
  const Page = () => {
    const getList = Todos.useGetList(), get = Todos.useGet();
    const mutations = [Todos.useCreate(), Todos.useUpdate(), Todos.usePartialUpdate(), Todos.useDelete()];
    for (const { method, path } of [get, getList, ...mutations]) names.push(`${method} ${path}`);
    return <>{useSuspense(get, { id: "1" }).title} {useSuspense(getList).length}</>;
  };
  await using page = mount(app(
    controller,
    <Token.Provider value="t1">
      <Page />
    </Token.Provider>,
  ));
  for (let turn = 0; turn < 3; turn++) {
    await settled();
    await quiet(controller);
  }
  assertEquals(page.text, "Read 2");
  assertEquals(server.lines(), ["GET /todos/1", "GET /todos"]);
  assertEquals(server.asked.map(({ headers }) => headers.get("access-token")), ["t1", "t1"]);
  assertEquals(names.slice(0, 3), ["GET /todos/:id", "GET /todos", "POST /todos"]);
  assertEquals(names.slice(3, 6), ["PUT /todos/:id", "PATCH /todos/:id", "DELETE /todos/:id"]);
});
