/** The files that docs/testing.md shows, run by the tools that they are for, with the packed package. */
import { assert, assertEquals } from "@std/assert";
import { pack } from "../../scripts/pack.ts";
import { ROOT } from "../repo/module_graph.ts";

/** Runs a program, and gives all that it said. */
async function run(cwd: string, program: string, ...args: string[]): Promise<{ success: boolean; output: string }> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, cwd, env: { NO_COLOR: "1" } }).output();
  return { success, output: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

const HAS_NODE = await run(".", "npm", "--version").then(() => true, () => false);
// Vitest 4 and later ask for another Node than the oldest one that the package is for.
const PACKAGES = ["preact@^11", "@preact/signals@^2", "happy-dom@^20", "vitest@^3", "vite@^7"];

let project = "";

Deno.test.beforeAll(async () => {
  if (!HAS_NODE) return;
  project = await Deno.makeTempDir();
  const tarball = `${project}/rejoin-data.tgz`;
  await pack(tarball);
  await Deno.writeTextFile(`${project}/package.json`, JSON.stringify({ private: true, type: "module" }));
  const { success, output } = await run(project, "npm", "install", "--no-audit", "--no-fund", tarball, ...PACKAGES);
  assert(success, output);
});

Deno.test.afterAll(async () => {
  if (project !== "") await Deno.remove(project, { recursive: true });
});

/** The whole file that the page shows in a language. */
async function shown(language: "js" | "jsx"): Promise<string> {
  const page = await Deno.readTextFile(`${ROOT}docs/testing.md`);
  const found = [...page.matchAll(new RegExp(`^\`\`\`${language} ignore\n(.*?)^\`\`\``, "gms"))];
  assertEquals(found.length, 1, `docs/testing.md shows one file in ${language}`);
  return found[0]![1]!;
}

/** A runner that runs nothing is content, too: the file must pass as it is shown, and fail when it expects something else. */
async function passes(file: string, code: string, counted: RegExp, args: readonly string[]): Promise<void> {
  await Deno.writeTextFile(`${project}/${file}`, code);
  const right = await run(project, "node", ...args);
  assert(right.success && counted.test(right.output), right.output);
  await Deno.writeTextFile(`${project}/${file}`, code.replaceAll('title: "Hello"', 'title: "Goodbye"'));
  const wrong = await run(project, "node", ...args);
  assert(!wrong.success && wrong.output.includes("Goodbye"), wrong.output);
}

Deno.test({
  name: "15. the file of docs/testing.md for node:test passes in Node with the packed package, and can fail",
  ignore: !HAS_NODE,
  async fn() {
    await passes("articles.test.mjs", await shown("js"), /^# pass 1$/m, ["--test", "articles.test.mjs"]);
  },
});

Deno.test({
  name: "15. the file of docs/testing.md for Vitest passes with the packed package, and can fail",
  ignore: !HAS_NODE,
  async fn() {
    const args = ["node_modules/vitest/vitest.mjs", "run", "articles.test.jsx"];
    await passes("articles.test.jsx", await shown("jsx"), /Tests\s+2 passed/, args);
    // With a global afterEach nobody need write it.
    const left = `// @vitest-environment happy-dom
      import { mount } from "@rejoin/data/testing";
      test("leaves", () => void mount("Hello"));
      test("finds nothing", () => expect(document.body.textContent).toBe(""));`;
    await Deno.writeTextFile(`${project}/left.test.js`, left);
    for (const [option, isClean] of [["--globals", true], ["--no-globals", false]] as const) {
      // The other one has no names of Vitest's own, and imports them.
      const code = isClean ? left : left.replace("import", `import { expect, test } from "vitest";\nimport`);
      await Deno.writeTextFile(`${project}/left.test.js`, code);
      const { success, output } = await run(project, "node", ...args.slice(0, 2), "left.test.js", option);
      assertEquals(success, isClean, output);
    }
  },
});
