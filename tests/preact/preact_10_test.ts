import { assert, assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };

const ROOT = new URL("../../", import.meta.url);
/**
 * The tests of code that uses private fields of Preact. All other code depends on it. Other tests run with Preact 11.
 */
const FILES = ["async_boundary_test.tsx", "error_boundary_test.tsx", "leases_test.tsx", "hooks_more_test.tsx"];

async function copy(from: URL, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copy(new URL(`${name}/`, from + "/"), `${to}/${name}`);
    else await Deno.copyFile(new URL(`${from}/${name}`), `${to}/${name}`);
  }
}
async function deno(cwd: string, ...args: string[]): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), { args, cwd, env: { NO_COLOR: "1" } });
  const { success, stdout, stderr } = await command.output(), text = new TextDecoder();
  assert(success, text.decode(stdout) + text.decode(stderr));
  return text.decode(stdout);
}

for (const range of ["10.25.0", "^10"]) {
  Deno.test(`hooks and boundaries do the same on preact@${range}, when an import map names it`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      for (const part of ["src", "tests/preact", "tests/support"]) await copy(new URL(part, ROOT), `${folder}/${part}`);
      for (const entry of ["mod.ts", "core.ts"]) await Deno.copyFile(new URL(entry, ROOT), `${folder}/${entry}`);
      const preact = `npm:preact@${range}`, { imports, compilerOptions } = config;
      const mapped = { ...imports, preact, "npm:preact@^11": preact, "npm:preact@^11/hooks": `${preact}/hooks` };
      const json = JSON.stringify({ nodeModulesDir: "none", compilerOptions, imports: mapped });
      await Deno.writeTextFile(`${folder}/deno.json`, json);
      const { npmPackages } = JSON.parse(await deno(folder, "info", "--json", "--no-lock", `tests/preact/${FILES[0]}`));
      const copies = Object.keys(npmPackages).filter((name) => /^preact@/.test(name));
      assertEquals(
        [copies.length, copies[0]!.startsWith(`preact@${range.replace("^10", "10.")}`)],
        [1, true],
        copies.join(),
      );
      await deno(folder, "test", "-A", "--no-check", "--no-lock", ...FILES.map((name) => `tests/preact/${name}`));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
