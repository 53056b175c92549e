/**
 * The first page of Cinema as one writes it by hand: Preact, `fetch`, `useState`, and the demo's own style sheet and
 * posters. A floor and no rival: it shows the list, its search and its pages; it edits nothing and keeps nothing.
 *
 * @module
 */
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Poster } from "../../demo/app/poster.tsx";
import type { Film } from "../../demo/app/resources.ts";

interface FilmJson {
  readonly id: number;
  readonly title: string;
  readonly releaseDate: string | null;
  readonly rating: number | null;
  readonly imdbRating: number | null;
  readonly genre: { readonly id: string; readonly name: string } | null;
  readonly director: { readonly name: string } | null;
}

interface ListJson {
  readonly results: readonly FilmJson[];
  readonly total: number;
  readonly page: number;
  readonly pages: number;
}

const SORTS = [["-imdbVotes", "Best known"], ["-imdbRating", "Best rated"], ["title", "Title"]] as const;

function Page() {
  const [search, setSearch] = useState("");
  const [genre, setGenre] = useState("");
  const [sort, setSort] = useState("-imdbVotes");
  const [page, setPage] = useState(1);
  const [genres, setGenres] = useState<readonly { id: string; name: string }[]>([]);
  const [list, setList] = useState<ListJson>();
  useEffect(() => {
    fetch("/api/genres").then((answer) => answer.json()).then(setGenres);
  }, []);
  useEffect(() => {
    const leaving = new AbortController();
    const query = new URLSearchParams({ search, genre, sort, page: String(page) });
    for (const [name, value] of [...query]) if (value === "") query.delete(name);
    fetch(`/api/films?${query}`, { signal: leaving.signal }).then((answer) => answer.json()).then(setList, () => {});
    return () => leaving.abort();
  }, [search, genre, sort, page]);
  return (
    <>
      <header class="bar">
        <a class="brand" href="/">Cinema</a>
      </header>
      <main class="panes at-list">
        <section class="list-pane" data-place="list">
          <form class="filters" role="search">
            <input
              class="search"
              type="search"
              placeholder="Search titles"
              value={search}
              onInput={(event) => setSearch(event.currentTarget.value)}
            />
            <label class="select">
              <span>Genre</span>
              <select value={genre} onChange={(event) => setGenre(event.currentTarget.value)}>
                <option value="">All</option>
                {genres.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
              </select>
            </label>
            <label class="select">
              <span>Sort by</span>
              <select value={sort} onChange={(event) => setSort(event.currentTarget.value)}>
                {SORTS.map(([value, name]) => <option key={value} value={value}>{name}</option>)}
              </select>
            </label>
          </form>
          <div class="scroll">
            <div class="count">
              <p>{list ? `${list.total.toLocaleString("en")} films` : "…"}</p>
            </div>
            <ul class="rows">{list?.results.map((film) => <Row key={film.id} film={film} />)}</ul>
          </div>
          {list && (
            <nav class="pager">
              <span>Page {page} of {list.pages}</span>
              <button type="button" disabled={page === 1} onClick={() => setPage(page - 1)}>‹ Back</button>
              <button type="button" disabled={page === list.pages} onClick={() => setPage(page + 1)}>Next ›</button>
            </nav>
          )}
        </section>
      </main>
    </>
  );
}

function Row({ film }: { film: FilmJson }) {
  const date = film.releaseDate ? new Date(film.releaseDate) : null;
  return (
    <li class="row" data-film={film.id}>
      <a href={`/films/${film.id}`}>
        {/* What a poster reads of a film, JSON has, too, but for the date. */}
        <Poster film={{ ...film, releaseDate: date } as unknown as Film} small />
        <span class="what">
          <strong>{film.title}</strong>
          <span class="about">
            {[date?.getUTCFullYear(), film.director?.name ?? film.genre?.name].filter(Boolean).join(" · ")}
          </span>
        </span>
        <span class="marks">
          {film.imdbRating !== null && <span class="score">{film.imdbRating.toFixed(1)}</span>}
        </span>
      </a>
    </li>
  );
}

render(<Page />, document.getElementById("app")!);
