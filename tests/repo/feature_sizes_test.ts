/** What a page of docs/ says that its feature adds to a bundle. `deno task bench --size` prints it. */
import { assert, assertEquals } from "@std/assert";
import * as esbuild from "esbuild";
import { measurePromises } from "../../bench/promises.ts";
import { measureFeatures } from "../../bench/size.ts";
import { ROOT } from "./module_graph.ts";

/**
 * Kilobytes by which a page may be wrong: what compresses well beside one app does less so beside the next, by some
 * hundred bytes, and not every change of the core is one of all pages.
 */
const TOLERANCE = 0.35;

/** What a page says below its title. */
function saidOn(page: string): number | undefined {
  const said = /^# .+\n\n_Adds (\d+\.\d) kB to an app with hooks\._$/m.exec(page)?.[1];
  return said === undefined ? undefined : Number(said);
}

Deno.test("17. each page says what its feature adds to a bundle", async () => {
  try {
    const sizes = await measureFeatures();
    assert(sizes.size > 25, `${sizes.size} features`);
    const wrong: string[] = [];
    for (const [name, bytes] of sizes) {
      const said = saidOn(await Deno.readTextFile(`${ROOT}docs/${name}.md`));
      if (said === undefined || Math.abs(said - bytes / 1000) > TOLERANCE) {
        wrong.push(`docs/${name}.md says ${said}: write _Adds ${(bytes / 1000).toFixed(1)} kB to an app with hooks._`);
      }
    }
    assertEquals(wrong, []);
  } finally {
    await esbuild.stop();
  }
});

Deno.test("17. a page that says nothing of its size has none", () => {
  assertEquals(saidOn("# Title\n\n_Adds 0.7 kB to an app with hooks._\n\nText"), 0.7);
  assertEquals(saidOn("# Title\n\nText\n\n_Adds 0.7 kB to an app with hooks._\n"), undefined);
});

Deno.test("14. bench/README.md says what the bytes of an app with hooks are for", async () => {
  try {
    const readme = await Deno.readTextFile(`${ROOT}bench/README.md`);
    const table = /^### What the bytes are for\n[^]*?^## /m.exec(readme)![0];
    const said = new Map(
      Array.from(table.matchAll(/^\| (\d+\.\d) +\| (.+?) +\|$/gm), ([, kB, promise]) => [promise!, Number(kB)]),
    );
    const costs = await measurePromises();
    const lines = Array.from(costs, ([promise, bytes]) => `| ${(bytes / 1000).toFixed(1)} | ${promise} |`).join("\n");
    assertEquals([...said.keys()].sort(), [...costs.keys()].sort(), lines);
    for (const [promise, bytes] of costs) {
      assert(Math.abs(said.get(promise)! - bytes / 1000) <= TOLERANCE, `${promise} costs ${bytes} bytes:\n${lines}`);
    }
  } finally {
    await esbuild.stop();
  }
});
