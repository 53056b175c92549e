/** ARCHITECTURE.md leads to the file of what is looked for, and the file is about that. */
import { assert, assertEquals } from "@std/assert";
import { ROOT } from "./module_graph.ts";

/** The table "Where things are": what is looked for, and the files that it names, the first one first. */
async function whereThingsAre(): Promise<Map<string, string[]>> {
  const text = await Deno.readTextFile(`${ROOT}ARCHITECTURE.md`);
  const section = text.split(/^## /m).find((part) => part.startsWith("Where things are")) ?? "";
  const rows = [...section.matchAll(/^\| ([^|]+?) +\| ([^|]+) \|$/gm)].slice(2);
  return new Map(rows.map(([, what = "", files = ""]) => {
    return [what, [...files.matchAll(/\]\(([^)#]+)\)/g)].map(([, file = ""]) => file)];
  }));
}

/** What a newcomer looks for, in the words of the trade, and what stands in the file that he is led to. */
const GUESSES: readonly [words: string, inFile: RegExp][] = [
  ["304", /304|notModified|If-None-Match/i],
  ["dedupe", /class Network\b/],
  ["optimistic create", /class TemporaryIds?\b|temporary/i],
  ["Link", /export function parseLinks/],
  ["interval of polling", /pollFrequency/],
  ["Retry-After", /retry-after/i],
  ["waiting at a boundary", /AsyncBoundary/],
  ["logout on 401", /401/],
  ["batches", /export function batch\b/],
  ["replay", /recording/i],
];

Deno.test("14.5 each of ten guesses leads to one line of ARCHITECTURE.md, whose file is about it", async () => {
  const table = await whereThingsAre();
  assert(table.size > 25, `${table.size} lines: the table is not read`);
  for (const [words, inFile] of GUESSES) {
    const hits = [...table].filter(([what]) => what.includes(words));
    assertEquals(hits.length, 1, `${words}: ${hits.map(([what]) => what)}`);
    const [[, [file = ""]]] = hits as [[string, string[]]];
    assert(inFile.test(await Deno.readTextFile(ROOT + file)), `${file} says nothing of ${words}`);
  }
});

Deno.test("14.5 every file that ARCHITECTURE.md names where things are is there", async () => {
  const missing: string[] = [];
  for (const files of (await whereThingsAre()).values()) {
    for (const file of files) await Deno.stat(ROOT + file).catch(() => missing.push(file));
  }
  assertEquals(missing, []);
});
