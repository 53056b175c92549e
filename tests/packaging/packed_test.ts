import { assert, assertEquals } from "@std/assert";
import * as esbuild from "esbuild";
import config from "../../deno.json" with { type: "json" };
import {
  buildOptions,
  npmSpecifiers,
  type PackageJson,
  parseNpmSpecifier,
  withExports,
} from "../../scripts/npm_package.ts";
import { ROOT, shippedFiles } from "../repo/module_graph.ts";
import { ARTICLE_OUTPUT, ARTICLE_REQUESTS, articleProgram, serveArticles } from "./article_api.ts";
import { Consumer, HAS_NPM, npmTest } from "./consumer.ts";

const NODE = HAS_NPM
  ? new TextDecoder().decode((await new Deno.Command("node", { args: ["-v"] }).output()).stdout)
  : "";
const [major = 0, minor = 0] = NODE.replace("v", "").split(".").map(Number);
// Older Nodes cannot `require` ES modules, and our dependencies have nothing else.
const REQUIRES_MODULES = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);

let consumer: Consumer | undefined;

Deno.test.beforeAll(async () => {
  if (HAS_NPM) consumer = await Consumer.open("packed");
});

npmTest("the packed package holds what it should when it is installed", async () => {
  const folder = `${consumer!.modules}/@rejoin/data`;
  const files: string[] = [];
  const folders = [""];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for await (const { name, isDirectory } of Deno.readDir(`${folder}/${next}`)) {
      if (isDirectory) folders.push(`${next}${name}/`);
      else files.push(next + name);
    }
  }
  for (const file of ["README.md", "LICENSE", "CHANGELOG.md", "mod.js", "mod.d.ts", "core.js", "core.d.ts"]) {
    assert(files.includes(file), `${file} is missing: run deno task pack`);
  }
  const known =
    /^(commonjs\/)?(mod\.|core\.|src\/|package\.json$)|^(docs\/.*|[A-Z]+|bench\/README)\.md$|^docs\/pictures\/[\w-]+\.svg$|^LICENSE$/;
  assertEquals(files.filter((file) => !known.test(file)), []);
  const links = (await Deno.readTextFile(`${folder}/README.md`)).matchAll(/\]\((?!\w+:)([^)#]+)/g);
  for (const [, path = ""] of links) assert(files.includes(path), `README.md leads to ${path}, which is not there`);
  for (const file of files) {
    assert(!(await Deno.readTextFile(`${folder}/${file}`)).includes(ROOT), `${file} names a folder of this machine`);
  }
});

/** The package.json that dnt would write, completed by scripts/build_npm.ts. */
function releasePackage(specifiers: readonly string[]): PackageJson {
  const { mappings = {}, package: about, scriptModule } = buildOptions(specifiers, "npm");
  assertEquals(scriptModule, false, "`import` and `require` share one copy of the modules");
  const rangesOf = (arePeers: boolean) =>
    Object.fromEntries(
      specifiers.filter((specifier) => Object.hasOwn(mappings, specifier) === arePeers).map((specifier) => {
        const { name, range } = parseNpmSpecifier(specifier);
        return [name, mappings[specifier]?.version ?? range];
      }),
    );
  const made = {
    ...about,
    exports: {},
    dependencies: rangesOf(false),
    peerDependencies: rangesOf(true),
  };
  return withExports<PackageJson>(made, "./esm");
}

npmTest("17. the package of deno task pack is described as that of the release build", async () => {
  const packed = JSON.parse(await Deno.readTextFile(`${consumer!.modules}/@rejoin/data/package.json`));
  const texts = (await shippedFiles()).filter((file) => file.includes("/src/deps/"));
  const release = releasePackage(npmSpecifiers(...await Promise.all(texts.map((file) => Deno.readTextFile(file)))));
  const { exports, sideEffects, type, main, types, ...others } = packed;
  const { exports: itsExports, sideEffects: itsEffects, ...itsOthers } = release;
  assertEquals(others, itsOthers);
  const inFolder = JSON.stringify([itsExports, itsEffects]).replaceAll("./esm/", "./");
  assertEquals(JSON.parse(inFolder), [exports, sideEffects]);
  // Fields for TypeScript versions that do not know `exports`, and the field that makes the modules ES modules.
  assertEquals([type, main, types], ["module", "./mod.js", "./mod.d.ts"]);
});

npmTest("each entry of the packed package is one module when Node imports and requires it", async () => {
  const specifiers = Object.keys(config.exports).map((subpath) => subpath.replace(".", config.name));
  const script = `
    import { createRequire } from "node:module";
    const require = createRequire(import.meta.url);
    const found = {};
    for (const specifier of ${JSON.stringify(specifiers)}) {
      const [imported, required] = [await import(specifier), require(specifier)];
      const names = Object.keys(imported).filter((name) => name !== "module.exports");
      found[specifier] = names.length > 0 && names.every((name) => required[name] === imported[name]);
    }
    console.log(JSON.stringify(found));
  `;
  assertEquals(
    JSON.parse(await consumer!.run("node", "--input-type=module", "--eval", script)),
    Object.fromEntries(specifiers.map((specifier) => [specifier, true])),
  );
}, !REQUIRES_MODULES);

const PROGRAMS = {
  "use.mjs": `import { Controller, createResource, Entity } from "@rejoin/data";`,
  "use.cjs": `const { Controller, createResource, Entity } = require("@rejoin/data");`,
};

for (const [file, load] of Object.entries(PROGRAMS)) {
  npmTest(`the packed package fetches and reads when ${file} uses it in Node`, async () => {
    await using api = serveArticles();
    await consumer!.write(file, articleProgram(load, api.origin));
    assertEquals(JSON.parse(await consumer!.run("node", file)), ARTICLE_OUTPUT);
    assertEquals(api.requests, ARTICLE_REQUESTS);
  }, file === "use.cjs" && !REQUIRES_MODULES);
}

/** The npm package with Bun's program for this machine. */
function bunPackage(): string {
  const arch = Deno.build.arch === "aarch64" ? "aarch64" : "x64-baseline";
  return `@oven/bun-${Deno.build.os}-${arch}`;
}

npmTest("17. the packed package fetches and reads when a module and a script use it in Bun", async () => {
  const consumer = await Consumer.alone("bun", `${bunPackage()}@^1`);
  for (const [file, load] of Object.entries(PROGRAMS)) {
    await using api = serveArticles();
    await consumer.write(file, articleProgram(load, api.origin));
    const said = await consumer.run(`${consumer.modules}/${bunPackage()}/bin/bun`, file);
    assertEquals(JSON.parse(said), ARTICLE_OUTPUT);
    assertEquals(api.requests, ARTICLE_REQUESTS);
  }
}, !["linux", "darwin"].includes(Deno.build.os));

/** The server of docs/server-rendering.md for Node: each page as a whole, and as a stream under `/stream`. */
const PAGE_SERVER = `
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { createResource, Entity } from "@rejoin/data";
import { AsyncBoundary, DataProvider, useSuspense } from "@rejoin/data/preact";
import { renderPage, renderPageToStream } from "@rejoin/data/ssr";
import { h } from "preact";

class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
}
const { get } = createResource({ urlPrefix: process.argv[2], path: "/articles/:id", schema: Article });
const Title = ({ id }) => h("h1", null, useSuspense(get, { id }).title);
const Failed = ({ error }) => h("p", null, error.name);
const App = ({ id, controller }) =>
  h(DataProvider, { controller }, h(AsyncBoundary, { fallback: "…", errorComponent: Failed }, h(Title, { id })));
const document = (html) => \`<!doctype html><body><div id="app">\${html}</div></body>\`;

const server = createServer(async (request, response) => {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const [, id, how] = request.url.split("/");
  const render = (controller) => h(App, { id, controller });
  const headers = { "content-type": "text/html; charset=utf-8" };
  if (how === "stream") {
    const { body, status } = await renderPageToStream(render, { document, signal: gone.signal });
    response.writeHead(status, headers);
    Readable.fromWeb(body).pipe(response);
  } else {
    const { html, script, status } = await renderPage(render, { signal: gone.signal });
    response.writeHead(status, headers).end(document(html) + script);
  }
});
server.listen(0, "127.0.0.1", async () => {
  const origin = "http://127.0.0.1:" + server.address().port;
  const found = [];
  for (const path of ["/5", "/9", "/5/stream"]) {
    const response = await fetch(origin + path);
    const text = await response.text();
    found.push([response.status, /<h1>.*?<\\/h1>|<p>.*?<\\/p>/.exec(text)?.[0], text.includes('id="rejoin-state"')]);
  }
  console.log(JSON.stringify(found));
  server.close();
  server.closeAllConnections();
});
`;

npmTest("15. the packed package renders pages on a server of Node, at once and part by part", async () => {
  await using api = serveArticles();
  await consumer!.write("pages.mjs", PAGE_SERVER);
  assertEquals(JSON.parse(await consumer!.run("node", "pages.mjs", api.origin)), [
    [200, "<h1>Title 5</h1>", true],
    [404, "<p>NetworkError</p>", true],
    [200, "<h1>Title 5</h1>", true],
  ]);
});

/** An app that imports everything, and one that imports little, from whose bundle the rest must be missing. */
const BUNDLES = {
  everything: `export * from "@rejoin/data"; export * from "@rejoin/data/preact";`,
  little: `import { Controller } from "@rejoin/data"; export const controller = new Controller();`,
};

/** Texts from the sentences of development. Some are from their types, which no bundle has. */
async function sentenceParts(): Promise<string[]> {
  const files = (await shippedFiles()).filter((file) => /texts\.ts$/.test(file) && !file.includes("/errors/"));
  const texts = await Promise.all(files.map((file) => Deno.readTextFile(file)));
  return texts.flatMap((text) => text.replace(/\/\*\*.*?\*\/|\/\/.*$/gms, "").match(/[A-Za-z][A-Za-z ,]{29,}/g) ?? []);
}

for (const [name, contents] of Object.entries(BUNDLES)) {
  npmTest(`14.7 a bundle of ${name} has the sentences of development, and none of them for production`, async () => {
    const bundle = async (...conditions: string[]): Promise<string> => {
      const { outputFiles: [output] } = await esbuild.build({
        stdin: { contents, resolveDir: consumer!.folder },
        absWorkingDir: consumer!.folder,
        bundle: true,
        minify: true,
        charset: "utf8",
        format: "esm",
        external: ["preact", "preact/*", "@preact/*", "path-to-regexp"],
        write: false,
        conditions,
      });
      return output!.text;
    };
    try {
      const parts = await sentenceParts();
      const [none, development, production] = await Promise.all([
        bundle(),
        bundle("development"),
        bundle("production"),
      ]);
      assertEquals(none, development);
      const said = parts.filter((part) => development.includes(part));
      assert(said.length > parts.length * 0.9, `${said.length} of ${parts.length}`);
      assertEquals(said.filter((part) => production.includes(part)), []);
    } finally {
      await esbuild.stop();
    }
  });
}
