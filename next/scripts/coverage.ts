/**
 * The share of the lines of `src/` that the tests run, of all and of the files with the least: `deno task coverage`. It
 * fails below {@linkcode LEAST}.
 *
 * Only what runs in the process of the tests counts. What a browser or a program of its own does is not seen.
 *
 * @module
 */

/** In percent. */
const LEAST = 90;

/** How many files are named. */
const NAMED = 10;

const ROOT = decodeURIComponent(new URL("../", import.meta.url).pathname);

/** Their tests drive browsers, servers and packages, or look at text; properties run the same lines again and again. */
const ELSEWHERE = new Set(
  "apps bench browser demo docs engines packaging peers property repo support types".split(" "),
);

/** A line of the report of `deno coverage`: file, and percent of branches, functions and lines. */
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

/** What a report says of each file, the least first, and of all. */
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
