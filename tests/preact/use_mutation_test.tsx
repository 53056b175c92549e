import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals, assertRejects, assertStrictEquals, assertStringIncludes } from "@std/assert";
import {
  Controller,
  createResource,
  Endpoint,
  Entity,
  type NetworkError,
  resource,
  RestEndpoint,
  SchemaError,
} from "@rejoin/data";
import { type Mutation, useCache, useController, useMutation, useQuery, useSuspense } from "@rejoin/data/preact";
import { renderDataHook, waitFor } from "@rejoin/data/testing";
import { TodoServer } from "../support/todo_server.ts";
import { uncaught } from "../support/uncaught.ts";
import { App, press, Server } from "./_cinema.tsx";

class Todo extends Entity {
  id = "";
  userId = "";
  title = "";
  done = false;
  static key = "Todo";
}

/** Todos on a real server, which holds each mutation back until the test lets it go. */
function start() {
  const server = new TodoServer([{ id: "1", title: "one" }, { id: "2", title: "two" }]);
  const gates: { readonly line: string; readonly open: () => void }[] = [];
  server.gate = (line) => new Promise((open) => gates.push({ line, open }));
  const TodoResource = resource({ urlPrefix: server.origin, path: "/todos/:id", schema: Todo });
  const controller = new Controller({ strict: true, defaults: { retry: false } });
  return {
    server,
    TodoResource,
    controller,
    /** Waits until so many mutations have come to the server. */
    async arrived(count: number) {
      while (gates.length < count) await tick();
      return gates;
    },
    [Symbol.asyncDispose]: async () => {
      for (const { open } of gates) open();
      await controller.allSettled();
      controller.cleanup();
      await server[Symbol.asyncDispose]();
    },
  };
}

const tick = () => new Promise((resolve) => setTimeout(resolve, 1));

/** A real server on a machine that is busy. */
const LONG = { timeout: 20_000 };

Deno.test("useMutation tells that it is pending, then that it is done, in one rendering each", async () => {
  await using app = start();
  const { TodoResource, controller } = app;
  await using hook = renderDataHook(() => {
    const { mutate, isPending, error, data } = useMutation(TodoResource.create);
    return { mutate, text: `${isPending} ${error} ${data?.title}` };
  }, { controller });
  const seen = () => hook.result.history.map(({ text }) => text);
  hook.result.current!.mutate({ title: "new" });
  const [sent] = await app.arrived(1);
  await settled();
  assertEquals(seen(), ["false undefined undefined", "true undefined undefined"]);
  sent!.open();
  await waitFor(() => seen().length > 2, LONG);
  assertEquals(seen().slice(2), ["false undefined new"]);
  assertEquals(app.server.requests, ["POST /todos"]);
});

Deno.test("useMutation runs only who reads what has changed, and gives the same functions", async () => {
  await using app = start();
  const { TodoResource, controller } = app;
  const renders = { button: 0, pending: 0, error: 0, data: 0 };
  const objects = new Set<unknown>();
  let mutation: Mutation<typeof TodoResource.create> | undefined;
  function Button() {
    renders.button++;
    mutation = useMutation(TodoResource.create);
    const { mutate, mutateAsync, reset } = mutation;
    for (const one of [mutation, mutate, mutateAsync, reset]) objects.add(one);
    return (
      <button type="button" onClick={() => mutate({ title: "new" })}>
        <Pending />
        <Failed />
        <Data />
      </button>
    );
  }
  const Pending = () => <i>{++renders.pending && String(mutation!.isPending)}</i>;
  const Failed = () => <i>{++renders.error && String(mutation!.error?.message)}</i>;
  const Data = () => <i>{++renders.data && String(mutation!.data?.title)}</i>;
  const tree = () => (
    <App controller={controller}>
      <Button />
    </App>
  );
  await using page = mount(tree());
  press(page.find("button"));
  const [sent] = await app.arrived(1);
  await settled();
  assertEquals([page.text, renders], ["trueundefinedundefined", { button: 1, pending: 2, error: 1, data: 1 }]);
  sent!.open();
  await waitFor(() => page.text.includes("new"), LONG);
  assertEquals([page.text, renders], ["falseundefinednew", { button: 1, pending: 3, error: 1, data: 2 }]);
  page.render(tree());
  await settled();
  assertEquals([renders.button, objects.size], [2, 4]);
});

Deno.test("useMutation shows what failed, and reports it to nobody else; the next call takes it away", async () => {
  await using app = start();
  const { TodoResource, controller, server } = app;
  await using hook = renderDataHook(() => {
    const { mutate, isPending, error } = useMutation(TodoResource.partialUpdate);
    return { mutate, text: `${isPending} ${error?.name} ${(error as NetworkError | undefined)?.status}` };
  }, { controller });
  const seen = () => hook.result.history.map(({ text }) => text);
  const save = () => hook.result.current!.mutate({ id: "1" }, { title: "new" });
  server.reply = { status: 422 };
  const reported = await uncaught(async () => {
    save();
    (await app.arrived(1))[0]!.open();
    await waitFor(() => seen().length === 3, LONG);
  });
  assertEquals(reported, []);
  assertEquals(seen(), ["false undefined undefined", "true undefined undefined", "false NetworkError 422"]);
  server.reply = undefined;
  save();
  (await app.arrived(2))[1]!.open();
  await waitFor(() => seen().length === 5, LONG);
  assertEquals(seen().slice(3), ["true undefined undefined", "false undefined undefined"]);
});

Deno.test("useMutation shows what the latest call brings, whichever ends last", async () => {
  await using app = start();
  const { TodoResource, controller, server } = app;
  await using hook = renderDataHook(() => {
    const mutation = useMutation(TodoResource.partialUpdate);
    return { mutation, text: `${mutation.isPending} ${mutation.data?.title}` };
  }, { controller });
  const { mutation } = hook.result.current!;
  const first = mutation.mutateAsync({ id: "1" }, { title: "first" });
  const gates = await app.arrived(1);
  const second = mutation.mutateAsync({ id: "2" }, { title: "second" });
  await app.arrived(2);
  gates[1]!.open();
  assertEquals((await second).title, "second");
  await settled();
  const seen = hook.result.history.map(({ text }) => text);
  assertEquals(seen, ["false undefined", "true undefined", "false second"]);
  gates[0]!.open();
  assertEquals((await first).title, "first");
  await settled();
  assertEquals([hook.result.renders, mutation.data?.title, mutation.isPending], [3, "second", false]);
  assertEquals([server.rows.get("1")?.title, controller.get(Todo, "1")?.title], ["first", "first"]);
});

Deno.test("useMutation stays pending until its latest call has ended, when an earlier one ends before", async () => {
  const server = new Server();
  const save = server.valueEndpoint<string>("save", {}).extend({ sideEffect: true });
  await using hook = renderDataHook(() => {
    const mutation = useMutation(save);
    return { mutation, text: `${mutation.isPending} ${mutation.data} ${mutation.error?.message}` };
  });
  const { mutation } = hook.result.current!;
  const seen = () => hook.result.history.map(({ text }) => text);
  const first = mutation.mutateAsync();
  mutation.mutate();
  await settled();
  server.asked[0]!.fail(new Error("first"));
  await assertRejects(() => first, Error, "first");
  await settled();
  assertEquals(seen(), ["false undefined undefined", "true undefined undefined"]);
  server.asked[1]!.answer("second");
  await settled();
  assertEquals(seen()[2], "false second undefined");
});

Deno.test("useMutation goes on when its component is gone, and updates nobody", async () => {
  await using app = start();
  const { TodoResource, controller } = app;
  await controller.fetch(TodoResource.getList);
  let renders = 0;
  function Row() {
    renders++;
    const { mutate, isPending } = useMutation(TodoResource.delete);
    return <button type="button" disabled={isPending} onClick={() => mutate({ id: "1" })}>delete</button>;
  }
  const List = () => <ul>{useCache(TodoResource.getList)?.map(({ title }) => <li key={title}>{title}</li>)}</ul>;
  const tree = (isThere: boolean) => (
    <App controller={controller}>
      <List />
      {isThere && <Row />}
    </App>
  );
  await using page = mount(tree(true));
  press(page.find("button"));
  const [sent] = await app.arrived(1);
  await settled();
  assertEquals(renders, 2);
  page.render(tree(false));
  await settled();
  sent!.open();
  await waitFor(() => page.text === "two", LONG);
  assertEquals([renders, app.server.rows.size], [2, 1]);
});

Deno.test("useMutation leaves an error that nobody is shown to the platform, and never an ending", async () => {
  const server = new Server();
  const save = server.valueEndpoint<string>("save").extend({ sideEffect: true });
  const controller = new Controller();
  const mutations: Mutation<typeof save>[] = [];
  const Blind = () => <>{mutations.push(useMutation(save))}</>;
  function Seeing() {
    const mutation = useMutation(save);
    mutations.push(mutation);
    return <>{mutation.error?.message}</>;
  }
  const tree = (isThere: boolean) => (
    <App controller={controller}>
      <Blind />
      {isThere && <Seeing />}
    </App>
  );
  await using page = mount(tree(true));
  const [blind, seeing] = mutations;
  const fail = async (call: () => void, meanwhile: () => void) => {
    const errors = await uncaught(async () => {
      call();
      await settled();
      const { fail } = server.last;
      meanwhile();
      fail(new Error("no luck"));
      await settled();
    });
    return errors.map((error) => (error as Error).message);
  };
  assertEquals(await fail(() => seeing!.mutate(), () => {}), []);
  assertEquals(await fail(() => void seeing!.mutateAsync(), () => {}), []);
  assertEquals(await fail(() => blind!.mutate(), () => {}), ["no luck"]);
  assertEquals(await fail(() => seeing!.mutate(), () => seeing!.reset()), ["no luck"]);
  assertEquals(await fail(() => seeing!.mutate(), () => seeing!.mutate()), ["no luck"]);
  server.last.answer("");
  await settled();
  assertEquals(await fail(() => seeing!.mutate(), () => page.render(tree(false))), ["no luck"]);
  assertEquals(await fail(() => void seeing!.mutateAsync().catch(() => {}), () => {}), []);
  assertEquals(await fail(() => blind!.mutate(), () => controller.resetEntireStore()), []);
});

Deno.test("useMutation has no error when its call was aborted or the store was reset", async () => {
  for (const end of ["abort", "resetEntireStore"] as const) {
    const save = new Server().valueEndpoint<string>("save").extend({ sideEffect: true });
    await using hook = renderDataHook(() => {
      const { mutate, isPending, error } = useMutation(save);
      return { mutate, shown: [isPending, error?.message] };
    });
    hook.result.current!.mutate();
    await settled();
    assertEquals(hook.result.current!.shown, [true, undefined]);
    assertEquals(await uncaught(() => hook.controller[end](save)), []);
    await settled();
    assertEquals(hook.result.current!.shown, [false, undefined]);
  }
});

Deno.test("useMutation gives all that it tells also to who spreads it", async () => {
  const server = new Server();
  const save = server.valueEndpoint<string>("save").extend({ sideEffect: true });
  await using hook = renderDataHook(() => {
    const { mutate, ...rest } = useMutation(save);
    return { mutate, shown: [rest.isPending, rest.error?.message, rest.data], names: Object.keys(rest) };
  });
  const { mutate, names } = hook.result.current!;
  assertEquals(names.toSorted(), ["data", "error", "isPending", "mutateAsync", "reset"]);
  mutate();
  await settled();
  assertEquals(hook.result.current!.shown, [true, undefined, undefined]);
  server.last.answer("saved");
  await settled();
  assertEquals(hook.result.current!.shown, [false, undefined, "saved"]);
});

Deno.test("useMutation is not pending for ever when its own call empties the store", async () => {
  const controller = new Controller();
  const logout = new Endpoint(async () => {
    controller.resetEntireStore();
    return await Promise.resolve("bye");
  }, { name: "logout", sideEffect: true });
  await using hook = renderDataHook(() => {
    const { mutateAsync, isPending, error } = useMutation(logout);
    return { mutateAsync, shown: [isPending, error?.message] };
  }, { controller });
  await hook.result.current!.mutateAsync().catch(() => {});
  await settled();
  assertEquals(hook.result.current!.shown, [false, undefined]);
});

Deno.test("useMutation forgets what it shows by reset, and what is on its way", async () => {
  const server = new Server();
  const save = server.valueEndpoint<string>("save").extend({ sideEffect: true });
  await using hook = renderDataHook(() => {
    const mutation = useMutation(save);
    return { mutation, text: `${mutation.isPending} ${mutation.data} ${mutation.error?.message}` };
  });
  const { mutation } = hook.result.current!;
  const shown = () => hook.result.current!.text;
  mutation.mutate();
  await settled();
  server.last.fail("in words");
  await settled();
  assertEquals(shown(), "false undefined in words");
  assert(mutation.error instanceof Error && mutation.error.cause === "in words");
  mutation.reset();
  await settled();
  assertEquals(shown(), "false undefined undefined");
  const saved = mutation.mutateAsync();
  await settled();
  mutation.reset();
  await settled();
  assertEquals([shown(), hook.result.renders], ["false undefined undefined", 6]);
  server.last.answer("saved");
  assertEquals(await saved, "saved");
  await settled();
  assertEquals([shown(), hook.result.renders], ["false undefined undefined", 6]);
});

Deno.test("useMutation calls the endpoint of the last rendering", async () => {
  await using app = start();
  app.server.gate = undefined;
  const { TodoResource, controller } = app;
  await using hook = renderDataHook(
    (userId: string) => useMutation(TodoResource.create.extend({ urlPrefix: `${app.server.origin}/users/${userId}` })),
    {
      controller,
      initialProps: "1",
    },
  );
  const { mutateAsync } = hook.result.current! as { mutateAsync: (body: { title: string }) => Promise<unknown> };
  hook.rerender("2");
  await mutateAsync({ title: "new" });
  assertEquals(app.server.requests, ["POST /users/2/todos"]);
});

Deno.test("useMutation works with every verb, optimistic or not, and with plain endpoints", async () => {
  await using app = start();
  app.server.gate = undefined;
  const TodoResource = resource({
    urlPrefix: app.server.origin,
    path: "/todos/:id",
    schema: Todo,
    optimistic: true,
  });
  const plain = createResource({ urlPrefix: app.server.origin, path: "/todos/:id", schema: Todo });
  const shout = new Endpoint(async (text: string) => await Promise.resolve(text.toUpperCase()), {
    name: "shout",
    sideEffect: true,
  });
  const { controller } = app;
  await controller.fetch(TodoResource.getList);
  const calls: (() => Promise<unknown>)[] = [];
  function Page() {
    const create = useMutation(TodoResource.create);
    const push = useMutation(TodoResource.getList.push);
    const update = useMutation(TodoResource.update);
    const remove = useMutation(TodoResource.delete);
    const other = useMutation(plain.create);
    const { mutateAsync } = useMutation(shout);
    calls.push(
      () => create.mutateAsync({ title: "created" }),
      () => push.mutateAsync({ title: "pushed" }),
      () => update.mutateAsync({ id: "1" }, { title: "updated" }),
      () => remove.mutateAsync({ id: "2" }),
      async () => assertEquals((await other.mutateAsync({ title: "plain" })).title, "plain"),
      async () => assertEquals(await mutateAsync("loud"), "LOUD"),
    );
    return null;
  }
  const List = () => <>{useCache(TodoResource.getList)?.map(({ title }) => title).join()}</>;
  await using page = mount(
    <App controller={controller}>
      <Page />
      <List />
    </App>,
  );
  const shown: string[] = [];
  for (const call of calls) {
    const done = call();
    await settled();
    shown.push(page.text);
    await done;
  }
  await settled();
  assertEquals(shown.slice(0, 4), [
    "one,two,created",
    "one,two,created,pushed",
    "updated,two,created,pushed",
    "updated,created,pushed",
  ]);
  assertEquals(page.text, "updated,created,pushed");
});

Deno.test("useMutation resolves with what the store holds", async () => {
  await using app = start();
  app.server.gate = undefined;
  const { TodoResource, controller } = app;
  await using hook = renderDataHook(() => {
    const mutation = useMutation(TodoResource.partialUpdate);
    return { mutation, title: useQuery(Todo, "1")?.title, isSame: useController() === controller };
  }, { controller });
  const { mutation } = hook.result.current!;
  const todo = await mutation.mutateAsync({ id: "1" }, { title: "new" });
  await settled();
  assertStrictEquals(todo, controller.get(Todo, "1")!);
  assertStrictEquals(mutation.data, todo);
  assertEquals([hook.result.current!.title, hook.result.current!.isSame], ["new", true]);
});

Deno.test("useMutation keeps its state while its component waits at the boundary", async () => {
  const server = new Server();
  let mutation: Mutation<typeof server.rename> | undefined;
  const controller = new Controller();
  function Page({ id }: { readonly id: string }) {
    mutation = useMutation(server.rename);
    const { isPending } = mutation;
    return <>{`${id} ${isPending} ${useFilm(server, id)}`}</>;
  }
  const tree = (id: string) => (
    <App controller={controller}>
      <Page id={id} />
    </App>
  );
  await using page = mount(tree("1"));
  const { mutate } = mutation!;
  await settled();
  server.answerFilms();
  await settled();
  assertEquals(page.text, "1 false Film 1");
  mutate({ id: "1" }, { title: "new" });
  await settled();
  assertEquals(page.text, "1 true new");
  page.render(tree("2"));
  await settled();
  assertEquals(page.text, "…");
  server.asked.find(({ name }) => name === "rename")!.answer({ id: "1", title: "new" });
  await settled();
  server.last.answer({ id: "2", title: "Film 2" });
  await settled();
  assertEquals([page.text, mutation!.mutate === mutate], ["2 false Film 2", true]);
});

Deno.test("780 useMutation of a read says what to write", async () => {
  const server = new Server();
  // @ts-expect-error a read is no mutation
  await using hook = renderDataHook(() => useMutation(server.getFilm));
  await settled();
  assert(hook.result.error instanceof SchemaError && hook.result.error.code === 780);
  assertStringIncludes(hook.result.error.message, '"getFilm" is no mutation');
});

function useFilm(server: Server, id: string): string {
  return useSuspense(server.getFilm, { id }).title;
}

Deno.test("useMutation takes no event for an argument when mutate itself is the handler", async () => {
  const seen: string[] = [];
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    seen.push(`${request.method} ${new URL(request.url).search} ${await request.text()}`);
    return Response.json({ ok: true });
  });
  const logout = new RestEndpoint({
    urlPrefix: `http://127.0.0.1:${server.addr.port}`,
    path: "/logout",
    method: "POST",
    body: undefined,
    searchParams: undefined,
  });
  using controller = new Controller({ strict: true });
  function Logout() {
    const { mutate, isPending, error } = useMutation(logout);
    return <button type="button" onClick={mutate}>{`${isPending} ${error?.message}`}</button>;
  }
  await using page = mount(
    <App controller={controller}>
      <Logout />
    </App>,
  );
  press(page.find("button"));
  await settled();
  await waitFor(() => page.text.startsWith("false"), LONG);
  assertEquals([seen, page.text], [["POST  "], "false undefined"]);
});
