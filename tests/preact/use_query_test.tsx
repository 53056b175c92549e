import { mount, settled } from "../support/dom.ts";
import { assertEquals, assertStrictEquals } from "@std/assert";
import { Controller, Query, schema } from "@rejoin/data";
import { useQuery } from "@rejoin/data/preact";
import { App, fill, Film, Genre } from "./_cinema.tsx";

const all = new schema.All(Film);

Deno.test("useQuery reads an entity by its pk, whether it is a part of an object or not", async () => {
  const controller = new Controller();
  fill(controller, { id: "1", title: "Alien" });
  const seen: unknown[] = [];
  function Page() {
    seen.push(useQuery(Film, { id: "1" }), useQuery(Film, "1"), useQuery(Film, { id: "2" }));
    return null;
  }
  await using _ = mount(
    <App controller={controller}>
      <Page />
    </App>,
  );
  const film = controller.get(Film, { id: "1" });
  assertStrictEquals(seen[0], film);
  assertStrictEquals(seen[1], film);
  assertEquals(seen[2], undefined);
});

Deno.test("useQuery follows its arguments and its schema", async () => {
  const controller = new Controller();
  fill(controller, { id: "1", title: "Alien", genre: { id: "1", name: "Horror" } }, { id: "2", title: "Brazil" });
  let renders = 0;
  function Page({ of, id }: { readonly of: typeof Film | typeof Genre; readonly id: string }) {
    renders++;
    const value = useQuery(of, { id }) as { title?: string; name?: string } | undefined;
    return <p>{value?.title ?? value?.name ?? "none"}</p>;
  }
  const at = (of: typeof Film | typeof Genre, id: string) => (
    <App controller={controller}>
      <Page of={of} id={id} />
    </App>
  );
  await using app = mount(at(Film, "1"));
  assertEquals(app.text, "Alien");
  app.render(at(Film, "2"));
  await settled();
  assertEquals(app.text, "Brazil");
  controller.set(Film, { id: "1" }, { title: "Aliens" });
  await settled();
  assertEquals(renders, 2);
  app.render(at(Genre, "1"));
  await settled();
  assertEquals(app.text, "Horror");
  app.render(at(Genre, "5"));
  await settled();
  assertEquals([app.text, renders], ["none", 4]);
  controller.set(Genre, { id: "5" }, { name: "Comedy" });
  await settled();
  assertEquals([app.text, renders], ["Comedy", 5]);
});

Deno.test("useQuery reads a whole table: undefined until it is known, then in order of arrival", async () => {
  const controller = new Controller();
  function Page() {
    return <p>{useQuery(all)?.map(({ title }) => title).join() ?? "unknown"}</p>;
  }
  await using app = mount(
    <App controller={controller}>
      <Page />
    </App>,
  );
  assertEquals(app.text, "unknown");
  fill(controller);
  await settled();
  assertEquals(app.text, "");
  fill(controller, { id: "2", title: "B" }, { id: "1", title: "A" });
  await settled();
  assertEquals(app.text, "B,A");
  controller.resetEntireStore();
  await settled();
  assertEquals(app.text, "unknown");
});

Deno.test("useQuery reads a Query with its arguments, and nothing more renders when the outcome is the same", async () => {
  const controller = new Controller();
  const named = new Query(
    all,
    (films, { genre }: { genre: string }) => films.filter((film) => film.genre?.id === genre),
  );
  fill(controller, { id: "1", title: "A", genre: { id: "x", name: "X" } }, {
    id: "2",
    title: "B",
    genre: { id: "y", name: "Y" },
  });
  let renders = 0;
  function Page() {
    renders++;
    return <p>{useQuery(named, { genre: "x" })?.map(({ title }) => title).join()}</p>;
  }
  await using app = mount(
    <App controller={controller}>
      <Page />
    </App>,
  );
  assertEquals(app.text, "A");
  controller.set(Film, { id: "2" }, { title: "C" });
  await settled();
  assertEquals([app.text, renders], ["A", 1]);
  controller.set(Film, { id: "2" }, { genre: "x" as never });
  await settled();
  assertEquals([app.text, renders], ["A,C", 2]);
});

Deno.test("useQuery gives undefined when its first argument is null", async () => {
  const controller = new Controller();
  fill(controller, { id: "1", title: "Alien" });
  function Page() {
    return <p>{String(useQuery(Film, null))}</p>;
  }
  await using app = mount(
    <App controller={controller}>
      <Page />
    </App>,
  );
  assertEquals(app.text, "undefined");
});
