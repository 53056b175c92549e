// Bytes (brotli 11) of what an app loads: esbuild, minified, es2022, for production; Preact and signals are external.
import { build } from "esbuild";
import { brotliCompressSync, constants } from "node:zlib";

const root = import.meta.dirname;
const uses = (names, from) => `import { ${names} } from "${root}/${from}"; export { ${names} };`;
const UI = "src/preact/mod.ts";
const cases = {
  "normalize only": uses("Entity, normalize, denormalize", "core.ts"),
  "resources": uses("All, Controller, createResource, Entity, Query", "core.ts"),
  "app with hooks and memory": uses("createResource, Entity", "core.ts") +
    uses("AsyncBoundary, DataProvider, useController, useQuery, useSuspense", UI),
  "README's example": uses("Entity, isEnding, keyOf, resource", "core.ts") +
    uses("AsyncBoundary, DataProvider, useController, useSuspense", UI),
};
const extra = process.argv.slice(2);
for (const one of extra) {
  const [names, from = "core.ts"] = one.split("@");
  cases[one] = uses(names, from);
}
export const size = async (contents) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    legalComments: "none",
    conditions: ["production"],
    external: ["preact", "preact/*", "@preact/*"],
    logLevel: "error",
  });
  const bytes = outputFiles[0].contents;
  return {
    min: bytes.length,
    brotli: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length,
  };
};
for (const [name, contents] of Object.entries(cases)) {
  try {
    const { min, brotli } = await size(contents);
    console.log(name.padEnd(32), String(min).padStart(7), "min", String(brotli).padStart(6), "brotli");
  } catch (error) {
    console.log(name.padEnd(32), String(error.message).split("\n")[1]);
  }
}
