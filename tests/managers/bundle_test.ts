/** What an app leaves out is not in its bundle. */
import { assertEquals } from "@std/assert";
import * as esbuild from "esbuild";
import { bundledFiles } from "../support/bundle.ts";

/** Which managers' code remains in the minified bundle of an app. */
async function managersIn(app: string): Promise<string[]> {
  return (await bundledFiles(app)).flatMap((path) => /src\/managers\/(\w+_manager)\.ts$/.exec(path)?.[1] ?? []).sort();
}

const CASES: readonly [what: string, app: string, managers: readonly string[]][] = [
  [
    "a controller",
    `import { Controller } from "./mod.ts"; console.log(new Controller());`,
    [],
  ],
  [
    "hooks that read once",
    `import { ControllerProvider, useSuspense } from "./src/preact/mod.ts"; console.log(ControllerProvider, useSuspense);`,
    [],
  ],
  [
    "a provider that brings what a page needs",
    `import { DataProvider, useSuspense } from "./src/preact/mod.ts"; console.log(DataProvider, useSuspense);`,
    ["focus_manager"],
  ],
  [
    "useLive",
    `import { useLive } from "./src/preact/mod.ts"; console.log(useLive);`,
    ["polling_manager"],
  ],
  [
    "a LogoutManager",
    `import { Controller, LogoutManager } from "./mod.ts"; console.log(new Controller({ managers: [new LogoutManager()] }));`,
    ["logout_manager"],
  ],
  [
    "defaultManagers",
    `import { defaultManagers } from "./mod.ts"; console.log(defaultManagers());`,
    ["dev_tools_manager", "focus_manager", "polling_manager"],
  ],
];

Deno.test("a bundle holds the managers that its app names or its hooks need, and no other", async () => {
  try {
    for (const [what, app, managers] of CASES) assertEquals(await managersIn(app), managers, what);
  } finally {
    await esbuild.stop();
  }
});
