import { Entity, resource, serial, typed } from "@rejoin/data";
import { ApiEndpoint } from "./api_endpoint.ts";

export class Genre extends Entity {
  id = "";
  name = "";
  static key = "Genre";
}

export class Director extends Entity {
  id = 0;
  name = "";
  static key = "Director";
}

export class Distributor extends Entity {
  id = 0;
  name = "";
  static key = "Distributor";
}

/** What a poster needs. It is the same record as the film itself, which has more. */
export class FilmSummary extends Entity {
  id = 0;
  title: string | null = null;
  releaseDate: Date | null = null;
  /** What the person who looks thinks: 1 to 5 stars. */
  rating: number | null = null;
  // A falsy default: a film may have none, and is complete all the same.
  genre: Genre | null = null;
  /** The version of the picture that somebody has given it. */
  poster: number | null = null;
  /** An edit is pending. No server sends this: an edit shows it, and the answer takes it back. */
  isPending: boolean | undefined = undefined;
  static key = "Film";
  static schema = { releaseDate: Date, genre: Genre };
}

/** A film: its poster, and what only its page shows, which asks for what a poster lacks. */
export class Film extends FilmSummary {
  mpaa: string | null = null;
  /** In minutes. */
  runningTime: number | null = null;
  /** In dollars, as the other sums. */
  budget: number | null = null;
  worldwideGross: number | null = null;
  imdbRating: number | null = null;
  imdbVotes: number | null = null;
  director: Director | null = null;
  distributor: Distributor | null = null;
  static override schema = { ...FilmSummary.schema, director: Director, distributor: Distributor };
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

const films = resource({
  Endpoint: ApiEndpoint,
  path: "/films/:id",
  schema: Film,
  searchParams: typed<FilmSearch | undefined>(),
  displayArgs: ["page", "perPage", "sort"],
  filters: { search: (film, text) => (film.title ?? "").toLowerCase().includes(text.toLowerCase()) },
  optimistic: true,
  // Ratings of one film are sent in turn.
  scope: serial("record"),
  list: (films) => ({ results: films, total: 0, page: 1, pages: 1 }),
});

// The lists are pages in an order, with a total: only the server knows where a film comes in, and what goes on from there.
const expires = () => [films.getList];

export const FilmResource = {
  ...films,
  // Its address is the server's, too: nothing is shown before it answers, and it joins no list by itself.
  create: films.create.extend({ schema: Film, getOptimisticResponse: undefined, expires }),
  delete: films.delete.extend({ expires }),
  // This is how a film that was deleted is put back.
  update: films.update.extend({ expires }),
  partialUpdate: films.partialUpdate.extend({
    getOptimisticResponse: (_, { id }, body) => ({ ...body, id: Number(id), isPending: true }),
    process: (film: object) => ({ ...film, isPending: false }),
  }),
};

// The only two that outlive a visit unchanged: nobody adds a genre here, and names of directors are not edited.
export const GenreResource = resource({
  Endpoint: ApiEndpoint,
  path: "/genres/:id",
  schema: Genre,
  optimistic: true,
  dataExpiryLength: Infinity,
});

export const DirectorResource = resource({
  Endpoint: ApiEndpoint,
  path: "/directors/:id",
  schema: Director,
  dataExpiryLength: Infinity,
});
