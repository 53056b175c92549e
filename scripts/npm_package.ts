/**
 * The fields of the npm package's package.json, derived from deno.json and `src/deps/`, so that nothing is written
 * twice.
 *
 * @module
 */
import type { BuildOptions, PackageMapping } from "@deno/dnt";
import config from "../deno.json" with { type: "json" };

/**
 * Peers, because an app must have only one copy of them; scripts and servers need none. The tests of the hooks run with
 * both majors of Preact. A peer without a range has that of the sources.
 */
const PEERS: Readonly<Record<string, string | undefined>> = {
  "preact": ">=10.25.0 <12",
  "@preact/signals": undefined,
  "preact-render-to-string": undefined,
};

const PEERS_META = Object.fromEntries(Object.keys(PEERS).map((name) => [name, { optional: true }]));

/**
 * Modules with side effects: @preact/signals installs itself in Preact, and `src/dev/` registers the sentences of
 * development. Entries that import these are listed too, because Rollup skips a module that only re-exports, together
 * with its imports.
 */
const EFFECTS = [
  "mod.js",
  "src/deps/signals.js",
  "src/dev/checks.js",
  "src/dev/hook_checks.js",
  "src/dev/texts.js",
  "src/preact/_internals.js",
  "src/preact/mod.js",
];

/** The fields that both builds have. */
const ABOUT = {
  name: config.name,
  version: config.version,
  license: config.license,
  description: "A client-side data layer for REST: one normalized cache, rejoined on every read.",
  keywords: ["rest", "cache", "normalize", "preact", "signals", "deno"],
  // In earlier versions of Node 20 and 22 `require` takes no ES modules, and path-to-regexp and preact are only that.
  engines: { node: "^20.19 || >=22.12" },
};

/** The folder with a second copy of the declarations, for `require`. */
export const COMMONJS_TYPES = "commonjs";

/** The fields of a package.json that this module reads and writes. */
export interface PackageJson {
  readonly exports: Readonly<Record<string, object>>;
  readonly sideEffects?: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>;
}

/**
 * The package.json of `deno task pack`.
 *
 * @param given The package.json that `deno pack` made, where all imports are dependencies.
 */
export function packedPackage<P extends PackageJson>(given: P): P {
  const dependencies = Object.entries(given.dependencies);
  const peers = dependencies.filter(([name]) => Object.hasOwn(PEERS, name));
  return withExports({
    ...given,
    ...ABOUT,
    dependencies: Object.fromEntries(dependencies.filter(([name]) => !Object.hasOwn(PEERS, name))),
    peerDependencies: Object.fromEntries(peers.map(([name, range]) => [name, PEERS[name] ?? range])),
    peerDependenciesMeta: PEERS_META,
  }, ".");
}

/**
 * The package.json with its exports, and with the modules that have side effects. `import` and `require` share one set
 * of modules. Declarations need a copy for each, because TypeScript refuses to `require` a module whose declarations are
 * those of an ES module.
 *
 * @param folder The folder of the modules: `.` or `./esm`.
 */
export function withExports<P extends PackageJson>(given: P, folder: string): P {
  const exports: { [name: string]: object } = {};
  for (const [name, path] of Object.entries(config.exports)) {
    const [code, types] = [".js", ".d.ts"].map((end) => path.replace(/\.tsx?$/, end).replace(".", folder));
    exports[name] = {
      import: { types, default: code },
      require: { types: types!.replace(folder, `./${COMMONJS_TYPES}`), default: code },
    };
  }
  // The first matching condition counts, so `production` must come first. It is the form of `.` without development.
  exports["."] = { production: exports["./core"], ...exports["."] };
  return { ...given, exports, sideEffects: EFFECTS.map((path) => `${folder}/${path}`) };
}

/** The specifiers of npm packages in modules. */
export function npmSpecifiers(...texts: readonly string[]): string[] {
  const specifiers = texts.flatMap((text) => [...text.matchAll(/"(npm:[^"]+)"/g)].map((match) => match[1] ?? ""));
  return [...new Set(specifiers)].sort();
}

/** Splits `npm:@scope/name@^1/sub` into its parts. */
export function parseNpmSpecifier(specifier: string): { name: string; range: string; subPath: string | undefined } {
  const match = /^npm:((?:@[^/@]+\/)?[^/@]+)@([^/]+)(?:\/(.+))?$/.exec(specifier);
  if (match === null) throw new Error(`"${specifier}" has no range: write npm:name@^1`);
  return { name: match[1] ?? "", range: match[2] ?? "", subPath: match[3] };
}

/** The specifiers that become peers of the package. dnt makes dependencies of the others. */
export function peerMappings(specifiers: readonly string[]): Record<string, PackageMapping> {
  const mappings: Record<string, PackageMapping> = {};
  for (const specifier of specifiers) {
    const { name, range, subPath } = parseNpmSpecifier(specifier);
    if (!Object.hasOwn(PEERS, name)) continue;
    mappings[specifier] = {
      name,
      version: PEERS[name] ?? range,
      peerDependency: true,
      ...(subPath ? { subPath } : {}),
    };
  }
  return mappings;
}

/** The options of the release build: ES modules and types for every export of deno.json. */
export function buildOptions(specifiers: readonly string[], outDir: string): BuildOptions {
  return {
    entryPoints: Object.entries(config.exports).map(([name, path]) => ({ name, path })),
    outDir,
    // No shims, because the sources use no API that only Deno has.
    shims: {},
    // No tests, because they run in Deno; tests/packaging/ uses the packed package in Node.
    test: false,
    // `require` takes the ES modules, so that an app has one copy of the library.
    scriptModule: false,
    // `deno task check` checks the sources, and tests/packaging/ the declarations.
    typeCheck: false,
    declarationMap: false,
    skipSourceOutput: true,
    mappings: peerMappings(specifiers),
    compilerOptions: {
      target: "ES2022",
      lib: ["ESNext", "DOM", "DOM.Iterable"],
      noUncheckedIndexedAccess: true,
    },
    package: {
      ...ABOUT,
      peerDependenciesMeta: PEERS_META,
    },
  };
}

/** README.md as packed: without moving pictures, which would be two thirds of the download. */
export function packedReadme(text: string): string {
  return text.replaceAll(/!\[[^\]]*\]\([^)]+\.webp\)\n\n/g, "");
}
