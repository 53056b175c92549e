/** Codes and sentences cannot part: what the sources say by a code has a sentence, and each sentence is said. */
import { assert, assertEquals } from "@std/assert";
import { TEXTS } from "../../src/dev/mod.ts";
import { ROOT, shippedFiles } from "./module_graph.ts";

/** The codes that the sources say, and where. */
async function codesSaid(): Promise<Map<number, string>> {
  const codes = new Map<number, string>();
  for (const file of await shippedFiles()) {
    if (file.endsWith("/texts.ts")) continue;
    // `said(cond ? 114 : 118, …)` says two.
    for (
      const [, codesIn = ""] of (await Deno.readTextFile(file)).matchAll(
        /\b(?:said|refuse|error|urlError)\(\s*([^,;{)]*)/g,
      )
    ) {
      for (const [code] of codesIn.matchAll(/\b\d{3}\b/g)) codes.set(Number(code), file.slice(ROOT.length));
    }
  }
  return codes;
}

Deno.test("every code that is said has a sentence, and every sentence is said", async () => {
  const said = await codesSaid();
  const known = TEXTS.flatMap((texts) => Object.keys(texts).map(Number));
  assertEquals([...said].filter(([code]) => !known.includes(code)), [], "codes without a sentence");
  assertEquals(known.filter((code) => !said.has(code)), [], "sentences that nobody says");
  assertEquals(known.filter((code, at) => known.indexOf(code) < at), [], "codes of two sentences");
});

Deno.test("docs/errors.md has a section for every code", async () => {
  const page = await Deno.readTextFile(`${ROOT}docs/errors.md`);
  const sections = new Set([...page.matchAll(/^### (\d+)$/gm)].map(([, code]) => Number(code)));
  const known = TEXTS.flatMap((texts) => Object.keys(texts).map(Number));
  assertEquals(known.filter((code) => !sections.has(code)), [], "codes without a section");
  assertEquals([...sections].filter((code) => !known.includes(code)), [], "sections of no code");
});

/** The sections of codes that lack one of their parts, and which. */
function incomplete(page: string): string[] {
  return page.split(/^(?=### \d+$)/m).slice(1).flatMap((section) => {
    const [, code, said = "", shown = ""] = /^### (\d+)\n+([\s\S]*?)(<!-- facts[\s\S]*|$)$/.exec(section)!;
    return [
      ...(said.trim() ? [] : [`${code}: what happened`]),
      ...(/^```text\n[\s\S]+?^```$/m.test(shown) ? [] : [`${code}: how it looks`]),
      ...(/^```diff\n(?:.*\n)*?\+ .*\n(?:.*\n)*?```$/m.test(shown) ? [] : [`${code}: what to write`]),
    ];
  });
}

Deno.test("17. a section of a code that lacks a part is found", () => {
  const look = "<!-- facts {} -->\n\n```text\nOdd\n```\n\n";
  const page = [
    `### 1\n\nOdd.\n\n${look}\`\`\`diff\n- a\n+ b\n\`\`\`\n\n`,
    `### 2\n\nOdd.\n\n${look}\`\`\`diff\n- a\n\`\`\`\n\n`,
    `### 3\n\n${look}\n`,
    `### 4\n\nOdd.\n`,
  ].join("");
  assertEquals(incomplete(page), [
    "2: what to write",
    "3: what happened",
    "3: what to write",
    "4: how it looks",
    "4: what to write",
  ]);
});

Deno.test("17. every code's section says what happened, how it looks, and what to write", async () => {
  assertEquals(incomplete(await Deno.readTextFile(`${ROOT}docs/errors.md`)), []);
});

Deno.test("17. what docs/errors.md shows as a message is what the sentence of its code says", async () => {
  const page = await Deno.readTextFile(`${ROOT}docs/errors.md`);
  const sentences: Readonly<Record<number, (facts: never) => string>> = Object.assign({}, ...TEXTS);
  const shown = [
    ...page.matchAll(/^### (\d+)\n(?:(?!^###)[\s\S])*?^<!-- facts (.*) -->\n\n```text\n([\s\S]*?)\n```/gm),
  ];
  assertEquals(shown.length, page.split("<!-- facts").length - 1);
  assert(shown.length >= 10, `${shown.length} messages`);
  for (const [, code, facts = "", text = ""] of shown) {
    assertEquals(text.replaceAll("\n", " "), sentences[Number(code)]!(JSON.parse(facts) as never), `code ${code}`);
  }
});
