/**
 * One link of the header: a URL in angle brackets, then parameters. Both may contain commas and semicolons. Neighbours
 * in the expression match different characters, so that no header makes it backtrack for long.
 */
const LINK = /<([^<>]*)>((?:[\s;]+[^\s=;,"]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g;
const PARAMETER = /([^\s=;,"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g;

/**
 * Reads the header `Link` of a response, which names its other pages (RFC 8288): `<…?page=2>; rel="next"`.
 *
 * @param header The value of the header, or `null` if there is none.
 * @returns The URLs as the server wrote them, by `rel` in lower case; of several with the same `rel` the first.
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
    // RFC 8288: of several `rel` in one link the first counts.
    const rel = [...parameters!.matchAll(PARAMETER)].find(([, name]) => name!.toLowerCase() === "rel");
    for (const name of (rel?.[2] ?? rel?.[3] ?? "").toLowerCase().split(/\s+/)) {
      if (name !== "" && !links.has(name)) links.set(name, url!);
    }
  }
  return links;
}
