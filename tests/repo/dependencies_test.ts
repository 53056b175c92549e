import { assert, assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { cleanLock } from "../../scripts/clean_lock.ts";
import {
  buildOptions,
  npmSpecifiers,
  type PackageJson,
  parseNpmSpecifier,
  peerMappings,
  withExports,
} from "../../scripts/npm_package.ts";
import { readImports, ROOT } from "./module_graph.ts";

type Imports = Readonly<Record<string, string>>;

/** Packages with one range in a module and another, or none, in deno.json. */
function rangeBreaches(specifiers: readonly string[], imports: Imports): string[] {
  return specifiers.flatMap((specifier) => {
    const { name, range } = parseNpmSpecifier(specifier);
    const mapped = imports[name];
    if (mapped === undefined) return [`"${specifier}" is not in the imports of deno.json`];
    return mapped === `npm:${name}@${range}` ? [] : [`"${specifier}" is "${mapped}" in the imports of deno.json`];
  });
}

/** The addresses of registries in a deno.lock, and the `specifiers` that it lacks. */
function lockBreaches(text: string, specifiers: readonly string[]): string[] {
  const held: Record<string, string> = JSON.parse(text).specifiers ?? {};
  const hosts = text.split("\n").filter((line) => /https?:|"tarball"/.test(line)).map((line) => line.trim());
  const missing = specifiers.filter((specifier) => {
    const { name, range } = parseNpmSpecifier(specifier);
    return held[`npm:${name}@${range.replace("^", "")}`] === undefined;
  });
  return [...hosts, ...missing.map((specifier) => `${specifier} is missing`)];
}

/** The texts of the TypeScript files in a folder of the repository. */
async function texts(folder: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [`${ROOT}${folder}`];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for await (const { name, isDirectory } of Deno.readDir(next)) {
      if (isDirectory) folders.push(`${next}/${name}`);
      else if (/\.tsx?$/.test(name)) found.push(await Deno.readTextFile(`${next}/${name}`));
    }
  }
  return found;
}

/** The specifiers that modules import, without those in texts of tests. */
async function imported(...folders: string[]): Promise<string[]> {
  const all = (await Promise.all(folders.map(texts))).flat();
  const statements = all.flatMap((text) => text.match(/(?:\bfrom|\bimport)\s*\(?\s*"npm:[^"$]+"(?=\)?;)/g) ?? []);
  return npmSpecifiers(...statements);
}

Deno.test("ranges are refused when deno.json has another one or none", () => {
  const imports = { preact: "npm:preact@^11", "@preact/signals": "npm:@preact/signals@^2" };
  assertEquals(rangeBreaches(["npm:preact@^11", "npm:preact@^11/hooks", "npm:@preact/signals@^2"], imports), []);
  assertEquals(rangeBreaches(["npm:preact@^10/hooks"], imports).length, 1);
  assertEquals(rangeBreaches(["npm:@preact/signals@2"], imports).length, 1);
  assertEquals(rangeBreaches(["npm:normalizr@3"], imports).length, 1);
});

Deno.test("ranges are the same when src/deps and deno.json name a package", async () => {
  const specifiers = await imported("src/deps");
  assert(specifiers.length >= 5, `found ${specifiers.join()}`);
  assertEquals(rangeBreaches(specifiers, config.imports), []);
});

Deno.test("ranges are the same when anything else names a package", async () => {
  assertEquals(rangeBreaches(await imported("tests", "demo", "bench", "scripts"), config.imports), []);
});

Deno.test("a lock is refused when it holds a host or lacks a package", () => {
  const lock = { version: "5", specifiers: { "npm:a@1": "1.0.0" }, npm: { "a@1.0.0": { integrity: "sha512-x" } } };
  assertEquals(lockBreaches(JSON.stringify(lock, null, 2), ["npm:a@^1"]), []);
  assertEquals(lockBreaches(JSON.stringify(lock, null, 2), ["npm:a@^2"]), ["npm:a@^2 is missing"]);
  const rewritten = { ...lock, npm: { "a@1.0.0": { integrity: "sha512-x", tarball: "http://mirror.local/a.tgz" } } };
  assertEquals(lockBreaches(JSON.stringify(rewritten, null, 2), []).length, 1);
  const remote = { ...lock, remote: { "https://example.com/mod.ts": "0123" } };
  assertEquals(lockBreaches(JSON.stringify(remote, null, 2), []).length, 1);
});

Deno.test("cleanLock takes out addresses and nothing else, wherever they stand", () => {
  const lock = {
    version: "5",
    npm: {
      "a@1.0.0": { integrity: "sha512-a", tarball: "https://mirror.local/a.tgz" },
      "b@1.0.0": { integrity: "sha512-b", tarball: "https://mirror.local/b.tgz", dependencies: ["a"] },
      "c@1.0.0": { tarball: "https://mirror.local/c.tgz", bin: true },
      "d@1.0.0": { tarball: "https://mirror.local/d.tgz" },
    },
  };
  const clean = {
    version: "5",
    npm: {
      "a@1.0.0": { integrity: "sha512-a" },
      "b@1.0.0": { integrity: "sha512-b", dependencies: ["a"] },
      "c@1.0.0": { bin: true },
      "d@1.0.0": {},
    },
  };
  assertEquals(JSON.parse(cleanLock(JSON.stringify(lock, null, 2))), clean);
  const text = JSON.stringify(clean, null, 2);
  assertEquals(cleanLock(text), text);
});

Deno.test("deno.lock holds every package and no host when it is as it is", async () => {
  const mapped = Object.values(config.imports).filter((specifier) => specifier.startsWith("npm:"));
  const specifiers = [...mapped, ...await imported("src", "tests", "demo", "bench", "scripts")];
  assertEquals(lockBreaches(await Deno.readTextFile(`${ROOT}deno.lock`), specifiers), []);
});

Deno.test("the npm package has Preact and its signals as peers when src/deps names any part of them", async () => {
  const specifiers = await imported("src/deps");
  const mapped = Object.keys(peerMappings(specifiers));
  assertEquals(
    mapped,
    specifiers.filter((specifier) => /^npm:(preact|@preact\/signals|preact-render-to-string)@/.test(specifier)),
  );
  assert(mapped.includes("npm:preact@^11"));
  assertEquals(peerMappings(["npm:preact@^11/hooks"])["npm:preact@^11/hooks"]?.subPath, "hooks");
  assertEquals(peerMappings(["npm:path-to-regexp@^9", "npm:@preact/signals-core@^1"]), {});
});

Deno.test("the npm package has every export when deno.json has it", () => {
  const { entryPoints } = buildOptions([], "npm");
  assertEquals(entryPoints.length, Object.keys(config.exports).length);
  assert(entryPoints.some((entry) => typeof entry === "object" && entry.name === "./preact"));
});

Deno.test("14.7 the npm package is core.ts for production, first of all conditions", () => {
  const { exports, sideEffects = [] } = withExports<PackageJson>({ dependencies: {}, exports: {} }, "./esm");
  const both = (name: string) => ({
    import: { types: `./esm/${name}.d.ts`, default: `./esm/${name}.js` },
    require: { types: `./commonjs/${name}.d.ts`, default: `./esm/${name}.js` },
  });
  assertEquals(Object.entries(exports["."]!), [["production", both("core")], ...Object.entries(both("mod"))]);
  assertEquals([exports["./core"], exports["./preact"]], [both("core"), both("src/preact/mod")]);
  for (
    const effect of [
      "mod.js",
      // A module of development that is not listed is missing in bundles of Vite and Rollup.
      ...Array.from(Deno.readDirSync(`${ROOT}src/dev`), ({ name }) => `src/dev/${name.replace(/ts$/, "js")}`),
      "src/preact/_internals.js",
      "src/preact/mod.js",
      "src/deps/signals.js",
    ]
  ) {
    assert(sideEffects.includes(`./esm/${effect}`), effect);
  }
});

Deno.test("17. README.md names what each entry needs", async () => {
  const imports = (await readImports()).filter(({ value }) => value);
  const neededBy = (entry: string): string[] => {
    const seen = new Set([entry]);
    for (const module of seen) for (const { from, to } of imports) if (from === module) seen.add(to);
    const packages = [...seen].filter((module) => module.startsWith("npm:"));
    // `npm:name`, with or without a range and a path.
    return [...new Set(packages.map((specifier) => /^npm:((?:@[^/@]+\/)?[^/@]+)/.exec(specifier)![1]!))].sort();
  };
  const readme = (await Deno.readTextFile(`${ROOT}README.md`)).replaceAll(/\s+/g, " ");
  for (const entry of ["mod.ts", "core.ts"]) assertEquals(neededBy(entry), ["path-to-regexp"], entry);
  assert(readme.includes("The core has one runtime dependency, `path-to-regexp`;"));
  assertEquals(neededBy("src/signals/mod.ts"), ["@preact/signals-core"]);
  assert(readme.includes("`@rejoin/data/signals` adds `@preact/signals-core`."));
  assertEquals(neededBy("src/preact/mod.ts"), ["@preact/signals", "@preact/signals-core", "preact"]);
  assert(readme.includes("The hooks use the app's own Preact (10.25 to 11, each line tested) and `@preact/signals`"));
});
