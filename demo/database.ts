/** The films in SQLite. The database is filled from `data/movies.json` when it is made. */
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { cleanDate, cleanText, cleanTitle, fold, genreOf, type SourceFilm } from "./movies.ts";
import {
  type FilmJson,
  type FilmValues,
  type Kind,
  type Named,
  type Picture,
  type Selection,
  type Value,
  VALUES,
} from "./store.ts";

/** A row as SQLite gives it. */
type Row = Record<string, SQLOutputValue>;

// AUTOINCREMENT: the number of a deleted film is never given to another one, so an old link cannot open a stranger.
const TABLES = `
  CREATE TABLE genres (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE) STRICT;
  CREATE TABLE directors (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE) STRICT;
  CREATE TABLE distributors (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE) STRICT;
  CREATE TABLE films (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT,
    folded_title TEXT,
    release_date TEXT CHECK (release_date IS date(release_date)),
    mpaa TEXT,
    running_time INTEGER,
    source TEXT,
    creative_type TEXT,
    budget INTEGER,
    us_gross INTEGER,
    worldwide_gross INTEGER,
    dvd_sales INTEGER,
    imdb_rating REAL,
    imdb_votes INTEGER,
    rotten_tomatoes INTEGER,
    rating INTEGER CHECK (rating BETWEEN 1 AND 5),
    genre_id TEXT REFERENCES genres (id) ON DELETE SET NULL,
    director_id INTEGER REFERENCES directors (id) ON DELETE SET NULL,
    distributor_id INTEGER REFERENCES distributors (id) ON DELETE SET NULL
  ) STRICT;
  CREATE TABLE pictures (
    film_id INTEGER PRIMARY KEY REFERENCES films (id) ON DELETE CASCADE,
    type TEXT NOT NULL,
    bytes BLOB NOT NULL,
    version INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX films_by_genre ON films (genre_id);
  CREATE INDEX films_by_director ON films (director_id);
  CREATE INDEX films_by_votes ON films (imdb_votes DESC);
  CREATE INDEX films_by_title ON films (folded_title);
`;

const VERSION = 2;

const SELECT_FILM = `
  SELECT films.*, genres.name AS genre, directors.name AS director, distributors.name AS distributor,
    pictures.version AS poster
  FROM films
  LEFT JOIN genres ON genres.id = films.genre_id
  LEFT JOIN directors ON directors.id = films.director_id
  LEFT JOIN distributors ON distributors.id = films.distributor_id
  LEFT JOIN pictures ON pictures.film_id = films.id`;

const KINDS: readonly string[] = ["genre", "director", "distributor"] satisfies Kind[];

/** `"releaseDate"` → `"release_date"`, `"genre"` → `"genre_id"`. */
function columnOf(member: string): string {
  return KINDS.includes(member) ? `${member}_id` : member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toFilm(row: Row): FilmJson {
  const film: Record<string, unknown> = { id: row.id };
  for (const name of VALUES) film[name] = row[columnOf(name)];
  for (const kind of KINDS) film[kind] = row[`${kind}_id`] === null ? null : { id: row[`${kind}_id`], name: row[kind] };
  film.poster = row.poster;
  return film as unknown as FilmJson;
}

function columnsOf(values: FilmValues): [column: string, value: Value][] {
  const columns = Object.entries(values).map(([name, value]): [string, Value] => [columnOf(name), value]);
  if ("title" in values) columns.push(["folded_title", typeof values.title === "string" ? fold(values.title) : null]);
  return columns;
}

/** The films in SQLite. */
export class Database {
  readonly #sqlite: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * Opens the database, and makes and fills it when there is none.
   *
   * @param path A file, or `":memory:"`.
   * @param films What it is filled with in place of `data/movies.json`.
   * @throws {Error} If the file is not a database of this demo.
   */
  constructor(path: string, films?: readonly SourceFilm[]) {
    this.#sqlite = new DatabaseSync(path);
    try {
      this.#sqlite.exec("PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000");
      // Looking and filling are one transaction: two servers may be started at once on one new file.
      this.transaction(() => {
        const version = this.#get("PRAGMA user_version")?.user_version;
        if (version === VERSION) return;
        if (version !== 0 || this.#get("SELECT 1 FROM sqlite_schema")) throw new Error("another program has made it");
        this.#sqlite.exec(`${TABLES}; PRAGMA user_version = ${VERSION}`);
        this.#fill(films ?? JSON.parse(Deno.readTextFileSync(new URL("data/movies.json", import.meta.url))));
      });
    } catch (error) {
      this.#sqlite.close();
      throw error;
    }
  }

  #fill(films: readonly SourceFilm[]): void {
    const idOf = (kind: "director" | "distributor", name: string | null) =>
      name === null ? null : this.byName(kind, name)?.id ?? this.add(kind, name);
    for (const film of films) {
      const genre = genreOf(film["Major Genre"]);
      if (genre) this.#run("INSERT OR IGNORE INTO genres (id, name) VALUES (?, ?)", genre.id, genre.name);
      const distributor = cleanText(film.Distributor);
      this.insert({
        title: cleanTitle(film.Title),
        releaseDate: cleanDate(film["Release Date"]),
        mpaa: film["MPAA Rating"],
        runningTime: film["Running Time min"],
        source: film.Source,
        creativeType: film["Creative Type"],
        budget: film["Production Budget"],
        usGross: film["US Gross"],
        worldwideGross: film["Worldwide Gross"],
        dvdSales: film["US DVD Sales"],
        imdbRating: film["IMDB Rating"],
        imdbVotes: film["IMDB Votes"],
        rottenTomatoes: film["Rotten Tomatoes Rating"],
        genre: genre?.id ?? null,
        director: idOf("director", cleanText(film.Director)),
        // The one company that says of itself that it is not known.
        distributor: idOf("distributor", distributor === "Distributor Unknown" ? null : distributor),
      });
    }
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, statement = this.#sqlite.prepare(sql));
    return statement;
  }

  #select(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values);
  }

  #get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values);
  }

  #run(sql: string, ...values: SQLInputValue[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.#prepare(sql).run(...values);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  /** All of it is written, or nothing. */
  transaction<T>(work: () => T): T {
    this.#sqlite.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#sqlite.exec("COMMIT");
      return result;
    } catch (error) {
      this.#sqlite.exec("ROLLBACK");
      throw error;
    }
  }

  film(id: number): FilmJson | undefined {
    const row = this.#get(`${SELECT_FILM} WHERE films.id = ?`, id);
    return row && toFilm(row);
  }

  films(
    { genre, director, distributor, search, sort, descending, offset = 0, limit = -1 }: Selection,
  ): { results: FilmJson[]; total: number } {
    const wanted: [condition: string, value: Value | undefined][] = [
      ["genre_id = ?", genre],
      ["director_id = ?", director],
      ["distributor_id = ?", distributor],
      // Not LIKE: its signs would need escaping.
      ["instr(folded_title, ?) > 0", search],
    ];
    const given = wanted.filter(([, value]) => value !== undefined);
    const filter = given.length ? `WHERE ${given.map(([condition]) => condition).join(" AND ")}` : "";
    const values = given.map(([, value]) => value ?? null);
    const column = sort === "title" ? "folded_title" : `films.${columnOf(sort)}`;
    const order = descending ? "DESC" : "ASC";
    const rows = this.#select(
      `${SELECT_FILM} ${filter} ORDER BY ${column} ${order} NULLS LAST, films.id ${order} LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    );
    const total = Number(this.#get(`SELECT count(*) AS total FROM films ${filter}`, ...values)?.total);
    return { results: rows.map(toFilm), total };
  }

  /** What a poster needs of each film, the most voted first. */
  posters(): object[] {
    const rows = this.#select(`${SELECT_FILM} ORDER BY films.imdb_votes DESC NULLS LAST, films.id`);
    return rows.map(toFilm).map(({ id, title, releaseDate, rating, genre, poster }) => (
      { id, title, releaseDate, rating, genre, poster }
    ));
  }

  all(kind: Kind): Named[] {
    return this.#select(`SELECT id, name FROM ${kind}s ORDER BY name`) as unknown as Named[];
  }

  one(kind: Kind, id: string | number): Named | undefined {
    return this.#get(`SELECT id, name FROM ${kind}s WHERE id = ?`, id) as Named | undefined;
  }

  byName(kind: Kind, name: string): Named | undefined {
    return this.#get(`SELECT id, name FROM ${kind}s WHERE name = ?`, name) as Named | undefined;
  }

  add(kind: "director" | "distributor", name: string): number {
    return this.#run(`INSERT INTO ${kind}s (name) VALUES (?)`, name).id;
  }

  renameGenre(id: string, name: string): void {
    this.#run("UPDATE genres SET name = ? WHERE id = ?", name, id);
  }

  /** @param id Of a film that was deleted, to put it back. */
  insert(values: FilmValues, id: number | null = null): number {
    const columns: [string, Value][] = [["id", id], ...columnsOf(values)];
    const names = columns.map(([name]) => name).join(", ");
    const marks = columns.map(() => "?").join(", ");
    return this.#run(`INSERT INTO films (${names}) VALUES (${marks})`, ...columns.map(([, value]) => value)).id;
  }

  update(id: number, values: FilmValues): void {
    const columns = columnsOf(values);
    if (columns.length === 0) return;
    const changes = columns.map(([name]) => `${name} = ?`).join(", ");
    this.#run(`UPDATE films SET ${changes} WHERE id = ?`, ...columns.map(([, value]) => value), id);
  }

  /** Whether it was there. */
  remove(id: number): boolean {
    return this.#run("DELETE FROM films WHERE id = ?", id).changes > 0;
  }

  /** Whether a film has, or had, this id. */
  wasGiven(id: number): boolean {
    return id <= Number(this.#get("SELECT seq FROM sqlite_sequence WHERE name = 'films'")?.seq);
  }

  picture(id: number): Picture | undefined {
    return this.#get("SELECT type, bytes FROM pictures WHERE film_id = ?", id) as Picture | undefined;
  }

  setPicture(id: number, { type, bytes }: Picture): void {
    this.#run(
      `INSERT INTO pictures (film_id, type, bytes, version) VALUES (?, ?, ?, 1)
       ON CONFLICT DO UPDATE SET type = excluded.type, bytes = excluded.bytes, version = version + 1`,
      id,
      type,
      bytes,
    );
  }

  close(): void {
    this.#statements.clear();
    this.#sqlite.close();
  }
}
