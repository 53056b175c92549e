import type { Token } from "../deps/path_to_regexp.ts";

/**
 * Whether a text is a path filled with some parameters. All ways to read it are followed at once, so that the time grows
 * with the length of the text and with nothing else. A regular expression of the same path may need the third power of it
 * (CVE-2024-45296).
 *
 * @param tokens The parsed path. What follows a question mark is no part of it: there it ends.
 * @param text An encoded path, without search.
 */
export function matchesPath(tokens: readonly Token[], text: string): boolean {
  const end = text.length;
  let hasEnded = false;
  /** Where one may be after some tokens, in order, by where one was before them. */
  const after = (tokens: readonly Token[], before: readonly number[]): readonly number[] => {
    let places = before;
    for (const token of tokens) {
      const next: number[] = [];
      if (token.type === "text") {
        const [path = "", search] = token.value.split("?", 2);
        for (const at of places) if (text.startsWith(path, at)) next.push(at + path.length);
        if (search !== undefined) {
          hasEnded ||= next.at(-1) === end;
          return [];
        }
      } else if (token.type === "group") {
        const all = [...places, ...after(token.tokens, places)].sort((a, b) => a - b);
        places = all.filter((at, index) => at !== all[index - 1]);
        continue;
      } else {
        let known = 0;
        let isInside = false;
        for (let at = places[0] ?? end; at < end; at++) {
          if (places[known] === at) {
            known++;
            isInside = true;
          }
          if (text[at] !== "/") { if (isInside) next.push(at + 1); }
          // Behind a slash that follows a segment, a wildcard goes on.
          else isInside = token.type === "wildcard" && next.at(-1) === at;
        }
      }
      places = next;
    }
    return places;
  };
  return after(tokens, [0]).at(-1) === end || hasEnded;
}
