// The whole files of the guides, used as a person would.
import { assert, assertEquals } from "@std/assert";
import * as esbuild from "esbuild";
import { launch } from "../support/browser.ts";
import { hasRows, Rows } from "./_rows.ts";
import { blocksOf, bundle, Site } from "./_site.ts";

Deno.test({
  name: "15.9 the guides work in a browser as they stand there",
  // esbuild's child process outlives the test.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn(t) {
    await using browser = await launch();

    await t.step("forms.md, Make and edit", async () => {
      const server = new Rows("Hello", "World");
      const [block = ""] = await blocksOf("forms");
      await using site = await Site.open(browser, await bundle(block), server.answer);
      const { page } = site;
      await hasRows(site, "Hello Edit", "World Edit");
      const title = page.getByLabel("Title of a new article");
      const release = server.hold("POST");
      await title.fill("Third");
      await site.press("Add");
      assert(await page.getByRole("button", { name: "Adding …" }).isDisabled());
      release();
      await hasRows(site, "Hello Edit", "World Edit", "Third Edit");
      assertEquals(await title.inputValue(), "");
      server.refuse("POST", 422, { fields: { title: "is taken" } });
      await title.fill("Third");
      await site.press("Add");
      await site.sees("[role=alert]", "is taken");
      assertEquals(await title.inputValue(), "Third");
      await title.fill("");

      await page.locator("li button").first().click();
      server.refuse("PATCH", 422, { fields: { title: "is too short" } });
      await page.getByLabel("Title", { exact: true }).fill("H");
      await site.press("Save");
      await site.sees("em", "The title is too short.");
      await page.getByLabel("Title", { exact: true }).fill("Hello, you");
      const saved = server.hold("PATCH");
      await site.press("Save");
      assert(await page.getByRole("button", { name: "Saving …" }).isDisabled());
      saved();
      await hasRows(site, "Hello, you Edit", "World Edit", "Third Edit");
      assertEquals(site.problems, []);
    });

    await t.step("forms.md, A switch that is right at once", async () => {
      const server = new Rows("Read", "Write");
      const [, block = ""] = await blocksOf("forms");
      await using site = await Site.open(browser, await bundle(block), server.answer);
      const box = site.page.getByLabel("Read");
      const release = server.hold("PATCH");
      await box.check();
      assertEquals(await site.page.locator("li[aria-busy=true]").count(), 1);
      release();
      await site.page.locator("li[aria-busy=true]").waitFor({ state: "detached" });
      assert(await box.isChecked());
      server.refuse("PATCH", 409, {});
      await site.page.getByLabel("Write").click();
      await site.sees("em", "It was not saved");
      assertEquals([await box.isChecked(), await site.page.getByLabel("Write").isChecked()], [true, false]);
      assertEquals(site.problems, []);
    });

    await t.step("forms.md, Delete on a detail page", async () => {
      const server = new Rows("Hello", "World");
      const [, , block = ""] = await blocksOf("forms");
      await using site = await Site.open(browser, await bundle(block), server.answer);
      await site.press("World");
      await site.sees("h1", "World");
      const release = server.hold("DELETE");
      await site.press("Delete");
      await hasRows(site, "Hello");
      const answered = site.page.waitForResponse((response) => response.request().method() === "DELETE");
      release();
      await answered;
      await hasRows(site, "Hello");
      server.refuse("DELETE", 409, {});
      await site.press("Hello");
      await site.press("Delete");
      await site.sees("[role=alert]", "It was not deleted");
      await hasRows(site, "Hello");
      assertEquals(site.requests, ["GET /api/articles", "DELETE /api/articles/2", "DELETE /api/articles/1"]);
      assertEquals(site.problems, []);
    });

    await t.step("17. authentication.md: in, out, and out because the server says so", async () => {
      const tokens = new Map([["Bearer a", "Ann"], ["Bearer b", "Bo"]]);
      const [block = ""] = await blocksOf("authentication");
      await using site = await Site.open(browser, await bundle(block), async (request) => {
        if (request.method === "POST") {
          const { name, password } = await request.json();
          const isRight = password === "right";
          return Response.json(isRight ? { token: name[0].toLowerCase() } : {}, { status: isRight ? 200 : 401 });
        }
        const name = tokens.get(request.headers.get("authorization") ?? "");
        return Response.json(name ? { id: name, name } : {}, { status: name ? 200 : 401 });
      });
      const enter = async (name: string, password: string) => {
        await site.page.getByLabel("Name").fill(name);
        await site.page.getByLabel("Password").fill(password);
        await site.press("Log in");
      };
      await enter("Ann", "wrong");
      await site.sees("[role=alert]", "401");
      await enter("Ann", "right");
      await site.sees("p", "Hello, Ann.");
      await site.press("Log out");
      await enter("Bo", "right");
      await site.sees("p", "Hello, Bo.");
      await site.press("Log out");
      tokens.delete("Bearer b");
      const refused = site.page.waitForResponse((response) => response.url().endsWith("/api/me"));
      await enter("Bo", "right");
      assertEquals((await refused).status(), 401);
      await site.rests();
      await enter("Ann", "right");
      await site.sees("p", "Hello, Ann.");
      assertEquals(site.problems, []);
    });

    await t.step("lists.md, Search as you type", async () => {
      const films = ["Alien", "Aliens", "Brazil"];
      const held: { until?: Promise<void> } = {};
      let status = 200;
      const [block = ""] = await blocksOf("lists");
      await using site = await Site.open(browser, await bundle(block), async (request) => {
        await held.until;
        const q = new URL(request.url).searchParams.get("q")!;
        const found = films.filter((title) => title.toLowerCase().includes(q));
        return Response.json(found.map((title) => ({ id: title, title })), { status });
      });
      await site.sees("p", "Type a title.");
      const field = site.page.getByLabel("Title");
      await field.fill("ali");
      await hasRows(site, "Alien", "Aliens");
      const { promise, resolve } = Promise.withResolvers<void>();
      held.until = promise;
      await field.fill("aliens");
      await site.page.locator("ul[aria-busy=true]").waitFor();
      await hasRows(site, "Alien", "Aliens");
      resolve();
      await hasRows(site, "Aliens");
      await field.fill("zz");
      await hasRows(site, "Nothing is called so.");
      status = 400;
      await field.fill("bra");
      await site.sees("[role=alert]", "400");
      status = 200;
      await site.press("Again");
      await hasRows(site, "Brazil");
      assertEquals(site.requests.map((line) => line.split("?")[1]), ["q=ali", "q=aliens", "q=zz", "q=bra", "q=bra"]);
      assertEquals(site.problems, []);
    });

    await t.step("lists.md, Search, load more, and add", async () => {
      const films = Array.from({ length: 12 }, (_, at) => ({ id: String(99 - at), title: `Film ${12 - at}` }));
      const posted = Promise.withResolvers<void>();
      const held: { until?: Promise<void> } = {};
      const [, block = ""] = await blocksOf("lists");
      await using site = await Site.open(browser, await bundle(block), async (request) => {
        const { searchParams } = new URL(request.url);
        if (request.method === "POST") {
          const film = { ...await request.json(), id: "100" };
          await posted.promise;
          films.unshift(film);
          return Response.json(film);
        }
        await held.until;
        const q = searchParams.get("q") ?? "";
        const found = films.filter(({ title }) => title.toLowerCase().includes(q));
        const from = found.findIndex(({ id }) => id === searchParams.get("cursor")) + 1;
        const results = found.slice(from, from + 10);
        const next = from + 10 < found.length ? results.at(-1)!.id : null;
        return Response.json({ results, next, total: found.length });
      });
      await site.sees("p", "12 films");
      await site.press("More");
      await site.page.locator("li", { hasText: /^Film 1$/ }).waitFor();
      assertEquals(await site.page.locator("li").count(), 12);
      await site.page.getByLabel("Title of a new film").fill("Film new");
      await site.press("Add");
      await site.page.locator("li:first-child", { hasText: "Film new" }).waitFor();
      posted.resolve();
      await site.sees("p", "13 films");
      await site.page.waitForFunction(() => document.querySelectorAll("li").length === 13);
      assertEquals(await site.page.getByLabel("Title of a new film").inputValue(), "");
      const { promise, resolve } = Promise.withResolvers<void>();
      held.until = promise;
      await site.page.getByLabel("Search").fill("new");
      await site.page.locator("section[aria-busy=true]").waitFor();
      assertEquals(await site.page.locator("li").count(), 13);
      resolve();
      await hasRows(site, "Film new");
      await site.sees("p", "1 films");
      assertEquals(site.problems, []);
    });

    await t.step("islands.md: what one changes the other shows, and one store asks once", async () => {
      const item = { id: "5", name: "tea", count: 1 };
      const html = /```html\n([\s\S]*?)```/.exec(
        await Deno.readTextFile(new URL("../../docs/islands.md", import.meta.url)),
      )!;
      const body = html[1]!.replace(/<script.*<\/script>|<\/?body>/g, "");
      const [block = ""] = await blocksOf("islands");
      await using site = await Site.open(browser, await bundle(block), async (request) => {
        if (request.method === "PATCH") Object.assign(item, await request.json());
        return Response.json(request.method === "GET" && request.url.endsWith("/cart") ? [item] : item);
      }, body);
      await site.sees("header a", "Cart (1)");
      await site.press("Buy tea");
      await site.sees("header a", "Cart (2)");
      await site.press("Buy tea");
      await site.sees("header a", "Cart (3)");
      assertEquals(site.requests.slice(0, 2).toSorted(), ["GET /api/cart", "GET /api/cart/5"]);
      assertEquals(site.problems, []);
    });

    await esbuild.stop();
  },
});
