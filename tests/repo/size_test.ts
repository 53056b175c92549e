/** How much an app loads, and that its bundle has nothing that it does not import. */
import { assertEquals } from "@std/assert";
import { FEATURES, GROUPS, sizeOf } from "../../bench/size.ts";
import { bundledFiles } from "../support/bundle.ts";
import { ROOT } from "./module_graph.ts";
import { holds } from "./open_walls.ts";

/** The most bytes of brotli, without preact and signals. */
const WALLS: Readonly<Record<string, number>> = {
  "what README.md teaches": 16_000,
  "app with hooks": 14_000,
  "resources, no UI": 12_000,
  "classes of the older line": 13_000,
  "normalize only": 3_300,
};

const APP = GROUPS["app with hooks"]![0]!.code;

const more = async (base: string, code: string) =>
  (await sizeOf(base + code, ROOT)).brotli - (await sizeOf(base, ROOT)).brotli;

for (const [group, wall] of Object.entries(WALLS)) {
  Deno.test(`size: ${group} is at most ${wall} bytes`, async () => {
    const { brotli } = await sizeOf(GROUPS[group]![0]!.code, ROOT);
    holds(group, brotli, wall, "The metafile of esbuild shows what came.");
  });
}

Deno.test("size: to take over the page of a server is at most 1,500 bytes more than an app with hooks", async () => {
  const bytes = await more(APP, FEATURES["server rendering, in the browser"]!);
  holds("to take over a page", bytes, 1_500);
});

Deno.test("size: all hooks are at most 3,000 bytes more than an app with hooks", async () => {
  const bytes = await more(APP, `export * from "@rejoin/data/preact";`);
  holds("all hooks", bytes, 3_000);
});

/** Files that must be missing from the bundle of an app. */
const ABSENT: readonly [what: string, app: string, absent: RegExp][] = [
  [
    "normalize and denormalize: no store, no REST",
    `export { denormalize, Entity, normalize } from "./core.ts";`,
    /src\/(rest|http|controller|parts|endpoint)\/|store\/(store|commit|layers|answers)\.ts$/,
  ],
  [
    "resources whose lists are arrays: no collections, temporary ids, relations and values",
    `export { All, Controller, createResource, Entity, Query } from "./core.ts";`,
    /src\/parts\/|src\/schemas\/(collection|has_\w+|lazy|values|entity_mixin)\.ts$/,
  ],
  [
    "a controller: no REST",
    `export { Controller, Endpoint } from "./core.ts";`,
    /src\/(rest|signals|preact|parts)\//,
  ],
  [
    "an app with hooks: only the parts that a DataProvider brings",
    `export { Controller, Entity, resource } from "./core.ts";
    export { AsyncBoundary, DataProvider, useController, useSuspense } from "./src/preact/mod.ts";`,
    /src\/(inspector|ssr|testing|legacy|dev)\/|src\/parts\/(?!memory|focus|temporary_ids|page)|preact\/use_(?!controller|read|suspense)/,
  ],
  [
    "nothing: an import for its effects has none",
    `import "./core.ts"; import "./src/legacy/mod.ts"; import "./src/signals/mod.ts";`,
    /src\/(?!errors\/|plain\/|deps\/)/,
  ],
];

for (const [what, app, absent] of ABSENT) {
  Deno.test(`bundle of ${what}`, async () => {
    assertEquals((await bundledFiles(app)).filter((file) => absent.test(file)), []);
  });
}
