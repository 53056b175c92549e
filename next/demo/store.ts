/**
 * The films in memory, filled from `data/movies.json`. What is written is told to whoever keeps it.
 *
 * @module
 */
import { fill, fold, type SourceFilm } from "./movies.ts";

/** What has an id and a name. */
export interface Named {
  readonly id: number | string;
  readonly name: string;
}

/** What a film refers to. */
export type Kind = "genre" | "director" | "distributor";

/** What a value of a film may be. */
export type Value = string | number | null;

/** The members of a film that are values. */
export const VALUES = [
  "title",
  "releaseDate",
  "mpaa",
  "runningTime",
  "source",
  "creativeType",
  "budget",
  "usGross",
  "worldwideGross",
  "dvdSales",
  "imdbRating",
  "imdbVotes",
  "rottenTomatoes",
  "rating",
] as const;

/** One of {@linkcode VALUES}. */
export type ValueName = (typeof VALUES)[number];

/** A film with what it refers to, in the order in which it is sent. */
export type FilmJson =
  & { readonly id: number }
  & Readonly<Record<ValueName, Value>>
  & Readonly<Record<Kind, Named | null>>
  & {
    /** How often it has been given a poster; `null` while it has none. */
    readonly poster: number | null;
  };

/** What is written of a film; of what it refers to the ids. */
export type FilmValues = Partial<Record<ValueName | Kind, Value>>;

/** A picture. */
export interface Picture {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Which films, and in which order. */
export interface Selection {
  readonly genre?: string | undefined;
  readonly director?: number | undefined;
  readonly distributor?: number | undefined;
  /** Part of a folded title. */
  readonly search?: string | undefined;
  /** What is `null` comes last; what is equal follows the id. Titles are compared as they are folded. */
  readonly sort: ValueName | "id";
  readonly descending?: boolean;
  readonly offset?: number;
  readonly limit?: number;
}

/** What is kept of a film: of what it refers to the ids. */
interface Row extends Required<FilmValues> {
  readonly id: number;
  /** As it is looked up. */
  readonly folded: string | null;
}

/** What is kept, by table and id. A film that was deleted is `null`. */
export interface Tables {
  film: Row;
  genre: Named;
  director: Named;
  distributor: Named;
  picture: Picture & { readonly version: number };
}

/** Something that was written, to be kept: the table, the id, and what is there now. */
export type Written = readonly [table: keyof Tables, id: number | string, value: Tables[keyof Tables] | null];

const EMPTY: Omit<Row, "id" | "folded"> = {
  ...Object.fromEntries(VALUES.map((name) => [name, null])) as Record<(typeof VALUES)[number], null>,
  genre: null,
  director: null,
  distributor: null,
};

const ignoreCase = (name: string): string => name.toLowerCase();

function compare<T extends string | number>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Films and what they refer to. All of it answers at once: what takes time is done before and after. */
export class FilmStore {
  readonly #tables: { [T in keyof Tables]: Map<number | string, Tables[T]> } = {
    film: new Map(),
    genre: new Map(),
    director: new Map(),
    distributor: new Map(),
    picture: new Map(),
  };
  #last = 0;
  /** Of the transaction that is going on: how to undo it, the last change first. */
  #undo: (() => void)[] = [];
  #written: Written[] = [];
  readonly #keep: (written: readonly Written[]) => void;

  /**
   * @param source The content of `data/movies.json`.
   * @param kept What was written before.
   * @param keep Told of what was written, in whole transactions.
   */
  constructor(
    source: readonly SourceFilm[],
    kept: Iterable<Written> = [],
    keep: (written: readonly Written[]) => void = () => {},
  ) {
    this.#keep = () => {};
    fill(this, source);
    for (const [table, id, value] of kept) this.#set(table, id, value);
    this.#undo = [];
    this.#written = [];
    this.#keep = keep;
  }

  #set<T extends keyof Tables>(table: T, id: number | string, value: Tables[T] | null): void {
    const rows: Map<number | string, Tables[T]> = this.#tables[table];
    const before = rows.get(id);
    const last = this.#last;
    this.#undo.unshift(() => {
      this.#last = last;
      if (before === undefined) rows.delete(id);
      else rows.set(id, before);
    });
    this.#written.push([table, id, value]);
    if (table === "film") this.#last = Math.max(last, Number(id));
    if (value === null) rows.delete(id);
    else rows.set(id, value);
  }

  transaction<T>(work: () => T): T {
    this.#undo = [];
    this.#written = [];
    try {
      const result = work();
      this.#keep(this.#written);
      return result;
    } catch (error) {
      for (const undo of this.#undo) undo();
      throw error;
    }
  }

  #toFilm(row: Row): FilmJson {
    const { id, folded: _, ...values } = row;
    const named = (kind: Kind) => values[kind] === null ? null : this.#tables[kind].get(values[kind]) ?? null;
    return {
      id,
      ...values,
      genre: named("genre"),
      director: named("director"),
      distributor: named("distributor"),
      poster: this.#tables.picture.get(id)?.version ?? null,
    };
  }

  film(id: number): FilmJson | undefined {
    const row = this.#tables.film.get(id);
    return row && this.#toFilm(row);
  }

  films(
    { genre, director, distributor, search, sort, descending, offset = 0, limit = Infinity }: Selection,
  ): { results: FilmJson[]; total: number } {
    const rows = [...this.#tables.film.values()].filter((row) =>
      (genre === undefined || row.genre === genre) &&
      (director === undefined || row.director === director) &&
      (distributor === undefined || row.distributor === distributor) &&
      (search === undefined || row.folded?.includes(search))
    );
    const by = sort === "title" ? "folded" : sort;
    const sign = descending ? -1 : 1;
    rows.sort((a, b) => {
      const [left, right] = [a[by], b[by]];
      if (left !== null && right !== null) return sign * (compare(left, right) || a.id - b.id);
      return left === right ? sign * (a.id - b.id) : left === null ? 1 : -1;
    });
    return { results: rows.slice(offset, offset + limit).map((row) => this.#toFilm(row)), total: rows.length };
  }

  all(kind: Kind): Named[] {
    return [...this.#tables[kind].values()].sort((a, b) => compare(ignoreCase(a.name), ignoreCase(b.name)));
  }

  one(kind: Kind, id: string | number): Named | undefined {
    return this.#tables[kind].get(id);
  }

  byName(kind: Kind, name: string): Named | undefined {
    const wanted = ignoreCase(name);
    return this.#tables[kind].values().find((one) => ignoreCase(one.name) === wanted);
  }

  add(kind: "director" | "distributor", name: string): number {
    const id = this.#tables[kind].size + 1;
    this.#set(kind, id, { id, name });
    return id;
  }

  addGenre(genre: Named): void {
    this.#set("genre", genre.id, genre);
  }

  rename(kind: "genre", id: string, name: string): void {
    this.#set(kind, id, { id, name });
  }

  insert(values: FilmValues, given: number | null): number {
    const id = given ?? this.#last + 1;
    this.#set("film", id, withTitle({ ...EMPTY, ...values, id, folded: null }));
    return id;
  }

  update(id: number, values: FilmValues): void {
    const row = this.#tables.film.get(id);
    if (row !== undefined) this.#set("film", id, withTitle({ ...row, ...values }));
  }

  remove(id: number): boolean {
    if (!this.#tables.film.has(id)) return false;
    this.#set("film", id, null);
    if (this.#tables.picture.has(id)) this.#set("picture", id, null);
    return true;
  }

  wasGiven(id: number): boolean {
    return id <= this.#last;
  }

  picture(id: number): Picture | undefined {
    return this.#tables.picture.get(id);
  }

  setPicture(id: number, { type, bytes }: Picture): void {
    this.#set("picture", id, { type, bytes, version: (this.#tables.picture.get(id)?.version ?? 0) + 1 });
  }
}

function withTitle(row: Row): Row {
  return { ...row, folded: typeof row.title === "string" ? fold(row.title) : null };
}
