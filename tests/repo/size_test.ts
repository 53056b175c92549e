/** How much an app loads, and of what: what it does not name is not in its bundle. */
import { assert, assertEquals } from "@std/assert";
import * as esbuild from "esbuild";
import { GROUPS, sizeOf } from "../../bench/size.ts";
import { bundledFiles } from "../support/bundle.ts";
import { ROOT } from "./module_graph.ts";

/** Bytes of brotli, preact and signals not counted: what was measured when it was last decided, and one percent. */
const BOUNDS: Readonly<Record<string, number>> = {
  "what README.md teaches": 57_090,
  "normalize only": 6_740,
  "resources, no UI": 43_520,
  "classes of the older line": 43_150,
  "app with hooks": 50_420,
};

/** Folders and files of which an app that names something else is to have nothing. */
const ABSENT: readonly [what: string, app: string, absent: RegExp][] = [
  [
    "normalize and denormalize: no store, no views, no REST",
    `export { denormalize, Entity, normalize } from "./core.ts";`,
    /src\/(store|controller|rest|http|managers|endpoint|deps)\/|_views?\.ts$|\/(graph|view_maker|reuse|args_key)\.ts$/,
  ],
  [
    "resources whose lists are arrays: no collections, temporary ids, relations and values",
    `export { All, Controller, createResource, Entity, Query } from "./core.ts";`,
    /src\/(collections|parts)\/|src\/schemas\/(has_\w+|relation|lazy|values|array|object|entity_mixin|validate_required)\.ts$/,
  ],
  [
    "a controller: no REST",
    `export { Controller, Endpoint } from "./core.ts";`,
    /src\/(rest|http|managers|signals|preact)\/|src\/schemas\/(all|query|union|collection)\.ts$/,
  ],
  [
    "resources that name no union: no unions",
    `export { Controller, createResource, Entity, Query } from "./core.ts"; export { Resource } from "./src/legacy/mod.ts";`,
    /src\/schemas\/(union|item_definition|invalidate)\.ts$/,
  ],
  [
    "resources: no memory",
    `export { Controller, createResource, Entity } from "./core.ts";`,
    /src\/parts\//,
  ],
  [
    "resources: no steps of a request, and nothing of what they need",
    `export { Controller, createResource, Entity, resource } from "./core.ts";`,
    /src\/rest\/(steps\/|(batcher|batch_options|conditional_read|etag|version_note|conflict|cache_control)\.ts$)|redirect\.ts/,
  ],
  [
    "an app with hooks: no polling, streams, tools, scopes, snapshots, recordings, explanations",
    `export { Controller, Entity, resource } from "./core.ts";
    export { AsyncBoundary, DataProvider, useController, useSuspense } from "./src/preact/mod.ts";`,
    /src\/(inspector|preact\/mounted|managers\/(?!focus_manager|healing|_origin|_page|_sessions|_watched)|parts\/(?!memory\/(?!bound)|temporary_ids\/)|rest\/steps|legacy|preact\/use_(?!controller|read|suspense))/,
  ],
  [
    "a controller of the app's own: nothing of what a DataProvider brings",
    `export { Controller, Entity } from "./core.ts"; export { ControllerProvider, useQuery } from "./src/preact/mod.ts";`,
    /src\/(parts|managers\/(?!healing|_origin|_page))/,
  ],
  [
    "nothing: an import for its effects has none",
    `import "./core.ts"; import "./src/legacy/mod.ts";`,
    /src\/(?!errors\/(rejoin_error|report_error|schema_error|texts)|schemas\/(entity|interface|query_key|pk_text)\.ts)/,
  ],
];

/** How README.md names the groups, each behind its kB. */
const SAID: Readonly<Record<string, string>> = {
  "what README.md teaches": "for the first example above",
  "normalize only": "to normalize only",
  "resources, no UI": "for resources without a UI",
  "classes of the older line": "for the class form of 5.0",
  "app with hooks": "for an app with hooks",
};

Deno.test("an app loads no more than was decided, and nothing of what it does not name", async (t) => {
  const readme = (await Deno.readTextFile(`${ROOT}README.md`)).replaceAll(/\s+/g, " ");
  try {
    for (const [group, [ours]] of Object.entries(GROUPS)) {
      await t.step(group, async () => {
        const { brotli } = await sizeOf(ours!.code, ROOT);
        const bound = BOUNDS[group];
        assert(bound !== undefined, `"${group}" has no bound in ${import.meta.url}`);
        assert(
          brotli <= bound,
          `"${group}" is ${brotli} bytes, more than ${bound}. \`esbuild --analyze\` and its metafile show what came. If it is ` +
            `worth it, write ${Math.ceil(brotli * 1.01 / 10) * 10} into BOUNDS, and say in CHANGELOG.md what for`,
        );
        assert(brotli > bound * 0.9, `"${group}" is only ${brotli} bytes now: lower its bound, so that it stays there`);
        const said = Number(new RegExp(`([\\d.]+) kB ${SAID[group]}`).exec(readme)?.[1]);
        const kB = brotli / 1000;
        assert(Math.abs(said - kB) < 0.02 * kB, `README.md says ${said} kB ${SAID[group]}: write ${kB.toFixed(1)}`);
      });
    }
    await t.step("what an app with hooks loads more to take over the page of a server", async () => {
      const app = GROUPS["app with hooks"]![0]!.code;
      const takesOver = `export { hydrate } from "./core.ts"; export { readState } from "@rejoin/data/ssr";`;
      const hooks = ["useCache", "useDLE", "useError", "useFetch", "useLive", "useMutation", "usePrefetch"];
      const differences = await Promise.all(hooks.map(async (hook) => {
        // Names that a minifier gives elsewhere make one app differ by eighty bytes: it is the mean of several.
        const base = `${app} export { ${hook} as also } from "@rejoin/data/preact";`;
        const [without, withIt] = await Promise.all([sizeOf(base, ROOT), sizeOf(`${base} ${takesOver}`, ROOT)]);
        return withIt.brotli - without.brotli;
      }));
      const more = differences.reduce((sum, bytes) => sum + bytes, 0) / hooks.length;
      console.log(`to take over a page: ${Math.round(more)} bytes more (${differences.join(", ")})`);
      // 1.6 kB, as docs/server-rendering.md says.
      assert(more > 1_000 && more <= 1_650, `${more} bytes`);
    });
    await t.step("what an app with hooks loads more for every other hook together", async () => {
      const app = GROUPS["app with hooks"]![0]!.code;
      const [without, withAll] = await Promise.all([
        sizeOf(app, ROOT),
        sizeOf(`${app} export * from "@rejoin/data/preact";`, ROOT),
      ]);
      const more = withAll.brotli - without.brotli;
      console.log(`all hooks: ${more} bytes more`);
      assert(more > 2_000 && more <= 3_500, `${more} bytes`);
    });
    for (const [what, app, absent] of ABSENT) {
      await t.step(what, async () => {
        assertEquals((await bundledFiles(app)).filter((path) => absent.test(path)), []);
      });
    }
  } finally {
    await esbuild.stop();
  }
});
