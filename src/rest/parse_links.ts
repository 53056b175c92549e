/**
 * One link of the header: an address in brackets, and parameters; commas and semicolons may stand in both. No two parts
 * that stand side by side can take the same characters: the time grows with the length of the header, whatever is in it.
 */
const LINK = /<([^<>]*)>((?:[\s;]+[^\s=;,"]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g;
const PARAMETER = /([^\s=;,"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g;

/**
 * Where the other pages of an answer are, as its header `link` says (RFC 8288): `<…?page=2>; rel="next"`.
 *
 * @param header The value of the header; `null` where there is none.
 * @returns The addresses by `rel`, as they were written; the first of each.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { parseLinks } from "@rejoin/data";
 *
 * const links = parseLinks('<https://api.example.com/films?page=3>; rel="next", </films?page=1>; rel="prev first"');
 * assert(links.get("next") === "https://api.example.com/films?page=3");
 * assert(links.get("first") === "/films?page=1" && links.get("last") === undefined);
 * ```
 */
export function parseLinks(header: string | null): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (const [, url, parameters] of (header ?? "").matchAll(LINK)) {
    // The first one counts.
    const rel = [...parameters!.matchAll(PARAMETER)].find(([, name]) => name!.toLowerCase() === "rel");
    for (const name of (rel?.[2] ?? rel?.[3] ?? "").toLowerCase().split(/\s+/)) {
      if (name !== "" && !links.has(name)) links.set(name, url!);
    }
  }
  return links;
}
