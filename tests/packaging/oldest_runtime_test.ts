import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { ROOT } from "../repo/module_graph.ts";

/** What Node 20 and browsers of its age have: of ES2024 the strings, but not the promises and maps. */
const LIB = ["es2023", "es2024.string", "esnext.disposable", "dom", "dom.iterable", "dom.asynciterable"];

/** The type errors of modules if the runtime has only {@linkcode LIB}. */
async function check(...modules: string[]): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    const { jsx: _, jsxImportSource: __, ...compilerOptions } = config.compilerOptions;
    await Deno.writeTextFile(
      `${folder}/deno.json`,
      JSON.stringify({ compilerOptions: { ...compilerOptions, lib: LIB }, nodeModulesDir: "none", lock: false }),
    );
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "--config", `${folder}/deno.json`, ...modules],
      env: { NO_COLOR: "1" },
    }).output();
    return success ? "" : new TextDecoder().decode(stderr);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("a module is refused when it uses what the oldest runtime lacks", async () => {
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(
      file,
      "export const sorted = [2, 1].toSorted(), text = 'a'.toWellFormed();\nexport const later = Promise.withResolvers();",
    );
    const output = await check(file);
    assertStringIncludes(output, "withResolvers");
    assertEquals(output.match(/^TS\d+/gm)?.length, 1, output);
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("the library uses what the oldest runtime has when src is as it is", async () => {
  const entries = Object.values(config.exports).map((entry) => `${ROOT}${entry}`);
  assert(entries.length >= 3);
  assertEquals(await check(...entries), "");
});
