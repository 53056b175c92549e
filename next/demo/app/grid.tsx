/** 100 cards, each a component that reads its own film: which of them run again when something changes? */
import { Controller } from "@rejoin/data";
import { DataProvider, useController, useQuery } from "@rejoin/data/preact";
import { signal } from "@preact/signals";
import { render } from "preact";
import { Failure } from "./failure.tsx";
import { titleOf, yearOf } from "./format.ts";
import { useRenders } from "./renders.tsx";
import { Film, FilmResource, Genre } from "./resources.ts";

/** Exactly 12 of the 100 films are Westerns. */
const SHARED = "western";
const LISTS = [
  { genre: SHARED, perPage: 12 },
  { genre: "drama", perPage: 30 },
  { genre: "comedy", perPage: 30 },
  { genre: "adventure", perPage: 28 },
];

/** How many times any component below the buttons has run. */
let runs = 0;

function Card({ id }: { id: number }) {
  const film = useQuery(Film, { id });
  const renders = useRenders();
  runs++;
  if (!film) return null;
  return (
    <li class="tile" data-film={id} data-genre={film.genre?.id} data-renders={renders}>
      <strong>{titleOf(film)}</strong>
      <span class="about">{[yearOf(film), film.genre?.name].filter(Boolean).join(" · ")}</span>
    </li>
  );
}

function Cards({ ids }: { ids: readonly number[] }) {
  const renders = useRenders();
  runs++;
  return <ul class="tiles" data-renders={renders}>{ids.map((id) => <Card key={id} id={id} />)}</ul>;
}

const result = signal<{ readonly what: string; readonly runs: number }>();

function Buttons({ film, stranger }: { film: number; stranger: number }) {
  const controller = useController();

  function change(what: string, write: (mark: string) => unknown): void {
    const before = runs;
    write(new Date().toLocaleTimeString("en", { hour12: false }));
    // Components run in a microtask or with the next frame; by the one after it all have.
    requestAnimationFrame(() => requestAnimationFrame(() => result.value = { what, runs: runs - before }));
  }

  return (
    <div class="buttons">
      <button
        type="button"
        data-change="film"
        onClick={() =>
          change("One film got another title", (mark) =>
            controller.set(Film, { id: film }, { id: film, title: `Renamed at ${mark}` }))}
      >
        Change one film
      </button>
      <button
        type="button"
        data-change="genre"
        onClick={() =>
          change("The genre of 12 films got another name", (mark) =>
            controller.set(Genre, { id: SHARED }, { id: SHARED, name: `Western, ${mark}` }))}
      >
        Change the genre of 12
      </button>
      <button
        type="button"
        data-change="stranger"
        onClick={() =>
          change("A film that is not on this page got another title", (mark) =>
            controller.set(Film, { id: stranger }, { id: stranger, title: `Renamed at ${mark}` }))}
      >
        Change a film that is not here
      </button>
    </div>
  );
}

function Result() {
  if (!result.value) return <p class="result">No button pressed so far.</p>;
  const { what, runs } = result.value;
  return (
    <p class="result" role="status" data-runs={runs}>
      {what}: <b>{runs}</b> of 101 components ran again.
    </p>
  );
}

async function start(root: HTMLElement): Promise<void> {
  const controller = new Controller();
  try {
    const lists = await Promise.all(LISTS.map((list) => controller.fetch(FilmResource.getList, list)));
    const [stranger] = (await controller.fetch(FilmResource.getList, { genre: "horror", perPage: 1 })).results;
    const ids = lists.flatMap(({ results }) => results.map(({ id }) => id));
    const [film] = ids;
    if (film === undefined || stranger === undefined) throw new Error("The database has too few films for this page.");
    render(
      <DataProvider controller={controller}>
        <Buttons film={film} stranger={stranger.id} />
        <Result />
        <Cards ids={ids} />
      </DataProvider>,
      root,
    );
    const { inspect } = await import("./inspector.ts");
    inspect(controller);
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    render(<Failure error={failure} resetErrorBoundary={() => void start(root)} />, root);
  }
}

const root = document.getElementById("app");
if (root) void start(root);
