import { assert, assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { readSummary } from "../../scripts/test.ts";
import { size } from "../support/property.ts";
import { ROOT } from "../repo/module_graph.ts";

/**
 * What is supported of Preact 10, its first and its newest release, and what an app writes into its import map for it.
 * Preact 11 is what all other tests run with.
 */
const RELEASES = ["10.25.0", "^10"].map((range) => ({
  range,
  imports: { "npm:preact@^11": `npm:preact@${range}`, "npm:preact@^11/hooks": `npm:preact@${range}/hooks` },
}));

/** The tests of what looks inside Preact: a quick run takes no others, for what stands on it is the same, the soak all. */
const INSIDE =
  /^(async_boundary|error_boundary|leases|use_suspense|use_infinite|exactness|hooks_leave|debug|devtools|compat_first)_test/;

async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copy(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}

async function deno(folder: string, ...args: readonly string[]): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  });
  const { success, stdout, stderr } = await command.output();
  const output = new TextDecoder().decode(stdout);
  assert(success, `deno ${args.join(" ")}:\n${output}\n${new TextDecoder().decode(stderr)}`);
  return output;
}

for (const { range, imports } of RELEASES) {
  Deno.test(`what holds for hooks, boundaries and pages of a server holds with preact@${range} when an import map names it`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      const parts = ["src", "tests/preact", "tests/ssr", "tests/support", "tests/testing"];
      for (const part of parts) await copy(`${ROOT}${part}`, `${folder}/${part}`);
      for (const entry of ["mod.ts", "core.ts"]) await Deno.copyFile(`${ROOT}${entry}`, `${folder}/${entry}`);
      const { nodeModulesDir: _, imports: names, compilerOptions } = config;
      await Deno.writeTextFile(
        `${folder}/deno.json`,
        JSON.stringify({
          nodeModulesDir: "none",
          compilerOptions,
          imports: { ...names, preact: `npm:preact@${range}`, ...imports },
        }),
      );
      const kit = ["effects", "render_data_hook"].map((name) => `tests/testing/${name}_test.tsx`);
      const files: string[] = ["tests/ssr/render_page_test.tsx", ...kit];
      for await (const { name } of Deno.readDir(`${folder}/tests/preact`)) {
        // A Suspense of Preact 10 does not do by itself what is asked of it there.
        if (!name.endsWith("_test.tsx") || name === "compat_suspense_test.tsx") continue;
        if (size(0, 1) === 1 || INSIDE.test(name)) files.push(`tests/preact/${name}`);
      }
      for (const file of ["tests/preact/use_suspense_test.tsx", "tests/ssr/render_page_test.tsx"]) {
        const { npmPackages } = JSON.parse(await deno(folder, "info", "--json", "--no-lock", file));
        const copies = Object.keys(npmPackages).filter((name) => name.startsWith("preact@"));
        assertEquals(copies.length, 1, copies.join());
        assert(copies[0]!.startsWith(range === "^10" ? "preact@10." : `preact@${range}`), copies[0]);
      }
      const summary = readSummary(await deno(folder, "test", "-A", "--no-check", "--no-lock", ...files));
      assert(summary !== undefined);
      assertEquals(summary.failed, 0);
      assert(files.length > 8 && summary.passed > 100, `${summary.passed} tests in ${files.length} files`);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
