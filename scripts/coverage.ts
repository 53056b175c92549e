/**
 * The share of the lines of `src/` that the tests run, in total and for the files with the least: `deno task coverage`.
 * It fails below {@linkcode LEAST}.
 *
 * Only code in the process of the tests counts, and not what a browser or another program runs.
 *
 * @module
 */

/** The least coverage in percent. */
const LEAST = 90;

/** The number of files that are listed. */
const NAMED = 10;

const ROOT = decodeURIComponent(new URL("../", import.meta.url).pathname);

/**
 * Left out, because these tests drive browsers, servers and packages, look at text, or run the same lines many times.
 */
const ELSEWHERE = new Set(
  "apps bench browser demo docs engines packaging peers property repo support types".split(" "),
);

/** A line of the report of `deno coverage`: the file, and percents of branches, functions and lines. */
const ROW = /^\| (\S.*?) +\| +[\d.]+ \| +[\d.]+ \| +([\d.]+) \|$/gm;

async function deno(...args: string[]): Promise<{ success: boolean; said: string }> {
  const command = new Deno.Command(Deno.execPath(), {
    args,
    cwd: ROOT,
    env: { NO_COLOR: "1", REJOIN_COVERAGE: "1" },
    stderr: "inherit",
  });
  const { success, stdout } = await command.output();
  return { success, said: new TextDecoder().decode(stdout) };
}

/** The percents of a report: for each file, the least first, and in total. */
export function readReport(report: string): { files: [name: string, lines: number][]; all: number } {
  const rows = [...report.matchAll(ROW)].map(([, name = "", lines]): [string, number] => [name, Number(lines)]);
  const all = rows.pop();
  if (all?.[0] !== "All files") throw new Error(`This is no report of deno coverage:\n${report}`);
  return { files: rows.toSorted(([, a], [, b]) => a - b), all: all[1] };
}

async function main(): Promise<boolean> {
  const folders = (await Array.fromAsync(Deno.readDir(`${ROOT}tests`))).filter(({ isDirectory }) => isDirectory)
    .map(({ name }) => name).filter((name) => !ELSEWHERE.has(name)).map((name) => `tests/${name}`);
  const profile = await Deno.makeTempDir({ prefix: "rejoin-" });
  try {
    const options = ["-A", "--no-check", "--parallel", `--coverage=${profile}`, "--coverage-raw-data-only"];
    const { success, said } = await deno("test", ...options, ...folders);
    if (!success) {
      console.log(said);
      return false;
    }
    const report = await deno("coverage", `--include=^file://${ROOT}src/`, profile);
    const { files, all } = readReport(report.said);
    for (const [name, lines] of files.slice(0, NAMED)) console.log(`${lines.toFixed(1).padStart(5)} %  src/${name}`);
    console.log(`${all.toFixed(1).padStart(5)} %  of the lines of ${files.length} files`);
    return all >= LEAST;
  } finally {
    await Deno.remove(profile, { recursive: true });
  }
}

if (import.meta.main && !await main()) Deno.exit(1);
