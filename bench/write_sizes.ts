/**
 * Writes the sizes as they are now wherever the project says them: README.md, docs/, bench/, the plot and the bounds of
 * `tests/repo/size_test.ts`. `deno task sizes`.
 *
 * @module
 */
import { stop } from "esbuild";
import { measurePromises } from "./promises.ts";
import { GROUPS, measureFeatures, sizeOf } from "./size.ts";

const ROOT = new URL("../", import.meta.url);
const SIZE_TEST = "tests/repo/size_test.ts";

async function edit(path: string, change: (text: string) => string): Promise<void> {
  const file = new URL(path, ROOT);
  const before = await Deno.readTextFile(file);
  const after = change(before);
  if (after === before) return;
  await Deno.writeTextFile(file, after);
  console.log(path);
}

/** Puts what was measured in the place of the one number that the pattern's first group holds. */
function put(text: string, pattern: RegExp, value: string | ((before: string) => string)): string {
  let count = 0;
  const after = text.replace(pattern, (whole: string, number: string) => {
    count++;
    return whole.replace(number, typeof value === "string" ? value : value(number));
  });
  if (count !== 1) throw new Error(`${pattern} is found ${count} times`);
  return after;
}

const kB = (bytes: number) => (bytes / 1000).toFixed(1);

const sizes = new Map<string, number>();
for (const [group, [ours]] of Object.entries(GROUPS)) {
  sizes.set(group, (await sizeOf(ours!.code, ROOT.pathname)).brotli);
}
const features = await measureFeatures();
const promises = await measurePromises();
await stop();

await edit(SIZE_TEST, (text) => {
  for (const [group, bytes] of sizes) {
    // A bound that is raised is a decision: that is left to the one who makes it.
    text = put(text, new RegExp(`"${group}": ([\\d_]+),`, "g"), (before) => {
      const bound = Math.min(Number(before.replace("_", "")), Math.ceil(bytes * 1.01 / 10) * 10);
      return String(bound).replace(/...$/, "_$&");
    });
  }
  return text;
});
// How README.md names the groups stands in the test.
const test = await Deno.readTextFile(new URL(SIZE_TEST, ROOT));
await edit("README.md", (text) => {
  for (const [group, bytes] of sizes) {
    const said = new RegExp(`"${group}": "(.+)"`).exec(test)![1]!.replaceAll(" ", "\\s+");
    text = put(text, new RegExp(`([\\d.]+)\\s+kB\\s+${said}`, "g"), kB(bytes));
  }
  return text;
});
for (const [page, bytes] of features) {
  await edit(`docs/${page}.md`, (text) => put(text, /^_Adds (\d+\.\d) kB to an app with hooks\._$/gm, kB(bytes)));
}
await edit("bench/README.md", (text) =>
  text.replace(
    /^(### What the bytes are for\n[^]*?\| -+ \| -+ \|\n)(?:\|.*\n)+/m,
    (_, head) =>
      head + Array.from(promises, ([promise, bytes]) => `| ${kB(bytes).padEnd(4)} | ${promise} |\n`).join(""),
  ));
await edit(
  "bench/figures.json",
  (text) => put(text, /"name": "Rejoin",\s+"brotli": ([\d.]+)/g, kB(sizes.get("app with hooks")!)),
);

for (const args of [["fmt", "--quiet"], ["task", "--quiet", "plots"]]) {
  const { success } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).output();
  if (!success) throw new Error(`deno ${args.join(" ")} failed`);
}
console.log(Array.from(sizes, ([group, bytes]) => `${kB(bytes).padStart(6)}  ${group}`).join("\n"));
