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
  let hasTail = false;
  let depth = 0;
  let group = { start: 0, hasParam: false };
  for (const { 0: part, 1: mark, index } of path.matchAll(PART)) {
    if (part === "{") {
      if (depth++ === 0) group = { start: index, hasParam: false };
    } else if (part === "}") {
      if (--depth > 0) continue;
      if (group.hasParam) cut = group.start;
      hasTail = !group.hasParam;
    } else if (depth > 0) {
      group.hasParam ||= mark !== undefined;
    } else if (mark !== undefined) {
      cut = index;
      hasTail = false;
    } else hasTail ||= part !== "/";
  }
  if (cut === undefined) return path;
  return hasTail ? undefined : path.slice(0, cut).replace(/\/$/, "") || "/";
}
