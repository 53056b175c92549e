import { parse, type Token } from "../deps/path_to_regexp.ts";
import { UsageError } from "../errors/errors.ts";
import { isObject } from "../plain/is_object.ts";

interface Path {
  readonly tokens: readonly Token[];
  /** Of its parameters, those in groups, too. */
  readonly names: readonly string[];
}
const paths = new Map<string, Path>();

/** A path in the dialect of path-to-regexp 9: `:name`, `*name`, `{group}`, `\\` before a character that means itself. */
export function pathOf(path: string): Path {
  let known = paths.get(path);
  if (!known) {
    try {
      const { tokens } = parse(path, { encodePath: encodeURI });
      paths.set(path, known = { tokens, names: namesIn(tokens) });
    } catch (cause) {
      throw new UsageError(501, [path], cause);
    }
  }
  return known;
}
const namesIn = (tokens: readonly any[]): string[] =>
  tokens.flatMap((token) => token.tokens ? namesIn(token.tokens) : token.name ?? []);

/**
 * A path with its parameters, as `compile` of path-to-regexp writes it; numbers are texts, too. It has as many segments
 * as the path says. A group is left out where a parameter of it is missing.
 */
export function fillPath(path: string, params: any): string {
  const text = write(path, pathOf(path).tokens, params);
  if (text.includes(".") && /(^|[/\\])\.\.?([/\\?]|$)/.test(text)) throw new UsageError(502, [path, text]);
  return text;
}
function write(path: string, tokens: readonly any[], params: any): string {
  let text = "";
  for (const { type, name, tokens: group, value = params[name] } of tokens) {
    if (type === "text") text += value;
    else if (group) {
      text += group.some((one: any) => one.name && params[one.name] == null) ? "" : write(path, group, params);
    } else {
      text += (type === "param" ? [value] : [value].flat()).map((part: any) => {
        if (part == null || part === "" || isObject(part)) throw new UsageError(503, [path, name]);
        return encodeURIComponent(part);
      }).join("/");
    }
  }
  return text;
}

const escape = (text: string): string => text.replace(/\W/g, "\\$&");
const source = (tokens: readonly any[]): string =>
  tokens.map(({ type, tokens, value }) =>
    tokens ? `(${source(tokens)})?` : type === "text" ? escape(value) : type === "param" ? "[^/?]+" : "[^?]+"
  ).join("");

/** Whether a key is a path with some parameters, and perhaps a search or a body. */
export const matchesPath = (start: string, path: string, key: string): boolean =>
  new RegExp(`^${escape(start)}${source(pathOf(path).tokens)}([? ]|$)`).test(key);

/** A path without its last parameter: where the list is. Text behind it stays: `/users/:id/` → `/users/`. */
export const listPath = (path: string): string =>
  path.replace(/\/?(\{[^{}]*\}|[:*]([$\p{ID_Continue}]+|"[^"]*"))(?=([^:*{}\\]|\\.)*$)/u, "") || "/";

/** A search, without the question mark: sorted, arrays as `tag[]=a`, objects as `where[author]=5`. */
export function searchText(search: any): string {
  const text = (name: string, given: any): string | string[] => {
    const value = given?.toJSON ? given.toJSON() : given;
    if (isObject(value)) {
      return Object.keys(value).sort().flatMap((member) =>
        text(`${name}[${Array.isArray(value) ? "" : member}]`, value[member])
      );
    }
    return value === undefined ? [] : `${encodeURIComponent(name)}=${encodeURIComponent(value ?? "")}`;
  };
  const names = Object.keys(search);
  return names.length ? names.sort().flatMap((name) => text(name, search[name])).join("&") : "";
}
