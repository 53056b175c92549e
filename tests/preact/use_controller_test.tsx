import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { type Controller, SchemaError } from "@rejoin/data";
import { DataProvider, useCache, useController, useFetch, useQuery, useSuspense } from "@rejoin/data/preact";
import { App, fill, Film, press, Server } from "./_cinema.tsx";

Deno.test("useController gives one controller for the life of the provider, and never renders by itself", async () => {
  const seen: Controller[] = [];
  function Page() {
    seen.push(useController());
    return null;
  }
  const app = mount(
    <DataProvider>
      <Page />
    </DataProvider>,
  );
  fill(seen[0]!, { id: "1", title: "Alien" });
  await settled();
  assertEquals(seen.length, 1);
  app.render(
    <DataProvider strict>
      <Page />
    </DataProvider>,
  );
  await settled();
  assertEquals([seen.length, new Set(seen).size], [2, 1]);
  app.unmount();
});

Deno.test("useController updates every reader, in one rendering each, when a handler changes a record", async () => {
  const server = new Server();
  const renders = { detail: 0, query: 0, cache: 0, form: 0 };
  function Detail() {
    renders.detail++;
    return <p>{useSuspense(server.getFilm, { id: "1" }).title}</p>;
  }
  function Queried() {
    renders.query++;
    return <p>{useQuery(Film, "1")?.title}</p>;
  }
  function Cached() {
    renders.cache++;
    return <p>{useCache(server.getList, {})?.map(({ title }) => title)}</p>;
  }
  let saved: Promise<unknown> | undefined;
  function Form() {
    renders.form++;
    const controller = useController();
    return (
      <button
        type="button"
        onClick={() => saved = controller.fetch(server.rename, { id: "1" }, { title: "Aliens" })}
      >
        save
      </button>
    );
  }
  function Start() {
    useController().setResponse(server.getList, {}, [{ id: "1", title: "Alien" }]);
    return null;
  }
  await using app = mount(
    <App>
      <Start />
      <Detail />
      <Queried />
      <Cached />
      <Form />
    </App>,
  );
  await settled();
  assertEquals(app.text, "AlienAlienAliensave");
  press(app.find("button"));
  await settled();
  assertEquals(app.text, "AliensAliensAlienssave");
  assertEquals(renders, { detail: 2, query: 2, cache: 2, form: 1 });
  server.last.answer({ id: "1", title: "Aliens" });
  await saved;
  await settled();
  assertEquals(renders, { detail: 2, query: 2, cache: 2, form: 1 });
});

Deno.test("useController shows the old title again when the server refuses the new one", async () => {
  const server = new Server();
  let controller: Controller | undefined;
  function Page() {
    controller = useController();
    return <p>{useQuery(Film, "1")?.title}</p>;
  }
  await using app = mount(
    <App>
      <Page />
    </App>,
  );
  fill(controller!, { id: "1", title: "Alien" });
  const saved = controller!.fetch(server.rename, { id: "1" }, { title: "Aliens" }).catch((error) => error);
  await settled();
  assertEquals(app.text, "Aliens");
  server.last.fail(new Error("no"));
  assert(await saved instanceof Error);
  await settled();
  assertEquals(app.text, "Alien");
});

Deno.test("hooks name the missing provider when there is none", () => {
  const server = new Server();
  const pages = [
    () => <>{String(useController())}</>,
    () => <>{useQuery(Film, "1")?.title}</>,
    () => <>{useCache(server.getFilm, { id: "1" })?.title}</>,
    () => <>{useFetch(server.getFilm, { id: "1" })?.status}</>,
    () => <>{useSuspense(server.getFilm, { id: "1" }).title}</>,
  ];
  for (const Page of pages) assertThrows(() => mount(<Page />), SchemaError, "There is no <DataProvider> above");
});

Deno.test("hooks name the other copy of Preact when it is not ours that renders", () => {
  assertThrows(() => useController(), SchemaError, "another copy of Preact");
  assertThrows(() => useQuery(Film, "1"), SchemaError, "Call hooks at the top of a component");
});
