/** The walls of the design: the amount of code, of files, and of untyped code. */
import { ROOT, shippedFiles } from "./module_graph.ts";
import { holds } from "./open_walls.ts";

const CORE_ROOMS = ["store", "plain", "schemas", "endpoint", "http", "rest", "controller", "errors"];

const sources = new Map<string, string>();
for (const file of await shippedFiles()) sources.set(file.slice(ROOT.length), await Deno.readTextFile(file));

/** A source without its comments. */
const withoutComments = (source: string) => source.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");

const codeLines = (source: string) => withoutComments(source).split("\n").filter((line) => line.trim() !== "").length;

Deno.test("all of src has at most 9,000 lines of code, its core at most 4,200", () => {
  let all = 0, core = 0;
  for (const [path, source] of sources) {
    const lines = codeLines(source);
    all += lines;
    if (CORE_ROOMS.includes(path.split("/")[1]!)) core += lines;
  }
  holds("lines of code", all, 9_000);
  holds("lines of code in the core", core, 4_200, CORE_ROOMS.join(", "));
});

Deno.test("src has at most 170 files, each of at most 300 lines, comments included", () => {
  holds("files", sources.size, 170);
  const long = [...sources].map(([path, source]) => `${path}: ${source.split("\n").length - 1}`)
    .filter((line) => Number(line.split(": ")[1]) > 300);
  holds("files of more than 300 lines", long.length, 0, long.join("\n"));
});

/** `any` as a type, or a cast with `as`, on a line without a comment that gives the reason. */
const UNTYPED = /[:<|&(,\s]any\b(?=[\s,;)\]>|&[=]|$)|\bas (?!const\b)(?=[\w{(["])/;

Deno.test("of 1,000 lines of code at most 3 have an `any` or a cast without a reason on their line", () => {
  const untyped: string[] = [];
  let all = 0;
  for (const [path, source] of sources) {
    all += codeLines(source);
    const lines = source.replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, "")).split("\n");
    lines.forEach((line, at) => {
      if (/^\s*(import|export) .*\bas \w+|^\s*\/\/|deno-lint-ignore/.test(line)) return;
      const isSaid = /\/\/ \S/.test(line) || /deno-lint-ignore/.test(lines[at - 1] ?? "");
      const code = line.replaceAll(/"[^"]*"|`[^`]*`/g, '""').replace(/\/\/.*/, "");
      if (!isSaid && UNTYPED.test(code)) untyped.push(`${path}:${at + 1}: ${line.trim()}`);
    });
  }
  holds("untyped lines in 1,000", untyped.length * 1_000 / all, 3, untyped.join("\n"));
});

Deno.test("tests have at most 30,000 lines", async () => {
  let all = 0;
  const folders = [`${ROOT}tests`];
  for (const folder of folders) {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (isDirectory) folders.push(`${folder}/${name}`);
      else if (/\.tsx?$/.test(name)) all += (await Deno.readTextFile(`${folder}/${name}`)).split("\n").length - 1;
    }
  }
  holds("lines of tests", all, 30_000);
});
