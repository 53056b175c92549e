/** What is asked of the store, and all posters, over which it is asked: the first list needs none of it. */
import { All, Query } from "@rejoin/data";
import { ApiEndpoint } from "./api_endpoint.ts";
import { FilmSummary } from "./resources.ts";

/** All films, as posters. */
export const getPosters = new ApiEndpoint({
  name: "Film.getPosters",
  path: "/posters",
  schema: [FilmSummary],
  // Its records are kept up to date by what is written here and by what others write.
  dataExpiryLength: Infinity,
});

/** The ids of all films that the store knows, as long as they are the same ones. */
export const allFilms = new Query(new All(FilmSummary), (films) => films.map(({ id }) => id));

/** The ids of the films with stars, best first. */
export const ratedFilms = new Query(
  new All(FilmSummary),
  (films, { max }: { max: number }) =>
    films.filter(({ rating }) => rating !== null)
      .sort((a, b) => (b.rating ?? 0) - (a.rating ?? 0) || a.id - b.id)
      .slice(0, max)
      .map(({ id }) => id),
);
