/**
 * The films in SQLite, filled from `data/movies.json` when the database is made.
 *
 * @module
 */
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { fill, fold } from "./movies.ts";
import {
  type FilmJson,
  type FilmStore,
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
  CREATE INDEX films_by_genre ON films (genre_id);
  CREATE INDEX films_by_director ON films (director_id);
  CREATE INDEX films_by_votes ON films (imdb_votes DESC);
  CREATE INDEX films_by_title ON films (folded_title);
`;

/** Came later than the first databases. */
const PICTURES = `
  CREATE TABLE IF NOT EXISTS pictures (
    film_id INTEGER PRIMARY KEY REFERENCES films (id) ON DELETE CASCADE,
    type TEXT NOT NULL,
    bytes BLOB NOT NULL,
    version INTEGER NOT NULL
  ) STRICT;
`;

const VERSION = 1;

const SELECT_FILM = `
  SELECT films.*, genres.name AS genre, directors.name AS director, distributors.name AS distributor,
    pictures.version AS poster
  FROM films
  LEFT JOIN genres ON genres.id = films.genre_id
  LEFT JOIN directors ON directors.id = films.director_id
  LEFT JOIN distributors ON distributors.id = films.distributor_id
  LEFT JOIN pictures ON pictures.film_id = films.id`;

/** `"releaseDate"` → `"release_date"`, `"genre"` → `"genre_id"`. */
function columnOf(member: string): string {
  const isReference = member === "genre" || member === "director" || member === "distributor";
  return isReference ? `${member}_id` : member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const COLUMNS = VALUES.map((name) => [name, columnOf(name)] as const);

function toFilm(row: Row): FilmJson {
  const film: Record<string, unknown> = { id: row.id };
  for (const [name, column] of COLUMNS) film[name] = row[column];
  for (const kind of ["genre", "director", "distributor"]) {
    film[kind] = row[`${kind}_id`] === null ? null : { id: row[`${kind}_id`], name: row[kind] };
  }
  film.poster = row.poster;
  return film as unknown as FilmJson;
}

/** The films in SQLite. */
export class Database implements FilmStore {
  #sqlite: DatabaseSync;
  #statements = new Map<string, StatementSync>();

  /**
   * Opens the database, and makes and fills it when there is none.
   *
   * @param path A file, or `":memory:"`.
   * @param onProgress Told, in a sentence, what takes time.
   * @throws {Error} If the file is not a database of this demo.
   */
  constructor(path: string, onProgress: (sentence: string) => void = () => {}) {
    this.#sqlite = new DatabaseSync(path);
    try {
      this.execute("PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000");
      // Looking and filling are one transaction: two servers may be started at once on one new file.
      this.transaction(() => {
        const version = this.get("PRAGMA user_version")?.user_version;
        const tables = this.get("SELECT count(*) AS n FROM sqlite_schema")?.n;
        const isNew = version === 0 && tables === 0;
        if (!isNew && version !== VERSION) throw new Error("it was not made by this version of the demo");
        this.execute(isNew ? TABLES + PICTURES : PICTURES);
        if (isNew) this.#fill(onProgress);
      });
    } catch (error) {
      this.#sqlite.close();
      throw error;
    }
  }

  #fill(onProgress: (sentence: string) => void): void {
    const started = performance.now();
    onProgress("Making the database from data/movies.json …");
    fill(this, JSON.parse(Deno.readTextFileSync(new URL("data/movies.json", import.meta.url))));
    this.execute(`PRAGMA user_version = ${VERSION}`);
    const count = (table: string) => Number(this.get(`SELECT count(*) AS n FROM ${table}`)?.n).toLocaleString("en");
    onProgress(
      `${count("films")} films, ${count("directors")} directors, ${count("distributors")} distributors, ` +
        `${count("genres")} genres, in ${((performance.now() - started) / 1000).toFixed(1)} s`,
    );
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, statement = this.#sqlite.prepare(sql));
    return statement;
  }

  /** All rows that a query gives. */
  select(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values);
  }

  /** The first row that a query gives. */
  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values);
  }

  /** Runs a statement; gives the number of changed rows and the id of an inserted one. */
  run(sql: string, ...values: SQLInputValue[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.#prepare(sql).run(...values);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  /** Runs statements that take no values. */
  execute(sql: string): void {
    this.#sqlite.exec(sql);
  }

  transaction<T>(work: () => T): T {
    this.execute("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.execute("COMMIT");
      return result;
    } catch (error) {
      this.execute("ROLLBACK");
      throw error;
    }
  }

  film(id: number): FilmJson | undefined {
    const row = this.get(`${SELECT_FILM} WHERE films.id = ?`, id);
    return row && toFilm(row);
  }

  films(
    { genre, director, distributor, search, sort, descending, offset = 0, limit = -1 }: Selection,
  ): { results: FilmJson[]; total: number } {
    const wanted: [condition: string, value: Value | undefined][] = [
      ["genre_id = ?", genre],
      ["director_id = ?", director],
      ["distributor_id = ?", distributor],
      // Not LIKE: its signs would need escaping, and it reads no further than a NUL.
      ["instr(folded_title, ?) > 0", search],
    ];
    const given = wanted.filter(([, value]) => value !== undefined);
    const filter = given.length ? `WHERE ${given.map(([condition]) => condition).join(" AND ")}` : "";
    const values = given.map(([, value]) => value ?? null);
    const column = sort === "title" ? "folded_title" : `films.${columnOf(sort)}`;
    const order = descending ? "DESC" : "ASC";
    const rows = this.select(
      `${SELECT_FILM} ${filter} ORDER BY ${column} ${order} NULLS LAST, films.id ${order} LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    );
    const total = Number(this.get(`SELECT count(*) AS total FROM films ${filter}`, ...values)?.total);
    return { results: rows.map(toFilm), total };
  }

  all(kind: Kind): Named[] {
    return this.select(`SELECT id, name FROM ${kind}s ORDER BY name`) as unknown as Named[];
  }

  one(kind: Kind, id: string | number): Named | undefined {
    return this.get(`SELECT id, name FROM ${kind}s WHERE id = ?`, id) as Named | undefined;
  }

  byName(kind: Kind, name: string): Named | undefined {
    return this.get(`SELECT id, name FROM ${kind}s WHERE name = ?`, name) as Named | undefined;
  }

  add(kind: "director" | "distributor", name: string): number {
    return this.run(`INSERT INTO ${kind}s (name) VALUES (?)`, name).id;
  }

  addGenre({ id, name }: Named): void {
    this.run("INSERT INTO genres (id, name) VALUES (?, ?)", id, name);
  }

  rename(kind: "genre", id: string, name: string): void {
    this.run(`UPDATE ${kind}s SET name = ? WHERE id = ?`, name, id);
  }

  insert(values: FilmValues, id: number | null): number {
    const columns = columnsOf(values);
    if (id !== null) columns.push(["id", id]);
    const names = columns.map(([name]) => name).join(", ");
    const marks = columns.map(() => "?").join(", ");
    return this.run(`INSERT INTO films (${names}) VALUES (${marks})`, ...columns.map(([, value]) => value)).id;
  }

  update(id: number, values: FilmValues): void {
    const columns = columnsOf(values);
    if (columns.length === 0) return;
    const changes = columns.map(([name]) => `${name} = ?`).join(", ");
    this.run(`UPDATE films SET ${changes} WHERE id = ?`, ...columns.map(([, value]) => value), id);
  }

  remove(id: number): boolean {
    return this.run("DELETE FROM films WHERE id = ?", id).changes > 0;
  }

  wasGiven(id: number): boolean {
    return id <= Number(this.get("SELECT seq FROM sqlite_sequence WHERE name = 'films'")?.seq);
  }

  picture(id: number): Picture | undefined {
    return this.get("SELECT type, bytes FROM pictures WHERE film_id = ?", id) as Picture | undefined;
  }

  setPicture(id: number, { type, bytes }: Picture): void {
    this.run(
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

function columnsOf(values: FilmValues): [column: string, value: Value][] {
  const columns = Object.entries(values).map(([name, value]): [string, Value] => [columnOf(name), value]);
  if ("title" in values) columns.push(["folded_title", typeof values.title === "string" ? fold(values.title) : null]);
  return columns;
}
