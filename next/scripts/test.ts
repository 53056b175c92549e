/**
 * Runs the tests, examples in docstrings and documents included, and ends with the line `N passed, N failed`:
 * `deno task test`, or with files and folders to run only theirs, and with options of `deno test`.
 *
 * @module
 */
import { findBrowser } from "../tests/support/browser.ts";
import { writeTestModules } from "./test_modules.ts";

/** Long enough for the slowest machine, short enough that a test that hangs is a failure and not a silence. */
const WATCHDOG_MINUTES = Deno.env.get("REJOIN_SOAK") ? 12 * 60 : 25;

/** What the last line of `deno test` says. */
export interface Summary {
  readonly passed: number;
  readonly failed: number;
}

/** Reads `ok | 3 passed (2 steps) | 0 failed | 1 ignored (5ms)`, colours or not. `undefined`: the run ended without it. */
export function readSummary(output: string): Summary | undefined {
  // deno-lint-ignore no-control-regex -- colours are control characters
  const plain = output.replaceAll(/\x1b\[[\d;]*m/g, "");
  const last = [...plain.matchAll(/^(?:ok|FAILED) \| (\d+) passed\b.*? \| (\d+) failed\b/gm)].at(-1);
  return last && { passed: Number(last[1]), failed: Number(last[2]) };
}

/** What a run comes to: one that ended badly, or ran nothing, has a failure even when no test says so. */
export function verdict(summary: Summary | undefined, success: boolean): Summary {
  const { passed, failed } = summary ?? { passed: 0, failed: 0 };
  return { passed, failed: failed === 0 && (!success || passed === 0) ? 1 : failed };
}

async function run(args: readonly string[]): Promise<Summary> {
  try {
    console.log(`Browser: ${(await findBrowser()).version}`);
  } catch (error) {
    // The tests that need it fail and say so; the others still tell what they know.
    console.error(error instanceof Error ? error.message : error);
  }

  // What several files of tests need is made once: tests/support/shared.ts.
  const shared = await Deno.makeTempDir({ prefix: "rejoin-" });
  const isNamed = args.some((arg) => !arg.startsWith("-"));
  const modules = isNamed ? ["--doc"] : await writeTestModules(shared);
  const child = new Deno.Command(Deno.execPath(), {
    // `deno task check` knows the types of all of it, and `deno test` would ask for them once more.
    args: ["test", "-A", "--no-check", "--parallel", ...args, ...modules],
    // Half of their time they wait, for a browser, a server or a clock.
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
