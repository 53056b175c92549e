/**
 * The module graph of the published files, and checks of the rules that ARCHITECTURE.md explains.
 *
 * @module
 */

/** The path of the repository, with a slash at its end. */
export const ROOT: string = decodeURIComponent(new URL("../../", import.meta.url).pathname);

/** One import, as the module graph knows it. */
export interface Import {
  /** A path in the repository: `src/store/commit.ts`. */
  readonly from: string;
  /** A path in the repository, or the resolved specifier: `npm:preact@^11`. */
  readonly to: string;
  /** The specifier in the file. */
  readonly specifier: string;
  /** `false` for `import type`, which is removed at run time. */
  readonly value: boolean;
}

/** The rooms, lowest first. A file imports values and types only from its own room and from lower ones. */
const ROOMS: readonly string[] = [
  ...["deps", "errors", "plain", "store", "schemas", "endpoint", "http", "controller", "parts", "rest", "legacy"],
  ...["signals", "preact", "ssr", "testing", "inspector", "dev"],
];

const UI_FOLDERS = ["preact", "ssr", "testing", "inspector"];

const UI_PACKAGES = ["npm:preact", "npm:@preact/signals", "npm:preact-render-to-string"];

/** Folders and packages that an entry must not load, directly or indirectly. */
const FORBIDDEN_LOADS: { readonly [entry: string]: readonly string[] } = {
  // The sentences and checks of development.
  "core.ts": ["src/dev"],
  "mod.ts": [
    ...["src/signals", "src/preact", "src/ssr", "src/testing", "src/inspector", "npm:@preact/signals-core"],
    ...UI_PACKAGES,
  ],
  "src/legacy/mod.ts": ["src/signals", "src/preact", "npm:@preact/signals-core", ...UI_PACKAGES],
  "src/signals/mod.ts": ["src/preact", ...UI_PACKAGES],
  // Importing it changes `onChange` of every input in an app.
  "src/preact/mod.ts": ["npm:preact/compat", "src/inspector"],
  // The inspector uses the page's own Preact and signals, and must not bring ours into a page without them.
  "src/inspector/mod.ts": ["npm:@preact/signals", "npm:@preact/signals-core", "src/signals", "src/rest"],
};

/** The absolute paths of all published files. */
export async function shippedFiles(root: string = ROOT): Promise<string[]> {
  const files: string[] = [];
  for (const entry of ENTRIES) if (await exists(root + entry)) files.push(root + entry);
  const folders = [`${root}src`];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (isDirectory) folders.push(`${folder}/${name}`);
      else if (/\.tsx?$/.test(name)) files.push(`${folder}/${name}`);
    }
  }
  return files.sort();
}

/** Reads the imports of all published files with `deno info --json`, whether an entry reaches them or not. */
export async function readImports(root: string = ROOT): Promise<Import[]> {
  const files = await shippedFiles(root);
  const folder = await Deno.makeTempDir();
  try {
    const entry = `${folder}/entry.ts`;
    await Deno.writeTextFile(
      entry,
      files.map((file) => `import ${JSON.stringify(`file://${encodeURI(file)}`)};`).join("\n"),
    );
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", "--config", `${root}deno.json`, entry],
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    return importsOf(JSON.parse(new TextDecoder().decode(stdout)), root);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

interface DenoInfo {
  readonly modules: readonly {
    readonly specifier: string;
    readonly error?: string;
    readonly dependencies?: readonly {
      readonly specifier: string;
      readonly code?: { readonly specifier?: string; readonly error?: string };
      readonly type?: { readonly specifier?: string; readonly error?: string };
    }[];
  }[];
}

function importsOf(info: DenoInfo, root: string): Import[] {
  const base = `file://${encodeURI(root)}`;
  const local = (specifier: string) =>
    specifier.startsWith(base) ? decodeURI(specifier.slice(base.length)) : normalizeNpm(specifier);
  const imports: Import[] = [];
  for (const { specifier, error, dependencies = [] } of info.modules) {
    const from = local(specifier);
    if (error !== undefined) throw new Error(`${from}: ${error}`);
    if (!isShipped(from)) continue;
    for (const { specifier, code, type } of dependencies) {
      const target = code ?? type;
      if (target?.specifier === undefined) throw new Error(`${from}: ${target?.error ?? `no module "${specifier}"`}`);
      imports.push({ from, to: local(target.specifier), specifier, value: code !== undefined });
    }
  }
  return imports;
}

/** `npm:/preact@11.2.0/hooks` and `npm:preact@^11/hooks` → `npm:preact/hooks`. */
function normalizeNpm(specifier: string): string {
  return specifier.replace(/^npm:\/?((?:@[^/@]+\/)?[^/@]+)(?:@[^/]+)?/, "npm:$1");
}

/** Imports from a higher room, or from a folder that is no room. */
export function roomBreaches(imports: readonly Import[]): string[] {
  return imports.flatMap(({ from, to }) => {
    if (!isShipped(to)) return [];
    const [here, there] = [levelOf(from), levelOf(to)];
    if (here < 0 || there < 0) return [`${from} → ${to}: a folder that is no room`];
    return there > here ? [`${from} → ${to}: upward`] : [];
  });
}

/**
 * Cycles of imports, including those of types: for each group of files that import each other, one message with one
 * cycle.
 */
export function cycles(imports: readonly Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...next.get(from) ?? [], to]);
  const found: string[] = [];
  const done = new Set<string>();
  for (const start of [...next.keys()].sort()) {
    if (done.has(start)) continue;
    const way = wayBack(start, next);
    if (way === undefined) continue;
    for (const file of way) done.add(file);
    found.push(`cycle: ${[...way, start].join(" → ")}`);
  }
  return found;
}

/** The shortest cycle through a file, starting with the file. */
function wayBack(start: string, next: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const reachedFrom = new Map<string, string>();
  const queue = [start];
  for (const file of queue) {
    for (const target of next.get(file) ?? []) {
      if (target === start) {
        const way = [file];
        while (way[0] !== start) way.unshift(reachedFrom.get(way[0] as string) as string);
        return way;
      }
      if (!reachedFrom.has(target)) {
        reachedFrom.set(target, file);
        queue.push(target);
      }
    }
  }
  return undefined;
}

/** Specifiers that need our import map, or that name a dependency outside of `src/deps/`. */
export function specifierBreaches(imports: readonly Import[]): string[] {
  return imports.flatMap(({ from, specifier }) => {
    if (/^\.\.?\//.test(specifier)) return [];
    if (specifier.startsWith("npm:")) {
      return folderOf(from) === "deps" ? [] : [`${from}: "${specifier}": dependencies are named in src/deps/ only`];
    }
    return [`${from}: "${specifier}": a module imported from a URL has no import map; write a relative path`];
  });
}

/** Imports of Preact or signals in rooms below those that are made for them. */
export function uiBreaches(imports: readonly Import[]): string[] {
  const packages = new Map<string, string>();
  for (const { from, to } of imports) {
    if (folderOf(from) === "deps" && to.startsWith("npm:")) packages.set(from, to.slice("npm:".length));
  }
  return imports.flatMap(({ from, to }) => {
    const name = packages.get(to);
    const here = folderOf(from);
    if (name === undefined || here === "deps" || !/^(@preact\/|preact($|[-/]))/.test(name)) return [];
    const folders = name.startsWith("@preact/signals-core") ? ["signals", ...UI_FOLDERS] : UI_FOLDERS;
    return folders.includes(here) ? [] : [`${from} → ${to}: ${name} is for ${folders.join("/, ")}/ only`];
  });
}

/** Imports of a `_private.ts` file from outside its folder. */
export function privateBreaches(imports: readonly Import[]): string[] {
  return imports.flatMap(({ from, to }) => {
    const folder = /^(.*\/)_[^/]*$/.exec(to)?.[1];
    return folder === undefined || from.startsWith(folder) ? [] : [`${from} → ${to}: is private to ${folder}`];
  });
}

/** Modules that an entry loads, directly or indirectly, although it must not. */
export function loadBreaches(imports: readonly Import[]): string[] {
  const breaches: string[] = [];
  for (const [entry, forbidden] of Object.entries(FORBIDDEN_LOADS)) {
    const loaded = new Map<string, string>();
    const queue = [entry];
    for (const file of queue) {
      for (const { from, to, value } of imports) {
        if (!value || from !== file || loaded.has(to)) continue;
        loaded.set(to, from);
        queue.push(to);
      }
    }
    for (const [file, by] of loaded) {
      if (forbidden.some((name) => file === name || file.startsWith(`${name}/`))) {
        breaches.push(`${entry} loads ${file} (imported by ${by})`);
      }
    }
  }
  return breaches;
}

/** The modules outside of `src/`. */
const ENTRIES: readonly string[] = ["mod.ts", "core.ts"];

function isShipped(path: string): boolean {
  return ENTRIES.includes(path) || path.startsWith("src/");
}

/** `src/store/commit.ts` → `store`; `""` for `mod.ts`. */
function folderOf(path: string): string {
  return ENTRIES.includes(path) ? "" : path.split("/")[1] ?? path;
}

const levelOf = (path: string): number => ENTRIES.includes(path) ? ROOMS.length : ROOMS.indexOf(folderOf(path));

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
