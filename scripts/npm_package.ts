/**
 * What the npm package is, beside its code: derived from deno.json and `src/deps/`, so that nothing is written twice.
 *
 * @module
 */
import type { BuildOptions, PackageMapping } from "@deno/dnt";
import config from "../deno.json" with { type: "json" };

/** One Preact per app: the app's own. Both majors pass the tests of the hooks that the library uses. */
const PREACT_RANGE = ">=10.25.0 <12";

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

/** Specifiers that become the one peer of the package; dnt makes dependencies of the others. */
export function peerMappings(specifiers: readonly string[]): Record<string, PackageMapping> {
  const mappings: Record<string, PackageMapping> = {};
  for (const specifier of specifiers) {
    const { name, subPath } = parseNpmSpecifier(specifier);
    if (name !== "preact") continue;
    mappings[specifier] = { name, version: PREACT_RANGE, peerDependency: true, ...(subPath ? { subPath } : {}) };
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
      name: config.name,
      version: config.version,
      license: config.license,
      description: "A client-side data layer for REST: one normalized cache, rejoined on every read.",
      keywords: ["rest", "cache", "normalize", "preact", "signals", "deno"],
      // The first Node 20 whose `require` takes ES modules: path-to-regexp and preact are nothing else.
      engines: { node: ">=20.19" },
      // @preact/signals installs itself in Preact when it is imported.
      sideEffects: ["./esm/src/deps/signals.js", "./script/src/deps/signals.js"],
      // Scripts and servers use the core alone.
      peerDependenciesMeta: { preact: { optional: true } },
    },
  };
}
