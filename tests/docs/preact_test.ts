import { assert, assertEquals } from "@std/assert";
import * as esbuild from "esbuild";
import { launch } from "../support/browser.ts";
import { blocksOf, bundle, Site } from "./_site.ts";

interface Row {
  id: string;
  title: string;
  author?: { id: string; username: string };
}

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

/** Notes every component that Preact runs, by the hook that devtools use. */
const COUNT_RUNS = `
  import { options } from "preact";
  const { __r: before } = options;
  globalThis.runs = [];
  options.__r = (vnode) => {
    globalThis.runs.push(vnode.type.name);
    before?.(vnode);
  };
`;

const RENDER_APP = `import { app } from "block"; render(app, document.getElementById("a"));`;

Deno.test({
  name: "the pages of docs in a browser",
  // esbuild keeps a process, playwright a connection; both are closed below.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn(t) {
    await using browser = await launch();
    const [startApp = ""] = await blocksOf("start");
    const blocks = await blocksOf("preact");
    const [boundaryApp = "", runsApp = "", islandsApp = ""] = [
      "function ArticlePage(",
      "const runs:",
      "const islands =",
    ]
      .map((text) => blocks.find((block) => block.includes(text)));

    await t.step("start.md: a rename shows everywhere at once, a refused one goes, a created one joins", async () => {
      const ann = { id: "1", username: "ann" };
      const rows: Row[] = [{ id: "5", title: "Hello", author: ann }, { id: "6", title: "Again", author: ann }];
      let patch = Promise.withResolvers<Response>();
      const post = Promise.withResolvers<void>();
      await using site = await Site.open(browser, await bundle(startApp, COUNT_RUNS + RENDER_APP), async (request) => {
        if (request.method === "PATCH") return await patch.promise;
        if (request.method === "POST") {
          const { title, author } = await request.json();
          assertEquals(author.id, "1");
          const row: Row = { id: "7", title, author: ann };
          rows.push(row);
          await post.promise;
          return Response.json(row);
        }
        const id = new URL(request.url).pathname.split("/")[3];
        return Response.json(id === undefined ? rows : rows.find((row) => row.id === id));
      });
      await site.sees("h1", "Hello");
      await site.sees("li", "Again");
      await site.sees("p", "by ann");
      assertEquals(site.requests.toSorted(), ["GET /api/articles", "GET /api/articles/5"]);
      const runs = async () => (await site.page.evaluate<string[]>("runs.splice(0)")).toSorted();

      await runs();
      await site.press("Rename");
      await site.sees("h1", "Renamed");
      assertEquals(await runs(), ["ArticleList", "ArticlePage", "Index", "Prefetch"]);
      assertEquals([await site.text("ul"), await site.text("nav")], ["Renamed\nAgain", "Again, Renamed"]);
      patch.resolve(Response.json({ detail: "no" }, { status: 422 }));
      await site.sees("h1", "Hello");
      assertEquals([await site.text("ul"), await site.text("nav")], ["Hello\nAgain", "Again, Hello"]);

      patch = Promise.withResolvers<Response>();
      await site.press("Rename");
      await site.sees("h1", "Renamed");
      await runs();
      rows[0]!.title = "Renamed";
      const answered = site.page.waitForResponse((response) => response.request().method() === "PATCH");
      patch.resolve(Response.json(rows[0]));
      await answered;
      await site.page.waitForTimeout(60);
      assertEquals(await runs(), []);
      await site.page.evaluate("document.querySelectorAll('li').forEach((row) => row.dataset.kept = 'yes')");
      await site.press("Add");
      await site.sees("nav", "Again, Renamed, Third");
      assertEquals(await site.text("ul"), "Renamed\nAgain\nThird");
      // Its row is the one that was there under a temporary id.
      await site.page.evaluate("document.querySelector('li:last-child').dataset.kept = 'third'");
      // The row is shown before the request has reached anybody.
      const created = site.page.waitForResponse((response) => response.request().method() === "POST");
      post.resolve();
      await created;
      await site.page.waitForTimeout(60);
      assertEquals(await site.text("ul"), "Renamed\nAgain\nThird");
      assertEquals(await site.page.evaluate("[...document.querySelectorAll('li')].map((row) => row.dataset.kept)"), [
        "yes",
        "yes",
        "third",
      ]);
      // The button leaves a refused rename alone.
      assertEquals(site.problems.filter((problem) => !problem.includes("422")), []);
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
        await site.page.waitForTimeout(50);
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
      const state = async (name: string, script: string) => {
        const before = site.requests.length;
        await site.page.evaluate(script);
        await site.page.waitForTimeout(60);
        const shown = await site.page.evaluate<string>(
          `[...document.querySelectorAll("#a *")].filter((it) => it.checkVisibility()).map((it) => it.localName).join()`,
        );
        rows.push([name, shown, site.requests.length - before]);
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
        await site.page.waitForTimeout(60);
        // The browser tells of it when it has the time.
        for (let tries = 0; tries < 400 && aborted.length < expected.length; tries++) {
          await site.page.waitForTimeout(50);
        }
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
