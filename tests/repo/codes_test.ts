/** Every code has a sentence, a line in docs/reference/errors.md, and a place in `src/` that uses it. */
import { assertEquals } from "@std/assert";
import { ROOT } from "./documents.ts";

/** The numbers that a pattern finds in a text, without duplicates, sorted. */
function numbersIn(text: string, pattern: RegExp): number[] {
  return [...new Set([...text.matchAll(pattern)].map(([, code]) => Number(code)))].sort((a, b) => a - b);
}
const sentences = (text: string) => numbersIn(text, /^ {2}(\d+): /gm);
const documented = (text: string) => numbersIn(text, /^\| +(\d+) +\|/gm);
const thrown = (text: string) => numbersIn(text, /(?:\bnew \w+Error|\bwarn|\bsuper)\(\s*(\d{3,4})\b/g);

/** The texts of all files in a folder, joined. */
async function textOf(folder: string): Promise<string> {
  let text = "";
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    text += isDirectory ? await textOf(`${folder}/${name}`) : await Deno.readTextFile(`${folder}/${name}`);
  }
  return text;
}

Deno.test("each code that is thrown has a sentence, and each sentence is thrown", async () => {
  const codes = sentences(await Deno.readTextFile(`${ROOT}src/dev/texts.ts`));
  assertEquals(thrown(await textOf(`${ROOT}src`)), codes);
});

Deno.test("docs/reference/errors.md has one line for each code", async () => {
  const page = await Deno.readTextFile(`${ROOT}docs/reference/errors.md`);
  assertEquals(documented(page), sentences(await Deno.readTextFile(`${ROOT}src/dev/texts.ts`)));
  assertEquals([...page.matchAll(/^\| +\d+ +\|/gm)].length, documented(page).length, "a code has two lines");
});

Deno.test("the codes of a text are found, also where a call is broken over lines", () => {
  assertEquals(sentences("  201: (key) =>\n  202: () => x\n    9: no"), [201, 202]);
  assertEquals(documented("| code | x |\n| 201  | y |\n| 1101 | z |"), [201, 1101]);
  assertEquals(thrown('throw new UrlError(501, [path]); warn(\n  205, "a"); super(402); wait(300)'), [205, 402, 501]);
});
