/**
 * The modules that `deno task test` runs if no file is named. `deno test` gives each file its own worker, which loads
 * all imports again; that took most of the time of a run. So the tests of a folder run in one module, and so do the
 * examples of docstrings. A file that is named runs by itself.
 *
 * @module
 */
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const SAME_GLOBALS = "tests/support/same_globals.ts";

/** Files and folders whose tests need their own workers, with the reason. */
export const ALONE: ReadonlyMap<string, string> = new Map(Object.entries({
  "tests/browser": "each file has a browser",
  "tests/demo": "each file has a browser",
  "tests/docs": "an example has globals of its own, and files are long enough to run beside each other",
  "tests/parts": "one file has a document, others fake one",
  "tests/preact": "some files load preact/debug, which changes Preact for all who use it",
  "tests/packaging": "files install packages, and are long enough to run beside each other",
  "tests/property": "files are long enough to run beside each other",
  "tests/repo": "files build bundles, and are long enough to run beside each other",
}));

/**
 * Modules that start first, so that no long one runs alone at the end. They wait for browsers, servers and
 * installations.
 */
const LONGEST = [
  "tests/demo",
  "tests/docs",
  "tests/preact/preact_10_test.ts",
  "tests/packaging",
];

/** One module of a run: a single test file, or a module that imports several. */
export interface TestModule {
  readonly name: string;
  /** Their paths from the root of the repository. */
  readonly files: readonly string[];
}

/** All test files, grouped by the module that they run in, the longest first. */
export function testModules(): TestModule[] {
  const together = Map.groupBy(filesBelow("tests").filter(isTest).sort(), moduleOf);
  const modules = [...together].map(([name, files]) => ({ name, files }));
  const isLong = ({ name }: TestModule) => LONGEST.some((long) => name.startsWith(long));
  return [...modules.filter(isLong), ...modules.filter((module) => !isLong(module))];
}

function moduleOf(file: string): string {
  if ([...ALONE.keys()].some((alone) => file === alone || file.startsWith(`${alone}/`))) return file;
  const folder = file.split("/").slice(0, 2).join("/");
  // A document would be visible to all tests of a module, including those that test its absence.
  return Deno.readTextFileSync(join(ROOT, file)).includes("support/dom.ts") ? `${folder}, with a document` : folder;
}

/** An example in a docstring. */
export interface Example {
  /** `src/file.ts:12`, the line where it starts. */
  readonly name: string;
  readonly extension: "ts" | "tsx";
  readonly code: string;
}

/** The examples in the docstrings of a source file: blocks of ` ```ts` and ` ```tsx`. */
export function examplesIn(file: string, source: string): Example[] {
  const examples: Example[] = [];
  for (const { 0: comment, index } of source.matchAll(/^ *\/\*\*[^]*?\*\//gm)) {
    const lines = comment.split("\n").map((line) => line.replace(/^ *\* ?/, ""));
    const first = source.slice(0, index).split("\n").length;
    for (let at = 0; at < lines.length; at++) {
      const extension = /^```(tsx?)$/.exec(lines[at]!)?.[1] as Example["extension"] | undefined;
      if (!extension) continue;
      const end = lines.indexOf("```", at);
      if (end < 0) throw new Error(`${file}:${first + at}: the block has no end`);
      examples.push({ name: `${file}:${first + at + 1}`, extension, code: lines.slice(at + 1, end).join("\n") });
      at = end;
    }
  }
  return examples;
}

/** Writes the modules of a run into a folder, and returns the paths for `deno test`. */
export async function writeTestModules(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const { name, files } of testModules()) {
    if (name === files[0]) paths.push(join(ROOT, name));
    else {
      const imports = [SAME_GLOBALS, ...files].map((file) => `import ${urlOf(join(ROOT, file))};`);
      paths.push(await write(folder, `${name.replaceAll(/\W+/g, "_")}.ts`, imports));
    }
  }
  paths.push(await writeExamples(folder));
  return paths;
}

async function writeExamples(folder: string): Promise<string> {
  const sources = ["mod.ts", "core.ts", ...filesBelow("src")].filter((file) => /\.tsx?$/.test(file)).sort();
  const examples = sources.flatMap((file) => examplesIn(file, Deno.readTextFileSync(join(ROOT, file))));
  const tests: string[] = [];
  for (const [at, { name, extension, code }] of examples.entries()) {
    const path = await write(folder, `example_${at}.${extension}`, [code]);
    // Imports of types are removed at run time, so the remaining ones show what the example runs.
    tests.push(`Deno.test(${JSON.stringify(name)}, async () => void await import(${urlOf(path)}));`);
  }
  return await write(folder, "docstrings.ts", tests);
}

const isTest = (file: string) => /_test\.tsx?$/.test(file);

function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(join(ROOT, folder))].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    return isDirectory ? filesBelow(path) : [path];
  });
}

const urlOf = (path: string) => JSON.stringify(pathToFileURL(path).href);

async function write(folder: string, name: string, lines: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await Deno.writeTextFile(path, lines.join("\n") + "\n");
  return path;
}
