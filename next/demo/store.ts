/**
 * Where the films are kept, as the API sees it: in SQLite at a server, in memory in a Service Worker.
 *
 * @module
 */

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

/** Films and what they refer to. All of it answers at once: what takes time is done before and after. */
export interface FilmStore {
  film(id: number): FilmJson | undefined;
  films(selection: Selection): { readonly results: readonly FilmJson[]; readonly total: number };
  /** By name. */
  all(kind: Kind): readonly Named[];
  one(kind: Kind, id: string | number): Named | undefined;
  /** Who has that name; upper and lower case of ASCII are the same. */
  byName(kind: Kind, name: string): Named | undefined;
  /** Gives the id of a new one. */
  add(kind: "director" | "distributor", name: string): number;
  rename(kind: "genre", id: string, name: string): void;
  /** @param id Of a film that was deleted, to put it back; otherwise the next one, which nobody has had. */
  insert(values: FilmValues, id: number | null): number;
  update(id: number, values: FilmValues): void;
  /** Whether it was there. */
  remove(id: number): boolean;
  /** Whether a film has, or had, this id. */
  wasGiven(id: number): boolean;
  picture(id: number): Picture | undefined;
  setPicture(id: number, picture: Picture): void;
  /** All of it, or nothing. */
  transaction<T>(work: () => T): T;
}
