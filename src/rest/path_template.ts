import { parse, type Token } from "../deps/path_to_regexp.ts";
import type { UrlError } from "../errors/url_error.ts";
import { encodeLeaf } from "./encode_leaf.ts";
import { ABSOLUTE, httpUrl, type Owner, urlError } from "./origin.ts";

/** Parameters of a call. Only own members count. */
export type Params = Readonly<Record<string, unknown>>;

/** What a path is filled with, and for whom. */
interface Call {
  readonly params: Params;
  readonly owner: Owner;
}

/** A path in the dialect of path-to-regexp 9, to be filled with parameters. */
export class PathTemplate {
  /** As it was declared. */
  readonly path: string;
  /** The names of all parameters; what is not among them belongs to the search. */
  readonly names: ReadonlySet<string>;
  /** Whether a call must have parameters. */
  readonly needsParams: boolean;
  readonly #isAbsolute: boolean;
  readonly #tokens: readonly Token[];

  /**
   * @param path The path.
   * @param owner Who declares it.
   * @throws {UrlError} If it is in an older dialect, or has what no path can have.
   */
  constructor(path: string, owner: Owner) {
    this.path = path;
    const tokens = this.#tokens = parsePath(path, owner);
    this.names = new Set(namesIn(tokens));
    this.needsParams = tokens.some((token) => "name" in token);
    const [first] = tokens;
    const start = first?.type === "text" ? first.value : "";
    this.#isAbsolute = ABSOLUTE.test(start);
    if (!this.#isAbsolute) return;
    // Its host is complete before the first parameter.
    const origin = /^(?:[^:/]+:)?\/\/[^/?]+(?=[/?])/.exec(tokens.length > 1 ? start : `${start}/`)?.[0];
    if (origin === undefined || !httpUrl(origin)) throw urlError(556, { name: owner.name, path }, { origin });
  }

  /**
   * Fills in parameters. What comes of it is what the path says: of the same origin, with the same number and place of
   * segments.
   *
   * @param prefix What `checkPrefix` gave.
   * @param params The parameters; those that are no part of the path are ignored.
   * @param owner Who asks.
   * @returns The URL, encoded, without search parameters.
   * @throws {UrlError} If a parameter is missing, cannot be written, or would lead elsewhere.
   */
  fill(prefix: string, params: Params, owner: Owner): string {
    const call: Call = { params, owner };
    let text = this.#write(this.#tokens, call);
    // A slash, so that nothing can be appended to a host.
    if (!this.#isAbsolute && text !== "" && !text.startsWith("/")) text = `/${text}`;
    const dots = dotsIn(text);
    if (dots !== undefined) {
      const isCause = (value: unknown): boolean => dotsIn(String(value)) !== undefined;
      const parameter = [...this.names].find((name) => [ownOf(params, name)].flat().some(isCause));
      throw this.#refuse(533, call, { parameter, value: parameter === undefined ? dots : params[parameter] });
    }
    const url = prefix + text || "/";
    const isElsewhere = this.#isAbsolute ? prefix !== "" : prefix === "" && url.startsWith("//");
    if (isElsewhere) throw this.#refuse(531, call, { prefix });
    return url;
  }

  #write(tokens: readonly Token[], call: Call): string {
    let text = "";
    for (const token of tokens) {
      if (token.type === "text") text += token.value;
      else if (token.type === "group") {
        if (!this.#isLeftOut(token.tokens, call)) text += this.#write(token.tokens, call);
      } else {
        const { name } = token;
        const value = ownOf(call.params, name);
        if (token.type === "param") text += this.#encode(name, value, call);
        else if (Array.isArray(value) && value.length > 0) {
          text += Array.from(value, (item) => this.#encode(name, item, call)).join("/");
        } else throw this.#refuse(539, call, { parameter: name, value });
      }
    }
    return text;
  }

  #encode(parameter: string, value: unknown, call: Call): string {
    const text = encodeLeaf(value);
    if (!text) throw this.#refuse(537, call, { parameter, value });
    return text;
  }

  /** A group is left out when it has parameters and none of them is given. */
  #isLeftOut(tokens: readonly Token[], call: Call): boolean {
    const isGiven = (name: string): boolean => ownOf(call.params, name) !== undefined;
    const parameter = tokens.flatMap((token) => "name" in token ? token.name : []).find((name) => !isGiven(name));
    if (parameter === undefined) return false;
    // To drop what was given would address something else: all of the list in place of one of it.
    const given = namesIn(tokens).find(isGiven);
    if (given === undefined) return true;
    throw this.#refuse(538, call, { parameter, given });
  }

  #refuse(code: number, { owner }: Call, facts: object): UrlError {
    return urlError(code, { name: owner.name, path: this.path }, facts);
  }

  /**
   * Whether a text begins with this path, filled with some parameters, and has nothing but a search or a body behind it.
   *
   * @param text The end of a key, behind the prefix.
   */
  matches(text: string): boolean {
    const [path] = text.split(/[? ]/, 1) as [string];
    return matchesPath(this.#tokens, path);
  }
}

/**
 * Whether a text is a path filled with some parameters. All ways to read it are followed at once, so that the time grows
 * with the length of the text and with nothing else. A regular expression of the same path may need the third power of it
 * (CVE-2024-45296).
 *
 * @param tokens The parsed path. What follows a question mark is no part of it: there it ends.
 * @param text An encoded path, without search.
 */
function matchesPath(tokens: readonly Token[], text: string): boolean {
  const end = text.length;
  let hasEnded = false;
  /** Where one may be after some tokens, by where one was before them: from left to right, each place once. */
  const after = (tokens: readonly Token[], before: readonly number[]): readonly number[] =>
    tokens.reduce((places, token) => {
      if (token.type === "group") {
        return [...new Set([...places, ...after(token.tokens, places)])].sort((a, b) => a - b);
      }
      const next: number[] = [];
      if (token.type === "text") {
        const [path = "", search] = token.value.split("?", 2);
        for (const at of places) if (text.startsWith(path, at)) next.push(at + path.length);
        if (search === undefined) return next;
        hasEnded ||= next.at(-1) === end;
        return [];
      }
      let last = -1;
      for (const start of places) {
        // Up to where one has been before: from there on all is known.
        for (let at = start; at < end && at >= last; at++) {
          if (text[at] !== "/") next.push(last = at + 1);
          // Behind a slash that follows a segment, a wildcard goes on.
          else if (token.type !== "wildcard" || last !== at) break;
        }
      }
      return next;
    }, before);
  // A slash may have been put before what does not begin with one.
  return after(tokens, /^\/(?!\/)/.test(text) ? [0, 1] : [0]).at(-1) === end || hasEnded;
}

function ownOf(params: Params, name: string): unknown {
  return Object.hasOwn(params, name) ? params[name] : undefined;
}

function namesIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => "name" in token ? token.name : "tokens" in token ? namesIn(token.tokens) : []);
}

/**
 * The first segment of a path that a parser of URLs takes for "here" or "up", also one that decodes more than once, or
 * that decodes slashes and backslashes before it looks for segments.
 */
export function dotsIn(path: string): string | undefined {
  if (!/[.%]/.test(path)) return undefined;
  return path.split("?", 1)[0]!.split(/[/\\]|%(?:25)*(?:2f|5c)/i).find((segment) =>
    /^(?:\.|%(?:25)*2e){1,2}$/i.test(segment)
  );
}

function parsePath(path: string, owner: Owner): readonly Token[] {
  let cause: unknown;
  try {
    const { tokens } = parse(path, { encodePath: encodeText });
    const text = tokens.map(textOf).join("");
    // No fragment, no segment that leads up, and no parameter that is a part of an encoded character.
    if (!/#|%[0-9a-f]? /i.test(text) && dotsIn(text) === undefined) return tokens;
  } catch (error) {
    cause = error;
  }
  throw urlError(543, { name: owner.name, path }, cause === undefined ? {} : { cause });
}

/** The text of a path as it stands in a URL. Percent signs stay: the path may be written encoded. */
function encodeText(text: string): string {
  return text.replace(/[^\x21-\x7e]+|["<>\\^`{|}]/g, (part) => encodeURIComponent(part.toWellFormed()));
}

/** A part of a path with all of its groups, and a space, which is in no text of it, for each parameter. */
function textOf(token: Token): string {
  return token.type === "text" ? token.value : token.type === "group" ? token.tokens.map(textOf).join("") : " ";
}
