/**
 * Bundles the demo's pages for the browser.
 *
 * @module
 */
import * as esbuild from "esbuild";
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
  /** Ends the watching. */
  stop(): Promise<void>;
}

/** As an app that is deployed: errors have codes, and the sentences that explain them stay in docs/errors.md. */
const production: esbuild.Plugin = {
  name: "production",
  setup(build) {
    build.onResolve({ filter: /^@rejoin\/data$/ }, () => ({ path: join(ROOT, "core.ts") }));
  },
};

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
    return { files: () => files, preload, stop: () => Promise.resolve() };
  }
  const context = await esbuild.context(options);
  await context.rebuild();
  await context.watch();
  return {
    files: () => files,
    preload,
    async stop() {
      await context.dispose();
      await esbuild.stop();
    },
  };
}
