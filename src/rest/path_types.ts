/**
 * What a path says to the type checker. The dialect is that of path-to-regexp 9: `:name`, `:"any name"`, `*rest`,
 * `{optional group}`, `\\` before a character that is to mean itself.
 *
 * Whole segments without a mark are skipped at once, the others are read character by character with accumulators, so
 * that the compiler's tail recursion bears paths of hundreds of characters.
 *
 * @module
 */
import type { Invalid } from "../plain/value.ts";

/** What may stand for a parameter. It is written as text: `5` and `"5"` make the same URL. */
export type PathValue = string | number | bigint | boolean;

/** Parameters that are not declared: any are accepted. */
export interface AnySearch {
  // deno-lint-ignore no-explicit-any -- an object typed by an interface has no index signature to be compared
  readonly [name: string]: any;
}

/** `T` written out, so that messages show members and not how they came to be. */
export type Flat<T> = T extends infer U ? { [K in keyof U]: U[K] } : never;

type Mark = ":" | "*" | "{" | "}" | "\\";
type HasMark = `${string}${Mark}${string}`;
// What ends a name: all ASCII punctuation but _ and $, and space.
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

// Found parameters are texts: r(equired) or o(ptional), ":" or "*", name.
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
 * What was found, what stands before the last parameter, and "tail" when there is text other than slashes behind it. S: what
 * is left, outside of groups; F: what was found; Done: what was read; At and T: the second and third result so far. Jumps
 * from `/:` to `/:` as long as only names are between.
 */
type Walk<S extends string, F extends string, Done extends string, At, T> = S extends `${infer H}/:${infer U}`
  ? H extends HasMark ? WalkText<S, F, Done, At, T, "", "", "">
  : U extends `${infer N}/${infer R}` ? N extends HasNameEnd ? WalkText<`:${U}`, F, `${Done}${H}/`, At, T, "", "", "">
    : Walk<`/${R}`, F | `r:${N}`, `${Done}${H}/:${N}`, `${Done}${H}/`, "">
  : U extends HasNameEnd ? WalkText<`:${U}`, F, `${Done}${H}/`, At, T, "", "", "">
  : readonly [F | `r:${U}`, `${Done}${H}/`, ""]
  : S extends HasMark ? WalkText<S, F, Done, At, T, "", "", "">
  : readonly [F, At, S extends "" | "/" ? T : "tail"];

/** Depth: a "{" for each group around; Group: what stands before the outermost; Has: "p" when it has a parameter. */
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
 * A path without its last parameter: where the list is, and where new ones are created. A last group goes whole, a slash
 * before it goes, one at the end stays, and what remains empty is `/`. A path without parameters stays as it is.
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

/** Whether there is text after the last parameter, so that no list can be told from the path: `/users/:id/settings`. */
export type HasTail<P extends string> = string extends P ? false
  : P extends `${string}${":" | "*"}${string}` ? WalkOf<P> extends readonly [unknown, string, "tail"] ? true : false
  : false;

// A slash at the end stays.
type WithSlash<P extends string, C extends string> = C extends "/" ? C : P extends `${string}/` ? `${C}/` : C;
type Trim<C extends string> = C extends "" | "/" ? "/" : C extends `${infer D}/` ? D : C;
/** Refuses the spelling of older path dialects, and says the new one. Accepts a path that is a type parameter. */
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
