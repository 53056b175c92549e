import { assert, assertEquals, assertMatch } from "@std/assert";
import { readSummary, verdict } from "../../scripts/test.ts";
import { ALONE, examplesIn, testModules } from "../../scripts/test_modules.ts";

Deno.test("readSummary takes the last summary when a test prints one of its own", () => {
  const output =
    "ok | 9 passed | 9 failed (1ms)\nx ... ok\n\nFAILED | 4 passed (1 step) | 2 failed (1 step) | 1 ignored (3s)\n";
  assertEquals(readSummary(output), { passed: 4, failed: 2 });
});

Deno.test("readSummary reads the numbers when the line is coloured", () => {
  assertEquals(readSummary("\n\x1b[0m\x1b[32mok\x1b[0m | 57 passed | 0 failed \x1b[0m\x1b[38;5;245m(322ms)\x1b[0m\n"), {
    passed: 57,
    failed: 0,
  });
});

Deno.test("readSummary reads nothing when the run broke off", () => {
  assertEquals(readSummary("error: Type checking failed.\n"), undefined);
});

Deno.test("verdict has a failure when the run did not end well", () => {
  assertEquals(verdict(undefined, false), { passed: 0, failed: 1 });
  assertEquals(verdict(undefined, true), { passed: 0, failed: 1 });
  assertEquals(verdict({ passed: 0, failed: 0 }, true), { passed: 0, failed: 1 });
  assertEquals(verdict({ passed: 5, failed: 0 }, false), { passed: 5, failed: 1 });
  assertEquals(verdict({ passed: 5, failed: 2 }, false), { passed: 5, failed: 2 });
  assertEquals(verdict({ passed: 5, failed: 0 }, true), { passed: 5, failed: 0 });
});

Deno.test("testModules has every file of tests once, and those that are alone by themselves", () => {
  const modules = testModules();
  const files = modules.flatMap((module) => module.files);
  assertEquals(new Set(files).size, files.length);
  for (const file of ALONE.keys()) {
    assert(files.some((each) => each === file || each.startsWith(`${file}/`)), `${file} is not among the tests`);
  }
  for (const { name, files } of modules) {
    const isAlone = [...ALONE.keys()].some((alone) => files.some((file) => `${file}/`.startsWith(`${alone}/`)));
    assertEquals(isAlone, name === files[0] && files.length === 1, name);
  }
});

Deno.test("examplesIn gives the blocks of docstrings, with the line of each, and nothing else", () => {
  const source = [
    "// ```ts",
    "const text = `/** no docstring",
    " * ```ts`;",
    "/**",
    " * Text.",
    " *",
    " * @example",
    " * ```ts",
    " * if (true) {",
    " *   run();",
    " * }",
    " * ```",
    " * ```sh",
    " * not run",
    " * ```",
    " * ```tsx",
    " * <p />;",
    " * ```",
    " */",
    "export const a = 1;",
  ].join("\n");
  assertEquals(examplesIn("src/a.ts", source), [
    { name: "src/a.ts:9", extension: "ts", code: "if (true) {\n  run();\n}" },
    { name: "src/a.ts:17", extension: "tsx", code: "<p />;" },
  ]);
});

Deno.test("same_globals fails the test that leaves a global changed, and no other", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const test = (name: string, code: string) => Deno.writeTextFile(`${folder}/${name}`, code);
    const sameGlobals = JSON.stringify(new URL("../support/same_globals.ts", import.meta.url).href);
    await test(
      "a_test.ts",
      `import ${sameGlobals};
      Deno.test("leaves it changed", () => void Object.assign(globalThis, { fetch: () => {} }));
      Deno.test("meets it as it was", () => { if (fetch.name !== "fetch") throw new Error("changed"); });
      Deno.test("leaves one more", () => void Object.assign(Object.prototype, { more: 1 }));`,
    );
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "--no-check", `${folder}/a_test.ts`],
      env: { NO_COLOR: "1" },
    }).output();
    const output = new TextDecoder().decode(stdout);
    assertEquals(readSummary(output), { passed: 1, failed: 2 });
    assertMatch(output, /globals changed: fetch[^]*globals changed: more/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
