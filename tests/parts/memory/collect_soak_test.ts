import { assert, assertEquals } from "@std/assert";
import { size } from "../../support/property.ts";
import type { Findings } from "./_many_keys.ts";

Deno.test("of many distinct keys, half of them watched, nothing is left when all were let go", async () => {
  const count = size(20_000, 1_000_000);
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      "--v8-flags=--expose-gc,--max-old-space-size=6000",
      new URL("./_many_keys.ts", import.meta.url).href,
      String(count),
    ],
    stderr: "inherit",
  }).output();
  assert(success);
  const lines = new TextDecoder().decode(stdout).trim().split("\n");
  const { full, retained, costs, longest, left } = JSON.parse(lines.at(-1)!) as Findings;
  const each = Object.entries(costs).map(([keys, cost]) => `${cost.toFixed(1)} µs at ${keys}`).join(", ");
  console.log(
    `${count} keys: ${full.toFixed(1)} MB, ${retained.toFixed(1)} MB retained, one key ${each}, ` +
      `longest step of a collection ${longest.toFixed(1)} ms`,
  );
  assertEquals(left, [0, 0, 0, 0, 0, 0, 0]);
  assert(retained <= 5, `${retained} MB are retained`);
  assert(full > count / 10_000, "nothing was measured");
});
