/** The examples that only a browser can run, used as a user would. Those of other pages run in examples_test.ts. */
import { assertEquals } from "@std/assert";
import { launch } from "../support/browser.ts";
import { blocksOf, bundle, bundleApp, type Handler, Site } from "./_site.ts";

/** An API with rows: list, detail, create and change. If `refused` is set, the next request is refused. */
function rowsApi(...rows: Record<string, unknown>[]): { readonly answer: Handler; refused?: boolean } {
  const api = {
    refused: false,
    async answer(request: Request) {
      const { pathname, searchParams } = new URL(request.url), id = pathname.split("/")[3], q = searchParams.get("q");
      if (request.method === "GET" && !id) {
        return Response.json(rows.filter(({ title }) => !q || `${title}`.includes(q)));
      }
      if (api.refused) {
        api.refused = false;
        return Response.json({}, { status: 422 });
      }
      if (!id) rows.push({ id: `${rows.length + 1}` });
      const row = id ? rows.find((row) => row.id === id) : rows.at(-1);
      if (request.method !== "GET") Object.assign(row!, await request.json());
      return Response.json(row);
    },
  };
  return api;
}

Deno.test("install.md and five-minutes.md: the list, a page without a request, edits, what is refused, and a new row", async () => {
  await using browser = await launch();
  const [first = ""] = await blocksOf("install");
  await using small = await Site.open(browser, await bundle(first), rowsApi({ id: "1", title: "Hello" }).answer);
  await small.sees("li", "Hello");
  await small.page.getByLabel("Title").fill("Again");
  await small.press("Save");
  await small.sees("li", "Again");
  assertEquals([small.requests, small.problems], [["GET /api/articles", "POST /api/articles"], []]);

  const api = rowsApi({ id: "1", title: "Hello", text: "One." }, { id: "2", title: "Again", text: "Two." });
  await using site = await Site.open(browser, await bundleApp("five-minutes"), api.answer);
  await site.press("Again");
  await site.sees("h1", "Again");
  assertEquals(site.requests, ["GET /api/articles"]);
  await site.press("Edit");
  await site.page.getByLabel("Title", { exact: true }).fill("New");
  await site.press("Save");
  await site.sees("h1", "New");
  await site.sees("li", "New");
  api.refused = true;
  await site.press("Edit");
  await site.page.getByLabel("Title", { exact: true }).fill("Never");
  await site.press("Save");
  await site.sees("[role=alert]", "It was not saved");
  await site.sees("li", "New");
  await site.page.getByLabel("Title of a new article").fill("Third");
  await site.press("Add");
  await site.sees("li", "Third");
  await site.rests();
  assertEquals([site.requests.slice(1), site.problems], [
    ["PATCH /api/articles/2", "PATCH /api/articles/2", "POST /api/articles"],
    [],
  ]);
});

Deno.test("guides/lists-and-search.md: a search as one types", async () => {
  await using browser = await launch();
  const titles = ["alien", "aliens", "brazil"].map((title) => ({ id: title, title }));
  const [block = ""] = await blocksOf("guides/lists-and-search");
  const start = `import { Search } from "block"; import { h } from "preact";
    import { DataProvider } from "@rejoin/data/preact"; render(h(DataProvider, null, h(Search)), document.body);`;
  await using site = await Site.open(browser, await bundle(block, start), rowsApi(...titles).answer);
  await site.page.getByLabel("Search").pressSequentially("alien");
  await site.sees("li", "aliens");
  await site.page.getByLabel("Search").fill("bra");
  await site.sees("li", "brazil");
  assertEquals([site.requests.at(-1), site.problems], ["GET /api/films?q=bra", []]);
});

Deno.test("guides/sign-in.md: in, out, in as another, and out because the server says so", async () => {
  const people = new Map([["Bearer a", "ann"], ["Bearer b", "bo"]]);
  const [block = ""] = await blocksOf("guides/sign-in");
  await using browser = await launch();
  await using site = await Site.open(browser, await bundle(block), async (request) => {
    const sent = request.method === "POST" && await request.json();
    const name = people.get(request.headers.get("authorization") ?? "");
    const answer = sent ? sent.password === "right" && { token: sent.name[0] } : name && { name };
    return Response.json(answer || {}, { status: answer ? 200 : 401 });
  });
  const enter = async (name: string, password: string) => {
    await site.page.getByLabel("Name").fill(name);
    await site.page.getByLabel("Password").fill(password);
    await site.press("Sign in");
  };
  await enter("ann", "wrong");
  await site.sees("[role=alert]", "401");
  await enter("ann", "right");
  await site.sees("p", "Hello, ann.");
  await site.press("Sign out");
  people.delete("Bearer b");
  const refused = site.page.waitForResponse((response) => response.url().endsWith("/api/me"));
  await enter("bo", "right");
  assertEquals((await refused).status(), 401);
  await site.rests();
  await enter("ann", "right");
  await site.sees("p", "Hello, ann.");
  assertEquals(site.problems, []);
});

Deno.test("guides/islands.md: what one changes the other shows, and each asks once", async () => {
  const item = { id: "5", name: "tea", count: 1 };
  const [block = ""] = await blocksOf("guides/islands");
  const body = `<div data-island="cart-button"></div><div data-island="buy" data-id="5"></div>`;
  await using browser = await launch();
  await using site = await Site.open(browser, await bundle(block), async (request) => {
    if (request.method === "PATCH") Object.assign(item, await request.json());
    return Response.json(request.url.endsWith("/cart") ? [item] : item);
  }, body);
  await site.sees("a", "Cart (1)");
  await site.press("Buy tea");
  await site.sees("a", "Cart (2)");
  await site.press("Buy tea");
  await site.sees("a", "Cart (3)");
  assertEquals([site.requests.slice(0, 2).toSorted(), site.problems], [["GET /api/cart", "GET /api/cart/5"], []]);
});

Deno.test("guides/routers.md: the Router of preact-iso keeps the old page until the new one is there, or has failed", async () => {
  const [block = ""] = await blocksOf("guides/routers"), held = Promise.withResolvers<void>();
  await using browser = await launch();
  await using site = await Site.open(browser, await bundle(block), async ({ url }) => {
    const id = new URL(url).pathname.split("/")[3];
    if (id) await held.promise;
    // The list sends no titles, so that a page asks for its own.
    return Response.json(id ? { id, title: `Film ${id}` } : [{ id: "1" }], { status: id === "2" ? 404 : 200 });
  });
  await site.page.locator("a").waitFor({ state: "attached" });
  await site.page.locator("a").dispatchEvent("click");
  await site.page.locator("main[aria-busy=true] a").waitFor({ state: "attached" });
  held.resolve();
  await site.sees("main[aria-busy=false] h1", "Film 1");
  await site.page.evaluate(() => {
    history.pushState(null, "", "/films/2");
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await site.sees("main[aria-busy=false] [role=alert]", "404");
  await site.page.goBack();
  await site.sees("main[aria-busy=false] h1", "Film 1");
  assertEquals([site.requests, site.problems], [["GET /api/films", "GET /api/films/1", "GET /api/films/2"], []]);
});
