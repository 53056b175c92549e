/**
 * How many bytes an app loads: `deno task bench --size`. Each row is a bundle of what such an app imports, minified,
 * with the UI library and signals left out, for those are there anyway. The peers that are no development dependencies
 * are installed into a folder of their own, and left out where that cannot be done.
 *
 * @module
 */
import { build } from "esbuild";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { denoSpecifiers } from "../scripts/deno_specifiers.ts";
import { installPeers, PEERS, versionOf } from "./peers.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Where a bundle's imports are found: here, or in the folder into which the peers are installed. */
type Home = "repository" | "peers";

/** An app: what it imports. */
export interface Row {
  readonly name: string;
  readonly code: string;
  readonly home: Home;
  /** Whose version is printed. */
  readonly packages: readonly string[];
}

/** What a bundle weighs. */
export interface Size {
  readonly min: number;
  readonly gzip: number;
  readonly brotli: number;
}

/** One line of the table; without a size where the peer is not to be had. */
export interface SizeRow {
  readonly group: string;
  readonly name: string;
  readonly size: Size | undefined;
}

/** Our own row is the first of each group. */
export const GROUPS: Readonly<Record<string, readonly Row[]>> = {
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

/** Bundles some code as an app would, and weighs it. */
export async function sizeOf(code: string, resolveDir: string): Promise<Size> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir, loader: "ts" },
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
    plugins: [denoSpecifiers],
  });
  const { contents } = outputFiles[0]!;
  return { min: contents.length, gzip: gzipSync(contents).length, brotli: brotliCompressSync(contents).length };
}

/** Weighs everything. What cannot be bundled here has no size. */
export async function measureSizes(): Promise<SizeRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "rejoin-size-"));
  try {
    await installPeers(folder);
    const rows: SizeRow[] = [];
    for (const [group, ofGroup] of Object.entries(GROUPS)) {
      for (const { name, code, home, packages } of ofGroup) {
        const resolveDir = home === "repository" ? ROOT : folder;
        const versions = await Promise.all(packages.map((name) => versionOf(name, resolveDir)));
        // Our own that cannot be bundled is an error; a peer's is a gap in the table.
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

/** The table as text. */
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
