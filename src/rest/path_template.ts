import { parse, type Token } from "../deps/path_to_regexp.ts";
import { type Problem, said } from "../errors/texts.ts";
import { UrlError } from "../errors/url_error.ts";
import { checkPathOrigin, type Owner } from "./origin.ts";
import { matchesPath } from "./path_matcher.ts";

/** Parameters of a call. Only own members count. */
export type Params = Readonly<Record<string, unknown>>;

/** A path in the dialect of path-to-regexp 9, to be filled with parameters. */
export class PathTemplate {
  /** As it was declared. */
  readonly path: string;
  /** The names of all parameters; what is not among them belongs to the search. */
  readonly names: ReadonlySet<string>;
  /** The last parameter, if it takes the place of one segment and not of several. */
  readonly lastName: string | undefined;
  /** Whether a call must have parameters. */
  readonly needsParams: boolean;
  /** Whether it begins with a scheme or an authority. */
  readonly absolute: boolean;
  readonly #tokens: readonly Token[];
  /** Text, parameter, text, parameter, … where the path is nothing else. */
  readonly #plain: readonly string[] | undefined;

  /**
   * @param path The path.
   * @param owner Who declares it.
   * @throws {UrlError} If it is in an older dialect, or has what no path can have.
   */
  constructor(path: string, owner: Owner) {
    this.path = path;
    this.#tokens = parsePath(path, owner);
    this.names = new Set(namesIn(this.#tokens));
    const last = this.#tokens.findLast(({ type }) => type !== "text");
    this.lastName = last?.type === "param" ? last.name : undefined;
    this.needsParams = this.#tokens.some(({ type }) => type === "param" || type === "wildcard");
    const [first, second] = this.#tokens;
    const start = first?.type === "text" ? first.value : "";
    this.absolute = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(start);
    if (this.absolute) checkPathOrigin(start, second === undefined, path, owner);
    // Not where a parameter could be the first segment of all, or follow two slashes.
    // A path with a search of its own takes the long way, too: whoever appends to it has to look.
    this.#plain = /^\/(?!\/)/.test(start) && !path.includes("?") ? plainParts(this.#tokens) : undefined;
  }

  /**
   * The same as {@linkcode fill}, for most calls of most paths: parameters that stand in a URL as they are, in a path
   * without groups and wildcards.
   *
   * @param params The parameters.
   * @returns The text, without a search, which any parser reads as it was written; `undefined`: {@linkcode fill} has to
   * look closer.
   */
  fillPlain(params: Params): string | undefined {
    const parts = this.#plain;
    if (parts === undefined) return undefined;
    let text = parts[0]!;
    for (let i = 1; i < parts.length; i += 2) {
      const name = parts[i]!;
      if (!Object.hasOwn(params, name)) return undefined;
      const value = plainText(params[name]);
      if (value === undefined) return undefined;
      text += value + parts[i + 1]!;
    }
    return text;
  }

  /**
   * Fills in parameters.
   *
   * @param params The parameters; those that are no part of the path are ignored.
   * @param owner Who asks.
   * @returns The encoded text, and whether a parser of URLs might read it otherwise than it was written.
   * @throws {UrlError} If a parameter is missing or cannot be written.
   */
  fill(params: Params, owner: Owner): { readonly text: string; readonly suspect: boolean } {
    const filling = new Filling(this.path, params, owner, false);
    const text = this.#rooted(filling.write(this.#tokens));
    return { text, suspect: filling.suspect };
  }

  /**
   * The same with the same groups and as many segments, but all values harmless: what the URL must look like.
   *
   * @param params The parameters.
   * @param owner Who asks.
   * @returns The encoded text.
   */
  fillHarmless(params: Params, owner: Owner): string {
    return this.#rooted(new Filling(this.path, params, owner, true).write(this.#tokens));
  }

  // A slash, so that nothing can be appended to a host.
  #rooted(text: string): string {
    return this.absolute || text === "" || text.startsWith("/") ? text : `/${text}`;
  }

  /**
   * Whether a text is this path, filled with some parameters.
   *
   * @param text An encoded path, without search.
   */
  matches(text: string): boolean {
    return matchesPath(this.#tokens, text) || (/^\/(?!\/)/.test(text) && matchesPath(this.#tokens, text.slice(1)));
  }
}

/**
 * The text of a value that is the same in a URL, whoever reads it: letters, digits, `_` and `-`, and safe integers.
 *
 * @param value Any value.
 * @returns `undefined` for everything else.
 */
export function plainText(value: unknown): string | undefined {
  if (typeof value === "string") return isPlain(value) ? value : undefined;
  return Number.isSafeInteger(value) ? `${value}` : undefined;
}

// A loop, for a pattern costs as much as all the rest of a URL.
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
    if (!isLetter && !(code >= 48 && code <= 57) && code !== 45 && code !== 95) return false;
  }
  return text !== "";
}

function plainParts(tokens: readonly Token[]): readonly string[] | undefined {
  const parts = [""];
  for (const token of tokens) {
    if (token.type === "text") parts[parts.length - 1] += token.value;
    else if (token.type === "param") parts.push(token.name, "");
    else return undefined;
  }
  return parts;
}

class Filling {
  suspect = false;
  readonly #path: string;
  readonly #params: Params;
  readonly #owner: Owner;
  readonly #harmless: boolean;

  constructor(path: string, params: Params, owner: Owner, harmless: boolean) {
    this.#path = path;
    this.#params = params;
    this.#owner = owner;
    this.#harmless = harmless;
  }

  write(tokens: readonly Token[]): string {
    let text = "";
    for (const token of tokens) {
      if (token.type === "text") text += token.value;
      else if (token.type === "group") text += this.#group(token.tokens);
      else {
        const value = this.#value(token.name);
        if (value === undefined) throw this.#fail(token.name, value, said(537, { name: token.name }));
        text += token.type === "param" ? this.#encode(token.name, value) : this.#segments(token.name, value);
      }
    }
    return text;
  }

  /** A group is left out when it has parameters and none of them is given. */
  #group(tokens: readonly Token[]): string {
    const missing = tokens.find((token) =>
      (token.type === "param" || token.type === "wildcard") && this.#value(token.name) === undefined
    );
    if (missing === undefined || !("name" in missing)) return this.write(tokens);
    // To drop what was given would address something else: all of the list in place of one of it.
    const given = namesIn(tokens).find((name) => this.#value(name) !== undefined);
    if (given !== undefined) {
      throw this.#fail(missing.name, undefined, said(538, { given }));
    }
    return "";
  }

  #segments(name: string, value: unknown): string {
    if (!Array.isArray(value) || value.length === 0) throw this.#fail(name, value, said(539));
    let text = "";
    for (let i = 0; i < value.length; i++) text += (i === 0 ? "" : "/") + this.#encode(name, value[i]);
    return text;
  }

  #encode(name: string, value: unknown): string {
    const text = this.#text(name, value);
    if (this.#harmless) return "x";
    let encoded: string;
    try {
      encoded = encodeURIComponent(text);
    } catch (cause) {
      throw this.#fail(name, value, said(527), cause);
    }
    // Of all that encodeURIComponent leaves or makes, parsers act on a dot only; those that decode first, on slashes, too,
    // and those that decode twice, on %25.
    if (/\.|%(?:25|2F|5C)/.test(encoded)) this.suspect = true;
    return encoded;
  }

  #text(name: string, value: unknown): string {
    switch (typeof value) {
      case "string":
        if (value === "") throw this.#fail(name, value, said(540));
        return value;
      case "number":
        if (!Number.isFinite(value)) throw this.#fail(name, value, said(523, { value }));
        return String(value);
      case "boolean":
      case "bigint":
        return String(value);
      default:
        throw this.#fail(name, value, said(541, { value }));
    }
  }

  #value(name: string): unknown {
    return Object.hasOwn(this.#params, name) ? this.#params[name] : undefined;
  }

  #fail(parameter: string, value: unknown, reason: Problem, cause?: unknown): UrlError {
    return new UrlError(reason, {
      path: this.#path,
      endpoint: this.#owner.name,
      parameter,
      value,
      ...cause !== undefined && { cause },
    });
  }
}

function namesIn(tokens: readonly Token[], names: string[] = []): string[] {
  for (const token of tokens) {
    if (token.type === "group") namesIn(token.tokens, names);
    else if (token.type !== "text") names.push(token.name);
  }
  return names;
}

/**
 * The first segment of a path that a parser of URLs takes for "here" or "up", also one that decodes more than once, or
 * that decodes slashes and backslashes before it looks for segments.
 */
export function dotsIn(path: string): string | undefined {
  return path.split(/[/\\]|%(?:25)*(?:2f|5c)/i).find((segment) => /^(?:\.|%(?:25)*2e){1,2}$/i.test(segment));
}

function parsePath(path: string, owner: Owner): readonly Token[] {
  const fail = (reason: Problem, cause?: unknown): UrlError =>
    new UrlError(reason, { path, endpoint: owner.name, ...cause !== undefined && { cause } });
  if (typeof path !== "string") throw fail(said(542));
  let tokens: readonly Token[];
  try {
    tokens = parse(path, { encodePath: encodeText }).tokens;
  } catch (cause) {
    throw fail(said(543, { path, cause }), cause);
  }
  const text = staticText(tokens);
  if (text.includes("#")) throw fail(said(544));
  if (dotsIn(text.split("?", 1)[0]!) !== undefined) throw fail(said(545));
  if (/%[0-9a-f]?\0/i.test(staticText(tokens, "\0"))) throw fail(said(546));
  return tokens;
}

/** The text of a path as it stands in a URL. Percent signs stay: the path may be written encoded. */
function encodeText(text: string): string {
  return text.replace(/[^\x21-\x7e]+|["<>\\^`{|}]/g, (part) => encodeURIComponent(part.toWellFormed()));
}

/** The path with all of its groups and a character for each parameter. */
function staticText(tokens: readonly Token[], parameter = "x"): string {
  let text = "";
  for (const token of tokens) {
    text += token.type === "text"
      ? token.value
      : token.type === "group"
      ? staticText(token.tokens, parameter)
      : parameter;
  }
  return text;
}
