/** What the members of a film may be. */
import type { Database } from "./database.ts";
import { missing, Refusal } from "./http.ts";
import type { FilmValues, Kind, Value, ValueName } from "./store.ts";

/** What is stored of a value; `undefined`: it is not what it must be. */
type Read = (value: unknown, store: Database) => Value | undefined;

/** What a member must be, as it goes on after the member's name, and how it is read. */
type Member = readonly [must: string, read: Read];

const line = (max: number): Member => [`must have 1 to ${max} characters`, (value) => {
  const text = typeof value === "string" ? value.trim() : "";
  return text !== "" && text.length <= max ? text : undefined;
}];

const number = (min: number, max: number): Member => [
  `must be a number from ${min} to ${max}`,
  (value) => typeof value === "number" && value >= min && value <= max ? value : undefined,
];

const whole = (min: number, max: number): Member => [
  `must be a whole number from ${min} to ${max}`,
  (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined,
];

const day: Member = [`must be a day, as "1998-06-12"`, (value) => {
  // 2001-02-30 is a time for Date, of another day.
  const text = String(value).replace(/T.*/, "");
  return new Date(text).toJSON()?.slice(0, 10) === text ? text : undefined;
}];

/** An id, or an object with one, or an object with the name of somebody who may be new. */
const named = (kind: Kind): Member => [`must be the id of a ${kind}`, (value, store) => {
  const { id = value, name } = Object(value) as { id?: unknown; name?: unknown };
  if (typeof id === "number" || typeof id === "string") return store.one(kind, id)?.id;
  if (kind === "genre") return undefined;
  const text = line(200)[1](name, store);
  return text === undefined ? undefined : store.byName(kind, String(text))?.id ?? store.add(kind, String(text));
}];

const MONEY = whole(0, 1e12);

const MEMBERS: Record<ValueName | Kind, Member> = {
  title: line(200),
  releaseDate: day,
  mpaa: line(20),
  runningTime: whole(1, 10_000),
  source: line(100),
  creativeType: line(100),
  budget: MONEY,
  usGross: MONEY,
  worldwideGross: MONEY,
  dvdSales: MONEY,
  imdbRating: number(0, 10),
  imdbVotes: whole(0, 1e9),
  rottenTomatoes: whole(0, 100),
  rating: whole(1, 5),
  genre: named("genre"),
  director: named("director"),
  distributor: named("distributor"),
};

/**
 * Writes what the body says of a film.
 *
 * @param id The film, or `null` for a new one.
 * @param isWhole What the body leaves out becomes `null`; otherwise it stays as it is.
 * @returns The film's id, and whether it was not there before.
 */
export function writeFilm(
  store: Database,
  id: number | null,
  body: Record<string, unknown>,
  isWhole: boolean,
): { id: number; isNew: boolean } {
  return store.transaction(() => {
    const isNew = id === null || !store.film(id);
    // A film that was deleted may be put back where it was; an address that was never given is nobody's.
    if (isNew && id !== null && !(isWhole && store.wasGiven(id))) throw missing("film", id);
    const fields: Record<string, string> = {};
    const values: FilmValues = {};
    for (const [member, [must, read]] of Object.entries(MEMBERS) as [ValueName | Kind, Member][]) {
      if (!isWhole && !Object.hasOwn(body, member)) continue;
      const given = body[member] ?? null;
      const value = given === null && member !== "title" ? null : read(given, store);
      if (value === undefined) fields[member] = must;
      else values[member] = value;
    }
    const problems = Object.entries(fields).map(([member, must]) => `"${member}" ${must}`);
    if (problems.length) throw new Refusal(422, problems.join("; "), fields);
    if (isNew) return { id: store.insert(values, id), isNew };
    store.update(id, values);
    return { id, isNew };
  });
}

/** The name in a body. */
export function readName(body: Record<string, unknown>, store: Database): string {
  const [must, read] = line(60);
  const name = read(body.name, store);
  if (name === undefined) throw new Refusal(422, `"name" ${must}`, { name: must });
  return String(name);
}
