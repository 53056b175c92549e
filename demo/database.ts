/**
 * The demo's database: SQLite, filled from `data/movies.json` when it is made.
 *
 * @module
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** Rows of `data/movies.json`, as untidy as they are. */
export interface SourceFilm {
  "Title": string | number | null;
  "US Gross": number | null;
  "Worldwide Gross": number | null;
  "US DVD Sales": number | null;
  "Production Budget": number | null;
  "Release Date": string | null;
  "MPAA Rating": string | null;
  "Running Time min": number | null;
  "Distributor": string | null;
  "Source": string | null;
  "Major Genre": string | null;
  "Creative Type": string | null;
  "Director": string | null;
  "Rotten Tomatoes Rating": number | null;
  "IMDB Rating": number | null;
  "IMDB Votes": number | null;
}

/** A row as SQLite gives it. */
export type Row = Record<string, string | number | null>;

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

const VERSION = 1;

/** SQLite with its prepared statements kept. */
export class Database {
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
        const version = this.one("PRAGMA user_version")?.user_version;
        const tables = this.one("SELECT count(*) AS n FROM sqlite_schema")?.n;
        if (version === 0 && tables === 0) fill(this, onProgress);
        else if (version !== VERSION) throw new Error("it was not made by this version of the demo");
      });
    } catch (error) {
      this.#sqlite.close();
      throw error;
    }
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, statement = this.#sqlite.prepare(sql));
    return statement;
  }

  /** All rows that a query gives. */
  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  /** The first row that a query gives. */
  one(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
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

  /** All of it, or nothing. */
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

  /** The id of the person or company of that name, made when there is none. Upper and lower case are the same. */
  named(table: "directors" | "distributors", name: string): number {
    const found = this.one(`SELECT id FROM ${table} WHERE name = ?`, name);
    return found ? Number(found.id) : this.run(`INSERT INTO ${table} (name) VALUES (?)`, name).id;
  }

  close(): void {
    this.#statements.clear();
    this.#sqlite.close();
  }
}

function fill(database: Database, onProgress: (sentence: string) => void): void {
  const started = performance.now();
  onProgress("Making the database from data/movies.json …");
  const source: SourceFilm[] = JSON.parse(Deno.readTextFileSync(new URL("data/movies.json", import.meta.url)));

  database.execute(TABLES);
  for (const film of source) {
    const title = cleanTitle(film.Title);
    const director = cleanText(film.Director);
    const distributor = cleanText(film.Distributor);
    database.run(
      `INSERT INTO films (title, folded_title, release_date, mpaa, running_time, source, creative_type, budget,
         us_gross, worldwide_gross, dvd_sales, imdb_rating, imdb_votes, rotten_tomatoes,
         genre_id, director_id, distributor_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      title,
      title && fold(title),
      cleanDate(film["Release Date"]),
      film["MPAA Rating"],
      film["Running Time min"],
      film.Source,
      film["Creative Type"],
      film["Production Budget"],
      film["US Gross"],
      film["Worldwide Gross"],
      film["US DVD Sales"],
      film["IMDB Rating"],
      film["IMDB Votes"],
      film["Rotten Tomatoes Rating"],
      genreId(database, film["Major Genre"]),
      director && database.named("directors", director),
      // The one company that says of itself that it is not known.
      distributor && distributor !== "Distributor Unknown" ? database.named("distributors", distributor) : null,
    );
  }
  database.execute(`PRAGMA user_version = ${VERSION}`);

  const count = (table: string) => Number(database.one(`SELECT count(*) AS n FROM ${table}`)?.n).toLocaleString("en");
  onProgress(
    `${count("films")} films, ${count("directors")} directors, ${count("distributors")} distributors, ` +
      `${count("genres")} genres, in ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );
}

function genreId(database: Database, name: string | null): string | null {
  if (name === null) return null;
  const id = fold(name).replace(/[^a-z0-9]+/g, "-");
  database.run("INSERT INTO genres (id, name) VALUES (?, ?) ON CONFLICT DO NOTHING", id, name.replace("/", " / "));
  return id;
}

/** A title as one looks it up: `"Amélie  Poulain"` → `"amelie poulain"`. */
export function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();
}

/**
 * Titles as they are printed on the poster: `1776` → `"1776"`, `"Secret, The"` → `"The Secret"`, one space between
 * words, letters repaired. Two films may have one title, and one has none.
 */
export function cleanTitle(title: string | number | null): string | null {
  const text = cleanText(title === null ? null : String(title));
  return text && text.replace(/^(.*), (The|A|An)$/, "$2 $1");
}

function cleanText(text: string | null): string | null {
  return text === null ? null : repairLetters(text).replace(/\s+/g, " ").trim() || null;
}

/** What Mac OS Roman shows for a byte → what Windows-1252 shows for it, for the bytes that are letters or signs. */
const LETTERS = new Map(
  Array.from({ length: 128 }, (_, index) => {
    const byte = new Uint8Array([128 + index]);
    return [new TextDecoder("macintosh").decode(byte), new TextDecoder("windows-1252").decode(byte)] as const;
  }),
);

/**
 * The file was once Windows-1252 and was read as Mac OS Roman: `"LÈon"` → `"Léon"`. What Mac OS Roman cannot have shown
 * (`"Alien³"`) is right as it is.
 */
function repairLetters(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (letter) => LETTERS.get(letter) ?? letter);
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The last year that the file speaks of; it was put together in 2010 and knows one film announced for 2011. */
const LAST_YEAR = 2011;

/**
 * `"Jun 12 1998"` → `"1998-06-12"`. Years were kept in two digits and given the wrong century: "Gone with the Wind" is
 * of `"Dec 15 2039"`. A year after {@linkcode LAST_YEAR} is therefore of the century before.
 */
export function cleanDate(date: string | null): string | null {
  const [, name = "", day, year] = /^([A-Z][a-z]{2}) (\d\d) (\d{4})$/.exec(date ?? "") ?? [];
  const month = MONTHS.indexOf(name) + 1;
  if (!month) return null;
  const realYear = Number(year) > LAST_YEAR ? Number(year) - 100 : Number(year);
  return `${realYear}-${String(month).padStart(2, "0")}-${day}`;
}
