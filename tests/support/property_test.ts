import { assert, assertEquals, assertRejects } from "@std/assert";
import * as fc from "fast-check";
import { check, runs } from "./property.ts";

/** Runs something with an environment variable set, and what it writes to the console caught. */
async function withEnv(name: string, value: string | undefined, fn: () => void | Promise<void>): Promise<string[]> {
  const before = Deno.env.get(name);
  const log = console.log;
  const lines: string[] = [];
  console.log = (line: string) => void lines.push(line);
  if (value === undefined) Deno.env.delete(name);
  else Deno.env.set(name, value);
  try {
    await fn();
  } finally {
    console.log = log;
    if (before === undefined) Deno.env.delete(name);
    else Deno.env.set(name, before);
  }
  return lines;
}

Deno.test("runs gives the promised number in a soak and the quick one else", async () => {
  await withEnv("REJOIN_SOAK", "1", () => assertEquals(runs(1_000, 100_000), 100_000));
  await withEnv("REJOIN_SOAK", undefined, () => assertEquals(runs(1_000, 100_000), 334));
});

Deno.test("check prints its seed first, and takes it again", async () => {
  const seen: number[][] = [];
  for (const _ of [1, 2]) {
    const values: number[] = [];
    seen.push(values);
    const property = fc.property(fc.integer(), (value) => void values.push(value));
    const lines = await withEnv("REJOIN_SEED", "123", () => check(property, { name: "no_regressions", runs: 50 }));
    assertEquals(lines, ["no_regressions: 50 runs, REJOIN_SEED=123"]);
  }
  assertEquals(seen[0]!.length, 50);
  assertEquals(seen[0], seen[1]);
});

Deno.test("check runs asynchronous properties, and names seed and case when one does not hold", async () => {
  const property = fc.asyncProperty(fc.nat(), async (value) => {
    await Promise.resolve();
    assert(value < 10);
  });
  await withEnv("REJOIN_SEED", "7", async () => {
    const error = await assertRejects(() => check(property, { name: "no_regressions", runs: 1_000 }), Error);
    assert(/seed: 7, path: ".*Counterexample: \[10\]/s.test(error.message), error.message);
  });
});

Deno.test("check replays the failures of the past before all else", async () => {
  const values: number[] = [];
  const property = fc.property(fc.integer(), (value) => void values.push(value));
  await withEnv("REJOIN_SEED", "1", () => check(property, { name: "property_helper", runs: 10 }));
  const ofTheSeed = fc.sample(fc.integer(), { seed: 42, numRuns: 4 })[3];
  assertEquals(values.slice(0, 2), [ofTheSeed, -7]);
  assertEquals(values.length, 1 + 1 + 10);
});

Deno.test("check says now and then how far it is", async () => {
  const property = fc.property(fc.integer(), () => {});
  const lines = await withEnv(
    "REJOIN_SEED",
    "1",
    () => check(property, { name: "no_regressions", runs: 3, progress: 0 }),
  );
  assertEquals(lines.map((line) => line.replace(/\d+ s$/, "… s")), [
    "no_regressions: 3 runs, REJOIN_SEED=1",
    "no_regressions: 0 of 3 runs, … s",
    "no_regressions: 1 of 3 runs, … s",
    "no_regressions: 2 of 3 runs, … s",
  ]);
});
