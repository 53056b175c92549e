/**
 * What must hold in an app that loads `preact/compat`, before the hooks or after them.
 *
 * @module
 */
import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import { signal } from "@preact/signals-core";
import { lazy, Suspense } from "preact/compat";
import type { JSX } from "preact";
import { Controller, Endpoint } from "@rejoin/data";
import { AsyncBoundary, useInfinite, useLoading, useMutation, useSuspense } from "@rejoin/data/preact";
import { App, press, Server } from "./_cinema.tsx";

function titleOf(server: Server, policy: Parameters<Server["filmEndpoint"]>[0] = {}) {
  const get = server.filmEndpoint(policy);
  return function Title({ id }: { readonly id: string }) {
    return <p>{useSuspense(get, { id }).title}</p>;
  };
}

Deno.test("with preact/compat, an AsyncBoundary catches before a Suspense above it", async () => {
  const server = new Server();
  const Title = titleOf(server);
  await using app = mount(
    <Suspense fallback="Suspense">
      <App>
        <b>list</b>
        <Title id="1" />
      </App>
    </Suspense>,
  );
  await settled();
  assertEquals(app.text, "…");
  server.answerFilms();
  await settled();
  assertEquals([app.text, server.names], ["listFilm 1", "getFilm"]);
});

Deno.test("with preact/compat, a Suspense below an AsyncBoundary catches first", async () => {
  const server = new Server();
  const Title = titleOf(server);
  await using app = mount(
    <App>
      <b>list</b>
      <Suspense fallback="Suspense">
        <Title id="1" />
      </Suspense>
    </App>,
  );
  await settled();
  assertEquals(app.text, "listSuspense");
  server.answerFilms();
  await settled();
  assertEquals([app.text, server.names], ["listFilm 1", "getFilm"]);
});

Deno.test("with preact/compat, a request is aborted when its component leaves an AsyncBoundary that waits", async () => {
  const server = new Server();
  const Title = titleOf(server);
  const controller = new Controller();
  const page = (id: string | undefined) => (
    <App controller={controller}>
      <b>list</b>
      {id !== undefined && <Title id={id} />}
    </App>
  );
  await using app = mount(page("1"));
  await settled();
  assertEquals(app.text, "…");
  app.render(page(undefined));
  await settled();
  assertEquals([app.text, server.last.isAborted], ["list", true]);
});

Deno.test("with preact/compat, the old request is aborted when the arguments change while an AsyncBoundary waits", async () => {
  const server = new Server();
  const Title = titleOf(server);
  const id = signal("1");
  const Page = () => <Title id={id.value} />;
  await using app = mount(
    <App>
      <Page />
    </App>,
  );
  await settled();
  id.value = "2";
  await settled();
  assertEquals(server.asked.map(({ isAborted }) => isAborted), [true, false]);
  server.answerFilms();
  await settled();
  assertEquals(app.text, "Film 2");
});

Deno.test("with preact/compat, a read asks once, when data and errors expire at once", async () => {
  for (const Boundary of [AsyncBoundary, Suspense]) {
    for (const isGood of [true, false]) {
      const server = new Server();
      const Title = titleOf(server, { dataExpiryLength: 0, errorExpiryLength: 0 });
      await using app = mount(
        <App>
          <Boundary fallback="waiting">
            <Title id="1" />
          </Boundary>
        </App>,
      );
      for (let tick = 0; tick < 20; tick++) {
        await settled();
        if (isGood) server.answerFilms();
        else server.asked.forEach(({ fail }) => fail(new Error("no luck")));
      }
      assert(app.text.includes(isGood ? "Film 1" : "no luck"), app.text);
      assertEquals(server.names, "getFilm");
    }
  }
});

Deno.test("with preact/compat, an AsyncBoundary waits for lazy components", async () => {
  const module = Promise.withResolvers<{ default: () => JSX.Element }>();
  const Page = lazy(() => module.promise);
  await using app = mount(
    <App>
      <Page />
    </App>,
  );
  await settled();
  assertEquals(app.text, "…");
  module.resolve({ default: () => <p>loaded</p> });
  await settled();
  assertEquals(app.text, "loaded");
});

Deno.test("with preact/compat, mutations and functions tell who reads how they stand", async () => {
  const server = new Server();
  const renders = { form: 0, button: 0 };
  function Form() {
    renders.form++;
    const { mutate, isPending, error } = useMutation(server.rename);
    return (
      <button type="button" class="form" onClick={() => mutate({ id: "1" }, { title: "new" })}>
        {`${isPending} ${error?.message}`}
      </button>
    );
  }
  function Button() {
    renders.button++;
    const [run, isLoading, error] = useLoading(() => server.getList());
    return <button type="button" onClick={run}>{` ${isLoading} ${error?.message}`}</button>;
  }
  await using app = mount(
    <App>
      <Form />
      <Button />
    </App>,
  );
  press(app.find("button.form"));
  press(app.find("button:not(.form)"));
  await settled();
  assertEquals(app.text, "true undefined true undefined");
  server.asked[0]!.fail(new Error("no luck"));
  server.asked[1]!.answer([]);
  await settled();
  assertEquals([app.text, renders], ["false no luck false undefined", { form: 3, button: 3 }]);
});

Deno.test("with preact/compat, a list is loaded page by page", async () => {
  const server = new Server();
  const getPage = new Endpoint(server.handle<[params: { page?: number }], number[]>("getPage"), { name: "getPage" });
  let more: (() => void) | undefined;
  function List() {
    const { items, loading, next, isFetchingNext } = useInfinite(getPage, [{}], {
      next: (_, { page = 1 }) => page < 2 && { page: page + 1 },
    });
    more = next;
    return <>{loading ? "loading" : `${items.join()} ${isFetchingNext}`}</>;
  }
  await using app = mount(
    <App>
      <List />
    </App>,
  );
  await settled();
  assertEquals(app.text, "loading");
  server.last.answer([1, 2]);
  await settled();
  more!();
  await settled();
  assertEquals(app.text, "1,2 true");
  server.last.answer([2, 3]);
  await settled();
  assertEquals([app.text, server.names], ["1,2,2,3 false", "getPage,getPage"]);
});
