// What is escaped; a parameter, whose name may be any text in quotes, as path-to-regexp 9 reads it; any other character.
const PART = /\\[^]|([:*])(?:"(?:\\[^]|[^"\\])*"|[$_\p{ID_Start}][$\u200c\u200d\p{ID_Continue}]*)|[^]/gu;

/**
 * A path without its last parameter: where the list is, and where new ones are created. A last group goes whole, a slash
 * before it goes, and what remains empty is `/`. The type `ShortenPath` says the same to the type checker.
 *
 * @param path A path in the dialect of path-to-regexp 9.
 * @returns The shorter path; the path itself when it has no parameters; `undefined` when text follows the last one.
 */
export function shortenPath(path: string): string | undefined {
  let cut: number | undefined;
  let end = 0;
  let depth = 0;
  let start = 0;
  let hasParam = false;
  for (const { 0: part, 1: mark, index } of path.matchAll(PART)) {
    if (depth === 0) [start, hasParam] = [index, false];
    depth += Number(part === "{") - Number(part === "}");
    hasParam ||= mark !== undefined;
    if (depth === 0 && hasParam) [cut, end] = [start, index + part.length];
  }
  if (cut === undefined) return path;
  return /[^/]/.test(path.slice(end)) ? undefined : path.slice(0, cut).replace(/\/$/, "") || "/";
}
