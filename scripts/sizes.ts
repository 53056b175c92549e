/**
 * Prints how many bytes of brotli an app loads: `deno run -A scripts/sizes.ts`, or the bytes of some names: `deno run
 * -A scripts/sizes.ts "Entity, normalize"`.
 *
 * @module
 */
import { FEATURES, GROUPS, measureFeatures, sizeOf } from "../bench/size.ts";

const root = decodeURIComponent(new URL("../", import.meta.url).pathname);

if (Deno.args.length > 0) {
  for (const names of Deno.args) {
    const { min, brotli } = await sizeOf(`export { ${names} } from "@rejoin/data/core";`, root);
    console.log(`${String(brotli).padStart(6)} brotli ${String(min).padStart(7)} minified  ${names}`);
  }
} else {
  for (const [group, [ours]] of Object.entries(GROUPS)) {
    const { min, brotli } = await sizeOf(ours!.code, root);
    console.log(`${String(brotli).padStart(6)} brotli ${String(min).padStart(7)} minified  ${group}`);
  }
  try {
    for (const [feature, bytes] of await measureFeatures()) {
      console.log(`${String(bytes).padStart(6)} more  ${feature}`);
    }
  } catch (error) {
    // A feature has a name that the entries do not export yet.
    console.log(`${Object.keys(FEATURES).length} features: ${String(error).split("\n").slice(0, 3).join(" ")}`);
  }
}
