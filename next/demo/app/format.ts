import type { FilmSummary } from "./resources.ts";

/** The title, also of the film that has none. */
export const titleOf = ({ title }: Pick<FilmSummary, "title">): string => title ?? "Untitled";

/** `1998`, or nothing. */
export const yearOf = (film: Pick<FilmSummary, "releaseDate">): number | undefined =>
  film.releaseDate?.getUTCFullYear();

const DAY = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const MONEY = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "USD",
  notation: "compact",
  maximumSignificantDigits: 3,
});
const NUMBER = new Intl.NumberFormat("en");

/** `12 June 1998` as English has it. */
export const formatDay = (day: Date): string => DAY.format(day);

/** `$12.3M` */
export const formatMoney = (dollars: number): string => MONEY.format(dollars);

/** `12,345` */
export const formatNumber = (number: number): string => NUMBER.format(number);

/** `1 h 42 min` */
export function formatMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return [hours && `${hours} h`, minutes % 60 && `${minutes % 60} min`].filter(Boolean).join(" ");
}
