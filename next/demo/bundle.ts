/** Bundles the demo's page for the browser. */
import * as esbuild from "esbuild";
import { directImports } from "../scripts/direct_imports.ts";
import { denoSpecifiers } from "../scripts/deno_specifiers.ts";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** The bundled files by their name in the URL: `"/app/main.js"`. */
export type Files = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** The bundles. */
export interface Bundle {
  readonly files: Files;
  /** Which files a script imports before it runs: `preload("/app/main.js")`. */
  preload(path: string): readonly string[];
  /** Whose code a script is, with what it imports before it runs, in bytes before they are packed. */
  shares(path: string): { readonly library: number; readonly preact: number; readonly demo: number };
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
      sourcemap: "linked",
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
    const nameOf = (path: string) => `demo/dist${path.slice("/app".length)}`;
    const preload = (path: string): string[] => {
      const wanted = new Set<string>();
      const visit = (name: string): void => {
        for (const { path, kind } of outputs[name]?.imports ?? []) {
          if (kind !== "import-statement" || wanted.has(path)) continue;
          wanted.add(path);
          visit(path);
        }
      };
      visit(nameOf(path));
      return [...wanted].map((name) => `/app${name.slice("demo/dist".length)}`);
    };
    const shares = (path: string) => {
      const shares = { library: 0, preact: 0, demo: 0 };
      for (const script of [path, ...preload(path)]) {
        for (const [file, { bytesInOutput }] of Object.entries(outputs[nameOf(script)]?.inputs ?? {})) {
          const isPreact = /node_modules\/(@?preact)/.test(file);
          shares[isPreact ? "preact" : file.startsWith("demo/") ? "demo" : "library"] += bytesInOutput;
        }
      }
      return shares;
    };
    return { files, preload, shares };
  } finally {
    await esbuild.stop();
  }
}
