// What the migration pages show before, with the packages that it names, and after: both are the same app to a person.
import { assert, assertEquals } from "@std/assert";
import * as esbuild from "esbuild";
import { HAS_NPM, npmInstall } from "../packaging/consumer.ts";
import { launch } from "../support/browser.ts";
import { shared } from "../support/shared.ts";
import { hasRows, Rows } from "./_rows.ts";
import { blocksOf, bundle, bundlePeer, type Peer, Site } from "./_site.ts";

/** In versions that work together, and that every registry has. */
const PACKAGES = {
  react18: [
    ...["react@18", "react-dom@18", "preact@10", "@reduxjs/toolkit@2", "react-redux@9", "@tanstack/preact-query@5"],
    // Left to itself, npm takes the newest, which @data-client/react does not go with.
    "@types/react@18",
    ...["rest-hooks@6.4", "@rest-hooks/rest@6.6", "@rest-hooks/use-enhanced-reducer@1.2.8"],
    ...["@data-client/react@0.10", "@data-client/rest@0.9", "@data-client/hooks@0.1"],
  ],
  react17: [
    "react@17",
    "react-dom@17",
    "rest-hooks@5.0",
    "@rest-hooks/rest@2",
    "@rest-hooks/use-enhanced-reducer@1.2.8",
  ],
};

/** The names that the page says these versions have. */
const DATA_CLIENT = {
  "@data-client/react": `
    export * from "@data-client/react/";
    export { CacheProvider as DataProvider } from "@data-client/react/";
    export { useLoading } from "@data-client/hooks";`,
  "@data-client/rest": `
    export * from "@data-client/rest/";
    export { createResource as resource } from "@data-client/rest/";`,
};

/** A page of docs/, and what its code before needs. */
interface Migration {
  readonly page: string;
  readonly modules: keyof typeof PACKAGES;
  readonly peer?: Partial<Peer>;
  /** What a person does, in both. */
  readonly use: (site: Site, server: Rows) => Promise<void>;
  /** What the page says of requests after it. */
  readonly requests?: readonly string[];
}

/** A list that a new row joins, unless the server refuses it. */
async function adds(site: Site, server: Rows): Promise<void> {
  await hasRows(site, "Read", "Write");
  const title = site.page.getByLabel("Title");
  await title.fill("Call");
  await site.press("Add");
  await hasRows(site, "Read", "Write", "Call");
  await site.page.waitForFunction(() => document.querySelector("input")?.value === "");
  server.refuse("POST", 409, {});
  await title.fill("Pay");
  await site.press("Add");
  await site.sees("form em", "");
  await hasRows(site, "Read", "Write", "Call");
}

/** The same, and a tick that goes back when the server refuses it. */
async function addsAndTicks(site: Site, server: Rows): Promise<void> {
  await adds(site, server);
  const ticked = site.page.waitForResponse((response) => response.request().method() === "PATCH");
  await site.page.getByLabel("Write").click();
  await ticked;
  await site.page.locator("li input:checked").waitFor();
  server.refuse("PATCH", 409, {});
  await site.page.getByLabel("Read").click();
  await site.sees("li em", "");
  await site.page.waitForFunction(() => document.querySelectorAll("li input:checked").length === 1);
  assert(await site.page.getByLabel("Write").isChecked());
}

/** A tick that list and detail show at once, and that goes back in both. */
async function ticksBoth(site: Site, server: Rows): Promise<void> {
  await hasRows(site, "Read", "Write");
  await site.press("Write");
  await site.sees("h1", "Write is to be done");
  const release = server.hold("PATCH");
  await site.page.getByLabel("Write").check();
  await site.sees("h1", "Write is done");
  const answered = site.page.waitForResponse((response) => response.request().method() === "PATCH");
  release();
  await answered;
  await site.rests();
  const refused = site.page.waitForResponse((response) => response.status() === 409);
  server.refuse("PATCH", 409, {});
  await site.page.getByLabel("Write").click();
  await refused;
  await site.sees("h1", "Write is done");
  assert(await site.page.getByLabel("Write").isChecked());
}

const MIGRATIONS: readonly Migration[] = [
  { page: "migration-data-client", modules: "react18", peer: { texts: DATA_CLIENT }, use: addsAndTicks },
  { page: "migration-rest-hooks", modules: "react18", use: adds },
  { page: "migration-5", modules: "react17", use: addsAndTicks },
  {
    page: "migration-tanstack",
    modules: "react18",
    peer: { jsx: "preact" },
    use: ticksBoth,
    requests: ["GET /api/todos", "PATCH /api/todos/2", "PATCH /api/todos/2"],
  },
  {
    page: "migration-rtk-query",
    modules: "react18",
    use: ticksBoth,
    requests: ["GET /api/todos", "PATCH /api/todos/2", "PATCH /api/todos/2"],
  },
];

Deno.test({
  name: "17. the migration pages work in a browser, before and after",
  ignore: !HAS_NPM,
  // esbuild's child process outlives the test.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn(t) {
    const installed = await shared("migrations", async (path) => {
      const installing = Object.entries(PACKAGES).map(([name, packages]) => npmInstall(`${path}/${name}`, packages));
      await Promise.all(installing);
    });
    await using browser = await launch();
    for (const { page, modules, peer, use, requests } of MIGRATIONS) {
      await t.step(`${page}.md, Before`, async () => {
        const [block = ""] = await blocksOf(page, "jsx");
        const server = new Rows("Read", "Write");
        const script = await bundlePeer(block, { folder: `${installed}/${modules}`, jsx: "react", texts: {}, ...peer });
        await using site = await Site.open(browser, script, server.answer);
        await use(site, server);
        assertEquals(site.problems, []);
      });

      await t.step(`${page}.md, After`, async () => {
        const block = (await blocksOf(page)).at(-1)!;
        const server = new Rows("Read", "Write");
        await using site = await Site.open(browser, await bundle(block), server.answer);
        await use(site, server);
        await site.sees("[role=alert]", "409");
        if (requests) assertEquals(site.requests, requests);
        assertEquals(site.problems, []);
      });
    }
    await esbuild.stop();
  },
});
