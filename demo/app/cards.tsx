/** Films of a shelf. */
import { useQuery } from "@rejoin/data/preact";
import { titleOf, yearOf } from "./format.ts";
import { GivenStars, Poster } from "./poster.tsx";
import { useRenders } from "./renders.tsx";
import { FilmSummary } from "./resources.ts";
import { filmHref } from "./route.ts";

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
