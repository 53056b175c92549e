import { assert, assertEquals, assertMatch } from "@std/assert";
import * as esbuild from "esbuild";
import config from "../../deno.json" with { type: "json" };
import { pack } from "../../scripts/pack.ts";
import { ROOT, shippedFiles } from "../repo/module_graph.ts";
import { ARTICLE_OUTPUT, ARTICLE_REQUESTS, articleProgram, serveArticles } from "./article_api.ts";

/** Runs a program, and fails the test with what it printed when it fails. */
async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, cwd, env: { NO_COLOR: "1" } }).output();
  const [out, err] = [new TextDecoder().decode(stdout), new TextDecoder().decode(stderr)];
  assert(success, `${program} ${args.join(" ")}\n${out}${err}`);
  return out;
}

const NODE = await run(".", "node", "--version").catch(() => undefined);
const [major = 0, minor = 0] = NODE?.replace("v", "").split(".").map(Number) ?? [];
// Older Nodes cannot `require` ES modules, and what we depend on has nothing else.
const REQUIRES_MODULES = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
// What is tested here is the package in Node: with Deno alone there is no such thing.
const NO_NODE = NODE === undefined;

const TYPESCRIPT = `
import { Controller, createResource, Entity, type ReadEndpoint } from "@rejoin/data";
import { useSuspense } from "@rejoin/data/preact";

class User extends Entity {
  id = "";
  username = "";
  pk() { return this.id; }
  static key = "User";
}
class Article extends Entity {
  id = "";
  title = "";
  author = User.fromJS();
  createdAt = new Date(0);
  tags: string[] = [];
  pk() { return this.id; }
  static key = "Article";
  static schema = { author: User, createdAt: Date };
}
const ArticleResource = createResource({ urlPrefix: "https://api.example.com", path: "/articles/:id", schema: Article });

/** Compilers differ in what they know of type parameters. */
export const make = <S extends typeof Entity, const P extends string>(schema: S, path: P) =>
  createResource({ path, schema });
export function useMine<E extends ReadEndpoint>(endpoint: E, ...args: E["~types"]["args"]): E["~types"]["data"] {
  return useSuspense(endpoint, ...args);
}
export async function read(controller: Controller): Promise<[string, string, Date, Article[]]> {
  const article = await controller.fetch(ArticleResource.get, { id: "5" });
  const list: Article[] = await controller.fetch(make(Article, "/articles/:id").getList, { tag: "deno" });
  await controller.fetch(ArticleResource.partialUpdate, { id: "5" }, { title: "New" });
  // @ts-expect-error an entity has the members that it declares
  void article.nothing;
  // @ts-expect-error the path has no such parameter
  await controller.fetch(ArticleResource.get, { slug: "5" });
  return [article.title, article.author.username, article.createdAt, list];
}
export function View(): string {
  const article: Article = useMine(ArticleResource.get, { id: "5" });
  // @ts-expect-error a title is text
  const title: number = article.title;
  return String(title);
}
`;

const COMPILER_OPTIONS = {
  target: "ES2022",
  lib: ["ESNext", "DOM", "DOM.Iterable"],
  types: [],
  strict: true,
  noEmit: true,
  // Our declarations are checked too, not only used.
  skipLibCheck: false,
};

const RESOLUTIONS = {
  "NodeNext": { module: "NodeNext", moduleResolution: "NodeNext" },
  "Bundler": { module: "ESNext", moduleResolution: "Bundler" },
};

let project = "";

Deno.test.beforeAll(async () => {
  if (NO_NODE) return;
  project = await Deno.makeTempDir();
  const tarball = `${project}/rejoin-data.tgz`;
  await pack(tarball);
  await Deno.writeTextFile(
    `${project}/package.json`,
    JSON.stringify({ name: "consumer", private: true, type: "module" }),
  );
  const peers = ["preact@^11", "@preact/signals@^2", "preact-render-to-string@^6"];
  await run(project, "npm", "install", "--no-audit", "--no-fund", tarball, ...peers, "typescript@^6");
});

Deno.test.afterAll(async () => {
  if (project !== "") await Deno.remove(project, { recursive: true });
});

Deno.test({
  name: "the packed package holds what it should when it is installed",
  ignore: NO_NODE,
  async fn() {
    const folder = `${project}/node_modules/@rejoin/data`;
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
    assertEquals(
      files.filter((file) => !/^(mod\.|core\.|src\/|package\.json$|README\.md$|LICENSE$|CHANGELOG\.md$)/.test(file)),
      [],
    );
    for (const file of files) {
      assert(!(await Deno.readTextFile(`${folder}/${file}`)).includes(ROOT), `${file} names a folder of this machine`);
    }
  },
});

for (const [subpath] of Object.entries(config.exports)) {
  const specifier = subpath.replace(".", config.name);
  Deno.test({
    name: `${specifier} is one module when Node imports and requires it`,
    ignore: NO_NODE || !REQUIRES_MODULES,
    async fn() {
      const script = `
        import { createRequire } from "node:module";
        const imported = await import("${specifier}");
        const required = createRequire(import.meta.url)("${specifier}");
        const names = Object.keys(imported).filter((name) => name !== "module.exports");
        console.log(names.length, names.every((name) => required[name] === imported[name]));
      `;
      assertMatch(await run(project, "node", "--input-type=module", "--eval", script), /^[1-9]\d* true\n$/);
    },
  });
}

const PROGRAMS = {
  "use.mjs": `import { Controller, createResource, Entity } from "@rejoin/data";`,
  "use.cjs": `const { Controller, createResource, Entity } = require("@rejoin/data");`,
};

for (const [file, load] of Object.entries(PROGRAMS)) {
  Deno.test({
    name: `the packed package fetches and reads when ${file} uses it in Node`,
    ignore: NO_NODE || (file === "use.cjs" && !REQUIRES_MODULES),
    async fn() {
      await using api = serveArticles();
      await Deno.writeTextFile(`${project}/${file}`, articleProgram(load, api.origin));
      assertEquals(JSON.parse(await run(project, "node", file)), ARTICLE_OUTPUT);
      assertEquals(api.requests, ARTICLE_REQUESTS);
    },
  });
}

/** A server as docs/server-rendering.md has it for Node: each page at once, and part by part under `/stream`. */
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

Deno.test({
  name: "15. the packed package renders pages on a server of Node, at once and part by part",
  ignore: NO_NODE,
  async fn() {
    await using api = serveArticles();
    await Deno.writeTextFile(`${project}/pages.mjs`, PAGE_SERVER);
    assertEquals(JSON.parse(await run(project, "node", "pages.mjs", api.origin)), [
      [200, "<h1>Title 5</h1>", true],
      [404, "<p>NetworkError</p>", true],
      [200, "<h1>Title 5</h1>", true],
    ]);
  },
});

for (const [name, options] of Object.entries(RESOLUTIONS)) {
  Deno.test({
    name: `the packed package has its types when TypeScript resolves as ${name}`,
    ignore: NO_NODE,
    async fn() {
      const file = `use_${name}.ts`;
      await Deno.writeTextFile(`${project}/${file}`, TYPESCRIPT);
      await Deno.writeTextFile(
        `${project}/tsconfig.${name}.json`,
        JSON.stringify({ compilerOptions: { ...COMPILER_OPTIONS, ...options }, files: [file] }),
      );
      await run(project, "node", "node_modules/typescript/bin/tsc", "--project", `tsconfig.${name}.json`);
    },
  });
}

/** An app of all that there is, and one that names a little, so that all else may be left out. */
const BUNDLES = {
  everything: `export * from "@rejoin/data"; export * from "@rejoin/data/preact";`,
  little: `import { Controller } from "@rejoin/data"; export const controller = new Controller();`,
};

/** Words that stand in no place but the sentences of development; and some of their types, which no bundle has. */
async function sentenceParts(): Promise<string[]> {
  const files = (await shippedFiles()).filter((file) => /texts\.ts$/.test(file) && !file.includes("/errors/"));
  const texts = await Promise.all(files.map((file) => Deno.readTextFile(file)));
  return texts.flatMap((text) => text.replace(/\/\*\*.*?\*\/|\/\/.*$/gms, "").match(/[A-Za-z][A-Za-z ,]{29,}/g) ?? []);
}

for (const [name, contents] of Object.entries(BUNDLES)) {
  Deno.test({
    name: `14.7 a bundle of ${name} has the sentences of development, and none of them for production`,
    ignore: NO_NODE,
    async fn() {
      const bundle = async (...conditions: string[]): Promise<string> => {
        const { outputFiles: [output] } = await esbuild.build({
          stdin: { contents, resolveDir: project },
          absWorkingDir: project,
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
    },
  });
}
