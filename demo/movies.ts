/** What is repaired in `data/movies.json` when it is read. */
import type { Named } from "./store.ts";

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

/** A genre's id is made of its name. */
export function genreOf(name: string | null): Named | null {
  return name === null ? null : { id: fold(name).replace(/[^a-z0-9]+/g, "-"), name: name.replace("/", " / ") };
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

/** One space between words, letters repaired. */
export function cleanText(text: string | null): string | null {
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
