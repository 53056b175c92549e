// The packed package beside the Preact of the app: there is one copy of Preact, and a page shows fetched data.
import * as esbuild from "esbuild";
import { assert, assertEquals } from "@std/assert";
import type { Browser } from "playwright-core";
import { launch } from "../support/browser.ts";
import { pageWith, scriptOf } from "../support/page.ts";
import { Consumer, HAS_NPM, npmTest } from "./consumer.ts";

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

let browser: Browser | undefined;

Deno.test.beforeAll(async () => {
  if (HAS_NPM) browser = await launch();
});

Deno.test.afterAll(async () => {
  await browser?.close();
  await esbuild.stop();
});

async function installed({ modules }: Consumer, name: string): Promise<{ readonly version: string } | undefined> {
  const text = await Deno.readTextFile(`${modules}/${name}/package.json`).catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

npmTest("13.D2 the packed package alone brings neither Preact nor its signals", async () => {
  const consumer = await Consumer.alone("nothing-else");
  assertEquals(await installed(consumer, "preact"), undefined);
  assertEquals(await installed(consumer, "@preact/signals"), undefined);
  const manifest = await installed(consumer, "@rejoin/data") as unknown as {
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
});

/** The bundle that esbuild makes for the browser, and the folders of Preact and signals that it took code from. */
async function byEsbuild({ folder }: Consumer): Promise<{ code: string; copies: string[] }> {
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
    /^.*node_modules\/(?:preact|@preact\/signals(?:-core)?)\//.exec(path)?.[0] ?? []
  );
  return { code: outputFiles[0]!.text, copies: [...new Set(copies)].sort() };
}

/** An app beside the Preact in its own `node_modules`; with `undefined`, beside the shared one. */
async function consumerWith(range: string | undefined): Promise<Consumer> {
  if (range === undefined) return await Consumer.open("peers");
  return await Consumer.alone(`preact-${range}`, `preact@${range}`, "@preact/signals@^2");
}

for (const range of ["10.25.0", undefined]) {
  const preact = range ?? "^11";
  npmTest(
    `13.D2 a page of esbuild with the packed package and preact@${preact} has one copy of it, and shows what it fetched`,
    async () => {
      const consumer = await consumerWith(range);
      const { version } = (await installed(consumer, "preact"))!;
      assert(version.startsWith(preact.replace("^", "")), version);
      const { code, copies } = await byEsbuild(consumer);
      assertEquals(copies, [
        "../node_modules/@preact/signals-core/",
        "../node_modules/@preact/signals/",
        "../node_modules/preact/",
      ]);
      await showsWhatItFetched(code);
    },
  );
}

npmTest(
  "17. a page of Vite with the packed package and preact@^10 has one copy of it, and shows what it fetched",
  async () => {
    // With ^11 it builds the whole app of tests/apps.
    const consumer = await consumerWith("^10");
    const { version } = (await installed(consumer, "preact"))!;
    assert(version.startsWith("10."), version);
    await consumer.write("page/index.html", '<script type="module" src="/main.js"></script>');
    await consumer.write("page/main.js", PAGE);
    const built = await consumer.build("page", (await Consumer.open("vite")).modules);
    const scripts = await Array.fromAsync(Deno.readDir(`${built}/assets`));
    assertEquals(scripts.length, 1);
    const code = await Deno.readTextFile(`${built}/assets/${scripts[0]!.name}`);
    // It is a production build, so it has no sentence of development.
    assert(!code.includes("There is no DataProvider"));
    await showsWhatItFetched(code);
  },
);

async function showsWhatItFetched(code: string): Promise<void> {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname === "/script") return scriptOf(code);
    return pathname === "/articles/5" ? Response.json({ id: "5", title: "Hello" }) : pageWith("/script");
  });
  const page = await browser!.newPage();
  page.setDefaultTimeout(60_000);
  const said: string[] = [];
  page.on("pageerror", (error) => said.push(String(error)));
  await page.goto(`http://127.0.0.1:${server.addr.port}/`);
  await page.locator("button", { hasText: "Hello 1" }).click();
  await page.locator("button", { hasText: "New 2" }).waitFor();
  assertEquals(said, []);
  await page.context().close();
}
