import type { Plugin } from "esbuild";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import config from "../deno.json" with { type: "json" };

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const ENTRIES: Readonly<Record<string, string>> = config.imports;

/** The module that defines a name; with the name `*`, the module itself. */
interface Origin {
  readonly file: string;
  readonly name: string;
}

/** The names that a module exports, and the modules that it imports for their effects. */
interface Passed {
  readonly names: ReadonlyMap<string, Origin>;
  readonly bare: readonly string[];
}

/** Options of {@linkcode directImports}. */
interface DirectImportsOptions {
  /** The files of the app. */
  readonly apps: RegExp;
  /** The module that is loaded first, with all of its imports in one file. */
  readonly first: string;
  /** Files that replace an entry: `{ "@rejoin/data": "core.ts" }`. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Returns code to append to a file of the app. */
  readonly behind?: (text: string) => string;
}

/**
 * A plugin that makes esbuild split a page well.
 *
 * esbuild loads a module with every entry point that can reach it by imports, whether it is used there or not, and puts
 * modules of the same entry points into one file. The plugin therefore changes two things. First, the app imports from
 * the source files of Rejoin, because an entry exports everything, and modules that are used later would be loaded
 * first. Second, each part that is loaded later also imports the module that is loaded first. Otherwise esbuild makes a
 * file for each set of parts that share modules, and small files compress badly. Rollup and Vite look at what is used
 * and need neither.
 */
export function directImports({ apps, first, replaced = {}, behind = () => "" }: DirectImportsOptions): Plugin {
  /** The modules that start a file of their own: entry points and dynamic imports. */
  const begins = new Set<string>();
  const known = new Map<string, Promise<Passed>>();
  const passedBy = (file: string): Promise<Passed> => {
    let passed = known.get(file);
    if (!passed) known.set(file, passed = readPassed(file, passedBy));
    return passed;
  };
  return {
    name: "direct-imports",
    setup(build) {
      build.onResolve({ filter: /^[./]/ }, ({ path, kind, resolveDir }) => {
        if (kind === "entry-point" || kind === "dynamic-import") begins.add(resolve(resolveDir, path));
        return undefined;
      });
      build.onLoad({ filter: apps }, async ({ path }) => {
        const text = await Deno.readTextFile(path);
        const changes = await Promise.all([...text.matchAll(IMPORT)].map(async ([line, names = "", entry = ""]) => {
          const { names: origins, bare } = await passedBy(join(ROOT, replaced[entry] ?? ENTRIES[entry] ?? entry));
          const imports = listed(names).map(([name, alias]) => {
            const origin = origins.get(name);
            if (!origin) throw new Error(`${path}: ${entry} has no ${name}`);
            const what = origin.name === "*" ? `* as ${alias}` : `{ ${origin.name} as ${alias} }`;
            return `import ${what} from ${JSON.stringify(origin.file)};`;
          });
          return [line, [...bare.map((file) => `import ${JSON.stringify(file)};`), ...imports].join(" ")] as const;
        }));
        const own = changes.reduce((text, [line, direct]) => text.replace(line, () => direct), text) + behind(text);
        const contents = begins.has(path) ? `import ${JSON.stringify(first)}; ${own}` : own;
        return { contents, loader: path.endsWith("x") ? "tsx" : "ts", resolveDir: dirname(path) };
      });
    },
  };
}

const IMPORT = /^import \{([^}]*)\} from "(@rejoin\/data[^"]*)";/gm;

/** `"A, type B, C as D"` → `[["A", "A"], ["C", "D"]]`. */
function listed(names: string): [name: string, alias: string][] {
  return names.split(",").map((name) => name.trim()).filter((name) => name !== "" && !name.startsWith("type "))
    .map((name) => {
      const [own = "", alias = own] = name.split(/ as /);
      return [own, alias];
    });
}

async function readPassed(file: string, passedBy: (file: string) => Promise<Passed>): Promise<Passed> {
  const text = await Deno.readTextFile(file);
  const names = new Map<string, Origin>();
  const beside = (path = "") => join(dirname(file), path);
  for (const [, name = ""] of text.matchAll(/^export (?:abstract |async )?(?:class|function\*?|const) (\w+)/gm)) {
    names.set(name, { file, name });
  }
  for (const [, alias, path] of text.matchAll(/^export \* (?:as (\w+) )?from "(\.[^"]+)";/gm)) {
    if (alias) names.set(alias, { file: beside(path), name: "*" });
    else for (const [name, origin] of (await passedBy(beside(path))).names) names.set(name, origin);
  }
  for (const [, list = "", path] of text.matchAll(/^export \{([^}]*)\} from "(\.[^"]+)";/gm)) {
    const { names: theirs } = await passedBy(beside(path));
    for (const [name, alias] of listed(list)) names.set(alias, theirs.get(name) ?? { file: beside(path), name });
  }
  const bare = [...text.matchAll(/^import "(\.[^"]+)";/gm)].map(([, path]) => beside(path));
  return { names, bare };
}
