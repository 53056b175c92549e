/**
 * The demo's REST API: a function from a request to its answer, and nothing else. It is the same at the server and in the
 * Service Worker of a page that has none.
 *
 * @module
 */
import { readJson, readPicture } from "./body.ts";
import type { Change } from "./events.ts";
import { readName, writeFilm } from "./members.ts";
import { fold } from "./movies.ts";
import { json, missing, Refusal, refused } from "./refusal.ts";
import { Sessions } from "./sessions.ts";
import type { FilmJson, FilmStore, Kind, Named, Selection } from "./store.ts";

const MAX_PER_PAGE = 100;
const DIRECTORS_PER_PAGE = 40;

interface Asked {
  readonly request: Request;
  /** The part of the path that names one; empty where all are meant. */
  readonly id: string;
  readonly query: URLSearchParams;
}

type Handler = (asked: Asked) => Promise<Response> | Response;

/** By method. */
type Handlers = Readonly<Record<string, Handler>>;

/**
 * Makes the API's handler.
 *
 * | path | methods |
 * |---|---|
 * | `/api/films` | GET (`page`, `perPage`, `genre`, `director`, `distributor`, `search`, `sort`), POST |
 * | `/api/films/:id` | GET, PUT, PATCH, DELETE |
 * | `/api/films/:id/poster` | GET, PUT: a picture; for those who have signed in |
 * | `/api/genres` | GET |
 * | `/api/genres/:id` | GET, PATCH |
 * | `/api/directors` | GET (`page`): a bare list, with the next page in the header `link` |
 * | `/api/directors/:id` | GET |
 * | `/api/posters` | GET: of each film what a poster needs, the most voted first |
 * | `/api/session` | POST (`name`): gives a token for `Authorization: Bearer`, DELETE |
 *
 * @param changed Told of what was written, and by which request.
 * @returns A handler that never rejects: what goes wrong is a JSON answer with a `message`, and with `fields` when
 * members of the body are to blame.
 */
export function createApi(
  store: FilmStore,
  changed: (change: Change, request: Request) => void = () => {},
): (request: Request) => Promise<Response> {
  const sessions = new Sessions();

  function film(id: number): FilmJson {
    const film = store.film(id);
    if (film === undefined) throw missing("film", id);
    return film;
  }
  function one(kind: Kind, id: string | number): Named {
    const named = store.one(kind, id);
    if (named === undefined) throw missing(kind, id);
    return named;
  }
  function tell(type: "film" | "added", id: number, request: Request): FilmJson {
    const data = film(id);
    changed({ type, data }, request);
    return data;
  }
  const write = (whole: boolean): Handler => async ({ request, id: text }) => {
    const { id, isNew } = writeFilm(store, filmId(text), await readJson(request), whole);
    return json(tell(isNew ? "added" : "film", id, request));
  };

  const films: Handlers = {
    GET: ({ query }) => json(listFilms(store, query)),
    POST: async ({ request }) => {
      const { id } = writeFilm(store, null, await readJson(request), true);
      return json(tell("added", id, request), 201, { location: `/api/films/${id}` });
    },
  };
  const oneFilm: Handlers = {
    GET: ({ id }) => json(film(filmId(id))),
    PUT: write(true),
    PATCH: write(false),
    DELETE: ({ request, id: text }) => {
      const id = filmId(text);
      if (!store.transaction(() => store.remove(id))) throw missing("film", text);
      changed({ type: "gone", data: { id } }, request);
      return new Response(null, { status: 204 });
    },
  };
  const poster: Handlers = {
    GET: ({ id, query }) => {
      const picture = store.picture(filmId(id));
      if (picture === undefined) throw missing("poster of film", id);
      // An address with a version is another one when the picture is.
      const cache = query.size ? "max-age=31536000, immutable" : "no-cache";
      return new Response(picture.bytes, {
        headers: { "content-type": picture.type, "cache-control": cache, "x-content-type-options": "nosniff" },
      });
    },
    PUT: async ({ request, id: text }) => {
      sessions.whose(request);
      const picture = await readPicture(request);
      const { id } = film(filmId(text));
      store.transaction(() => store.setPicture(id, picture));
      return json(tell("film", id, request));
    },
  };
  const oneGenre: Handlers = {
    GET: ({ id }) => json(one("genre", id)),
    PATCH: async ({ request, id }) => {
      one("genre", id);
      const name = readName(await readJson(request), store);
      const holder = store.byName("genre", name);
      if (holder && holder.id !== id) {
        throw new Refusal(409, `There is a genre "${name}" already`, { name: "is taken" });
      }
      store.transaction(() => store.rename("genre", id, name));
      const data = one("genre", id);
      changed({ type: "genre", data }, request);
      return json(data);
    },
  };
  const session: Handlers = {
    POST: async ({ request }) => json(sessions.open(readName(await readJson(request), store)), 201),
    DELETE: ({ request }) => {
      sessions.close(request);
      return new Response(null, { status: 204 });
    },
  };
  const routes: readonly [path: RegExp, handlers: Handlers][] = [
    [/^films$/, films],
    [/^films\/([^/]+)$/, oneFilm],
    [/^films\/([^/]+)\/poster$/, poster],
    [/^genres$/, { GET: () => json(store.all("genre")) }],
    [/^genres\/([^/]+)$/, oneGenre],
    [/^directors$/, { GET: ({ query }) => listDirectors(store, query) }],
    [/^directors\/([^/]+)$/, { GET: ({ id }) => json(one("director", wholeNumber(id) ?? -1)) }],
    [/^posters$/, { GET: () => json(listPosters(store)) }],
    [/^session$/, session],
  ];

  return async (request) => {
    try {
      const { pathname, searchParams: query } = new URL(request.url);
      const path = /^\/api\/(.*?)\/?$/.exec(pathname)?.[1] ?? "";
      const [pattern, handlers] = routes.find(([pattern]) => pattern.test(path)) ?? [];
      if (!pattern || !handlers) throw new Refusal(404, `There is nothing at ${pathname}`);
      const method = request.method === "HEAD" ? "GET" : request.method;
      const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
      if (!handler) {
        const allow = Object.keys(handlers).join(", ");
        throw new Refusal(405, `${pathname} does not know ${request.method}; it knows ${allow}`, undefined, { allow });
      }
      const response = await handler({ request, id: decode(pattern.exec(path)?.[1] ?? ""), query });
      return request.method === "HEAD" ? new Response(null, response) : response;
    } catch (error) {
      if (error instanceof Refusal) return refused(error);
      console.error(error);
      return json({ message: "The server made a mistake; its console says which" }, 500);
    }
  };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal(400, `"${segment}" is not a well-formed part of a path`);
  }
}

/** `"12"` → `12`; anything that is not a whole number from 1 → `undefined`. */
function wholeNumber(text: string): number | undefined {
  const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

function filmId(text: string): number {
  const id = wholeNumber(text);
  if (id === undefined) throw missing("film", text);
  return id;
}

/** By the names of members, so that a client knows which change of a film moves it; and by shorter ones. */
const SORTS: Record<string, Selection["sort"]> = {
  imdbVotes: "imdbVotes",
  votes: "imdbVotes",
  imdbRating: "imdbRating",
  imdb: "imdbRating",
  releaseDate: "releaseDate",
  released: "releaseDate",
  title: "title",
  worldwideGross: "worldwideGross",
  gross: "worldwideGross",
  rating: "rating",
  id: "id",
  added: "id",
};

/** A parameter that counts from 1. */
function readNumber(query: URLSearchParams, name: string, fallback: number, max: number): number {
  const text = query.get(name);
  const value = text ? wholeNumber(text) : fallback;
  if (value !== undefined && value <= max) return value;
  throw new Refusal(400, `"${name}" must be a whole number from 1 to ${max}, not "${text}"`);
}

function refuseOthers(query: URLSearchParams, known: readonly string[]): void {
  for (const name of query.keys()) {
    if (!known.includes(name)) {
      throw new Refusal(400, `There is no parameter "${name}"; there are ${known.join(", ")}`);
    }
  }
}

function listFilms(store: FilmStore, query: URLSearchParams): object {
  refuseOthers(query, ["page", "perPage", "genre", "director", "distributor", "search", "sort"]);
  const idOf = (name: string) => query.get(name) ? readNumber(query, name, 0, Number.MAX_SAFE_INTEGER) : undefined;
  const search = fold(query.get("search") ?? "");
  if (search.length > 200) throw new Refusal(400, `"search" is longer than 200 characters`);
  const [, descending, name = ""] = /^(-?)(.*)$/.exec(query.get("sort") || "-votes") ?? [];
  const sort = Object.hasOwn(SORTS, name) ? SORTS[name] : undefined;
  if (sort === undefined) {
    throw new Refusal(
      400,
      `"sort" must be one of ${Object.keys(SORTS).join(", ")}, with "-" before it for the other way round`,
    );
  }
  const perPage = readNumber(query, "perPage", 24, MAX_PER_PAGE);
  const page = readNumber(query, "page", 1, Math.floor(Number.MAX_SAFE_INTEGER / MAX_PER_PAGE));
  const { results, total } = store.films({
    genre: query.get("genre") || undefined,
    director: idOf("director"),
    distributor: idOf("distributor"),
    search: search || undefined,
    sort,
    descending: descending === "-",
    offset: (page - 1) * perPage,
    limit: perPage,
  });
  return { results, total, page, pages: Math.max(1, Math.ceil(total / perPage)) };
}

function listDirectors(store: FilmStore, query: URLSearchParams): Response {
  refuseOthers(query, ["page"]);
  const page = readNumber(query, "page", 1, 1_000_000);
  const all = store.all("director");
  const end = page * DIRECTORS_PER_PAGE;
  const headers: Record<string, string> = end < all.length ? { link: `<?page=${page + 1}>; rel="next"` } : {};
  return json(all.slice(end - DIRECTORS_PER_PAGE, end), 200, headers);
}

function listPosters(store: FilmStore): object[] {
  // The id of equals counts upwards here.
  const { results } = store.films({ sort: "id" });
  const votes = ({ imdbVotes }: FilmJson): number => Number(imdbVotes ?? -1);
  return results.toSorted((a, b) => votes(b) - votes(a))
    .map(({ id, title, releaseDate, rating, genre, poster }) => ({ id, title, releaseDate, rating, genre, poster }));
}
