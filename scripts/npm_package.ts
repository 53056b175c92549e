/**
 * What the npm package is, beside its code: derived from deno.json and `src/deps/`, so that nothing is written twice.
 *
 * @module
 */
import type { BuildOptions, PackageMapping } from "@deno/dnt";
import config from "../deno.json" with { type: "json" };

/**
 * Of these an app has one copy, its own; scripts and servers need none. Both majors of Preact pass the tests of the hooks.
 * What no range is given for has that of the sources.
 */
const PEERS: Readonly<Record<string, string | undefined>> = {
  "preact": ">=10.25.0 <12",
  "@preact/signals": undefined,
  "preact-render-to-string": undefined,
};

const PEERS_META = Object.fromEntries(Object.keys(PEERS).map((name) => [name, { optional: true }]));

/**
 * What works by being imported: @preact/signals installs itself in Preact, `src/dev/` registers what development says. The
 * entries that import those are among them, for Rollup passes over what only exports what others export, with its imports.
 */
const EFFECTS = [
  "mod.js",
  "src/deps/signals.js",
  "src/dev/checks.js",
  "src/dev/texts.js",
  "src/preact/_internals.js",
  "src/preact/mod.js",
];

/** What both builds say of the package in the same words. */
const ABOUT = {
  name: config.name,
  version: config.version,
  license: config.license,
  description: "A client-side data layer for REST: one normalized cache, rejoined on every read.",
  keywords: ["rest", "cache", "normalize", "preact", "signals", "deno"],
  // The first Node 20 whose `require` takes ES modules: path-to-regexp and preact are nothing else.
  engines: { node: ">=20.19" },
};

/** Where the declarations of `deno task pack` stand once more, for who uses `require`. */
export const COMMONJS_TYPES = "commonjs";

/** What this reads and writes of a package.json. */
export interface PackageJson {
  readonly exports: Readonly<Record<string, object>>;
  readonly sideEffects?: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>;
}

/**
 * The package.json of `deno task pack`. There is one set of modules, so one copy for `import` and `require`; declarations
 * are of a module of one kind only, and TypeScript refuses to `require` what they say is an ES module.
 *
 * @param given That of `deno pack`, to which everything that is imported is a dependency.
 */
export function packedPackage<P extends PackageJson>(given: P): P {
  const dependencies = Object.entries(given.dependencies);
  const peers = dependencies.filter(([name]) => Object.hasOwn(PEERS, name));
  const exports = Object.entries(config.exports).map(([name, path]) => {
    const [code, types] = [path.replace(/\.tsx?$/, ".js"), path.replace(/\.tsx?$/, ".d.ts")];
    return [name, {
      import: { types, default: code },
      require: { types: types.replace("./", `./${COMMONJS_TYPES}/`), default: code },
    }];
  });
  return withProduction({
    ...given,
    ...ABOUT,
    exports: Object.fromEntries(exports),
    dependencies: Object.fromEntries(dependencies.filter(([name]) => !Object.hasOwn(PEERS, name))),
    peerDependencies: Object.fromEntries(peers.map(([name, range]) => [name, PEERS[name] ?? range])),
    peerDependenciesMeta: PEERS_META,
  }, ".");
}

/** The package.json of which `.` is `./core` where a bundler builds for production, with what bundlers may leave out. */
export function withProduction<P extends PackageJson>(given: P, ...folders: readonly string[]): P {
  const { ".": main, "./core": production } = given.exports;
  return {
    ...given,
    // The first condition that holds counts.
    exports: { ...given.exports, ".": { production, ...main } },
    sideEffects: folders.flatMap((folder) => EFFECTS.map((path) => `${folder}/${path}`)),
  };
}

/** The specifiers of npm packages in the text of modules. */
export function npmSpecifiers(...texts: readonly string[]): string[] {
  const specifiers = texts.flatMap((text) => [...text.matchAll(/"(npm:[^"]+)"/g)].map((match) => match[1] ?? ""));
  return [...new Set(specifiers)].sort();
}

/** `npm:@scope/name@^1/sub` → its parts. */
export function parseNpmSpecifier(specifier: string): { name: string; range: string; subPath: string | undefined } {
  const match = /^npm:((?:@[^/@]+\/)?[^/@]+)@([^/]+)(?:\/(.+))?$/.exec(specifier);
  if (match === null) throw new Error(`"${specifier}" has no range: write npm:name@^1`);
  return { name: match[1] ?? "", range: match[2] ?? "", subPath: match[3] };
}

/** Specifiers that become peers of the package; dnt makes dependencies of the others. */
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

/** Options of the release build: ESM, CommonJS and types for every export of deno.json. */
export function buildOptions(specifiers: readonly string[], outDir: string): BuildOptions {
  return {
    entryPoints: Object.entries(config.exports).map(([name, path]) => ({ name, path })),
    outDir,
    // The sources use nothing that only Deno has.
    shims: {},
    // The suites run in Deno; tests/packaging/ uses the packed package in Node.
    test: false,
    typeCheck: "both",
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

/** README.md as it is in a package: without moving pictures, which would be two thirds of what is downloaded. */
export function packedReadme(text: string): string {
  return text.replaceAll(/!\[[^\]]*\]\([^)]+\.webp\)\n\n/g, "");
}
