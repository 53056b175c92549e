import { parse, type Token } from "../deps/path_to_regexp.ts";
import { UrlError } from "../errors/errors.ts";
import { isObject, pkText } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";

/** A parsed path. */
export interface Path {
  readonly tokens: readonly Token[];
  /** The names of its parameters, with those in optional groups. */
  readonly names: readonly string[];
  /** Matches the rest of a key after method and `urlPrefix`. */
  readonly test: RegExp;
}
const paths = new Map<string, Path>();

/**
 * Parses a path in the dialect of path-to-regexp 9: `:name`, `*name`, `{optional group}`, `\\` before a character that
 * is plain text. Each path is parsed once.
 *
 * @throws {UrlError} If the path is in another dialect.
 */
export function pathOf(path: string): Path {
  let known = paths.get(path);
  if (!known) {
    try {
      const { tokens } = parse(path, { encodePath: encodeURI }), names: string[] = [];
      paths.set(path, known = { tokens, names, test: new RegExp(`^${source(tokens, names)}([? ]|$)`) });
    } catch (cause) {
      throw new UrlError(501, [path], cause);
    }
  }
  return known;
}
/** The source of a regular expression that matches some tokens. Adds the names of their parameters to `names`. */
const source = (tokens: readonly Value[], names: string[]): string =>
  tokens.map(({ type, tokens: group, value, name }) => {
    if (group) return `(${source(group, names)})?`;
    if (type === "text") return value.replace(/\W/g, "\\$&");
    names.push(name);
    return type === "param" ? "[^/?]+" : "[^?]+";
  }).join("");

/**
 * Puts the parameters into a path, and the prefix before it. A group with a missing parameter is left out.
 *
 * @throws {UrlError} If another parameter is missing, or if one would change the host or the number of segments, on any
 * server: some decode a path before they split it.
 */
export function joinUrl(urlPrefix: string, path: string, params: Value): string {
  let url = urlPrefix;
  const write = (tokens: readonly Value[]): void => {
    for (const { type, name, tokens: group, value = params[name] } of tokens) {
      if (type === "text") url += value;
      else if (!group) {
        const parts = (type === "param" ? [value] : [value].flat()).map(encodeParam);
        if (!parts.length || parts.includes("")) throw new UrlError(503, [path, name]);
        // So far the URL is only a scheme and a host: the parameter would become part of the host.
        if (/^([^/?#]*:)?\/\/[^/?#]*$/.test(url)) throw new UrlError(502, [path, url + parts]);
        url += parts.join("/");
      } else if (group.every((one: Value) => !one.name || params[one.name] != null)) write(group);
    }
  };
  write(pathOf(path).tokens);
  // A segment `.` or `..` is resolved by clients and servers, and would lead to another path.
  const own = url.slice(urlPrefix.length);
  if (own.includes(".") && /(^|[/\\])\.\.?([/\\?]|$)/.test(decodeURIComponent(own))) {
    throw new UrlError(502, [path, url]);
  }
  return url;
}
/** The encoded text of a parameter; empty if the value cannot be one. */
const encodeParam = (value: Value): string => encode(typeof value == "boolean" ? value : pkText(value) ?? "");

/** A path without its last parameter: the path of the list. Text after it stays: `/users/:id/` → `/users/`. */
export const listPath = (path: string): string =>
  path.replace(/\/?(\{(?:[^{}]|\{[^{}]*\})*\}|[:*]([$\p{ID_Continue}]+|"[^"]*"))(?=([^:*{}\\]|\\.)*$)/u, "") || "/";

/**
 * The search of a URL, without the question mark. Names are sorted, so that equal parameters give equal keys.
 *
 * | value | text (brackets are percent-encoded) |
 * |---|---|
 * | `{ q: "a b", n: 5, at: new Date(0) }` | `at=1970-01-01T00%3A00%3A00.000Z&n=5&q=a%20b` |
 * | `{ tag: ["a", "b"] }` | `tag[]=a&tag[]=b` |
 * | `{ where: { author: 5 } }` | `where[author]=5` |
 * | `undefined`, `[]`, `{}` | left out |
 * | `null`, `""` | `q`, `q=` |
 */
export const searchText = (search: Value): string => parts(search).join("&");

function parts(given: Value, name = ""): string[] {
  const value = given?.toJSON ? given.toJSON() : given;
  if (Array.isArray(value)) return value.flatMap((one) => parts(one, `${name}[]`));
  if (isObject(value)) {
    return Object.keys(value).sort().flatMap((member) => parts(value[member], name ? `${name}[${member}]` : member));
  }
  return value === undefined ? [] : [encode(name) + (value === null ? "" : `=${encode(value)}`)];
}
const encode = (value: Value): string => encodeURIComponent(`${value}`.toWellFormed());
