/** However often components come and go, nothing of them remains: no effect, timer, listener, request or memory. */
import { assert, assertEquals } from "@std/assert";
import { size } from "../support/property.ts";
import type { Findings } from "./_mounts.tsx";

Deno.test("15.6 of components of every hook that came and went nothing is left", async () => {
  const count = size(4_000, 100_000);
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      "--v8-flags=--expose-gc",
      new URL("./_mounts.tsx", import.meta.url).href,
      String(count),
    ],
    stderr: "inherit",
  }).output();
  assert(success);
  const { mounts, left, heap } = JSON.parse(new TextDecoder().decode(stdout).trim().split("\n").at(-1)!) as Findings;
  const growth = Object.entries(heap).sort(([, a], [, b]) => b - a);
  console.log(
    `${mounts} mounts; heap of ${growth.slice(0, 3).map(([hook, mb]) => `${hook} +${mb.toFixed(2)} MB`).join(", ")}`,
  );
  assert(mounts >= count);
  assertEquals(left, []);
  assertEquals(growth.filter(([, mb]) => mb > 2), []);
});
