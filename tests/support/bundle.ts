/** Bundles an app that uses the library. */
import * as esbuild from "esbuild";
import { denoSpecifiers } from "../../scripts/deno_specifiers.ts";
import { ROOT } from "../repo/module_graph.ts";

/** The repository's files that the minified bundle of an app contains code of. */
export async function bundledFiles(app: string): Promise<string[]> {
  const { metafile } = await esbuild.build({
    stdin: { contents: app, resolveDir: ROOT, sourcefile: "app.ts" },
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    metafile: true,
    write: false,
    logLevel: "silent",
    plugins: [denoSpecifiers],
  });
  const [output] = Object.values(metafile.outputs);
  return Object.entries(output!.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
}
