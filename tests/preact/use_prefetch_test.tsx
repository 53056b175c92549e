import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { Controller, Entity, resource, SchemaError } from "@rejoin/data";
import { type Prefetch, usePrefetch, useSuspense } from "@rejoin/data/preact";
import { TodoServer } from "../support/todo_server.ts";
import { uncaught } from "../support/uncaught.ts";
import { App, press, Server } from "./_cinema.tsx";

class Todo extends Entity {
  id = "";
  title = "";
  static key = "Todo";
}

Deno.test("usePrefetch asks once for what is not there, and the page that needs it does not wait", async () => {
  await using server = new TodoServer([{ id: "1", title: "one" }]);
  const TodoResource = resource({ urlPrefix: server.origin, path: "/todos/:id", schema: Todo });
  using controller = new Controller({ strict: true });
  let renders = 0;
  const functions = new Set<unknown>();
  function Link() {
    renders++;
    const prefetch = usePrefetch();
    functions.add(prefetch);
    return <button type="button" onClick={() => prefetch(TodoResource.get, { id: "1" })}>link</button>;
  }
  const Detail = () => <b>{useSuspense(TodoResource.get, { id: "1" }).title}</b>;
  const tree = (isOpen: boolean) => (
    <App controller={controller}>
      <Link />
      {isOpen && <Detail />}
    </App>
  );
  await using page = mount(tree(false));
  for (let i = 0; i < 3; i++) press(page.find("button"));
  await controller.allSettled();
  press(page.find("button"));
  await controller.allSettled();
  await settled();
  assertEquals([server.requests, renders], [["GET /todos/1"], 1]);
  page.render(tree(true));
  assertEquals(page.text, "linkone");
  await settled();
  assertEquals([server.requests.length, renders, functions.size], [1, 2, 1]);
});

Deno.test("usePrefetch goes on when its component is gone, and its request is joined", async () => {
  const server = new Server();
  let prefetch: Prefetch | undefined;
  function Link() {
    prefetch = usePrefetch();
    return null;
  }
  const Detail = () => <b>{useSuspense(server.getFilm, { id: "1" }).title}</b>;
  const controller = new Controller();
  const tree = (isOpen: boolean) => <App controller={controller}>{isOpen ? <Detail /> : <Link />}</App>;
  await using page = mount(tree(false));
  prefetch!(server.getFilm, { id: "1" });
  page.render(tree(true));
  await settled();
  assertEquals([page.text, server.names, server.last.isAborted], ["…", "getFilm", false]);
  server.answerFilms();
  await settled();
  assertEquals(page.text, "Film 1");
});

Deno.test("usePrefetch tells nobody of an error, and whoever reads it is told", async () => {
  await using server = new TodoServer([]);
  const { get } = resource({ urlPrefix: server.origin, path: "/todos/:id", schema: Todo });
  using controller = new Controller();
  let prefetch: Prefetch | undefined;
  function Link() {
    prefetch = usePrefetch();
    return null;
  }
  await using _ = mount(
    <App controller={controller}>
      <Link />
    </App>,
  );
  const errors = await uncaught(async () => {
    prefetch!(get, { id: "1" });
    await controller.allSettled();
    prefetch!(get, { id: "1" });
    // What cannot be sent at all.
    prefetch!(get, { id: "" });
    await controller.allSettled();
    await settled();
  });
  assertEquals([errors, server.requests], [[], ["GET /todos/1"]]);
  assert(controller.getError(get, { id: "1" }) instanceof Error);
});

Deno.test("781 usePrefetch does nothing when the first argument is null, and sends no mutation", async () => {
  const server = new Server();
  let prefetch: Prefetch | undefined;
  function Link() {
    prefetch = usePrefetch();
    return null;
  }
  await using _ = mount(
    <App>
      <Link />
    </App>,
  );
  prefetch!(server.getFilm, null);
  // @ts-expect-error a mutation
  const error = assertThrows(() => prefetch!(server.rename, { id: "1" }), SchemaError, "a pointer that passes");
  await settled();
  assertEquals([error.code, server.names], [781, ""]);
});
