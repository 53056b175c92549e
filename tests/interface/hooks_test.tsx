/** The sentences of the declared interface that need hooks. */
import { mount } from "../support/dom.ts";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, createResource, Entity, Query, schema } from "@rejoin/data";
import { DataProvider, useCache } from "@rejoin/data/preact";
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
  const server = serveAny(({ method, path, body }) => {
    if (path.startsWith("/users")) {
      return [{ id: "1", name: "Ann", isAdmin: true }, { id: "2", name: "Bo", isAdmin: false }];
    }
    return method === "GET" ? todos : { user: "1", id: "3", ...JSON.parse(body) };
  });
  const { urlPrefix } = server;
  const TodoResource = createResource({ urlPrefix, path: "/todos/:id", schema: Todo });
  const UserResource = createResource({ urlPrefix, path: "/users/:id", schema: User });
  return { ...server, TodoResource, UserResource };
}
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
  await using page = mount(
    <DataProvider controller={controller}>
      <Page />
    </DataProvider>,
  );
  assertEquals([page.text, server.asked.length], ["none none none", 0]);
  await controller.fetch(TodoResource.getList);
  await controller.fetch(UserResource.getList);
  await page.shows("Ann 2 WriteBo");
  const before = seen.at(-1);
  await controller.fetch(TodoResource.create, { title: "New" });
  await page.shows("Ann 3 WriteBo");
  assertStrictEquals(seen.at(-1), before);
});
