import { AsyncBoundary, useCache, useDeferredArgs, useFetch, useQuery, useSuspense } from "@rejoin/data/preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Failure } from "./failure.tsx";
import { formatNumber, titleOf, yearOf } from "./format.ts";
import { listIsShown } from "./later.tsx";
import { GivenStars, Poster } from "./poster.tsx";
import { useRenders } from "./renders.tsx";
import { DirectorResource, Film, FilmResource, GenreResource } from "./resources.ts";
import {
  changeList,
  filmHref,
  listHref,
  type ListParams,
  listSearch,
  openFilm,
  place,
  readListParams,
  scrollOfEntry,
  toSearch,
  USUAL_SORT,
} from "./route.ts";
import { ListSkeleton } from "./skeletons.tsx";

const SORTS = [
  [USUAL_SORT, "Best known"],
  ["-imdbRating", "Best rated"],
  ["-rating", "My rating"],
  ["-releaseDate", "Newest"],
  ["releaseDate", "Oldest"],
  ["title", "Title"],
  ["-worldwideGross", "Box office"],
  ["-id", "Last added"],
] as const;

/** The left half of the page, or all of it on a phone. */
export function ListPane() {
  const search = listSearch.value;
  const params = readListParams(search);
  const Heading = place.value === "list" ? "h1" : "h2";
  return (
    <section class="list-pane" aria-label="Films" data-place="list" tabIndex={-1}>
      <Heading class="hidden">Films</Heading>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <SearchField text={params.search ?? ""} />
        <label class="select">
          <span>Genre</span>
          <GenreSelect value={params.genre ?? ""} none="All" onChange={(genre) => changeList({ genre })} />
        </label>
        <label class="select">
          <span>Sort by</span>
          <select
            name="sort"
            value={params.sort ?? USUAL_SORT}
            onChange={(event) => changeList({ sort: event.currentTarget.value })}
          >
            {SORTS.map(([value, name]) => <option key={value} value={value}>{name}</option>)}
          </select>
        </label>
      </form>
      {/* Another list's error is not this one's. */}
      <AsyncBoundary resetKeys={[search]} fallback={<ListSkeleton />} errorComponent={Failure}>
        <FilmList params={params} />
      </AsyncBoundary>
    </section>
  );
}

/** All genres to choose from; never waits: until they are there it offers what is chosen. */
export function GenreSelect(
  { value, none, onChange, ...own }: { value: string; none: string; id?: string; onChange: (genre: string) => void },
) {
  useFetch(GenreResource.getList);
  const genres = useCache(GenreResource.getList) ?? [];
  return (
    <select name="genre" {...own} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{none}</option>
      {genres.length === 0 && value && <option value={value}>…</option>}
      {genres.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
    </select>
  );
}

function SearchField({ text }: { text: string }) {
  const [typed, setTyped] = useState(text);
  // What was asked for last: an address that says something else was changed elsewhere, as by the back button.
  const asked = useRef(text);
  useLayoutEffect(() => {
    if (text !== asked.current) setTyped(asked.current = text);
  }, [text]);
  useEffect(() => {
    if (typed.trim() === asked.current) return;
    const timer = setTimeout(() => {
      // Letters of one search are one step for the back button.
      const replace = asked.current !== "";
      changeList({ search: asked.current = typed.trim() }, { replace });
    }, 200);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <input
      class="search"
      type="search"
      name="search"
      placeholder="Search titles"
      aria-label="Search titles"
      autocomplete="off"
      spellcheck={false}
      maxLength={100}
      value={typed}
      onInput={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

function FilmList({ params: wanted }: { params: ListParams }) {
  // The old rows stay, dimmed, until the new ones are there.
  const [args, isWaiting] = useDeferredArgs(FilmResource.getList, { ...wanted });
  const { results, total, page, pages } = useSuspense(FilmResource.getList, ...args);
  const params: ListParams = { ...args[0] };
  // The next page is asked for before anyone turns to it.
  useFetch(FilmResource.getList, page < pages ? { ...params, page: page + 1 } : null);
  useEffect(listIsShown, []);
  const rows = useRef<HTMLDivElement>(null);
  const shown = toSearch(params);
  const last = useRef(shown);
  useLayoutEffect(() => {
    if (last.current === shown) return;
    last.current = shown;
    rows.current?.scrollTo(0, scrollOfEntry("list"));
  }, [shown]);

  if (results.length === 0) {
    const what = params.search ? `has “${params.search}” in its title` : "is in this list";
    return (
      <div key="empty" class="empty">
        <p>{page > pages ? `There is no page ${page}` : `No film ${params.genre ? "here " : ""}${what}`}.</p>
        <a class="button" href={listHref({})}>Show all films</a>
      </div>
    );
  }
  return (
    <>
      <div class={isWaiting ? "scroll waits" : "scroll"} aria-busy={isWaiting} ref={rows} data-scroll="list">
        <div class="count">
          <p role="status">{total === 1 ? "1 film" : `${formatNumber(total)} films`}</p>
          {params.director && <DirectorFilter id={params.director} />}
        </div>
        {/* A film that is in the next list, too, is another row there: nothing wanders over the screen. */}
        <ul key={shown} class="rows">
          {results.map(({ id }) => <FilmRow key={id} id={id} open={id === openFilm.value} />)}
        </ul>
      </div>
      {pages > 1 && <Pager page={page} pages={pages} />}
    </>
  );
}

/** One film of the list. It reads its own record: it runs again when that changes, and when nothing else does. */
function FilmRow({ id, open }: { id: number; open: boolean }) {
  const film = useQuery(Film, { id });
  const renders = useRenders();
  if (!film) return null;
  return (
    <li class="row" data-film={id} data-renders={renders}>
      <a href={filmHref(id)} aria-current={open ? "true" : undefined}>
        <Poster film={film} small />
        <span class="what">
          <strong>{titleOf(film)}</strong>
          <span class="about">
            {[yearOf(film), film.director?.name ?? film.genre?.name].filter(Boolean).join(" · ")}
          </span>
        </span>
        <span class="marks">
          {film.imdbRating !== null && <span class="score" title="IMDb rating">{film.imdbRating.toFixed(1)}</span>}
          <GivenStars film={film} />
        </span>
      </a>
    </li>
  );
}

function DirectorFilter({ id }: { id: number }) {
  useFetch(DirectorResource.get, { id });
  const name = useCache(DirectorResource.get, { id })?.name ?? "…";
  return (
    <button
      type="button"
      class="chip"
      onClick={() => changeList({ director: undefined })}
      aria-label={`Films by ${name}. Show those of all directors`}
    >
      by {name} <span aria-hidden="true">×</span>
    </button>
  );
}

function Pager({ page, pages }: { page: number; pages: number }) {
  const nav = useRef<HTMLElement>(null);
  // On the last page, the button that had the focus is off: its neighbour takes it.
  const hasTurned = useRef(false);
  useLayoutEffect(() => {
    const focused = document.activeElement;
    if (hasTurned.current && (focused === document.body || focused?.matches(":disabled"))) {
      nav.current?.querySelector<HTMLElement>("button:enabled")?.focus();
    }
    hasTurned.current = false;
  }, [page]);
  const turn = (to: number, text: string, rel: "prev" | "next") => {
    const go = () => {
      hasTurned.current = true;
      changeList({ page: to });
    };
    return <button type="button" disabled={to < 1 || to > pages} onClick={go} data-turn={rel}>{text}</button>;
  };
  return (
    <nav class="pager" aria-label="Pages of the list" ref={nav}>
      <span>Page {formatNumber(page)} of {formatNumber(pages)}</span>
      {turn(page - 1, "‹ Back", "prev")}
      {turn(page + 1, "Next ›", "next")}
    </nav>
  );
}
