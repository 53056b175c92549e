/**
 * Runs the tests, including the examples in docstrings and documents, and ends with the line `N passed, N failed`:
 * `deno task test`. With files and folders it runs only their tests; options go to `deno test`.
 *
 * @module
 */
import { findBrowser } from "../tests/support/browser.ts";
import { writeTestModules } from "./test_modules.ts";

/** Long enough for the slowest machine, and short enough that a hanging test is reported as a failure. */
const WATCHDOG_MINUTES = Deno.env.get("REJOIN_SOAK") ? 12 * 60 : 25;

/** The numbers in the last line of `deno test`. */
export interface Summary {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Reads `ok | 3 passed (2 steps) | 0 failed | 1 ignored (5ms)`, with or without colours. `undefined` if a run ended
 * without it.
 */
export function readSummary(output: string): Summary | undefined {
  // deno-lint-ignore no-control-regex -- colours are control characters
  const plain = output.replaceAll(/\x1b\[[\d;]*m/g, "");
  const last = [...plain.matchAll(/^(?:ok|FAILED) \| (\d+) passed\b.*? \| (\d+) failed\b/gm)].at(-1);
  return last && { passed: Number(last[1]), failed: Number(last[2]) };
}

/** The result of a run. A run that ended with an error, or ran nothing, has a failure even if no test failed. */
export function verdict(summary: Summary | undefined, success: boolean): Summary {
  const { passed, failed } = summary ?? { passed: 0, failed: 0 };
  return { passed, failed: failed === 0 && (!success || passed === 0) ? 1 : failed };
}

async function run(args: readonly string[]): Promise<Summary> {
  try {
    console.log(`Browser: ${(await findBrowser()).version}`);
  } catch (error) {
    // The tests that need a browser fail and say so. The others can still run.
    console.error(error instanceof Error ? error.message : error);
  }

  // Files that several test modules use are made once, in this folder: tests/support/shared.ts.
  const shared = await Deno.makeTempDir({ prefix: "rejoin-" });
  const isNamed = args.some((arg) => !arg.startsWith("-"));
  const modules = isNamed ? ["--doc"] : await writeTestModules(shared);
  const child = new Deno.Command(Deno.execPath(), {
    // No type check, because `deno task check` does it for all files.
    args: ["test", "-A", "--no-check", "--parallel", ...args, ...modules],
    // More jobs than processors, because tests wait half of the time for a browser, a server or a clock.
    env: { REJOIN_SHARED: shared, DENO_JOBS: Deno.env.get("DENO_JOBS") ?? String(navigator.hardwareConcurrency + 2) },
    stdout: "piped",
  }).spawn();
  let late = false;
  const watchdog = setTimeout(() => {
    late = true;
    child.kill();
  }, WATCHDOG_MINUTES * 60_000);

  let tail = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    await Deno.stdout.write(chunk);
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-4_096);
  }
  const { success } = await child.status;
  clearTimeout(watchdog);
  await Deno.remove(shared, { recursive: true });
  if (late) console.error(`No end after ${WATCHDOG_MINUTES} minutes: stopped.`);
  return verdict(readSummary(tail), success);
}

if (import.meta.main) {
  const { passed, failed } = await run(Deno.args);
  console.log(`${passed} passed, ${failed} failed`);
  Deno.exit(failed === 0 ? 0 : 1);
}
