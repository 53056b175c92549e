import { createResource, Entity, Query, resource, schema } from "@rejoin/data";

export class Genre extends Entity {
  id = "";
  name = "";
  static key = "Genre";
}

export class Director extends Entity {
  id = 0;
  name = "";
  static key = "Director";
  static films = new schema.HasMany(() => Film, "director");
}

export class Distributor extends Entity {
  id = 0;
  name = "";
  static key = "Distributor";
}

export class Film extends Entity {
  id = 0;
  title: string | null = null;
  releaseDate: Date | null = null;
  mpaa: string | null = null;
  /** In minutes. */
  runningTime: number | null = null;
  source: string | null = null;
  creativeType: string | null = null;
  /** In dollars, as the other sums. */
  budget: number | null = null;
  usGross: number | null = null;
  worldwideGross: number | null = null;
  dvdSales: number | null = null;
  imdbRating: number | null = null;
  imdbVotes: number | null = null;
  rottenTomatoes: number | null = null;
  /** What the person who looks thinks: 1 to 5 stars. */
  rating: number | null = null;
  // Falsy defaults: a film may have none of them, and is complete all the same.
  genre: Genre | null = null;
  director: Director | null = null;
  distributor: Distributor | null = null;
  static key = "Film";
  static schema = { releaseDate: Date, genre: Genre, director: Director, distributor: Distributor };
}

/** What a list of films may be asked for. */
export interface FilmSearch {
  page?: number;
  perPage?: number;
  genre?: string;
  director?: number;
  search?: string;
  sort?: string;
}

export const FilmResource = resource({
  urlPrefix: "/api",
  path: "/films/:id",
  schema: Film,
  searchParams: {} as FilmSearch | undefined,
  displayArgs: ["page", "perPage", "sort"],
  filters: { search: (film, text) => (film.title ?? "").toLowerCase().includes(text.toLowerCase()) },
  optimistic: true,
  list: (films) => ({ results: films, total: 0, page: 1, pages: 1 }),
});

// The only two that outlive a visit unchanged: nobody adds a genre here, and names of directors are not edited.
export const GenreResource = createResource({
  urlPrefix: "/api",
  path: "/genres/:id",
  schema: Genre,
  dataExpiryLength: Infinity,
});

export const DirectorResource = createResource({
  urlPrefix: "/api",
  path: "/directors/:id",
  schema: Director,
  dataExpiryLength: Infinity,
});

/** The ids of a director's films, the newest first: who shows them is told when that changes, and not of each film. */
export const filmsOf = new Query(
  Director.films,
  (films) => films.toSorted((a, b) => timeOf(b) - timeOf(a)).map(({ id }) => id),
);

/** A film without a date comes last. */
function timeOf({ releaseDate }: Film): number {
  return releaseDate?.getTime() ?? Number.MIN_SAFE_INTEGER;
}
