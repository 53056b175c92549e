/**
 * The demo's REST API: a function from a request to its answer, and nothing else.
 *
 * @module
 */
import { type Database, fold, type Row } from "./database.ts";
import type { Change } from "./events.ts";

const JSON_TYPE = { "content-type": "application/json; charset=utf-8", "cache-control": "no-cache" };
const MAX_BODY = 64 * 1024;
const MAX_PER_PAGE = 100;

/** An answer that is not what was asked for, and says why. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** What is wrong with which member of the body. */
    readonly fields?: Record<string, string>,
    readonly headers?: Record<string, string>,
  ) {
    super(message);
  }
}

type Handler = (request: Request, id: string, query: URLSearchParams) => Promise<Response> | Response;

/**
 * Makes the API's handler.
 *
 * | path | methods |
 * |---|---|
 * | `/api/films` | GET (`page`, `perPage`, `genre`, `director`, `distributor`, `search`, `sort`), POST |
 * | `/api/films/:id` | GET, PUT, PATCH, DELETE |
 * | `/api/genres` | GET |
 * | `/api/genres/:id` | GET, PATCH |
 * | `/api/directors/:id` | GET |
 * | `/api/posters` | GET: of each film what a poster needs, the most voted first |
 *
 * @param changed Told of what was written, and by which request.
 * @returns A handler that never rejects: what goes wrong is a JSON answer with a `message`, and with `fields` when
 * members of the body are to blame.
 */
export function createApi(
  database: Database,
  changed: (change: Change, request: Request) => void = () => {},
): (request: Request) => Promise<Response> {
  const written = (request: Request, id: number): object => {
    const film = getFilm(database, id);
    changed({ type: "film", data: film }, request);
    return film;
  };
  const films: Record<string, Handler> = {
    GET: (_, __, query) => json(listFilms(database, query)),
    POST: async (request) => {
      const id = writeFilm(database, null, await readBody(request), true);
      return json(written(request, id), 201, { location: `/api/films/${id}` });
    },
  };
  const film: Record<string, Handler> = {
    GET: (_, id) => json(getFilm(database, filmId(id))),
    PUT: async (request, id) => json(written(request, writeFilm(database, filmId(id), await readBody(request), true))),
    PATCH: async (request, id) =>
      json(written(request, writeFilm(database, filmId(id), await readBody(request), false))),
    DELETE: (request, id) => {
      if (!database.run("DELETE FROM films WHERE id = ?", filmId(id)).changes) throw missing("film", id);
      changed({ type: "gone", data: { id: filmId(id) } }, request);
      return new Response(null, { status: 204 });
    },
  };
  const genres: Record<string, Handler> = {
    GET: () => json(database.all("SELECT id, name FROM genres ORDER BY name")),
  };
  const genre: Record<string, Handler> = {
    GET: (_, id) => json(getNamed(database, "genre", id)),
    PATCH: async (request, id) => {
      renameGenre(database, id, await readBody(request));
      const genre = getNamed(database, "genre", id);
      changed({ type: "genre", data: genre }, request);
      return json(genre);
    },
  };
  const director: Record<string, Handler> = {
    GET: (_, id) => json(getNamed(database, "director", wholeNumber(id) ?? -1)),
  };
  const posters: Record<string, Handler> = { GET: () => json(listPosters(database)) };
  const routes: Record<string, [all: Record<string, Handler> | undefined, one?: Record<string, Handler>]> = {
    posters: [posters],
    films: [films, film],
    genres: [genres, genre],
    directors: [undefined, director],
  };

  return async (request) => {
    try {
      const { pathname, searchParams } = new URL(request.url);
      const [, api, collection = "", id, ...rest] = pathname.replace(/\/$/, "").split("/");
      const route = api === "api" && rest.length === 0 && Object.hasOwn(routes, collection) && routes[collection];
      const methods = route && route[id === undefined ? 0 : 1];
      if (!methods) throw new Refusal(404, `There is nothing at ${pathname}`);
      const method = request.method === "HEAD" ? "GET" : request.method;
      const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (!handler) {
        const allow = Object.keys(methods).join(", ");
        throw new Refusal(405, `${pathname} does not know ${request.method}; it knows ${allow}`, undefined, { allow });
      }
      const response = await handler(request, decode(id ?? ""), searchParams);
      return request.method === "HEAD" ? new Response(null, response) : response;
    } catch (error) {
      if (!(error instanceof Refusal)) {
        console.error(error);
        return json({ message: "The server made a mistake; its console says which" }, 500);
      }
      const { message, fields, status, headers } = error;
      return json(fields ? { message, fields } : { message }, status, headers);
    }
  };
}

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...JSON_TYPE, ...headers } });
}

function missing(what: string, id: string | number): Refusal {
  return new Refusal(404, `There is no ${what} ${id}`);
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

// ---- reading ---------------------------------------------------------------------------------------------------

const SELECT_FILM = `
  SELECT films.*, genres.name AS genre, directors.name AS director, distributors.name AS distributor
  FROM films
  LEFT JOIN genres ON genres.id = films.genre_id
  LEFT JOIN directors ON directors.id = films.director_id
  LEFT JOIN distributors ON distributors.id = films.distributor_id`;

function toFilm(row: Row): object {
  const named = (name: "genre" | "director" | "distributor") =>
    row[`${name}_id`] === null ? null : { id: row[`${name}_id`], name: row[name] };
  return {
    id: row.id,
    title: row.title,
    releaseDate: row.release_date,
    mpaa: row.mpaa,
    runningTime: row.running_time,
    source: row.source,
    creativeType: row.creative_type,
    budget: row.budget,
    usGross: row.us_gross,
    worldwideGross: row.worldwide_gross,
    dvdSales: row.dvd_sales,
    imdbRating: row.imdb_rating,
    imdbVotes: row.imdb_votes,
    rottenTomatoes: row.rotten_tomatoes,
    rating: row.rating,
    genre: named("genre"),
    director: named("director"),
    distributor: named("distributor"),
  };
}

function getFilm(database: Database, id: number): object {
  const row = database.one(`${SELECT_FILM} WHERE films.id = ?`, id);
  if (!row) throw missing("film", id);
  return toFilm(row);
}

function getNamed(database: Database, what: "genre" | "director", id: string | number): object {
  const row = database.one(`SELECT id, name FROM ${what}s WHERE id = ?`, id);
  if (!row) throw missing(what, id);
  return row;
}

/** By the names of members, so that a client knows which change of a film moves it; and by shorter ones. */
const SORTS: Record<string, string> = {
  imdbVotes: "imdb_votes",
  votes: "imdb_votes",
  imdbRating: "imdb_rating",
  imdb: "imdb_rating",
  releaseDate: "release_date",
  released: "release_date",
  title: "folded_title",
  worldwideGross: "worldwide_gross",
  gross: "worldwide_gross",
  rating: "films.rating",
  id: "films.id",
  added: "films.id",
};

function listFilms(database: Database, query: URLSearchParams): object {
  const known = ["page", "perPage", "genre", "director", "distributor", "search", "sort"];
  for (const name of query.keys()) {
    if (!known.includes(name)) {
      throw new Refusal(400, `There is no parameter "${name}"; there are ${known.join(", ")}`);
    }
  }
  const number = (name: string, fallback: number, max: number): number => {
    const text = query.get(name);
    const value = text ? wholeNumber(text) : fallback;
    if (value === undefined || value > max) {
      throw new Refusal(400, `"${name}" must be a whole number from 1 to ${max}, not "${text}"`);
    }
    return value;
  };

  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const where = (condition: string, value: string | number): void => {
    conditions.push(condition);
    values.push(value);
  };
  const genre = query.get("genre");
  if (genre) where("genre_id = ?", genre);
  if (query.get("director")) where("director_id = ?", number("director", 0, Number.MAX_SAFE_INTEGER));
  if (query.get("distributor")) where("distributor_id = ?", number("distributor", 0, Number.MAX_SAFE_INTEGER));
  const search = fold(query.get("search") ?? "");
  if (search.length > 200) throw new Refusal(400, `"search" is longer than 200 characters`);
  // Not LIKE: its signs would need escaping, and it reads no further than a NUL.
  if (search) where("instr(folded_title, ?) > 0", search);

  const [, descending, name = ""] = /^(-?)(.*)$/.exec(query.get("sort") || "-votes") ?? [];
  const column = Object.hasOwn(SORTS, name) && SORTS[name];
  if (!column) {
    throw new Refusal(
      400,
      `"sort" must be one of ${Object.keys(SORTS).join(", ")}, with "-" before it for the other way round`,
    );
  }
  const order = descending ? "DESC" : "ASC";

  const perPage = number("perPage", 24, MAX_PER_PAGE);
  const page = number("page", 1, Math.floor(Number.MAX_SAFE_INTEGER / MAX_PER_PAGE));
  const filter = conditions.length ? `WHERE ${conditions.join(" AND ")}` : "";
  const total = Number(database.one(`SELECT count(*) AS total FROM films ${filter}`, ...values)?.total);
  const rows = database.all(
    `${SELECT_FILM} ${filter} ORDER BY ${column} ${order} NULLS LAST, films.id ${order} LIMIT ? OFFSET ?`,
    ...values,
    perPage,
    (page - 1) * perPage,
  );
  return { results: rows.map(toFilm), total, page, pages: Math.max(1, Math.ceil(total / perPage)) };
}

function listPosters(database: Database): object[] {
  const rows = database.all(`${SELECT_FILM} ORDER BY imdb_votes DESC NULLS LAST, films.id`);
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    releaseDate: row.release_date,
    rating: row.rating,
    genre: row.genre_id === null ? null : { id: row.genre_id, name: row.genre },
  }));
}

// ---- writing ---------------------------------------------------------------------------------------------------

async function readBody(request: Request): Promise<Record<string, unknown>> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new Refusal(415, `The body must be application/json, not ${type ?? "nothing"}`);
  }
  const text = await readText(request);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new Refusal(400, `The body is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new Refusal(422, "The body must be a JSON object");
  }
  return body as Record<string, unknown>;
}

/** Stops reading at the limit, so that a sender cannot fill the memory. */
async function readText(request: Request): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY) throw new Refusal(413, `The body is longer than ${MAX_BODY} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** What is wrong with a member of a body; the message goes on after the member's name: `"title" must not be empty`. */
class Problem extends Error {}

/** Gives the value of a column, or throws a {@linkcode Problem}. */
type Check = (value: unknown, database: Database) => string | number | null;

const line = (max: number): Check => (value) => {
  if (value === null) return null;
  if (typeof value !== "string") throw new Problem("must be a text");
  const text = value.trim();
  if (!text) throw new Problem("must not be empty");
  if (text.length > max) throw new Problem(`must have at most ${max} characters`);
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  if (/[\x00-\x1f\x7f]/.test(text) || !text.isWellFormed()) throw new Problem("must be one line of text");
  return text;
};

const whole = (min: number, max: number): Check => (value) => {
  if (value === null) return null;
  if (!Number.isInteger(value) || Number(value) < min || Number(value) > max) {
    throw new Problem(`must be a whole number from ${min} to ${max}`);
  }
  return Number(value);
};

const between = (min: number, max: number): Check => (value) => {
  if (value === null) return null;
  if (typeof value !== "number" || value < min || value > max) {
    throw new Problem(`must be a number from ${min} to ${max}`);
  }
  return value;
};

const date: Check = (value) => {
  if (value === null) return null;
  const text = typeof value === "string" ? value : "";
  const day = /^\d{4}-\d\d-\d\d(T00:00:00(\.000)?Z)?$/.test(text) ? text.slice(0, 10) : "";
  const time = day ? new Date(`${day}T00:00:00Z`) : undefined;
  // 2001-02-30 is a time for Date, of another day.
  if (!time || Number.isNaN(time.getTime()) || time.toISOString().slice(0, 10) !== day) {
    throw new Problem(`must be a day, as "1998-06-12"`);
  }
  return day;
};

/** An id, or an object with an id. */
function reference(value: unknown): unknown {
  return typeof value === "object" && value !== null && "id" in value ? value.id : value;
}

const genre: Check = (value, database) => {
  if (value === null) return null;
  const id = reference(value);
  if (typeof id !== "string" || !database.one("SELECT id FROM genres WHERE id = ?", id)) {
    throw new Problem(`must be the id of a genre, as "${database.one("SELECT id FROM genres ORDER BY id")?.id}"`);
  }
  return id;
};

/** An id, an object with an id, or an object with a name, which is looked up and added when it is new. */
const named = (table: "directors" | "distributors"): Check => (value, database) => {
  if (value === null) return null;
  const id = reference(value);
  if (Number.isSafeInteger(id)) {
    if (!database.one(`SELECT id FROM ${table} WHERE id = ?`, Number(id))) {
      throw new Problem(`must be one of the ${table}`);
    }
    return Number(id);
  }
  if (typeof id !== "object" || id === null || !("name" in id)) {
    throw new Problem("must be an id or an object with a name");
  }
  const name = line(200)(id.name, database);
  if (name === null) throw new Problem("must be an id or an object with a name");
  return database.named(table, String(name));
};

const MONEY = whole(0, 1e12);

const MEMBERS: Record<string, [column: string, check: Check]> = {
  title: ["title", (value, database) => {
    if (value === null) throw new Problem("must not be empty");
    return line(200)(value, database);
  }],
  releaseDate: ["release_date", date],
  mpaa: ["mpaa", line(20)],
  runningTime: ["running_time", whole(1, 10_000)],
  source: ["source", line(100)],
  creativeType: ["creative_type", line(100)],
  budget: ["budget", MONEY],
  usGross: ["us_gross", MONEY],
  worldwideGross: ["worldwide_gross", MONEY],
  dvdSales: ["dvd_sales", MONEY],
  imdbRating: ["imdb_rating", between(0, 10)],
  imdbVotes: ["imdb_votes", whole(0, 1e9)],
  rottenTomatoes: ["rotten_tomatoes", whole(0, 100)],
  rating: ["rating", whole(1, 5)],
  genre: ["genre_id", genre],
  director: ["director_id", named("directors")],
  distributor: ["distributor_id", named("distributors")],
};

function wasGiven(database: Database, id: number): boolean {
  return id <= Number(database.one("SELECT seq FROM sqlite_sequence WHERE name = 'films'")?.seq);
}

/**
 * Writes what the body says of a film.
 *
 * @param id The film, or `null` for a new one.
 * @param whole What the body leaves out becomes `null`; otherwise it stays as it is.
 * @returns The film's id.
 */
function writeFilm(database: Database, id: number | null, body: Record<string, unknown>, whole: boolean): number {
  return database.transaction(() => {
    const isNew = id === null || !database.one("SELECT id FROM films WHERE id = ?", id);
    // A film that was deleted may be put back where it was; an address that was never given is nobody's.
    if (isNew && id !== null && !(whole && wasGiven(database, id))) throw missing("film", id);
    const fields: Record<string, string> = {};
    const columns = new Map<string, string | number | null>();
    for (const [member, value] of Object.entries(body)) {
      if (member === "id") {
        // A film that was read may be sent back as it is.
        if (id === null || value !== id) fields.id = id === null ? "is given by the server" : `must be ${id}`;
      } else if (!Object.hasOwn(MEMBERS, member)) {
        Object.defineProperty(fields, member, { value: "is not a member of a film", enumerable: true });
      }
    }
    for (const [member, [column, check]] of Object.entries(MEMBERS)) {
      const given = Object.hasOwn(body, member);
      if (!given && !whole) continue;
      try {
        columns.set(column, check(given ? body[member] : null, database));
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        fields[member] = problem.message;
      }
    }
    const problems = Object.entries(fields).map(([member, problem]) => `"${member}" ${problem}`);
    if (problems.length) throw new Refusal(422, problems.join("; "), fields);

    const title = columns.get("title");
    if (typeof title === "string") columns.set("folded_title", fold(title));
    if (isNew) {
      if (id !== null) columns.set("id", id);
      const names = [...columns.keys()];
      const values = [...columns.values()];
      const marks = names.map(() => "?").join(", ");
      return database.run(`INSERT INTO films (${names.join(", ")}) VALUES (${marks})`, ...values).id;
    }
    if (columns.size) {
      const changes = [...columns.keys()].map((name) => `${name} = ?`).join(", ");
      database.run(`UPDATE films SET ${changes} WHERE id = ?`, ...columns.values(), id);
    }
    return id;
  });
}

function renameGenre(database: Database, id: string, body: Record<string, unknown>): void {
  getNamed(database, "genre", id);
  let name: string | number | null;
  try {
    name = line(60)(body.name ?? "", database);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    throw new Refusal(422, `"name" ${problem.message}`, { name: problem.message });
  }
  if (database.one("SELECT id FROM genres WHERE name = ? AND id <> ?", name, id)) {
    throw new Refusal(409, `There is a genre "${name}" already`, { name: "is taken" });
  }
  database.run("UPDATE genres SET name = ? WHERE id = ?", name, id);
}
