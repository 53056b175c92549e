/**
 * How many bytes an app loads: `deno task bench --size`. Each row is a minified bundle of an app's imports, without the
 * UI library and signals, which the app has anyway. Peers that are no development dependencies are installed into a
 * temporary folder, and left out if that fails.
 *
 * @module
 */
import { build, type Plugin } from "esbuild";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzipSync } from "node:zlib";
import { denoSpecifiers } from "../scripts/deno_specifiers.ts";
import { installPeers, PEERS, versionOf } from "./peers.ts";

const brotli = promisify(brotliCompress);

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Where the imports of a bundle are resolved: in this repository, or in the folder with the installed peers. */
type Home = "repository" | "peers";

/** An app, as the code of its imports. */
export interface Row {
  readonly name: string;
  readonly code: string;
  readonly home: Home;
  /** The packages whose versions are printed. */
  readonly packages: readonly string[];
}

/** The sizes of a bundle, in bytes. */
export interface Size {
  readonly min: number;
  readonly gzip: number;
  readonly brotli: number;
}

/** One line of the table. It has no size if the peer cannot be installed. */
export interface SizeRow {
  readonly group: string;
  readonly name: string;
  readonly size: Size | undefined;
}

/** The apps by group. The first of each group is ours. */
export const GROUPS: Readonly<Record<string, readonly Row[]>> = {
  "what README.md teaches": [
    {
      name: "ours: resource with its lists, optimism and temporary ids, DataProvider with memory, hooks",
      code: `
        export { Entity, isEnding, keyOf, resource } from "@rejoin/data/core";
        export { AsyncBoundary, DataProvider, useController, useSuspense } from "@rejoin/data/preact";`,
      home: "repository",
      packages: [],
    },
  ],
  "normalize only": [
    {
      name: "ours: normalize, denormalize, Entity",
      code: `export { denormalize, Entity, normalize } from "@rejoin/data/core";`,
      home: "repository",
      packages: [],
    },
    {
      name: "normalizr: normalize, denormalize, schema",
      code: `export { denormalize, normalize, schema } from "normalizr";`,
      home: "repository",
      packages: ["normalizr"],
    },
    {
      name: "data-client: normalize, MemoCache",
      code: `export { MemoCache, normalize } from "@data-client/normalizr";`,
      home: "repository",
      packages: ["@data-client/normalizr"],
    },
  ],
  "resources, no UI": [
    {
      name: "ours: Controller, createResource, Entity, Query, All",
      code: `export { All, Controller, createResource, Entity, Query } from "@rejoin/data/core";`,
      home: "repository",
      packages: [],
    },
    {
      name: "data-client: core and rest",
      code: `
        export { Controller, createReducer, initialState, NetworkManager, SubscriptionManager } from "@data-client/core";
        import { createResource, Entity, Query, schema } from "@data-client/rest";
        export { createResource, Entity, Query };
        export const All = schema.All;`,
      home: "peers",
      packages: ["@data-client/core", "@data-client/rest"],
    },
  ],
  "classes of the older line": [
    {
      name: "ours: Controller, Resource",
      code: `export { Controller } from "@rejoin/data/core"; export { Resource } from "@rejoin/data/legacy";`,
      home: "repository",
      packages: [],
    },
  ],
  "app with hooks": [
    {
      name: "ours: the same, DataProvider, AsyncBoundary, hooks",
      code: `
        export { All, createResource, Entity, Query } from "@rejoin/data/core";
        export { AsyncBoundary, DataProvider, useController, useQuery, useSuspense } from "@rejoin/data/preact";`,
      home: "repository",
      packages: [],
    },
    {
      name: "data-client: the same, CacheProvider, hooks",
      code: `
        export { AsyncBoundary, CacheProvider, useController, useQuery, useSuspense } from "@data-client/react";
        import { createResource, Entity, Query, schema } from "@data-client/rest";
        export { createResource, Entity, Query };
        export const All = schema.All;`,
      home: "peers",
      packages: ["@data-client/react", "@data-client/rest"],
    },
    {
      name: "TanStack: client, provider, useQuery, useMutation",
      code: `export { QueryClient, QueryClientProvider, useMutation, useQuery } from "@tanstack/preact-query";`,
      home: "peers",
      packages: ["@tanstack/preact-query"],
    },
  ],
};

/** The app with hooks to which each feature is added. */
const APP = `
  export { All, createResource, Entity, Query } from "@rejoin/data/core";
  export { AsyncBoundary, DataProvider, useController, useQuery, useSuspense } from "@rejoin/data/preact";`;

const core = (names: string) => `export { ${names} } from "@rejoin/data/core";`;
const preact = (names: string) => `export { ${names} } from "@rejoin/data/preact";`;

/** The additional imports for each feature. */
export const FEATURES: Readonly<Record<string, string>> = {
  "batch": core("batch"),
  "conditional": core("conditional"),
  "devtools": core("DevToolsManager"),
  "explain": core("explain"),
  "followRedirects": core("followRedirects"),
  "HasMany and HasOne": core("HasMany, HasOne"),
  "idempotencyKey": core("idempotencyKey"),
  "inspector": `export { inspect } from "@rejoin/data/inspector";`,
  "Lazy": core("Lazy"),
  "log": core("LogManager"),
  "logout": core("LogoutManager"),
  "resource, with Collections and temporary ids": core("resource"),
  "serial": core("serial"),
  "Sorter": core("Sorter"),
  "state": core("hydrate, stateOf"),
  "server rendering, in the browser": `${core("hydrate")} export { readState } from "@rejoin/data/ssr";`,
  "streams": core("eventStreamSource, StreamManager"),
  "Union": core("Union"),
  "Values": core("Values"),
  "useDebounce, useDeferredArgs, usePrevious": preact("useDebounce, useDeferredArgs, usePrevious"),
  "useInfinite, useSuspenseInfinite": preact("useInfinite, useSuspenseInfinite"),
  "useLive, useSubscription": preact("useLive, useSubscription"),
  "useCancelling, useLoading, useMutation": preact("useCancelling, useLoading, useMutation"),
  "usePrefetch": preact("usePrefetch"),
  "useCache, useDLE, useError, useFetch": preact("useCache, useDLE, useError, useFetch"),
  "useSelect, useSignalOf": preact("useSelect, useSignalOf"),
};

/** How many bytes of brotli each feature adds, by the name of its page. */
export async function measureFeatures(): Promise<Map<string, number>> {
  const apps = { "": APP, ...Object.fromEntries(Object.entries(FEATURES).map(([page, code]) => [page, APP + code])) };
  // One build for all, because it reads each file once.
  const bundles = await bundlesOf(apps, ROOT);
  const sizes = await Promise.all(
    [...bundles].map(async ([page, { contents }]) => [page, (await brotli(contents)).length] as const),
  );
  const without = sizes.find(([page]) => page === "")![1];
  return new Map(sizes.flatMap(([page, size]) => page === "" ? [] : [[page, Math.max(0, size - without)]]));
}

/** Prints features and their sizes. */
export function renderFeatures(sizes: ReadonlyMap<string, number>): string {
  const lines = [...sizes].map(([page, bytes]) => `    ${page.padEnd(24)} ${(bytes / 1000).toFixed(1).padStart(5)}`);
  return ["== What a feature is more, in kB of brotli, for an app with hooks; docs/ says it", ...lines].join("\n");
}

/** A bundle, and how many of its bytes come from each file. */
interface Bundle {
  readonly contents: Uint8Array;
  readonly files: ReadonlyMap<string, number>;
}

/** Bundles each piece of code as an app's bundler would. */
async function bundlesOf(codes: Readonly<Record<string, string>>, resolveDir: string): Promise<Map<string, Bundle>> {
  const names = Object.keys(codes);
  const virtual: Plugin = {
    name: "codes",
    setup(build) {
      build.onResolve({ filter: /^code-\d+$/ }, ({ path }) => ({ path, namespace: "code" }));
      build.onLoad({ filter: /./, namespace: "code" }, ({ path }) => ({
        contents: codes[names[Number(path.slice(5))]!]!,
        loader: "ts",
        resolveDir,
      }));
    },
  };
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    metafile: true,
    entryPoints: names.map((_, at) => ({ in: `code-${at}`, out: String(at) })),
    outdir: "out",
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    conditions: ["module", "import"],
    define: { "process.env.NODE_ENV": '"production"' },
    external: ["preact", "@preact/*", "npm:preact*", "npm:@preact/*", "react", "react-dom"],
    legalComments: "none",
    logLevel: "silent",
    plugins: [virtual, denoSpecifiers],
  });
  return new Map(outputFiles.map(({ path, contents }) => {
    const { inputs } = metafile.outputs[relative(ROOT, path)]!;
    const files = new Map(Object.entries(inputs).map(([file, { bytesInOutput }]) => [file, bytesInOutput]));
    return [names[Number(basename(path, ".js"))]!, { contents, files }];
  }));
}

/** How many bytes of brotli each file adds to the app with hooks, estimated by its share of the minified bytes. */
export async function sharesOf(): Promise<Map<string, number>> {
  const { contents, files } = (await bundlesOf({ APP }, ROOT)).get("APP")!;
  const ratio = (await brotli(contents)).length / contents.length;
  return new Map([...files].filter(([, bytes]) => bytes > 0).map(([file, bytes]) => [file, bytes * ratio]));
}

/** Bundles code as an app's bundler would, and measures it. */
export async function sizeOf(code: string, resolveDir: string): Promise<Size> {
  const { contents } = (await bundlesOf({ code }, resolveDir)).get("code")!;
  const [gzipped, brotlied] = [gzipSync(contents), await brotli(contents)];
  return { min: contents.length, gzip: gzipped.length, brotli: brotlied.length };
}

/** Measures all apps. Those that cannot be bundled here have no size. */
export async function measureSizes(): Promise<SizeRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "rejoin-size-"));
  try {
    await installPeers(folder);
    const rows: SizeRow[] = [];
    for (const [group, ofGroup] of Object.entries(GROUPS)) {
      for (const { name, code, home, packages } of ofGroup) {
        const resolveDir = home === "repository" ? ROOT : folder;
        const versions = await Promise.all(packages.map((name) => versionOf(name, resolveDir)));
        // If our own app cannot be bundled, that is an error; for a peer it is a gap in the table.
        const size = versions.includes(undefined) ? undefined : await sizeOf(code, resolveDir);
        const which = packages.map((name, index) => `${name}@${versions[index] ?? PEERS[name as keyof typeof PEERS]}`);
        rows.push({ group, name: which.length === 0 ? name : `${name} (${which.join(", ")})`, size });
      }
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Prints the table. */
export function renderSizes(rows: readonly SizeRow[]): string {
  const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1).padStart(7);
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = [`== Size in kB (1,000 bytes), minified ESM, without preact, react and signals`];
  let last = "";
  for (const { group, name, size } of rows) {
    if (group !== last) lines.push("", `  ${group.padEnd(width + 2)}    min    gzip  brotli`);
    last = group;
    const figures = size === undefined
      ? "  not installed"
      : `${kilobytes(size.min)} ${kilobytes(size.gzip)} ${kilobytes(size.brotli)}`;
    lines.push(`    ${name.padEnd(width)}${figures}`);
  }
  return lines.join("\n");
}
