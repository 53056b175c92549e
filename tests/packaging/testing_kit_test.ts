/** The files that docs/guides/testing.md shows, run by their test runners with the packed package. */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { ROOT } from "../repo/module_graph.ts";
import { Consumer, HAS_NPM, npmTest } from "./consumer.ts";

let consumer: Consumer | undefined;

Deno.test.beforeAll(async () => {
  if (HAS_NPM) consumer = await Consumer.open("testing_kit");
});

/** The whole file that the page shows in one language. */
async function shown(language: "js" | "jsx"): Promise<string> {
  const page = await Deno.readTextFile(`${ROOT}docs/guides/testing.md`);
  const found = [...page.matchAll(new RegExp(`^\`\`\`${language} ignore\n(.*?)^\`\`\``, "gms"))];
  assertEquals(found.length, 1, `docs/guides/testing.md shows one file in ${language}`);
  return found[0]![1]!;
}

/** A runner without tests also succeeds, so the file must pass as shown, and fail when it expects something else. */
async function passes(file: string, code: string, counted: RegExp, args: readonly string[]): Promise<void> {
  await consumer!.write(file, code);
  assertMatch(await consumer!.run("node", ...args), counted);
  await consumer!.write(file, code.replaceAll('title: "Hello"', 'title: "Goodbye"'));
  await assertRejects(() => consumer!.run("node", ...args), Error, "Goodbye");
}

npmTest(
  "15. the file of docs/guides/testing.md for node:test passes in Node with the packed package, and can fail",
  async () => {
    await passes("articles.test.mjs", await shown("js"), /^# pass 1$/m, ["--test", "articles.test.mjs"]);
  },
);

npmTest("15. the file of docs/guides/testing.md for Vitest passes with the packed package, and can fail", async () => {
  const args = [`${consumer!.modules}/vitest/vitest.mjs`, "run", "articles.test.jsx"];
  await passes("articles.test.jsx", await shown("jsx"), /Tests\s+2 passed/, args);
  // The same file is valid TypeScript.
  await consumer!.write("articles.test.tsx", await shown("jsx"));
  const compilerOptions = {
    module: "ESNext",
    moduleResolution: "Bundler",
    jsx: "react-jsx",
    jsxImportSource: "preact",
  };
  const options = { ...compilerOptions, target: "ES2022", strict: true, noEmit: true, skipLibCheck: true };
  await consumer!.write("tsconfig.json", JSON.stringify({ compilerOptions: options, files: ["articles.test.tsx"] }));
  await consumer!.checkTypes("tsconfig.json", "typescript-7");
});
