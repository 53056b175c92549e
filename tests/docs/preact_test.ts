import { assert, assertEquals } from "@std/assert";
import * as esbuild from "esbuild";
import { launch } from "../support/browser.ts";
import { ROOT } from "../repo/module_graph.ts";
import { blocksOf, bundle, bundleApp, Site } from "./_site.ts";

/** One component that reads one item, and ways to put an endpoint into any state. */
const PROBE = `
  import { Controller, createResource, Entity } from "@rejoin/data";
  import { AsyncBoundary, DataProvider, useSuspense } from "@rejoin/data/preact";
  import { render } from "preact";

  class Item extends Entity {
    id = "";
    title = "";
    pk() {
      return this.id;
    }
    static key = "Item";
  }
  const resource = createResource({ urlPrefix: "/api", path: "/items/:id", schema: Item });
  const { get, delete: remove } = resource;
  const brief = get.extend({ path: "/brief/:id", dataExpiryLength: 0, errorExpiryLength: 0 });
  const short = get.extend({ path: "/short/:id", dataExpiryLength: 50 });
  const strict = brief.extend({ path: "/strict/:id", invalidIfStale: true });
  const controller = new Controller();
  const root = document.getElementById("a");

  function Shown({ endpoint, id }) {
    return <b>{useSuspense(endpoint, { id }).title || "…"}</b>;
  }
  const Failure = ({ error }) => <i>{error.message}</i>;
  const show = (endpoint, id, ownFailure) =>
    render(
      <DataProvider controller={controller}>
        <AsyncBoundary fallback={<em>Loading</em>} errorComponent={ownFailure ? undefined : Failure}>
          <Shown endpoint={endpoint} id={id} />
        </AsyncBoundary>
      </DataProvider>,
      root,
    );
  const hide = () => render(null, root);
  Object.assign(globalThis, { get, remove, brief, short, strict, controller, show, hide });
`;

/** Runs a server that listens at port 8000 at another one. */
async function startInNode(code: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const file = await Deno.makeTempFile({ suffix: ".mjs" });
  await Deno.writeTextFile(
    file,
    code.replace("listen(8000)", `listen(0, "127.0.0.1", function () { console.log(this.address().port); })`),
  );
  const node = new Deno.Command("node", { args: [file], stdout: "piped" }).spawn();
  const reader = node.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value: port = "" } = await reader.read();
  return {
    url: `http://127.0.0.1:${port.trim()}`,
    async stop() {
      node.kill();
      await reader.cancel();
      await node.status;
      await Deno.remove(file);
    },
  };
}

const RENDER_APP = `import { app } from "block"; render(app, document.getElementById("a"));`;

Deno.test({
  name: "the pages of docs in a browser",
  // esbuild keeps a process, playwright a connection; both are closed below.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn(t) {
    await using browser = await launch();
    const blocks = await blocksOf("preact");
    const [boundaryApp = "", runsApp = "", islandsApp = ""] = [
      "function ArticlePage(",
      "const runs:",
      "const islands =",
    ]
      .map((text) => blocks.find((block) => block.includes(text)));

    await t.step("start.md: the app of five minutes, with its server in Node", async () => {
      const [, code = ""] = /```js\n([\s\S]*?)```/.exec(await Deno.readTextFile(`${ROOT}docs/start.md`))!;
      const api = await startInNode(code);
      let refusal: Promise<Response> | undefined;
      let held = undefined as Promise<void> | undefined;
      await using site = await Site.open(
        browser,
        await bundleApp("start"),
        async (request) => {
          await held;
          if (request.method === "PATCH" && refusal) return await refusal;
          const { pathname } = new URL(request.url);
          const { method } = request;
          return await fetch(`${api.url}${pathname}`, { method, body: method === "GET" ? null : await request.text() });
        },
        `<div id="app"></div>`,
      );
      const { page } = site;
      await site.press("Again");
      await site.sees("h1", "Again");
      assertEquals(await site.text("article p"), "The second one.");
      assertEquals(site.requests, ["GET /api/articles"]);

      const answer = Promise.withResolvers<Response>();
      refusal = answer.promise;
      await site.press("Edit");
      await page.getByLabel("Title", { exact: true }).fill("Renamed");
      await site.press("Save");
      await site.sees("li", "Renamed");
      answer.resolve(Response.json({ detail: "no" }, { status: 422 }));
      await site.sees("[role=alert]", "It was not saved");
      await site.sees("li", "Again");
      assertEquals(await page.getByLabel("Title", { exact: true }).inputValue(), "Renamed");

      refusal = undefined;
      await site.press("Save");
      await site.sees("h1", "Renamed");
      assertEquals(await site.text("ul"), "Hello\nRenamed");

      const release = Promise.withResolvers<void>();
      held = release.promise;
      await page.getByLabel("Title of a new article").fill("Third");
      await site.press("Add");
      await page.evaluate("document.querySelectorAll('li').forEach((row) => row.dataset.kept = 'yes')");
      assertEquals(await site.text("ul"), "Hello\nRenamed\nThird");
      const created = page.waitForResponse((response) => response.request().method() === "POST");
      release.resolve();
      await created;
      await site.press("Third");
      await site.sees("h1", "Third");
      assertEquals(await page.locator("li[data-kept=yes]").count(), 3);
      assertEquals(site.problems, []);
      await api.stop();
    });

    await t.step("preact.md, Boundary: what was mounted stays, hidden, and an error is asked again", async () => {
      const next = Promise.withResolvers<Response>();
      let third = 0;
      await using site = await Site.open(browser, await bundle(boundaryApp, RENDER_APP), async (request) => {
        const id = Number(new URL(request.url).pathname.split("/")[3]);
        if (id === 6) return await next.promise;
        if (id === 7 && third++ === 0) return new Response("none", { status: 404 });
        return Response.json({ id: String(id), title: `Article ${id}` });
      });
      await site.sees("h1", "Article 5");
      await site.page.locator("textarea").fill("my notes");
      await site.press("Next");
      await site.sees("p", "Loading");
      assertEquals(await site.page.locator("article").count(), 1);
      assertEquals(await site.page.locator("article").isVisible(), false);
      next.resolve(Response.json({ id: "6", title: "Article 6" }));
      await site.sees("h1", "Article 6");
      assertEquals(await site.page.locator("textarea").inputValue(), "my notes");
      assertEquals(await site.page.evaluate("document.activeElement.textContent"), "Next");
      assertEquals(await site.page.getByText("Loading").count(), 0);

      await site.press("Next");
      await site.sees("[role=alert]", "404");
      assertEquals(await site.page.locator("article").count(), 0);
      await site.press("Again");
      await site.sees("h1", "Article 5");
      assertEquals(site.problems, []);
    });

    await t.step("preact.md, What runs again: one row", async () => {
      const script = await bundle(
        runsApp,
        `import * as block from "block"; render(block.app, document.getElementById("a")); Object.assign(globalThis, block);`,
      );
      await using site = await Site.open(browser, script, () => new Response());
      await site.sees("li", "Film 3");
      const runsAfter = async (title: string) => {
        await site.page.evaluate(
          `runs.length = 0; controller.set(Film, "2", { id: "2", title: ${JSON.stringify(title)} })`,
        );
        await site.sees("li", title);
        await site.rests();
        return await site.page.evaluate("runs");
      };
      assertEquals(await runsAfter("New"), ["row 2"]);
      assertEquals(await site.text("ul"), "Film 1\nNew\nFilm 3");
      assertEquals(await runsAfter("New"), []);
      assertEquals(site.problems, []);
    });

    await t.step("preact.md, Several roots: what one changes the other shows", async () => {
      const script = await bundle(
        islandsApp,
        `import { islands } from "block"; islands.forEach((island, i) => render(island, document.getElementById("ab"[i])));`,
      );
      await using site = await Site.open(browser, script, () => new Response());
      await site.sees("output", "0");
      await site.press("Click");
      await site.press("Click");
      await site.sees("output", "2");
      assert(await site.page.locator("#a output").isVisible());
      assertEquals(site.problems, []);
    });

    await t.step("freshness.md: what useSuspense fetches, shows and waits for", async () => {
      const [never, rows] = [Promise.withResolvers<Response>(), [] as [string, string, number][]];
      await using site = await Site.open(browser, await bundle(PROBE, ""), () => never.promise);
      let asked = 0;
      site.page.on("request", () => asked++);
      const state = async (name: string, script: string) => {
        asked = 0;
        await site.page.evaluate(script);
        await site.rests();
        const shown = await site.page.evaluate<string>(
          `[...document.querySelectorAll("#a *")].filter((it) => it.checkVisibility()).map((it) => it.localName).join()`,
        );
        // The browser says that a request has left before it answers what is asked of the page later.
        rows.push([name, shown, asked]);
      };
      // `b` is data, `em` the fallback, `i` an error.
      const item = (id: number) => `{ id: "${id}" }, { id: "${id}", title: "…" }`;
      await state("nothing known", `show(get, "1")`);
      await state("fresh", `controller.setResponse(get, ${item(2)}); show(get, "2")`);
      await state("stale, at mount", `controller.setResponse(brief, ${item(3)}); hide(); show(brief, "3")`);
      await state("fresh again", `controller.setResponse(get, ${item(4)}); hide(); show(get, "4")`);
      await state("stale, new arguments", `controller.setResponse(brief, ${item(5)}); show(brief, "5")`);
      await state("not yet stale", `controller.setResponse(short, ${item(6)}); hide(); show(short, "6")`);
      await state("stale by time, mounted", `show(short, "6")`);
      await state("to be marked", `controller.setResponse(get, ${item(7)}); hide(); show(get, "7")`);
      await state("marked stale, mounted", `controller.expireAll(get)`);
      await state("invalidIfStale", `controller.setResponse(strict, ${item(8)}); hide(); show(strict, "8")`);
      await state("to be invalidated", `controller.setResponse(get, ${item(9)}); hide(); show(get, "9")`);
      await state("invalidated", `controller.invalidate(get, { id: "9" })`);
      await state("an error", `controller.setError(get, { id: "10" }, new Error("no")); hide(); show(get, "10")`);
      await state(
        "an old error",
        `controller.setError(brief, { id: "11" }, new Error("no")); hide(); show(brief, "11")`,
      );
      await state("to be deleted", `controller.setResponse(get, ${item(12)}); hide(); show(get, "12")`);
      await state("deleted", `controller.setResponse(remove, { id: "12" }, { id: "12" })`);
      assertEquals(rows, [
        ["nothing known", "em", 1],
        ["fresh", "b", 0],
        ["stale, at mount", "b", 1],
        ["fresh again", "b", 0],
        ["stale, new arguments", "b", 1],
        ["not yet stale", "b", 0],
        ["stale by time, mounted", "b", 0],
        ["to be marked", "b", 0],
        ["marked stale, mounted", "b", 1],
        ["invalidIfStale", "em", 1],
        ["to be invalidated", "b", 0],
        ["invalidated", "em", 1],
        ["an error", "i", 0],
        ["an old error", "em", 1],
        ["to be deleted", "b", 0],
        ["deleted", "em", 1],
      ]);
      assertEquals(site.problems, []);
      never.resolve(new Response());
    });

    await t.step("preact.md, Cancellation: a request that nobody wants is aborted", async () => {
      const never = Promise.withResolvers<Response>();
      await using site = await Site.open(browser, await bundle(PROBE, ""), () => never.promise);
      const aborted: string[] = [];
      site.page.on("requestfailed", (request) => aborted.push(new URL(request.url()).pathname.split("/").at(-1) ?? ""));
      const aborts = async (script: string, ...expected: string[]) => {
        aborted.length = 0;
        await site.page.evaluate(`${script}; undefined`);
        await site.rests();
        // The browser tells of it when it has the time.
        for (let tries = 0; tries < 1_000 && aborted.length < expected.length; tries++) await site.rests();
        assertEquals(aborted, expected);
      };
      await aborts(`show(get, "1")`);
      await aborts(`hide()`, "1");
      // Stale data is shown while new data is asked for: the mounted component holds the request.
      await aborts(`controller.setResponse(brief, { id: "2" }, { id: "2" }); show(brief, "2")`);
      await aborts(`hide()`, "2");
      await aborts(`controller.setResponse(brief, { id: "3" }, { id: "3" }); show(brief, "3")`);
      await aborts(`show(get, "4")`, "3");
      await aborts(`hide()`, "4");
      await aborts(`show(get, "5"); controller.fetch(get, { id: "5" }).catch(() => {})`);
      await aborts(`hide()`);
      await aborts(`show(get, "6")`);
      await aborts(`show(get, "7")`, "6");
      await aborts(`hide()`, "7");
      assertEquals(site.problems, []);
      never.resolve(new Response());
    });

    await t.step("preact.md, Boundary: Try again asks again for what failed", async () => {
      let asked = 0;
      await using site = await Site.open(browser, await bundle(PROBE, ""), () => {
        return asked++ === 0 ? new Response("none", { status: 404 }) : Response.json({ id: "1", title: "there" });
      });
      await site.page.evaluate(`show(get, "1", true)`);
      await site.sees("[role=alert]", "404");
      await site.press("Try again");
      await site.sees("b", "there");
      assertEquals([asked, site.problems], [2, []]);
    });

    await esbuild.stop();
  },
});
