import { AsyncBoundary, useQuery, useSelect, useSuspense } from "@rejoin/data/preact";
import { FilmCard } from "./cards.tsx";
import { Code } from "./code.tsx";
import { Failure } from "./failure.tsx";
import { getPosters, ratedFilms } from "./queries.ts";
import { FilmResource } from "./resources.ts";
import { CardsSkeleton } from "./skeletons.tsx";
import { Stage } from "./stage.tsx";

const SHELF = 12;

/** What is beside the list while no film is open. */
export function Home() {
  return (
    <div class="home" data-place="home">
      <Stage />
      <Code />
      <section aria-labelledby="rated-by-you">
        <h2 id="rated-by-you">Rated by you</h2>
        <RatedShelf />
      </section>
      <section aria-labelledby="best-rated">
        <h2 id="best-rated">Best rated</h2>
        <AsyncBoundary fallback={<CardsSkeleton count={SHELF} />} errorComponent={Failure}>
          <BestShelf />
        </AsyncBoundary>
      </section>
    </div>
  );
}

/** A query over all posters: nobody asks the server which films have stars. */
function RatedShelf() {
  const isThere = useSelect(getPosters, [], (films) => films !== undefined);
  const ids = useQuery(ratedFilms, { max: SHELF }) ?? [];
  if (ids.length) return <ul class="cards">{ids.map((id) => <FilmCard key={id} id={id} />)}</ul>;
  return isThere ? <EmptyShelf /> : <CardsSkeleton count={SHELF / 4} />;
}

function BestShelf() {
  const { results } = useSuspense(FilmResource.getList, { sort: "-imdbRating", perPage: SHELF });
  return <ul class="cards">{results.map(({ id }) => <FilmCard key={id} id={id} />)}</ul>;
}

/** As large as what was there while it loaded. */
function EmptyShelf() {
  return (
    <ul class="cards">
      <li class="card">
        <div>
          <div class="poster small blank" />
          <span class="caption about">None so far: give a film stars</span>
        </div>
      </li>
    </ul>
  );
}
