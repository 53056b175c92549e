/** What is kept of the films, and how it is sent. */

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
  /** What is `null` comes last; what is equal follows the id. */
  readonly sort: ValueName | "id";
  readonly descending?: boolean;
  readonly offset?: number;
  readonly limit?: number;
}
