import { clock } from "../deps/clock.ts";
import { tagOf } from "../errors/kind_of.ts";
import { REDACTED, redactText } from "../parts/secrets/redact_text.ts";

/** So many members or items of a value are spelled out. */
const MOST_MEMBERS = 12;
/** So deep a value is looked into. */
const DEPTH = 3;

/**
 * Any value in one line, for people. It never throws, whatever the value does.
 *
 * @param value Perhaps a proxy, or a text of a megabyte.
 * @param length The most characters that are given.
 * @param secrets Members that are named only.
 */
export function textOf(value: unknown, length = 120, secrets: ReadonlySet<string> = NONE): string {
  return cut(inWords(value, length, secrets, DEPTH), length);
}

const NONE: ReadonlySet<string> = new Set();

/** The beginning of a text. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

function inWords(value: unknown, length: number, secrets: ReadonlySet<string>, depth: number): string {
  try {
    switch (typeof value) {
      case "string":
        // It may be the pk of a list, which has the arguments in it.
        return JSON.stringify(redactText(cut(value, length), secrets));
      case "bigint":
        return `${cut(String(value), length)}n`;
      case "function":
        return `ƒ ${value.name}`;
      case "object":
        return value === null ? "null" : ofObject(value, length, secrets, depth);
    }
    return String(value);
  } catch {
    return "?";
  }
}

function ofObject(value: object, length: number, secrets: ReadonlySet<string>, depth: number): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "no date" : value.toISOString();
  if (value instanceof Error) return cut(`${value.name}: ${value.message}`, length);
  const isList = Array.isArray(value);
  const tag = tagOf(value);
  if (!isList && tag !== "Object") return tag;
  // Names first: to take all members of an array of a million would take its time.
  const names = Object.keys(isList ? value.slice(0, MOST_MEMBERS) : value);
  const count = isList ? value.length : names.length;
  const [open, close] = isList ? "[]" : "{}";
  if (count === 0) return `${open}${close}`;
  if (depth === 0) return `${open}…${close}`;
  const shown: string[] = [];
  let left = length;
  for (const name of names.slice(0, MOST_MEMBERS)) {
    if (left <= 0) break;
    const isSecret = !isList && secrets.has(name);
    const text = isSecret ? REDACTED : inWords((value as Record<string, unknown>)[name], left, secrets, depth - 1);
    shown.push(isList ? text : `${cut(name, 40)}: ${text}`);
    left -= shown.at(-1)!.length;
  }
  const more = count - shown.length;
  return `${open}${shown.join(", ")}${more > 0 ? `, … ${number(more)} more` : ""}${close}`;
}

/** A text that names a request, or a table of lists: the page's own origin says nothing in it. */
export function keyText(key: string): string {
  const { location } = globalThis as { readonly location?: Location };
  return location === undefined ? key : key.replaceAll(`${location.origin}/`, "/");
}

/** `12,345`. */
export function number(count: number): string {
  return count.toLocaleString("en");
}

/** `1 record`, `2 records`. */
export function counted(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** The time of day, with ms: `09:41:07.120`. */
export function timeText(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "?";
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) =>
    String(part).padStart(2, "0")
  );
  return `${hours}:${minutes}:${seconds}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** How long a request took: `84 ms`, `1.2 s`. */
export function tookText(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** How long that is, in one unit: `12 s`, `3 min`. */
export function spanText(ms: number): string {
  const seconds = Math.floor(Math.abs(ms) / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${number(Math.floor(seconds / 86_400))} d`;
}

/** How old what came then is. */
export function ageText(at: number | undefined): string {
  return at === undefined || at === 0 ? "" : spanText(clock.now() - at);
}

/** Until when something is fresh, seen from now. */
export function expiryText(expiresAt: number): string {
  if (expiresAt === Infinity) return "never";
  if (expiresAt === 0) return "marked stale";
  const left = expiresAt - clock.now();
  return left > 0 ? `in ${spanText(left)}` : `${spanText(left)} ago`;
}
