/**
 * The first page of Cinema as one writes it by hand: Preact, signals and `fetch`, with the demo's own posters,
 * skeletons and style sheets, so that both draw the same. A floor and no rival: it edits nothing and keeps nothing.
 *
 * @module
 */
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { Poster } from "../../demo/app/poster.tsx";
import type { FilmSummary } from "../../demo/app/resources.ts";
import { HomeSkeleton, ListSkeleton } from "../../demo/app/skeletons.tsx";

interface Film extends FilmSummary {
  readonly imdbRating: number | null;
  readonly director: { readonly id: number; readonly name: string } | null;
}
interface Page {
  readonly results: readonly Film[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
}

const SORTS = [
  ["-imdbVotes", "Best known"],
  ["-imdbRating", "Best rated"],
  ["-rating", "My rating"],
  ["-releaseDate", "Newest"],
  ["releaseDate", "Oldest"],
  ["title", "Title"],
  ["-worldwideGross", "Box office"],
  ["-id", "Last added"],
];
const NUMBER = new Intl.NumberFormat("en");

const asked = signal<Record<string, string>>({});
const genres = signal<readonly { readonly id: string; readonly name: string }[]>([]);
const list = signal<Page | undefined>(undefined);

async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  const answer = await fetch(path, signal && { signal });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  return await answer.json();
}

/** Another list; from its first page on, unless a page is asked for. */
function ask(change: Record<string, string>): void {
  asked.value = { ...asked.value, page: "", ...change };
}

read<typeof genres.value>("/api/genres").then((all) => genres.value = all);
effect(() => {
  const leaving = new AbortController();
  const query = new URLSearchParams(Object.entries(asked.value).filter(([, value]) => value));
  // Dates are objects in Cinema, too.
  const found = read<Page>(`/api/films${query.size ? `?${query}` : ""}`, leaving.signal).then((page) => ({
    ...page,
    results: page.results.map((film) => ({ ...film, releaseDate: film.releaseDate && new Date(film.releaseDate) })),
  }));
  found.then((page) => list.value = page, () => {});
  return () => leaving.abort();
});

function App() {
  return (
    <>
      <a class="skip" href="#beside">Skip the list</a>
      <header class="bar">
        <a class="brand" href="/" aria-label="Cinema: the stage and all films">Cinema</a>
        <p class="by-rejoin">
          made with <b>Rejoin</b>
        </p>
        <nav class="tabs" aria-label="Parts of the page">
          <a href="/" aria-current="page">Stage</a>
          <a href="/films">Films</a>
        </nav>
        <a class="button main" href="/new" aria-label="Add a film">
          Add<span class="wide">&nbsp;a film</span>
        </a>
      </header>
      <main class="panes at-stage">
        <section class="list-pane" aria-label="Films" data-place="list" tabIndex={-1}>
          <h2 class="hidden">Films</h2>
          <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
            <input
              class="search"
              type="search"
              name="search"
              placeholder="Search titles"
              aria-label="Search titles"
              onInput={(event) => ask({ search: event.currentTarget.value })}
            />
            <label class="select">
              <span>Genre</span>
              <select name="genre" onChange={(event) => ask({ genre: event.currentTarget.value })}>
                <option value="">All</option>
                {genres.value.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
              </select>
            </label>
            <label class="select">
              <span>Sort by</span>
              <select name="sort" onChange={(event) => ask({ sort: event.currentTarget.value })}>
                {SORTS.map(([value, name]) => <option key={value} value={value}>{name}</option>)}
              </select>
            </label>
          </form>
          {list.value ? <List {...list.value} /> : <ListSkeleton />}
        </section>
        <section class="detail-pane" aria-label="Stage" id="beside" tabIndex={-1}>
          <HomeSkeleton />
        </section>
      </main>
      <div class="notices" role="status" aria-live="polite" />
    </>
  );
}

function List({ results, total, page, pages }: Page) {
  return (
    <>
      <div class="scroll">
        <div class="count">
          <p role="status">{NUMBER.format(total)} films</p>
        </div>
        <ul class="rows">{results.map((film) => <Row key={film.id} film={film} />)}</ul>
      </div>
      <nav class="pager" aria-label="Pages of the list">
        <span>Page {NUMBER.format(page)} of {NUMBER.format(pages)}</span>
        <button type="button" disabled={page < 2} onClick={() => ask({ page: `${page - 1}` })}>‹ Back</button>
        <button type="button" disabled={page >= pages} onClick={() => ask({ page: `${page + 1}` })}>Next ›</button>
      </nav>
    </>
  );
}

function Row({ film }: { film: Film }) {
  const about = [film.releaseDate?.getUTCFullYear(), film.director?.name ?? film.genre?.name];
  return (
    <li class="row" data-film={film.id}>
      <a href={`/films/${film.id}`}>
        <Poster film={film as Parameters<typeof Poster>[0]["film"] /* all that a poster reads */} small />
        <span class="what">
          <strong>{film.title ?? "Untitled"}</strong>
          <span class="about">{about.filter(Boolean).join(" · ")}</span>
        </span>
        <span class="marks">
          {film.imdbRating !== null && <span class="score" title="IMDb rating">{film.imdbRating.toFixed(1)}</span>}
        </span>
      </a>
    </li>
  );
}

render(<App />, document.getElementById("app")!);
