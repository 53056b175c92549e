import { mount, settled } from "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import { signal } from "@preact/signals-core";
import type { ComponentChild, ComponentType } from "preact";
import { All, Controller, Endpoint, Query, schema } from "@rejoin/data";
import { useCache, useFetch, useQuery, useSuspense } from "@rejoin/data/preact";
import { App, fill, Film, type FilmJson, Genre, inApp, Server } from "./_cinema.tsx";

const IDS = Array.from({ length: 100 }, (_, index) => String(index));

/** Films, twelve of which share the genre `g`. */
const FILMS: readonly FilmJson[] = IDS.map((id, index) => ({
  id,
  title: `Film ${id}`,
  genre: index % 8 === 0 && index < 96 ? { id: "g", name: "Drama" } : { id: `g${id}`, name: `Genre ${id}` },
}));

const server = new Server();

/** Every hook that can read one film. */
const READERS: { readonly [name: string]: (id: string) => Film | undefined } = {
  useSuspense: (id) => useSuspense(server.getFilm, { id }),
  useCache: (id) => useCache(server.getFilm, { id }),
  useFetch: (id) => useFetch(server.getFilm, { id })?.value,
  useQuery: (id) => useQuery(Film, { id }),
};

/** A hundred components in a parent that reads nothing, with counts of their renderings. */
function hundred(useFilm: (id: string) => Film | undefined) {
  const controller = new Controller();
  fill(controller, ...FILMS);
  const renders = new Map<string, number>();
  const Row: ComponentType<{ id: string }> = ({ id }) => {
    renders.set(id, (renders.get(id) ?? 0) + 1);
    const film = useFilm(id);
    return <p>{`${film?.title} ${film?.genre?.name}`}</p>;
  };
  const app = mount(<App controller={controller}>{IDS.map((id) => <Row key={id} id={id} />)}</App>);
  renders.clear();
  return {
    controller,
    app,
    /** The number of components that have rendered since the last call, and of their renderings. */
    async since(): Promise<readonly [components: number, renderings: number]> {
      await settled();
      const counts = [...renders.values()];
      renders.clear();
      return [counts.length, counts.reduce((sum, count) => sum + count, 0)];
    },
  };
}

for (const [name, useFilm] of Object.entries(READERS)) {
  Deno.test(`${name} renders exactly the components of what changed, of a hundred`, async () => {
    const { controller, app, since } = hundred(useFilm);
    await using _ = app;
    assertEquals(await since(), [0, 0]);

    controller.set(Film, { id: "7" }, { title: "Seven" });
    assertEquals(await since(), [1, 1]);
    assert(app.text.includes("Seven Genre 7"));

    controller.set(Genre, { id: "g" }, { name: "Comedy" });
    assertEquals(await since(), [12, 12]);
    assertEquals(app.text.split("Comedy").length - 1, 12);

    controller.set(Genre, { id: "other" }, { name: "Western" });
    controller.set(Film, { id: "other" }, { title: "Other" });
    assertEquals(await since(), [0, 0]);
  });

  Deno.test(`${name} renders nothing when the same comes again`, async () => {
    const { controller, app, since } = hundred(useFilm);
    await using _ = app;
    fill(controller, ...FILMS);
    controller.set(Film, { id: "7" }, { title: "Film 7" });
    controller.setResponse(server.getFilm, { id: "7" }, FILMS[7]);
    assertEquals(await since(), [0, 0]);
  });

  Deno.test(`${name} renders once at most when a change is undone before the next tick`, async () => {
    const { controller, app, since } = hundred(useFilm);
    await using _ = app;
    controller.set(Film, { id: "7" }, { title: "Seven" });
    controller.set(Film, { id: "7" }, { title: "Film 7" });
    const [components, renderings] = await since();
    assert(components <= 1 && renderings <= 1, `${components} components, ${renderings} renderings`);
  });

  Deno.test(`${name} renders once for many writes in a row`, async () => {
    const { controller, app, since } = hundred(useFilm);
    await using _ = app;
    for (let i = 0; i < 50; i++) controller.set(Film, { id: "7" }, { title: `Seven ${i}` });
    controller.set(Genre, { id: "g7" }, { name: "Crime" });
    assertEquals(await since(), [1, 1]);
    assert(app.text.includes("Seven 49 Crime"));
  });

  Deno.test(`${name} renders its component once when its parent renders for another reason`, async () => {
    const { controller, app, since } = hundred(useFilm);
    await using _ = app;
    app.render(<App controller={controller}>{IDS.slice(0, 50).map((id) => <p key={id}>{id}</p>)}</App>);
    assertEquals(await since(), [0, 0]);
    controller.set(Film, { id: "7" }, { title: "Seven" });
    assertEquals(await since(), [0, 0]);
  });
}

Deno.test("a refetch with equal data renders nothing, and with one difference one row", async () => {
  const controller = new Controller();
  const own = new Server();
  const all = new Endpoint(own.handle<[]>("all"), { name: "all", schema: new schema.All(Film) });
  let lists = 0;
  let rows = 0;
  const still = signal(0);
  function Row({ film }: { readonly film: Film }) {
    rows++;
    return <p title={String(still.value)}>{film.title}</p>;
  }
  function List() {
    lists++;
    return <>{useSuspense(all).map((film) => <Row key={film.id} film={film} />)}</>;
  }
  controller.setResponse(all, FILMS);
  await using _ = mount(inApp(<List />, controller));
  lists = rows = 0;
  const refetch = async (films: readonly FilmJson[]) => {
    const answer = controller.fetch(all);
    await settled();
    own.last.answer(films);
    await answer;
    await settled();
  };
  await refetch(FILMS);
  assertEquals([lists, rows], [0, 0]);
  await refetch(FILMS.map((film) => film.id === "3" ? { ...film, title: "Three" } : film));
  assertEquals([lists, rows], [1, 1]);
});

Deno.test("a row that reads its own record runs alone; a list that maps records runs, too, and one of ids does not", async () => {
  const all = new Endpoint(server.handle<[]>("all"), { name: "all", schema: [Film] });
  const names = new Query(new All(Film), (films) => films.map(({ id }) => id));
  const ran: string[] = [];
  function Row({ id }: { readonly id: string }) {
    ran.push("row");
    return <p>{useQuery(Film, { id })?.title}</p>;
  }
  function Given({ film }: { readonly film: Film }) {
    ran.push("given");
    return <p>{film.title}</p>;
  }
  const LISTS: { readonly [ran: string]: () => ComponentChild } = {
    "list,row": () => useSuspense(all).map(({ id }) => <Row key={id} id={id} />),
    "row": () => useQuery(names)?.map((id) => <Row key={id} id={id} />),
    "list,given,given": () => useSuspense(all).map((film) => <Given key={film.id} film={film} />),
  };
  for (const [expected, use] of Object.entries(LISTS)) {
    const controller = new Controller(), List = () => (ran.push("list"), use());
    controller.setResponse(all, FILMS.slice(0, 2));
    await using _ = mount(inApp(<List />, controller));
    ran.length = 0;
    controller.set(Film, { id: "1" }, { title: "One" });
    await settled();
    assertEquals(ran.join(), expected);
  }
});
