import { Query, schema } from "@rejoin/data";
import { AsyncBoundary, useFetch, useQuery, useSuspense } from "@rejoin/data/preact";
import { Failure } from "./failure.tsx";
import { CardsSkeleton, FilmCard } from "./film_page.tsx";
import { Film, FilmResource } from "./resources.ts";

const SHELF = 12;

/** The films with stars, best first: those the server knows of, and those that got stars since. */
const rated = new Query(
  new schema.All(Film),
  (films) =>
    films.filter(({ rating }) => rating !== null)
      .sort((a, b) => (b.rating ?? 0) - (a.rating ?? 0) || a.id - b.id)
      .slice(0, SHELF),
);

// `All`, so that the query above has a table to look at. What other lists brought is no answer to this one.
const getRated = FilmResource.getList.extend({
  schema: { results: new schema.All(Film), total: 0, page: 1, pages: 1 },
  invalidIfStale: true,
});

/** What is beside the list while no film is open. */
export function Home() {
  return (
    <div class="home" data-place="home">
      <section aria-labelledby="best-rated">
        <h2 id="best-rated">Best rated by everyone</h2>
        <AsyncBoundary fallback={<CardsSkeleton count={SHELF} />} errorComponent={Failure}>
          <BestShelf />
        </AsyncBoundary>
      </section>
      <section aria-labelledby="rated-by-you">
        <h2 id="rated-by-you">Rated by you</h2>
        <RatedShelf />
      </section>
      <p class="about">
        Rate a film or give it a better title: every place that shows it follows, and nothing else moves.{" "}
        <a href="/grid">See what renders</a>
      </p>
    </div>
  );
}

/** Does not wait for the server when there is something to show already. */
function RatedShelf() {
  const asked = useFetch(getRated, { sort: "-rating", perPage: SHELF });
  const films = useQuery(rated) ?? [];
  if (films.length) return <ul class="cards">{films.map(({ id }) => <FilmCard key={id} id={id} />)}</ul>;
  return asked?.resolved ? <EmptyShelf /> : <CardsSkeleton count={SHELF / 2} />;
}

function BestShelf() {
  const { results } = useSuspense(FilmResource.getList, { sort: "-imdb", perPage: SHELF });
  return <ul class="cards">{results.map(({ id }) => <FilmCard key={id} id={id} />)}</ul>;
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
