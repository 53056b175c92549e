/**
 * Runs the TypeScript of all documents and checks its results, or only of the given ones: `deno test -A
 * tests/docs/examples_test.ts -- docs/start.md`. The types are checked in tests/repo.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { documents, ROOT } from "../repo/documents.ts";
import { type Example, examplesOf } from "../../scripts/examples.ts";

const HELPERS = new URL("./_helpers.ts", import.meta.url).href;

/** Runs examples in one process, each as a test; examples of one page run in order. */
async function run(examples: readonly Example[]): Promise<{ success: boolean; output: string }> {
  const folder = await Deno.makeTempDir();
  try {
    const tests = new Map<string, string>();
    for (const [at, { page, line, language, code }] of examples.entries()) {
      const file = `${folder}/example_${at}.${language}`;
      await Deno.writeTextFile(file, code);
      const test = `${folder}/${page.replaceAll(/\W/g, "_")}_test.ts`;
      const before = tests.get(test) ?? `import { ended } from "${HELPERS}";\n`;
      const name = JSON.stringify(`${page}:${line}`);
      tests.set(
        test,
        `${before}Deno.test(${name}, async () => { try { await import("${file}"); } finally { await ended(); } });\n`,
      );
    }
    for (const [file, text] of tests) await Deno.writeTextFile(file, text);
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "--no-check", "--parallel", "--config", `${ROOT}deno.json`, ...tests.keys()],
      cwd: ROOT,
      env: { NO_COLOR: "1" },
    }).output();
    return { success, output: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("what a page says that comes out is refused when something else does", async () => {
  const page = [
    "<!-- setup",
    `serve(() => Response.json({ n: 1 }));`,
    "-->",
    "",
    "```ts",
    `const { n } = await (await fetch("https://api.example.com/")).json();`,
    "n; // → 1",
    "[n, n].map((n) => ({ n }));",
    "// → [",
    "//   { n: 1 },",
    "//   { n: 1 },",
    "// ]",
    `await Promise.reject(new TypeError("no way")); // throws TypeError: no`,
    "const m = n + 1; // → 2",
    "```",
    "",
    "```ts",
    "1 + 1; // → 3",
    "```",
    "",
    "```ts",
    "Math.max(1, 2); // throws TypeError",
    "```",
    "",
    "```ts",
    `const text = "x";`,
    "```",
    "",
    "<!-- check",
    `text; // → "y"`,
    "-->",
    "",
  ];
  const { success, output } = await run(examplesOf("page.md", page.join("\n")));
  assert(!success);
  assertStringIncludes(output, "1 passed | 3 failed");
  assertStringIncludes(output, "page.md:6 ... ok");
  assertStringIncludes(output, "no TypeError was thrown");
});

Deno.test("the examples of the documents run, and come to what stands beside them", async () => {
  const named = Deno.args.filter((arg) => arg.endsWith(".md"));
  const examples: Example[] = [];
  for (const page of named.length === 0 ? await documents() : named) {
    examples.push(...examplesOf(page, await Deno.readTextFile(ROOT + page)).filter(({ isIgnored }) => !isIgnored));
  }
  assert(examples.length > 0, "no page has an example");
  const { success, output } = await run(examples);
  assert(success, output);
  assertEquals(/(\d+) passed/.exec(output)?.[1], String(examples.length));
});
