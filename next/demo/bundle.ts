/**
 * Bundles the demo's pages for the browser.
 *
 * @module
 */
import * as esbuild from "esbuild";
import { directImports } from "../scripts/direct_imports.ts";
import { denoSpecifiers } from "../scripts/deno_specifiers.ts";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** The bundled files by their name in the URL: `"/app/main.js"`. */
export type Files = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** The bundles, as they are now. */
export interface Bundle {
  files(): Files;
  /** Which files a script imports before it runs: `preload("/app/main.js")`. */
  preload(path: string): readonly string[];
  /** Whose code a script is, with what it imports before it runs, in bytes before they are packed. */
  shares(path: string): { readonly library: number; readonly preact: number; readonly demo: number };
  /** Ends the watching. */
  stop(): Promise<void>;
}

/** As an app that is deployed: errors have codes, and the sentences that explain them stay in docs/errors.md. */
const production = directImports({
  apps: /demo\/app\/.*\.tsx?$/,
  first: join(ROOT, "demo/app/app.tsx"),
  replaced: { "@rejoin/data": "core.ts" },
  behind: namesOf,
});

/** The inspector says which components run: minified, they would be called `If` and `Lf`. */
function namesOf(source: string): string {
  const components = source.matchAll(/^(?:export )?function ([A-Z]\w*)\(/gm);
  return Array.from(components, ([, name]) => `${name}.displayName = "${name}";`).join(" ");
}

/** Bundles the Service Worker that has the API where there is no server. */
export async function bundleWorker(): Promise<Uint8Array> {
  try {
    const { outputFiles: [file] } = await esbuild.build({
      entryPoints: [join(ROOT, "demo/worker.ts")],
      absWorkingDir: ROOT,
      bundle: true,
      format: "iife",
      target: "es2022",
      minify: true,
      write: false,
      plugins: [denoSpecifiers],
    });
    return file!.contents;
  } finally {
    await esbuild.stop();
  }
}

/**
 * Bundles the scripts of the pages.
 *
 * @param onRebuild When given, sources are watched and this is told of every later bundle.
 * @throws {Error} If a source has an error; the message names file and line.
 */
export async function bundle(onRebuild?: () => void): Promise<Bundle> {
  let files: Files = new Map();
  let outputs: esbuild.Metafile["outputs"] = {};
  const preload = (path: string): string[] => {
    const wanted = new Set<string>();
    const visit = (name: string): void => {
      for (const { path, kind } of outputs[name]?.imports ?? []) {
        if (kind !== "import-statement" || wanted.has(path)) continue;
        wanted.add(path);
        visit(path);
      }
    };
    visit(`demo/dist${path.slice("/app".length)}`);
    return [...wanted].map((name) => `/app${name.slice("demo/dist".length)}`);
  };
  const shares = (path: string) => {
    const shares = { library: 0, preact: 0, demo: 0 };
    for (const script of [path, ...preload(path)]) {
      for (const [file, { bytesInOutput }] of Object.entries(outputs[`demo/dist${script.slice(4)}`]?.inputs ?? {})) {
        const isPreact = /node_modules\/(@?preact)/.test(file);
        shares[isPreact ? "preact" : file.startsWith("demo/") ? "demo" : "library"] += bytesInOutput;
      }
    }
    return shares;
  };
  const outdir = join(ROOT, "demo/dist");
  const keep: esbuild.Plugin = {
    name: "keep",
    setup(build) {
      build.onEnd(({ outputFiles = [], errors, metafile }) => {
        if (errors.length) return;
        outputs = metafile?.outputs ?? {};
        const first = files.size === 0;
        files = new Map(outputFiles.map((file) => [
          `/app/${file.path.slice(outdir.length + 1).replaceAll("\\", "/")}`,
          new Uint8Array(file.contents),
        ]));
        if (!first) onRebuild?.();
      });
    },
  };
  const options: esbuild.BuildOptions = {
    entryPoints: ["main", "grid", "visitor"].map((name) => join(ROOT, `demo/app/${name}.tsx`)),
    absWorkingDir: ROOT,
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    sourcemap: "linked",
    minify: !onRebuild,
    define: { TWELVE_LINES: JSON.stringify(await Deno.readTextFile(join(ROOT, "demo/app/twelve.tsx"))) },
    write: false,
    metafile: true,
    logLevel: onRebuild ? "warning" : "silent",
    // Who works on the demo has the words.
    plugins: [...onRebuild ? [] : [production], denoSpecifiers, keep],
  };
  if (!onRebuild) {
    try {
      await esbuild.build(options);
    } finally {
      await esbuild.stop();
    }
    return { files: () => files, preload, shares, stop: () => Promise.resolve() };
  }
  const context = await esbuild.context(options);
  await context.rebuild();
  await context.watch();
  return {
    files: () => files,
    preload,
    shares,
    async stop() {
      await context.dispose();
      await esbuild.stop();
    },
  };
}
