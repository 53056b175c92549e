/**
 * What a path says to the type checker. The dialect is that of path-to-regexp 9: `:name`, `:"any name"`, `*rest`,
 * `{optional group}`, `\\` before a character that is to mean itself.
 *
 * Whole segments without a mark are skipped at once, the others are read character by character with accumulators, so
 * that the compiler's tail recursion bears paths of hundreds of characters.
 *
 * @module
 */
import type { Invalid } from "../endpoint/endpoint_types.ts";

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
  ? string extends P ? AnySearch : P extends `${string}${":" | "*"}${string}` ? Named<Scan<P, never>> : unknown
  : AnySearch;

// Found parameters are texts: r(equired) or o(ptional), ":" or "*", name.
type Named<F extends string> = [F] extends [never] ? unknown
  : [F] extends [`r:${string}`] ? { [T in F as Name<T, "r:">]: PathValue }
  : Flat<
    & { [T in F as Name<T, "r:">]: PathValue }
    & { [T in F as Name<T, "o:">]?: PathValue | undefined }
    & { [T in F as Name<T, "r*">]: readonly PathValue[] }
    & { [T in F as Name<T, "o*">]?: readonly PathValue[] | undefined }
  >;
type Name<T, Kind extends string> = T extends `${Kind}${infer N}` ? N : never;
type Found<Depth extends string, Kind extends string, N extends string> = `${Depth extends "" ? "r" : "o"}${Kind}${N}`;

/** S: what is left, outside of groups; F: what was found. Jumps from `/:` to `/:` as long as only names are between. */
type Scan<S extends string, F extends string> = S extends `${infer H}/:${infer U}`
  ? H extends HasMark ? ScanText<S, "", F>
  : U extends `${infer N}/${infer R}` ? N extends HasNameEnd ? ScanText<`:${U}`, "", F> : Scan<`/${R}`, F | `r:${N}`>
  : U extends HasNameEnd ? ScanText<`:${U}`, "", F>
  : F | `r:${U}`
  : S extends HasMark ? ScanText<S, "", F>
  : F;

/** Depth: a "{" for each group around. */
type ScanText<S extends string, Depth extends string, F extends string> = S extends `${infer C}${infer U}`
  ? C extends "/" ? Depth extends "" ? Scan<U, F> : ScanText<U, Depth, F>
  : C extends ":" | "*" ? U extends `"${infer Q}` ? ScanQuoted<Q, C, "", Depth, F> : ScanName<U, C, "", Depth, F>
  : C extends "{" ? ScanText<U, `${Depth}{`, F>
  : C extends "}" ? ScanText<U, Depth extends `{${infer D}` ? D : "", F>
  : C extends "\\" ? ScanText<U extends `${string}${infer V}` ? V : "", Depth, F>
  : ScanText<U, Depth, F>
  : F;

type ScanName<S extends string, Kind extends string, N extends string, Depth extends string, F extends string> =
  S extends `${infer C}${infer U}`
    ? C extends NameEnd ? ScanText<S, Depth, F | (N extends "" ? never : Found<Depth, Kind, N>)>
    : ScanName<U, Kind, `${N}${C}`, Depth, F>
    : F | (N extends "" ? never : Found<Depth, Kind, N>);

type ScanQuoted<S extends string, Kind extends string, N extends string, Depth extends string, F extends string> =
  S extends `${infer C}${infer U}` ? C extends '"' ? ScanText<U, Depth, F | Found<Depth, Kind, N>>
    : C extends "\\" ? U extends `${infer E}${infer V}` ? ScanQuoted<V, Kind, `${N}${E}`, Depth, F> : F
    : ScanQuoted<U, Kind, `${N}${C}`, Depth, F>
    : F;

/**
 * A path without its last parameter: where the list is, and where new ones are created. A last group goes whole, a slash
 * before it goes, and what remains empty is `/`. A path without parameters stays as it is.
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
  : P extends `${string}${":" | "*"}${string}`
    ? CutOf<P> extends readonly [infer C extends string, unknown] ? Trim<C> : P
  : P;

/** Whether there is text after the last parameter, so that no list can be told from the path: `/users/:id/settings`. */
export type HasTail<P extends string> = string extends P ? false
  : P extends `${string}${":" | "*"}${string}` ? CutOf<P> extends readonly [string, "tail"] ? true : false
  : false;

type Trim<C extends string> = C extends "" | "/" ? "/" : C extends `${infer D}/` ? D : C;
type CutOf<P extends string> = Cut<P, "", undefined, "">;

/**
 * S: what is left, outside of groups; Done: what was read; At: what stands before the last parameter so far; T: "tail"
 * when there was text other than slashes since.
 */
type Cut<S extends string, Done extends string, At, T extends string> = S extends `${infer H}/:${infer U}`
  ? H extends HasMark ? CutText<S, Done, At, T, "", "", "">
  : U extends `${infer N}/${infer R}` ? N extends HasNameEnd ? CutText<`:${U}`, `${Done}${H}/`, At, T, "", "", "">
    : Cut<`/${R}`, `${Done}${H}/:${N}`, `${Done}${H}/`, "">
  : U extends HasNameEnd ? CutText<`:${U}`, `${Done}${H}/`, At, T, "", "", "">
  : readonly [`${Done}${H}/`, ""]
  : S extends HasMark ? CutText<S, Done, At, T, "", "", "">
  : readonly [At, S extends "" | "/" ? T : "tail"];

/** Depth: a "{" for each group around; Group: what stands before the outermost; Has: "p" when it has a parameter. */
type CutText<
  S extends string,
  Done extends string,
  At,
  T extends string,
  Depth extends string,
  Group extends string,
  Has extends string,
> = S extends `${infer C}${infer U}`
  ? C extends "/" ? Depth extends "" ? Cut<U, `${Done}/`, At, T> : CutText<U, `${Done}/`, At, T, Depth, Group, Has>
  : C extends ":" | "*" ? Depth extends "" ? CutName<U, `${Done}${C}`, Done, "", "", "", "">
    : CutName<U, `${Done}${C}`, At, T, Depth, Group, "p">
  : C extends "{"
    ? CutText<U, `${Done}{`, At, T, `${Depth}{`, Depth extends "" ? Done : Group, Depth extends "" ? "" : Has>
  : C extends "}"
    ? Depth extends "{"
      ? Has extends "p" ? CutText<U, `${Done}}`, Group, "", "", "", ""> : CutText<U, `${Done}}`, At, "tail", "", "", "">
    : CutText<U, `${Done}}`, At, T, Depth extends `{${infer D}` ? D : "", Group, Has>
  : C extends "\\"
    ? U extends `${infer E}${infer V}` ? CutText<V, `${Done}\\${E}`, At, "tail", Depth, Group, Has> : readonly [At, T]
  : CutText<U, `${Done}${C}`, At, "tail", Depth, Group, Has>
  : readonly [At, T];

type CutName<
  S extends string,
  Done extends string,
  At,
  T extends string,
  Depth extends string,
  Group extends string,
  Has extends string,
> = S extends `"${infer Q}` ? CutQuoted<Q, `${Done}"`, At, T, Depth, Group, Has>
  : S extends `${infer C}${infer U}` ? C extends NameEnd ? CutText<S, Done, At, T, Depth, Group, Has>
    : CutName<U, `${Done}${C}`, At, T, Depth, Group, Has>
  : readonly [At, T];

type CutQuoted<
  S extends string,
  Done extends string,
  At,
  T extends string,
  Depth extends string,
  Group extends string,
  Has extends string,
> = S extends `${infer C}${infer U}` ? C extends '"' ? CutText<U, `${Done}"`, At, T, Depth, Group, Has>
  : C extends "\\"
    ? U extends `${infer E}${infer V}` ? CutQuoted<V, `${Done}\\${E}`, At, T, Depth, Group, Has> : readonly [At, T]
  : CutQuoted<U, `${Done}${C}`, At, T, Depth, Group, Has>
  : readonly [At, T];

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
