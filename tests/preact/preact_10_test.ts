import { assert, assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { readSummary } from "../../scripts/test.ts";
import { ROOT } from "../repo/module_graph.ts";

/** What an app writes into its import map when it uses Preact 10. */
const PREACT_10 = {
  "npm:preact@^11": "npm:preact@^10",
  "npm:preact@^11/hooks": "npm:preact@^10/hooks",
};

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

Deno.test("everything that holds for hooks and boundaries holds with Preact 10 when an import map names it", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (const part of ["src", "tests/preact", "tests/support"]) await copy(`${ROOT}${part}`, `${folder}/${part}`);
    for (const entry of ["mod.ts", "core.ts"]) await Deno.copyFile(`${ROOT}${entry}`, `${folder}/${entry}`);
    const { nodeModulesDir: _, imports, compilerOptions } = config;
    await Deno.writeTextFile(
      `${folder}/deno.json`,
      JSON.stringify({
        nodeModulesDir: "none",
        compilerOptions,
        imports: { ...imports, preact: "npm:preact@^10", ...PREACT_10 },
      }),
    );
    const packages = Object.keys(
      JSON.parse(await deno(folder, "info", "--json", "--no-lock", "tests/preact/use_suspense_test.tsx")).npmPackages,
    );
    assertEquals(packages.filter((name) => name.startsWith("preact@")).map((name) => name.split(".")[0]), [
      "preact@10",
    ]);

    const files: string[] = [];
    for await (const { name } of Deno.readDir(`${folder}/tests/preact`)) {
      // A Suspense of Preact 10 does not do by itself what is asked of it there.
      if (name.endsWith("_test.tsx") && name !== "compat_suspense_test.tsx") files.push(`tests/preact/${name}`);
    }
    const summary = readSummary(await deno(folder, "test", "-A", "--no-check", "--no-lock", ...files));
    assert(summary !== undefined);
    assertEquals(summary.failed, 0);
    assert(files.length > 8 && summary.passed > 100, `${summary.passed} tests in ${files.length} files`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
