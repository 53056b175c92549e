/**
 * Types that parse a path. The dialect is that of path-to-regexp 9: `:name`, `:"any name"`, `*rest`,
 * `{optional group}`, `\\` before a character that is plain text.
 *
 * Segments without a mark are skipped as a whole. Others are read character by character with accumulators, so that the
 * compiler's tail recursion manages paths of hundreds of characters.
 *
 * @module
 */
import type { Invalid } from "../plain/value.ts";

/** The value of a parameter in a path. `5` and `"5"` make the same URL. */
export type PathValue = string | number | bigint | boolean;

/** The type of parameters that are not declared: any are accepted. */
export interface AnySearch {
  // deno-lint-ignore no-explicit-any -- an object typed by an interface has no index signature to be compared
  readonly [name: string]: any;
}

/** `T` as one object type, so that messages show its members and not the types that it was computed from. */
export type Flat<T> = T extends infer U ? { [K in keyof U]: U[K] } : never;

type Mark = ":" | "*" | "{" | "}" | "\\";
type HasMark = `${string}${Mark}${string}`;
// The characters that end a name: space, and all ASCII punctuation but _ and $.
// deno-fmt-ignore
type NameEnd =
  | " " | "!" | '"' | "#" | "%" | "&" | "'" | "(" | ")" | "*" | "+" | "," | "-" | "." | "/" | ":" | ";" | "<" | "="
  | ">" | "?" | "@" | "[" | "\\" | "]" | "^" | "`" | "{" | "|" | "}" | "~";
type HasNameEnd = `${string}${NameEnd}${string}`;

/**
 * The parameters of a path.
 *
 * ```ts
 * import { assert } from "@std/assert";
 * import type { PathArgs } from "@rejoin/data";
 *
 * const args: PathArgs<"/users/:userId{/posts/:postId}"> = { userId: 5 };
 * const files: PathArgs<"/files/*path"> = { path: ["docs", "readme.md"] };
 * assert(args.userId === 5 && files.path.length === 2);
 * ```
 */
export type PathArgs<P> = P extends string
  ? string extends P ? AnySearch : P extends `${string}${":" | "*"}${string}` ? Named<WalkOf<P>[0]> : unknown
  : AnySearch;

// A found parameter is written as a text: "r" (required) or "o" (optional), ":" or "*", then its name.
type Named<F extends string> = [F] extends [never] ? unknown
  : [F] extends [`r:${string}`] ? { [T in F as Name<T, "r:">]: PathValue } // the name alone
  : Flat<
    & { [T in F as Name<T, "r:">]: PathValue } // the name alone
    & { [T in F as Name<T, "o:">]?: PathValue | undefined } // the name alone
    & { [T in F as Name<T, "r*">]: readonly PathValue[] } // the name alone
    & { [T in F as Name<T, "o*">]?: readonly PathValue[] | undefined } // the name alone
  >;
type Name<T, Kind extends string> = T extends `${Kind}${infer N}` ? N : never;
type Found<Depth extends string, Kind extends string, N extends string> = N extends "" ? never
  : `${Depth extends "" ? "r" : "o"}${Kind}${N}`;

type WalkOf<P extends string> = Walk<P, never, "", undefined, "">;

/**
 * Parses a path from outside a group. The result is a tuple: the parameters; the text before the last one; and "tail" if
 * anything but slashes follows it. S is the rest of the path, F the parameters so far, Done the text that was read, At
 * and T the second and third result so far. It jumps from `/:` to `/:` while only names lie between.
 */
type Walk<S extends string, F extends string, Done extends string, At, T> = S extends `${infer H}/:${infer U}`
  ? H extends HasMark ? WalkText<S, F, Done, At, T, "", "", "">
  : U extends `${infer N}/${infer R}` ? N extends HasNameEnd ? WalkText<`:${U}`, F, `${Done}${H}/`, At, T, "", "", "">
    : Walk<`/${R}`, F | `r:${N}`, `${Done}${H}/:${N}`, `${Done}${H}/`, "">
  : U extends HasNameEnd ? WalkText<`:${U}`, F, `${Done}${H}/`, At, T, "", "", "">
  : readonly [F | `r:${U}`, `${Done}${H}/`, ""]
  : S extends HasMark ? WalkText<S, F, Done, At, T, "", "", "">
  : readonly [F, At, S extends "" | "/" ? T : "tail"];

/** Depth has a "{" for each open group, Group the text before the outermost one; Has is "p" if that has a parameter. */
// deno-fmt-ignore
type WalkText<
  S extends string, F extends string, Done extends string, At, T, Depth extends string, Group extends string, Has,
> = S extends `${infer C}${infer U}`
  ? C extends "/"
    ? Depth extends "" ? Walk<U, F, `${Done}/`, At, T> : WalkText<U, F, `${Done}/`, At, T, Depth, Group, Has>
  : C extends ":" | "*"
    ? Depth extends "" ? WalkName<U, C, F, `${Done}${C}`, Done, "", "", "", "">
    : WalkName<U, C, F, `${Done}${C}`, At, T, Depth, Group, "p">
  : C extends "{"
    ? WalkText<U, F, `${Done}{`, At, T, `${Depth}{`, Depth extends "" ? Done : Group, Depth extends "" ? "" : Has>
  : C extends "}"
    ? Depth extends "{"
      ? Has extends "p" ? WalkText<U, F, `${Done}}`, Group, "", "", "", "">
      : WalkText<U, F, `${Done}}`, At, "tail", "", "", "">
    : WalkText<U, F, `${Done}}`, At, T, Depth extends `{${infer D}` ? D : "", Group, Has>
  : C extends "\\"
    ? U extends `${infer E}${infer V}` ? WalkText<V, F, `${Done}\\${E}`, At, "tail", Depth, Group, Has>
    : readonly [F, At, T]
  : WalkText<U, F, `${Done}${C}`, At, "tail", Depth, Group, Has>
  : readonly [F, At, T];

// deno-fmt-ignore
type WalkName<
  S extends string, Kind extends string, F extends string, Done extends string, At, T, Depth extends string,
  Group extends string, Has,
> = S extends `"${infer Q}` ? WalkQuoted<Q, Kind, "", F, `${Done}"`, At, T, Depth, Group, Has>
  : WalkLetters<S, Kind, "", F, Done, At, T, Depth, Group, Has>;

// deno-fmt-ignore
type WalkLetters<
  S extends string, Kind extends string, N extends string, F extends string, Done extends string, At, T,
  Depth extends string, Group extends string, Has,
> = S extends `${infer C}${infer U}`
  ? C extends NameEnd ? WalkText<S, F | Found<Depth, Kind, N>, `${Done}${N}`, At, T, Depth, Group, Has>
  : WalkLetters<U, Kind, `${N}${C}`, F, Done, At, T, Depth, Group, Has>
  : readonly [F | Found<Depth, Kind, N>, At, T];

// deno-fmt-ignore
type WalkQuoted<
  S extends string, Kind extends string, N extends string, F extends string, Done extends string, At, T,
  Depth extends string, Group extends string, Has,
> = S extends `${infer C}${infer U}`
  ? C extends '"' ? WalkText<U, F | Found<Depth, Kind, N>, `${Done}"`, At, T, Depth, Group, Has>
  : C extends "\\"
    ? U extends `${infer E}${infer V}`
      ? WalkQuoted<V, Kind, `${N}${E}`, F, `${Done}\\${E}`, At, T, Depth, Group, Has>
    : readonly [F, At, T]
  : WalkQuoted<U, Kind, `${N}${C}`, F, `${Done}${C}`, At, T, Depth, Group, Has>
  : readonly [F, At, T];

/**
 * A path without its last parameter: the path of `getList` and `create`. If the parameter is in a group, the whole group
 * goes. So does the slash before it; one at the end stays. An empty result is `/`. A path without parameters stays.
 *
 * ```ts
 * import { assert } from "@std/assert";
 * import type { ShortenPath } from "@rejoin/data";
 *
 * const list: ShortenPath<"/articles/:id"> = "/articles";
 * const root: ShortenPath<"/:id"> = "/";
 * assert(list + root === "/articles/");
 * ```
 */
export type ShortenPath<P extends string> = string extends P ? string
  : P extends `${string}${":" | "*"}${string}` ? WalkOf<P>[1] extends infer C extends string ? WithSlash<P, Trim<C>> : P
  : P;

/** Whether text follows the last parameter, so that the path of the list is unknown: `/users/:id/settings`. */
export type HasTail<P extends string> = string extends P ? false
  : P extends `${string}${":" | "*"}${string}` ? WalkOf<P> extends readonly [unknown, string, "tail"] ? true : false
  : false;

// Keeps a slash at the end.
type WithSlash<P extends string, C extends string> = C extends "/" ? C : P extends `${string}/` ? `${C}/` : C;
type Trim<C extends string> = C extends "" | "/" ? "/" : C extends `${infer D}/` ? D : C;
/** Refuses the spelling of older path dialects with a sentence that has the new one. Accepts a type parameter. */
export type CheckPath<P> = [Look<P>] extends ["suspicious"] ? Problem<Unquote<Unescape<P & string, "">, "">> : unknown;
type Look<P> = [unknown] extends [P] ? "good"
  : [P] extends [`${string}${Suspicious}${string}` | `${string}*`] ? "suspicious"
  : "good";
type Suspicious = "?" | "(" | "+" | ":/" | "*/" | "*}" | "!" | "[";
type Problem<P extends string> = P extends `${string}:/${string}`
  ? Invalid<"write the host in urlPrefix; in a path a colon is \\\\:">
  : P extends `${string}(${string}`
    ? Invalid<"write :name without (pattern): a parameter is any text of one segment; \\\\( is a bracket">
  : P extends `${string}?${string}` ? Invalid<"write {/:name} for an optional parameter; \\\\? is a question mark">
  : P extends `${string}+${string}` ? Invalid<"write *name for one or more segments; \\\\+ is a plus">
  : P extends `${string}*${"/" | "}"}${string}` | `${string}*`
    ? Invalid<"write *name: a wildcard has a name; \\\\* is an asterisk">
  : P extends `${string}${"!" | "["}${string}` ? Invalid<"write \\\\! and \\\\[ for these characters">
  : unknown;
type Unescape<P extends string, Done extends string> = P extends `${infer H}\\${infer _C}${infer U}`
  ? Unescape<U, `${Done}${H}`>
  : `${Done}${P}`;
type Unquote<P extends string, Done extends string> = P extends `${infer H}"${infer _Q}"${infer U}`
  ? Unquote<U, `${Done}${H}q`>
  : `${Done}${P}`;
