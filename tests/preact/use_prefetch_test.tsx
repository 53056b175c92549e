import { settled } from "../support/dom.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { Controller, Entity, resource, SchemaError } from "@rejoin/data";
import { usePrefetch, useSuspense } from "@rejoin/data/preact";
import { renderDataHook, waitFor } from "@rejoin/data/testing";
import { TodoServer } from "../support/todo_server.ts";
import { uncaught } from "../support/uncaught.ts";
import { Server } from "./_cinema.tsx";

class Todo extends Entity {
  id = "";
  title = "";
  static key = "Todo";
}

Deno.test("usePrefetch asks once for what is not there, and the page that needs it does not wait", async () => {
  await using server = new TodoServer([{ id: "1", title: "one" }]);
  const TodoResource = resource({ urlPrefix: server.origin, path: "/todos/:id", schema: Todo });
  using controller = new Controller({ strict: true });
  await using link = renderDataHook(() => usePrefetch(), { controller });
  const hover = () => link.result.current!(TodoResource.get, { id: "1" });
  for (let i = 0; i < 3; i++) hover();
  await waitFor(() => controller.get(Todo, { id: "1" }) !== undefined);
  hover();
  await link.settled();
  assertEquals([server.requests, link.result.renders], [["GET /todos/1"], 1]);
  await using detail = renderDataHook(() => useSuspense(TodoResource.get, { id: "1" }).title, { controller });
  assertEquals([detail.result.current, detail.result.renders], ["one", 1]);
  link.rerender();
  await link.settled();
  assertEquals([server.requests.length, new Set(link.result.history).size], [1, 1]);
});

Deno.test("usePrefetch goes on when its component is gone, and its request is joined", async () => {
  const server = new Server();
  using controller = new Controller();
  const link = renderDataHook(() => usePrefetch(), { controller });
  link.result.current!(server.getFilm, { id: "1" });
  link.unmount();
  await using detail = renderDataHook(() => useSuspense(server.getFilm, { id: "1" }).title, { controller });
  await settled();
  assertEquals([detail.result.isWaiting, server.names, server.last.isAborted], [true, "getFilm", false]);
  server.answerFilms();
  await settled();
  assertEquals(detail.result.current, "Film 1");
});

Deno.test("usePrefetch tells nobody of an error, and whoever reads it is told", async () => {
  await using server = new TodoServer([]);
  const { get } = resource({ urlPrefix: server.origin, path: "/todos/:id", schema: Todo });
  await using link = renderDataHook(() => usePrefetch());
  const prefetch = link.result.current!;
  const errors = await uncaught(async () => {
    prefetch(get, { id: "1" });
    await link.settled({ timeout: 20_000 });
    prefetch(get, { id: "1" });
    // What cannot be sent at all.
    prefetch(get, { id: "" });
    await link.settled({ timeout: 20_000 });
  });
  assertEquals([errors, server.requests], [[], ["GET /todos/1"]]);
  assert(link.controller.getError(get, { id: "1" }) instanceof Error);
});

Deno.test("781 usePrefetch does nothing when the first argument is null, and sends no mutation", async () => {
  const server = new Server();
  await using link = renderDataHook(() => usePrefetch());
  const prefetch = link.result.current!;
  prefetch(server.getFilm, null);
  // @ts-expect-error a mutation
  const error = assertThrows(() => prefetch(server.rename, { id: "1" }), SchemaError, "a pointer that passes");
  await settled();
  assertEquals([error.code, server.names], [781, ""]);
});
