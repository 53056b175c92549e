/** How many films there are of each genre and decade, and what they were given. */
import { All, Query, Sorter } from "@rejoin/data";
import { useCache, useFetch, useQuery } from "@rejoin/data/preact";
import { useRef } from "preact/hooks";
import { formatNumber } from "./format.ts";
import { allFilms } from "./queries.ts";
import { FilmSummary, GenreResource } from "./resources.ts";
import { listHref } from "./route.ts";

/** Some of the films. */
interface Part {
  readonly genre?: string;
  readonly decade?: number;
}

const decadeOf = ({ releaseDate }: FilmSummary): number | undefined =>
  releaseDate ? Math.floor(releaseDate.getUTCFullYear() / 10) * 10 : undefined;

/** Kept by change: a film that is rated, added or moved is looked at, and no other one. */
const filmsIn = new Query(new All(FilmSummary), {
  Sorter,
  filter: (film, { genre, decade }: Part) =>
    (genre === undefined || film.genre?.id === genre) && (decade === undefined || decadeOf(film) === decade),
});

/** What a bar shows; one that is equal tells nobody. */
const sumOf = new Query(filmsIn, (films, _part: Part) => {
  const given = films.flatMap(({ rating }) => rating ?? []);
  return { films: films.length, rated: given.length, stars: given.reduce((sum, stars) => sum + stars, 0) };
});

const DECADES = [1930, 1940, 1950, 1960, 1970, 1980, 1990, 2000, 2010];

/** Two charts; each bar reads its own part. */
export function Statistics() {
  useFetch(GenreResource.getList);
  const genres = useCache(GenreResource.getList) ?? [];
  return (
    <section class="statistics" aria-labelledby="statistics">
      <h2 id="statistics">By genre and decade</h2>
      <p class="about">Touch a film: its two bars follow, and no other one.</p>
      <div>
        <ul class="bars" aria-label="By genre">
          {genres.map(({ id, name }) => <Bar key={id} name={name} part={{ genre: id }} scale={3.2} />)}
        </ul>
        <ul class="bars" aria-label="By decade">
          {DECADES.map((decade) => <Bar key={decade} name={`${decade}s`} part={{ decade }} scale={1.6} />)}
        </ul>
      </div>
    </section>
  );
}

function Bar({ name, part, scale }: { name: string; part: Part; scale: number }) {
  const { films, rated, stars } = useQuery(sumOf, part) ?? { films: 0, rated: 0, stars: 0 };
  const all = useQuery(allFilms)?.length ?? 0;
  const runs = useRef(0).current++;
  const given = rated === 0 ? "none rated" : `${rated} rated, ${(stars / rated).toFixed(1)} stars`;
  return (
    <li class={runs > 1 ? `ran-${runs % 2}` : undefined} data-part={part.genre ?? part.decade} data-renders={runs}>
      {part.genre ? <a href={listHref({ genre: part.genre })}>{name}</a> : <span>{name}</span>}
      <span class="bar-of" style={{ "--part": all === 0 ? 0 : Math.min(1, scale * films / all) }} aria-hidden="true" />
      <span class="about">{formatNumber(films)} · {given}</span>
    </li>
  );
}
