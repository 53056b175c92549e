/** The page of a record that is being deleted asks for nothing, and shows no error of what it does not ask for. */
import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import { Controller, Endpoint, Entity, resource, schema } from "@rejoin/data";
import { useCache, useDLE, useMutation, useSuspense } from "@rejoin/data/preact";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { TodoServer } from "../support/todo_server.ts";
import { App, press } from "./_cinema.tsx";

class Todo extends Entity {
  id = "";
  title = "";
  static key = "Todo";
}

/** Todos on a real server, which holds each mutation back until the test lets it go. */
function start(optimistic: boolean) {
  const server = new TodoServer([{ id: "1", title: "one" }, { id: "2", title: "two" }]);
  const gate = Promise.withResolvers<void>();
  server.gate = () => gate.promise;
  const Todos = resource({ urlPrefix: server.origin, path: "/todos/:id", schema: Todo, optimistic });
  const controller = new Controller({ strict: true, defaults: { retry: false } });
  const parts = controller.store.parts.length;
  return {
    server,
    Todos,
    controller,
    open: () => gate.resolve(),
    /** Each text that was on the page, in order. */
    watch(children: ComponentChildren) {
      const page = mount(<App controller={controller}>{children}</App>);
      const seen: string[] = [];
      const look = () => {
        const { text } = page;
        if (text !== "" && text !== seen.at(-1)) seen.push(text);
      };
      const shown = {
        seen,
        async until(text: string) {
          for (let i = 0; i < 2_000 && seen.at(-1) !== text; i++) {
            await new Promise((resolve) => setTimeout(resolve, 1));
            look();
          }
          assertEquals(seen.at(-1), text, seen.join(" | "));
        },
        async rest() {
          await controller.allSettled();
          await new Promise((resolve) => setTimeout(resolve, 5));
          await settled();
          look();
        },
      };
      return { page, shown };
    },
    async [Symbol.asyncDispose]() {
      gate.resolve();
      await controller.allSettled();
      assertEquals(controller.store.parts.length, parts);
      controller.cleanup();
      await server[Symbol.asyncDispose]();
    },
  };
}

for (const optimistic of [true, false]) {
  const name = optimistic ? "an optimistic delete" : "a delete";
  Deno.test(`15. a page that is left when ${name} is done has asked for nothing, and shown no error`, async () => {
    await using app = start(optimistic);
    const { Todos, server } = app;
    function Detail({ leave }: { leave: () => void }) {
      const { mutateAsync } = useMutation(Todos.delete);
      const { title } = useSuspense(Todos.get, { id: "1" });
      return <button type="button" onClick={() => mutateAsync({ id: "1" }).then(leave)}>{title}</button>;
    }
    function Page() {
      const [isOpen, setOpen] = useState(true);
      return isOpen ? <Detail leave={() => setOpen(false)} /> : <i>left</i>;
    }
    const { page, shown } = app.watch(<Page />);
    await shown.until("one");
    press(page.find("button"));
    if (optimistic) await shown.until("…");
    app.open();
    await shown.until("left");
    await shown.rest();
    assertEquals(shown.seen.slice(shown.seen.indexOf("one")), optimistic ? ["one", "…", "left"] : ["one", "left"]);
    assertEquals(server.requests, ["GET /todos/1", "DELETE /todos/1"]);
    page.unmount();
  });

  Deno.test(`15. a page that stays when ${name} is done asks then, and shows what the server says`, async () => {
    await using app = start(optimistic);
    const { Todos, server, controller } = app;
    function Detail() {
      const { data, loading, error } = useDLE(Todos.get, { id: "1" });
      return <b>{loading ? "loading" : error ? error.message.slice(-13) : data.title}</b>;
    }
    const { page, shown } = app.watch(<Detail />);
    await shown.until("one");
    const deletion = controller.fetch(Todos.delete, { id: "1" });
    if (optimistic) await shown.until("loading");
    assertEquals(server.requests.filter((line) => line.startsWith("GET")), ["GET /todos/1"]);
    app.open();
    await deletion;
    await shown.until("404 Not Found");
    assertEquals(shown.seen.filter((text) => text !== "loading"), ["one", "404 Not Found"]);
    assertEquals(server.requests, ["GET /todos/1", "DELETE /todos/1", "GET /todos/1"]);
    page.unmount();
  });
}

Deno.test("15. a delete that is refused brings its page back, without asking", async () => {
  await using app = start(true);
  const { Todos, server } = app;
  function Detail() {
    const { mutate, error } = useMutation(Todos.delete);
    const { title } = useSuspense(Todos.get, { id: "1" });
    return <button type="button" onClick={() => mutate({ id: "1" })}>{error ? `${title} stays` : title}</button>;
  }
  const { page, shown } = app.watch(<Detail />);
  await shown.until("one");
  server.reply = { status: 409 };
  press(page.find("button"));
  await shown.until("…");
  app.open();
  await shown.until("one stays");
  await shown.rest();
  assertEquals(shown.seen.slice(shown.seen.indexOf("one")), ["one", "…", "one stays"]);
  assertEquals(server.requests, ["GET /todos/1", "DELETE /todos/1"]);
  page.unmount();
});

Deno.test("15. a page that is opened while its record is being deleted waits for what comes of that", async () => {
  await using app = start(true);
  const { Todos, server, controller } = app;
  await controller.fetch(Todos.getList);
  const Detail = ({ id }: { id: string }) => <b>{useSuspense(Todos.get, { id }).title}</b>;
  const both = ["1", "2"].map((id) => controller.fetch(Todos.delete, { id }).catch(() => {}));
  server.reply = { status: 409 };
  const { page, shown } = app.watch(<Detail id="1" />);
  await shown.until("…");
  app.open();
  await shown.until("one");
  await Promise.all(both);
  assertEquals(shown.seen, ["…", "one"]);
  assertEquals(server.requests, ["GET /todos", "DELETE /todos/1", "DELETE /todos/2"]);
  page.unmount();
});

Deno.test("15. what nobody knew of a record that is being deleted is asked for, and not shown", async () => {
  await using app = start(true);
  const { Todos, server, controller } = app;
  const Detail = () => <b>{useSuspense(Todos.get, { id: "1" }).title}</b>;
  const deletion = controller.fetch(Todos.delete, { id: "1" }).catch(() => {});
  const { page, shown } = app.watch(<Detail />);
  // The same request: who calls it by hand gets what it has brought.
  const read = controller.fetch(Todos.get, { id: "1" });
  await shown.until("…");
  assertEquals((await read).title, "one");
  await settled();
  assertEquals([page.text, server.requests.toSorted()], ["…", ["DELETE /todos/1", "GET /todos/1"]]);
  server.reply = { status: 409 };
  app.open();
  await shown.until("one");
  await deletion;
  // What was read while it was under way is stale by now, and is asked for once more.
  await shown.rest();
  assertEquals(shown.seen, ["…", "one"]);
  page.unmount();
});

Deno.test("15. an answer that met the deletion is no error before the deletion is answered", async () => {
  await using app = start(true);
  const { Todos, controller, server } = app;
  const Detail = () => <b>{useSuspense(Todos.get, { id: "1" }).title}</b>;
  const { page, shown } = app.watch(<Detail />);
  await shown.until("one");
  const deletion = controller.fetch(Todos.delete, { id: "1" });
  await shown.until("…");
  // A poll, say: the server has deleted it, and its answer to that is on its way.
  server.rows.delete("1");
  await controller.fetch(Todos.get, { id: "1" }).catch(() => {});
  await settled();
  assertEquals([page.text, controller.getError(Todos.get, { id: "1" }) !== undefined], ["…", true]);
  server.reply = { body: null, status: 204 };
  server.rows.set("1", { id: "1", userId: "", title: "", done: false });
  app.open();
  await deletion;
  await shown.rest();
  assert(page.text.includes("404") && shown.seen.slice(0, -1).every((text) => !text.includes("404")), page.text);
  page.unmount();
});

Deno.test("15. a page whose record lacks what is being deleted waits, too", async () => {
  class Owner extends Entity {
    id = "";
    name = "";
    static key = "Owner";
  }
  class Pet extends Entity {
    id = "";
    owner: Owner = new Owner();
    static key = "Pet";
    static schema = { owner: Owner };
  }
  const asked: string[] = [];
  const getPet = new Endpoint(async ({ id }: { id: string }) => {
    asked.push(id);
    return await Promise.resolve({ id, owner: { id: "7", name: "Ada" } });
  }, { name: "getPet", schema: Pet });
  const answer = Promise.withResolvers<object>();
  const leave = new Endpoint((_: { id: string }) => answer.promise, {
    name: "leave",
    sideEffect: true,
    schema: new schema.Invalidate(Owner),
    getOptimisticResponse: (_snapshot, { id }: { id: string }) => ({ id }),
  });
  const controller = new Controller({ strict: true });
  const Detail = () => <b>{useSuspense(getPet, { id: "1" }).owner.name}</b>;
  const Other = () => <i>{useCache(getPet, { id: "1" })?.owner.name ?? "nobody"}</i>;
  await using page = mount(
    <App controller={controller}>
      <Detail />
      <Other />
    </App>,
  );
  await settled(controller);
  assertEquals(page.text, "AdaAda");
  const left = controller.fetch(leave, { id: "7" }).catch(() => {});
  await settled();
  assertEquals([page.text, asked.length], ["…", 1]);
  answer.reject(new Error("no"));
  await left;
  await settled(controller);
  assertEquals([page.text, asked.length], ["AdaAda", 1]);
  controller.cleanup();
});
