import { assert, assertEquals } from "@std/assert";
import * as errors from "../../src/errors/mod.ts";

const PAGE = new URL("../../docs/errors.md", import.meta.url);

/** Names of error classes without a section, and sections that no class stands behind. */
function mismatches(page: string, exported: Readonly<Record<string, unknown>>): string[] {
  const text = page.replaceAll(/^```[\s\S]*?^```$/gm, "");
  const sections = new Set([...text.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading.trim()));
  const classes = Object.entries(exported)
    .filter(([, value]) => typeof value === "function" && (value === Error || value.prototype instanceof Error))
    .map(([name]) => name);
  return [
    ...classes.filter((name) => !sections.has(name)).map((name) => `${name} has no section`),
    ...[...sections].filter((name) => !classes.includes(name)).map((name) => `"${name}" is no exported error`),
  ];
}

Deno.test("an error class without a section, and a section without a class, are found", () => {
  class OneError extends Error {}
  class TwoError extends Error {}
  const page = "# Errors\n\n## OneError\n\n```text\n## TwoError\n```\n\n### TwoError\n\n## ThreeError\n";
  assertEquals(mismatches(page, { OneError, TwoError, helper: () => {}, NUMBER: 1 }), [
    "TwoError has no section",
    '"ThreeError" is no exported error',
  ]);
});

/** The sections of classes: those of codes come behind them. */
async function errorsPage(): Promise<string> {
  return (await Deno.readTextFile(PAGE)).split(/^## Codes$/m)[0]!;
}

Deno.test("every exported error class has its section in docs/errors.md", async () => {
  assert(Object.keys(errors).length > 0);
  assertEquals(mismatches(await errorsPage(), errors), []);
});

Deno.test("every section of docs/errors.md says when, and what to do", async () => {
  const [, ...sections] = (await errorsPage()).split(/^## /m);
  const silent = sections.filter((section) => {
    const isBase = section.startsWith("RejoinError\n");
    return !section.includes("**When:**") || (!isBase && !section.includes("**Do:**"));
  });
  assertEquals(silent.map((section) => section.split("\n")[0]), []);
});
