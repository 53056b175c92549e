// The page of browser_test.ts: routes that suspend, a form, and a hundred films.
import { useState } from "preact/hooks";
import { signal } from "@preact/signals-core";
import { render } from "preact";
import { Controller, createResource, Entity } from "@rejoin/data";
import { AsyncBoundary, DataProvider, useQuery, useSuspense } from "@rejoin/data/preact";

class Genre extends Entity {
  id = "";
  name = "";
  static key = "Genre";
}

class Film extends Entity {
  id = "";
  title = "";
  genre: Genre | undefined = undefined;
  static key = "Film";
  static schema = { genre: Genre };
}

const FilmResource = createResource({ urlPrefix: location.origin, path: "/films/:id", schema: Film });
const controller = new Controller();
const route = signal<string | undefined>(undefined);
const renders: Record<string, number> = {};
const changes: string[] = [];

function FilmPage({ id }: { readonly id: string }) {
  return <h1>{useSuspense(FilmResource.get, { id }).title}</h1>;
}

function Form() {
  const [count, setCount] = useState(0);
  return (
    <form>
      <input id="name" onChange={({ currentTarget }) => changes.push(currentTarget.value)} />
      <button id="count" type="button" onClick={() => setCount(count + 1)}>{count}</button>
    </form>
  );
}

function Row({ id }: { readonly id: string }) {
  renders[id] = (renders[id] ?? 0) + 1;
  const film = useQuery(Film, { id });
  return <li>{`${film?.title} ${film?.genre?.name}`}</li>;
}

const ids = Array.from({ length: 100 }, (_, index) => String(index));

function Page() {
  const id = route.value;
  return (
    <DataProvider controller={controller}>
      <AsyncBoundary fallback={<p id="wait">…</p>}>
        <Form />
        {id === undefined ? <p id="home">home</p> : <FilmPage id={id} />}
      </AsyncBoundary>
      <ul>{ids.map((id) => <Row key={id} id={id} />)}</ul>
    </DataProvider>
  );
}

/** The functions that the test calls in the page. */
const page = {
  go: (id: string | undefined) => void (route.value = id),
  changes,
  fill() {
    const genre = (index: number) =>
      index % 8 === 0 && index < 96 ? { id: "g", name: "Drama" } : { id: `g${index}`, name: "x" };
    controller.setResponse(FilmResource.getList, {}, ids.map((id, index) => ({ id, title: id, genre: genre(index) })));
  },
  /** Writes one record. Returns how many rows rendered for it, and how often. */
  async write(kind: "Film" | "Genre", id: string, members: object): Promise<[rows: number, renderings: number]> {
    for (const row of ids) delete renders[row];
    controller.set(kind === "Film" ? Film : Genre, { id }, members as never);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const counts = Object.values(renders);
    return [counts.length, counts.reduce((sum, count) => sum + count, 0)];
  },
};

declare global {
  // Only `var` declares a member of the global object.
  var page: unknown;
}
globalThis.page = page;
export type TestPage = typeof page;

const root = document.createElement("main");
document.body.append(root);
render(<Page />, root);
