import { AsyncBoundary, useQuery, useSelect, useSuspenseInfinite } from "@rejoin/data/preact";
import { useEffect, useRef } from "preact/hooks";
import { FilmCard } from "./cards.tsx";
import { Code } from "./code.tsx";
import { Directors } from "./directors.tsx";
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
      <Directors />
      <section aria-labelledby="best-rated">
        <h2 id="best-rated">Best rated by everyone</h2>
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
  return isThere ? <EmptyShelf /> : <CardsSkeleton count={SHELF / 2} />;
}

/** As long as one likes: a page more whenever its end comes into view. */
function BestShelf() {
  const { items, hasNext, isFetchingNext, next } = useSuspenseInfinite(
    FilmResource.getList,
    [{ sort: "-imdbRating", perPage: SHELF }],
    { next: ({ page, pages }) => page < pages && { page: page + 1 } },
  );
  const end = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!end.current) return;
    // Before the end is seen: what is on the screen is not pushed away.
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && next(), {
      root: end.current.closest("[data-scroll]"),
      rootMargin: "0px 0px 900px",
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [next, items.length]);
  return (
    <>
      <ul class="cards">{items.map(({ id }) => <FilmCard key={id} id={id} />)}</ul>
      {hasNext && (
        <button type="button" class="more-films" ref={end} onClick={next}>{isFetchingNext ? "Loads …" : "More"}</button>
      )}
    </>
  );
}

/** As large as what was there while it loaded. */
function EmptyShelf() {
  return (
    <ul class="cards">
      {Array.from({ length: SHELF / 2 }, (_, index) => (
        <li key={index} class="card" aria-hidden={index > 0}>
          <div>
            <div class="poster small blank" />
            <span class="caption">
              {index === 0 && (
                <>
                  <strong>None so far</strong>
                  <span class="about">Give a film stars</span>
                </>
              )}
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}
