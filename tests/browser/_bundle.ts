/**
 * Bundles the pages of these tests as an app would: minified, from the published entries.
 *
 * @module
 */
import * as esbuild from "esbuild";
import type { Page } from "playwright-core";
import { denoSpecifiers } from "../../scripts/deno_specifiers.ts";

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);

/** A bundled page. */
export interface Bundle {
  /** The code of the script. */
  readonly code: string;
  /** The files that it contains. */
  readonly inputs: readonly string[];
}

/** Makes a function that calls a function in a page with the page's own functions. */
export function inPageOf<Test>() {
  return async <R, A>(page: Page, run: (test: Test, arg: A) => R | Promise<R>, arg?: A): Promise<R> =>
    await page.evaluate(
      // deno-lint-ignore no-eval -- the function is of a test, and runs in the page
      ([source, given]) => (0, eval)(source as string)((globalThis as { page?: unknown }).page, given),
      [`(${run})`, arg],
    ) as R;
}

/** Bundles files of this folder, by name. */
export async function bundle(...names: readonly string[]): Promise<Map<string, Bundle>> {
  try {
    const bundles = await Promise.all(names.map(async (name) => {
      const { outputFiles, metafile } = await esbuild.build({
        entryPoints: [`${ROOT}tests/browser/${name}`],
        absWorkingDir: ROOT,
        bundle: true,
        minify: true,
        format: "esm",
        target: "es2022",
        jsx: "automatic",
        jsxImportSource: "preact",
        metafile: true,
        write: false,
        logLevel: "silent",
        plugins: [denoSpecifiers],
      });
      return [name, { code: outputFiles[0]!.text, inputs: Object.keys(metafile.inputs) }] as const;
    }));
    return new Map(bundles);
  } finally {
    await esbuild.stop();
  }
}
