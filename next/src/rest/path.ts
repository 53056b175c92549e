import { parse, type Token } from "../deps/path_to_regexp.ts";
import { UrlError } from "../errors/errors.ts";
import { isObject } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";

/** A path, read once. */
export interface Path {
  readonly tokens: readonly Token[];
  /** Of its parameters, those in groups, too. */
  readonly names: readonly string[];
  /** Tests what follows method and prefix in a key. */
  readonly test: RegExp;
}
const paths = new Map<string, Path>();

/** A path in the dialect of path-to-regexp 9: `:name`, `*name`, `{group}`, `\\` before a character that means itself. */
export function pathOf(path: string): Path {
  let known = paths.get(path);
  if (!known) {
    try {
      const { tokens } = parse(path, { encodePath: encodeURI });
      paths.set(path, known = { tokens, names: namesIn(tokens), test: new RegExp(`^${source(tokens)}([? ]|$)`) });
    } catch (cause) {
      throw new UrlError(501, [path], cause);
    }
  }
  return known;
}
const namesIn = (tokens: readonly Value[]): string[] =>
  tokens.flatMap(({ tokens: group, name }) => group ? namesIn(group) : name ?? []);
const source = (tokens: readonly Value[]): string =>
  tokens.map(({ type, tokens: group, value }) =>
    group
      ? `(${source(group)})?`
      : type === "text"
      ? value.replace(/\W/g, "\\$&")
      : type === "param"
      ? "[^/?]+"
      : "[^?]+"
  ).join("");

/** Scheme and host of a URL, as far as it has them. */
const hostIn = (url: string): string | undefined => /^([^/?#]*:)?\/\/[^/?#]*/.exec(url)?.[0];

/**
 * A path behind its prefix, with its parameters. They never change the host or the number of segments, also for a server
 * that decodes a path before it splits it. A group is left out where a parameter of it is missing.
 */
export function joinUrl(urlPrefix: string, path: string, params: Value): string {
  const { tokens } = pathOf(path), [first] = tokens, text = write(path, tokens, params), url = urlPrefix + text;
  if (
    hostIn(url) !== hostIn(urlPrefix + (first?.type === "text" ? first.value : "")) ||
    text.includes(".") && /(^|[/\\])\.\.?([/\\?]|$)/.test(decodeURIComponent(text))
  ) throw new UrlError(502, [path, url]);
  return url;
}
function write(path: string, tokens: readonly Value[], params: Value): string {
  let text = "";
  for (const { type, name, tokens: group, value = params[name] } of tokens) {
    if (type === "text") text += value;
    else if (group) {
      const isWhole = group.every((one: Value) => !one.name || params[one.name] != null);
      if (isWhole) text += write(path, group, params);
    } else {
      const parts = (type === "param" ? [value] : [value].flat()).map(encodeParam);
      if (!parts.length || parts.includes("")) throw new UrlError(503, [path, name]);
      text += parts.join("/");
    }
  }
  return text;
}
/** Empty for what can be no parameter. */
function encodeParam(value: Value): string {
  const isText = /^(string|number|boolean|bigint)$/.test(typeof value) && !Number.isNaN(value);
  const text = isText ? `${value}` : "";
  // To encode costs more than all the rest.
  return /^[\w-]*$/.test(text) ? text : encodeURIComponent(text.toWellFormed());
}

/** A path without its last parameter: where the list is. Text behind it stays: `/users/:id/` → `/users/`. */
export const listPath = (path: string): string =>
  path.replace(
    /\/?(\{(?:[^{}]|\{[^{}]*\})*\}|[:*]([$\p{ID_Continue}]+|"[^"]*"))(?=([^:*{}\\]|\\.)*$)/u,
    "",
  ) || "/";

/**
 * A search, without the question mark. Names are sorted, so that equal parameters give one text.
 *
 * | value | text (brackets are percent-encoded) |
 * |---|---|
 * | `{ q: "a b", n: 5, at: new Date(0) }` | `at=1970-01-01T00%3A00%3A00.000Z&n=5&q=a%20b` |
 * | `{ tag: ["a", "b"] }` | `tag[]=a&tag[]=b` |
 * | `{ where: { author: 5 } }` | `where[author]=5` |
 * | `undefined`, `[]`, `{}` | left out |
 * | `null`, `""` | `q`, `q=` |
 */
export const searchText = (search: Value): string => parts("", search).join("&");

function parts(name: string, given: Value): string[] {
  const value = given?.toJSON ? given.toJSON() : given;
  if (Array.isArray(value)) return value.flatMap((one) => parts(`${name}%5B%5D`, one));
  if (isObject(value)) {
    return Object.keys(value).sort().flatMap((member) =>
      parts(name ? `${name}%5B${encode(member)}%5D` : encode(member), value[member])
    );
  }
  return value === undefined ? [] : [value === null ? name : `${name}=${encode(value)}`];
}
const encode = (value: Value): string => encodeURIComponent(`${value}`.toWellFormed());
