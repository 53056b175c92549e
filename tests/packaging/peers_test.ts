// The packed package beside the Preact of the app: there is one copy, and a page shows what it fetched.
import * as esbuild from "esbuild";
import { assert, assertEquals } from "@std/assert";
import { pack } from "../../scripts/pack.ts";
import { launch } from "../support/browser.ts";

const HAS_NPM = await new Deno.Command("npm", { args: ["--version"] }).output().then(() => true, () => false);

const PAGE = `
import { h, render } from "preact";
import { useState } from "preact/hooks";
import { Entity, resource } from "@rejoin/data";
import { AsyncBoundary, DataProvider, useController, useSuspense } from "@rejoin/data/preact";

class Article extends Entity {
  id = "";
  title = "";
  static key = "Article";
}
const ArticleResource = resource({ path: "/articles/:id", schema: Article });

function Title() {
  const [count, setCount] = useState(1);
  const controller = useController();
  const { title } = useSuspense(ArticleResource.get, { id: "5" });
  const rename = () => {
    setCount(count + 1);
    controller.set(Article, { id: "5" }, { title: "New" });
  };
  return h("button", { onClick: rename }, title + " " + count);
}
render(h(DataProvider, null, h(AsyncBoundary, null, h(Title))), document.body);
`;

let tarball = "";

Deno.test.beforeAll(async () => {
  tarball = await Deno.makeTempFile({ suffix: ".tgz" });
  if (HAS_NPM) await pack(tarball);
});

Deno.test.afterAll(() => Deno.remove(tarball));

async function install(folder: string, ...packages: readonly string[]): Promise<void> {
  await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify({ name: "app", private: true, type: "module" }));
  const { success, stderr } = await new Deno.Command("npm", {
    args: ["install", "--no-audit", "--no-fund", ...packages],
    cwd: folder,
  }).output();
  assert(success, new TextDecoder().decode(stderr));
}

async function installed(folder: string, name: string): Promise<{ readonly version: string } | undefined> {
  const text = await Deno.readTextFile(`${folder}/node_modules/${name}/package.json`).catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

Deno.test({
  name: "13.D2 the packed package alone brings neither Preact nor its signals",
  ignore: !HAS_NPM,
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      await install(folder, tarball);
      assertEquals(await installed(folder, "preact"), undefined);
      assertEquals(await installed(folder, "@preact/signals"), undefined);
      const manifest = await installed(folder, "@rejoin/data") as unknown as {
        readonly dependencies: object;
        readonly peerDependencies: object;
        readonly peerDependenciesMeta: object;
      };
      assertEquals(Object.keys(manifest.dependencies), ["@preact/signals-core", "path-to-regexp"]);
      assertEquals(manifest.peerDependencies, {
        "@preact/signals": "^2",
        "preact": ">=10.25.0 <12",
        "preact-render-to-string": "^6",
      });
      assertEquals(manifest.peerDependenciesMeta, {
        "@preact/signals": { optional: true },
        preact: { optional: true },
        "preact-render-to-string": { optional: true },
      });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

for (const range of ["10.25.0", "^10", "^11"]) {
  Deno.test({
    name: `13.D2 a page with the packed package and preact@${range} has one copy of it, and shows what it fetched`,
    ignore: !HAS_NPM,
    async fn() {
      const folder = await Deno.makeTempDir();
      try {
        await install(folder, tarball, `preact@${range}`, "@preact/signals@^2");
        const { outputFiles, metafile } = await esbuild.build({
          stdin: { contents: PAGE, resolveDir: folder },
          absWorkingDir: folder,
          bundle: true,
          format: "esm",
          metafile: true,
          write: false,
          logLevel: "silent",
        });
        const copies = Object.keys(metafile.inputs).flatMap((path) =>
          /^(.*node_modules\/(?:preact|@preact\/signals(?:-core)?))\//.exec(path)?.[1] ?? []
        );
        assertEquals([...new Set(copies)].sort(), [
          "node_modules/@preact/signals",
          "node_modules/@preact/signals-core",
          "node_modules/preact",
        ]);
        const { version } = (await installed(folder, "preact"))!;
        assert(version.startsWith(range.replace("^", "")), version);
        await showsWhatItFetched(outputFiles[0]!.text);
      } finally {
        await esbuild.stop();
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}

async function showsWhatItFetched(code: string): Promise<void> {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname === "/script") return new Response(code, { headers: { "content-type": "text/javascript" } });
    if (pathname === "/articles/5") return Response.json({ id: "5", title: "Hello" });
    const html = '<!DOCTYPE html><link rel="icon" href="data:,"><body><script type="module" src="/script"></script>';
    return new Response(html, { headers: { "content-type": "text/html" } });
  });
  await using browser = await launch();
  const page = await browser.newPage();
  const said: string[] = [];
  page.on("pageerror", (error) => said.push(String(error)));
  await page.goto(`http://127.0.0.1:${server.addr.port}/`);
  await page.locator("button", { hasText: "Hello 1" }).click();
  await page.locator("button", { hasText: "New 2" }).waitFor();
  assertEquals(said, []);
}
