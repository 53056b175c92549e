/** Bundles the demo's page for the browser. */
import * as esbuild from "esbuild";
import { directImports } from "../scripts/direct_imports.ts";
import { denoSpecifiers } from "../scripts/deno_specifiers.ts";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** The bundle. */
export interface Bundle {
  /** By their name in the URL: `"/app/main.js"`. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** What the page's script imports before it runs. */
  readonly preload: readonly string[];
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

/**
 * Bundles the scripts of the page.
 *
 * @throws {Error} If a source has an error; the message names file and line.
 */
export async function bundle(): Promise<Bundle> {
  const outdir = join(ROOT, "demo/dist");
  try {
    const { outputFiles, metafile: { outputs } } = await esbuild.build({
      entryPoints: [join(ROOT, "demo/app/main.tsx")],
      absWorkingDir: ROOT,
      outdir,
      bundle: true,
      splitting: true,
      format: "esm",
      target: "es2022",
      jsx: "automatic",
      jsxImportSource: "preact",
      // The server names the map in a header: a comment in each script would be loaded by everybody.
      sourcemap: "external",
      minify: true,
      define: { TWELVE_LINES: JSON.stringify(await Deno.readTextFile(join(ROOT, "demo/app/twelve.tsx"))) },
      write: false,
      metafile: true,
      logLevel: "silent",
      plugins: [production, denoSpecifiers],
    });
    const files = new Map(outputFiles.map((file) => [
      `/app/${file.path.slice(outdir.length + 1).replaceAll("\\", "/")}`,
      new Uint8Array(file.contents),
    ]));
    const preload = new Set<string>();
    const visit = (name: string): void => {
      for (const { path, kind } of outputs[name]?.imports ?? []) {
        if (kind !== "import-statement" || preload.has(path)) continue;
        preload.add(path);
        visit(path);
      }
    };
    visit("demo/dist/main.js");
    return { files, preload: Array.from(preload, (path) => path.replace("demo/dist", "/app")) };
  } finally {
    await esbuild.stop();
  }
}
