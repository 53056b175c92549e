// A name, or any text in quotes: as path-to-regexp 9 reads it.
const NAME = /"(?:\\[^]|[^"\\])*"|[$_\p{ID_Start}][$\u200c\u200d\p{ID_Continue}]*/uy;

/**
 * A path without its last parameter: where the list is, and where new ones are created. A last group goes whole, a slash
 * before it goes, and what remains empty is `/`. The type `ShortenPath` says the same to the type checker.
 *
 * @param path A path in the dialect of path-to-regexp 9.
 * @returns The shorter path; the path itself when it has no parameters; `undefined` when text follows the last one.
 */
export function shortenPath(path: string): string | undefined {
  let cut: number | undefined;
  let tail = false;
  let depth = 0;
  let group = { start: 0, hasParam: false };
  for (let i = 0; i < path.length; i++) {
    switch (path[i]) {
      case "/":
        break;
      case "\\":
        i++;
        tail = true;
        break;
      case ":":
      case "*":
        if (depth === 0) {
          cut = i;
          tail = false;
        } else group.hasParam = true;
        NAME.lastIndex = i + 1;
        if (NAME.test(path)) i = NAME.lastIndex - 1;
        break;
      case "{":
        if (depth++ === 0) group = { start: i, hasParam: false };
        break;
      case "}":
        if (--depth > 0) break;
        if (group.hasParam) cut = group.start;
        tail = !group.hasParam;
        break;
      default:
        if (depth === 0) tail = true;
    }
  }
  if (cut === undefined) return path;
  return tail ? undefined : path.slice(0, cut).replace(/\/$/, "") || "/";
}
