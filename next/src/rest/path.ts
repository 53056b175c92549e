import { parse, type Token } from "../deps/path_to_regexp.ts";
import { UrlError } from "../errors/errors.ts";
import type { Value } from "../plain/value.ts";

/** A path, read once. */
export interface Path {
  readonly tokens: readonly Token[];
  /** Of its parameters, those in groups, too. */
  readonly names: readonly string[];
  /** Whether a call must give one. */
  readonly needsParams: boolean;
  /** The text before the first parameter. */
  readonly head: string;
  /** Tests what follows method and prefix in a key. */
  readonly test: RegExp;
}
const paths = new Map<string, Path>();

/** A path in the dialect of path-to-regexp 9: `:name`, `*name`, `{group}`, `\\` before a character that means itself. */
export function pathOf(path: string): Path {
  let known = paths.get(path);
  if (!known) {
    try {
      const { tokens } = parse(path, { encodePath: encodeURI }), [first] = tokens;
      paths.set(
        path,
        known = {
          tokens,
          names: namesIn(tokens),
          needsParams: tokens.some((token) => "name" in token),
          head: first?.type === "text" ? first.value : "",
          test: new RegExp(`^${source(tokens)}([? ]|$)`),
        },
      );
    } catch (cause) {
      throw new UrlError(501, [path], cause);
    }
  }
  return known;
}
const namesIn = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) => token.type === "group" ? namesIn(token.tokens) : token.type === "text" ? [] : token.name);
const escape = (text: string): string => text.replace(/\W/g, "\\$&");
const source = (tokens: readonly Token[]): string =>
  tokens.map((token) => {
    if (token.type === "group") return `(${source(token.tokens)})?`;
    return token.type === "text" ? escape(token.value) : token.type === "param" ? "[^/?]+" : "[^?]+";
  }).join("");

/**
 * A path with its parameters, as `compile` of path-to-regexp writes it; numbers are texts, too. It has as many segments
 * as the path says, also for a server that decodes it before it splits it. A group is left out where a parameter of it is
 * missing.
 */
export function fillPath(path: string, params: Value): string {
  const text = write(path, pathOf(path).tokens, params);
  if (text.includes(".") && /(^|[/\\])\.\.?([/\\?]|$)/.test(text)) throw new UrlError(502, [path, text]);
  return text;
}
function write(path: string, tokens: readonly Token[], params: Value): string {
  let text = "";
  for (const token of tokens) {
    if (token.type === "text") text += token.value;
    else if (token.type === "group") {
      const isWhole = token.tokens.every((one) => !("name" in one) || params[one.name] != null);
      if (isWhole) text += write(path, token.tokens, params);
    } else {
      const value = params[token.name], parts = token.type === "param" ? [value] : [value].flat();
      if (!parts.length) throw new UrlError(503, [path, token.name]);
      text += parts.map((part) => encodeParam(path, token.name, part)).join("/");
    }
  }
  return text;
}
function encodeParam(path: string, name: string, value: Value): string {
  if (typeof value != "string") {
    if (!/^(number|boolean|bigint)$/.test(typeof value) || Number.isNaN(value)) throw new UrlError(503, [path, name]);
    return `${value}`;
  }
  // To encode costs more than all the rest.
  if (/^[\w-]+$/.test(value)) return value;
  if (!value) throw new UrlError(503, [path, name]);
  if (value.split(/[/\\]/).some((part) => /^\.\.?$/.test(part))) throw new UrlError(502, [path, value]);
  return encodeURIComponent(value.toWellFormed());
}

/** Scheme and host of a URL, as far as it has them. */
const hostIn = (url: string): string => /^([a-z][\w+.-]*:)?[/\\]{2}[^/\\?#]*/i.exec(url)?.[0] ?? "";

/** A path behind its prefix. Parameters cannot change the host. */
export function joinUrl(urlPrefix: string, path: string, params: Value): string {
  const prefix = urlPrefix.replace(/\/$/, ""), url = prefix + fillPath(path, params);
  if (hostIn(url) !== hostIn(prefix + pathOf(path).head)) throw new UrlError(502, [path, url]);
  return url;
}

/** Whether a key is that of a path with some parameters, and perhaps a search or a body. */
export const matchesPath = (start: string, path: string, key: string): boolean =>
  key.startsWith(start) && pathOf(path).test.test(key.slice(start.length));

/** A path without its last parameter: where the list is. Text behind it stays: `/users/:id/` → `/users/`. */
export const listPath = (path: string): string =>
  path.replace(
    /\/?(\{(?:[^{}]|\{[^{}]*\})*\}|[:*]([$\p{ID_Continue}]+|"[^"]*"))(?=([^:*{}\\]|\\.)*$)/u,
    "",
  ) || "/";
