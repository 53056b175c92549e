import type { Plugin } from "esbuild";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import config from "../deno.json" with { type: "json" };

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const ENTRIES: Readonly<Record<string, string>> = config.imports;

/** Where a name comes from; `*` is the module itself. */
interface Origin {
  readonly file: string;
  readonly name: string;
}

/** What a module passes on, and what it runs. */
interface Passed {
  readonly names: ReadonlyMap<string, Origin>;
  readonly bare: readonly string[];
}

/** What {@linkcode directImports} takes. */
interface DirectImportsOptions {
  /** The files of the app. */
  readonly apps: RegExp;
  /** The module that is loaded first, with all that it needs, in one piece. */
  readonly first: string;
  /** Files that take the place of an entry: `{ "@rejoin/data": "core.ts" }`. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** What is put behind a file of the app. */
  readonly behind?: (text: string) => string;
}

/**
 * What esbuild needs to split a page well.
 *
 * It gives each module to all entry points that can reach it by imports, whether they use it or not; and modules that
 * belong to the same of them are one file. So two things are done. The app imports from the files of Rejoin: through an
 * entry, which passes everything on, what is used later would be loaded first. And what is loaded later names what is
 * loaded first: that is one file then, and not one for each set of parts that share something, of which each is packed by
 * itself. Rollup and Vite look at what is used, and need none of it.
 */
export function directImports({ apps, first, replaced = {}, behind = () => "" }: DirectImportsOptions): Plugin {
  /** What begins something that is loaded by itself. */
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
