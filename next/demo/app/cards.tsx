/** Films of a shelf. */
import { useQuery } from "@rejoin/data/preact";
import { titleOf, yearOf } from "./format.ts";
import { Poster } from "./poster.tsx";
import { useRenders } from "./renders.tsx";
import { FilmSummary } from "./resources.ts";
import { filmHref } from "./route.ts";
import { GivenStars } from "./given_stars.tsx";

/** One film of a shelf. Like a row of the list it reads its own record. */
export function FilmCard({ id }: { id: number }) {
  const film = useQuery(FilmSummary, { id });
  const renders = useRenders();
  if (!film) return null;
  return (
    <li class="card" data-film={id} data-renders={renders}>
      <a href={filmHref(id)}>
        <Poster film={film} small />
        <span class="caption">
          <strong>{titleOf(film)}</strong>
          <span class="about">
            {yearOf(film)} <GivenStars film={film} />
          </span>
        </span>
      </a>
    </li>
  );
}

/** Stands where cards will be, of the same size. */
export function CardsSkeleton({ count }: { count: number }) {
  return (
    <ul class="cards" aria-busy="true" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        <li key={index} class="card">
          <div class="ghost">
            <span class="poster small bone" />
            <span class="caption">
              <strong>
                <span class="bone" style={{ width: "80%" }} />
              </strong>
              <span class="about">
                <span class="bone" style={{ width: "40%" }} />
              </span>
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}
