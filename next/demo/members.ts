/**
 * What the members of a film may be.
 *
 * @module
 */
import { missing, Refusal } from "./refusal.ts";
import type { FilmStore, FilmValues, Kind, Value, ValueName } from "./store.ts";

/** What is wrong with a member of a body; the message goes on after the member's name: `"title" must not be empty`. */
class Problem extends Error {}

/** Gives what is stored, or throws a {@linkcode Problem}. */
type Check = (value: unknown, store: FilmStore) => Value;

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

const genre: Check = (value, store) => {
  if (value === null) return null;
  const id = reference(value);
  if (typeof id === "string" && store.one("genre", id)) return id;
  throw new Problem(`must be the id of a genre, as "${store.all("genre")[0]?.id}"`);
};

/** An id, an object with an id, or an object with a name, which is looked up and added when it is new. */
const named = (kind: "director" | "distributor"): Check => (value, store) => {
  if (value === null) return null;
  const id = reference(value);
  if (Number.isSafeInteger(id)) {
    if (!store.one(kind, Number(id))) throw new Problem(`must be one of the ${kind}s`);
    return Number(id);
  }
  if (typeof id !== "object" || id === null || !("name" in id)) {
    throw new Problem("must be an id or an object with a name");
  }
  const name = line(200)(id.name, store);
  if (name === null) throw new Problem("must be an id or an object with a name");
  return store.byName(kind, String(name))?.id ?? store.add(kind, String(name));
};

const MONEY = whole(0, 1e12);

const MEMBERS: Record<ValueName | Kind, Check> = {
  title: (value, store) => {
    if (value === null) throw new Problem("must not be empty");
    return line(200)(value, store);
  },
  releaseDate: date,
  mpaa: line(20),
  runningTime: whole(1, 10_000),
  source: line(100),
  creativeType: line(100),
  budget: MONEY,
  usGross: MONEY,
  worldwideGross: MONEY,
  dvdSales: MONEY,
  imdbRating: between(0, 10),
  imdbVotes: whole(0, 1e9),
  rottenTomatoes: whole(0, 100),
  rating: whole(1, 5),
  genre,
  director: named("director"),
  distributor: named("distributor"),
};

/**
 * Writes what the body says of a film.
 *
 * @param id The film, or `null` for a new one.
 * @param whole What the body leaves out becomes `null`; otherwise it stays as it is.
 * @returns The film's id, and whether it was not there before.
 */
export function writeFilm(
  store: FilmStore,
  id: number | null,
  body: Record<string, unknown>,
  whole: boolean,
): { id: number; isNew: boolean } {
  return store.transaction(() => {
    const isNew = id === null || !store.film(id);
    // A film that was deleted may be put back where it was; an address that was never given is nobody's.
    if (isNew && id !== null && !(whole && store.wasGiven(id))) throw missing("film", id);
    const fields: Record<string, string> = {};
    const values: FilmValues = {};
    for (const [member, value] of Object.entries(body)) {
      if (member === "id") {
        // A film that was read may be sent back as it is.
        if (id === null || value !== id) fields.id = id === null ? "is given by the server" : `must be ${id}`;
      } else if (member !== "poster" && !Object.hasOwn(MEMBERS, member)) {
        Object.defineProperty(fields, member, { value: "is not a member of a film", enumerable: true });
      }
    }
    for (const [member, check] of Object.entries(MEMBERS) as [ValueName | Kind, Check][]) {
      const given = Object.hasOwn(body, member);
      if (!given && !whole) continue;
      try {
        values[member] = check(given ? body[member] : null, store);
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        fields[member] = problem.message;
      }
    }
    const problems = Object.entries(fields).map(([member, problem]) => `"${member}" ${problem}`);
    if (problems.length) throw new Refusal(422, problems.join("; "), fields);
    if (isNew) return { id: store.insert(values, id), isNew };
    store.update(id, values);
    return { id, isNew };
  });
}

/** Reads one line of text from a body. */
export function readName(body: Record<string, unknown>, store: FilmStore): string {
  try {
    return String(line(60)(body.name ?? "", store));
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    throw new Refusal(422, `"name" ${problem.message}`, { name: problem.message });
  }
}
