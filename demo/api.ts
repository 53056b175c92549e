/**
 * The demo's REST API: a function from a request to its answer.
 *
 * A list of films is `{ results, total, page, pages }`. What is refused is `{ message }`, with `fields` where members of
 * the body are to blame.
 */
import type { Database } from "./database.ts";
import type { Change } from "./events.ts";
import { json, missing, readJson, readPicture, Refusal } from "./http.ts";
import { readName, writeFilm } from "./members.ts";
import { fold } from "./movies.ts";
import { type FilmJson, type Kind, type Named, VALUES } from "./store.ts";

const MAX_PER_PAGE = 100;

interface Asked {
  readonly request: Request;
  /** The part of the path that names one; empty where all are meant. */
  readonly id: string;
  readonly query: URLSearchParams;
}

type Handler = (asked: Asked) => Promise<Response> | Response;

/**
 * Makes the API.
 *
 * @param changed Told of what was written, and by which request.
 * @returns A handler that never rejects.
 */
export function createApi(
  store: Database,
  changed: (change: Change, request: Request) => void,
): (request: Request) => Promise<Response> {
  /** Who has signed in, by token. A name is enough here; what matters is that a token is asked for. */
  const sessions = new Map<string, string>();

  function film(id: string | number): FilmJson {
    const film = store.film(Number(id));
    if (film === undefined) throw missing("film", id);
    return film;
  }
  function one(kind: Kind, id: string): Named {
    const named = store.one(kind, id);
    if (named === undefined) throw missing(kind, id);
    return named;
  }
  function written(type: "film" | "added", id: number, request: Request): FilmJson {
    const data = film(id);
    changed({ type, data }, request);
    return data;
  }
  const write = (isWhole: boolean): Handler => async ({ request, id: text }) => {
    const { id, isNew } = writeFilm(store, Number(text), await readJson(request), isWhole);
    return json(written(isNew ? "added" : "film", id, request));
  };

  const handlers: Readonly<Record<string, Handler>> = {
    "GET films": ({ query }) => json(listFilms(store, query)),
    "POST films": async ({ request }) => {
      const { id } = writeFilm(store, null, await readJson(request), true);
      return json(written("added", id, request), 201, { location: `/api/films/${id}` });
    },
    "GET films/:id": ({ id }) => json(film(id)),
    "PUT films/:id": write(true),
    "PATCH films/:id": write(false),
    "DELETE films/:id": ({ request, id }) => {
      if (!store.remove(Number(id))) throw missing("film", id);
      changed({ type: "gone", data: { id: Number(id) } }, request);
      return new Response(null, { status: 204 });
    },
    "GET films/:id/poster": ({ id, query }) => {
      const picture = store.picture(Number(id));
      if (picture === undefined) throw missing("poster of film", id);
      // An address with a version is another one when the picture is.
      const cache = query.size ? "max-age=31536000, immutable" : "no-cache";
      return new Response(picture.bytes, { headers: { "content-type": picture.type, "cache-control": cache } });
    },
    "PUT films/:id/poster": async ({ request, id: text }) => {
      const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
      if (!sessions.has(token)) throw new Refusal(401, "Sign in first");
      const picture = await readPicture(request);
      const { id } = film(text);
      store.setPicture(id, picture);
      return json(written("film", id, request));
    },
    "GET posters": () => json(store.posters()),
    "GET genres": () => json(store.all("genre")),
    "GET genres/:id": ({ id }) => json(one("genre", id)),
    "PATCH genres/:id": async ({ request, id }) => {
      one("genre", id);
      const name = readName(await readJson(request), store);
      if ((store.byName("genre", name)?.id ?? id) !== id) throw new Refusal(409, `There is a genre "${name}" already`);
      store.renameGenre(id, name);
      const data = one("genre", id);
      changed({ type: "genre", data }, request);
      return json(data);
    },
    "GET directors/:id": ({ id }) => json(one("director", id)),
    "POST session": async ({ request }) => {
      const [token, name] = [crypto.randomUUID(), readName(await readJson(request), store)];
      sessions.set(token, name);
      return json({ token, name }, 201);
    },
  };

  return async (request) => {
    try {
      const { pathname, searchParams: query } = new URL(request.url);
      const [, name, id, part] = /^\/api\/(\w+)(?:\/([\w-]+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
      const path = [name, id && ":id", part].filter(Boolean).join("/");
      const handler = handlers[`${request.method.replace("HEAD", "GET")} ${path}`];
      if (!handler) throw new Refusal(404, `There is no ${request.method} ${pathname}`);
      return await handler({ request, id: id ?? "", query });
    } catch (error) {
      if (error instanceof Refusal) return json({ message: error.message, fields: error.fields }, error.status);
      console.error(error);
      return json({ message: "The server made a mistake; its console says which" }, 500);
    }
  };
}

const SORTS = ["id", ...VALUES] as const;

/** A parameter that counts from 1. */
function readNumber(query: URLSearchParams, name: string, fallback: number, max = 1e9): number {
  const value = Number(query.get(name) || fallback);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new Refusal(400, `"${name}" must be a whole number from 1 to ${max}, not "${query.get(name)}"`);
}

function listFilms(store: Database, query: URLSearchParams): object {
  const idOf = (name: string) => query.get(name) ? readNumber(query, name, 0) : undefined;
  const [, descending, name] = /^(-?)(.*)$/.exec(query.get("sort") || "-imdbVotes") ?? [];
  const sort = SORTS.find((sort) => sort === name);
  if (!sort) throw new Refusal(400, `"sort" must be one of ${SORTS.join(", ")}, or one with "-" before it`);
  const perPage = readNumber(query, "perPage", 24, MAX_PER_PAGE);
  const page = readNumber(query, "page", 1);
  const { results, total } = store.films({
    genre: query.get("genre") || undefined,
    director: idOf("director"),
    distributor: idOf("distributor"),
    search: fold(query.get("search") ?? "") || undefined,
    sort,
    descending: descending === "-",
    offset: (page - 1) * perPage,
    limit: perPage,
  });
  return { results, total, page, pages: Math.max(1, Math.ceil(total / perPage)) };
}
