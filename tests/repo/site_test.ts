/** The site of `deno task docs`: whole, and used from a disk, without a server. */
import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { buildDocs } from "../../scripts/docs.ts";
import { examplesOf } from "../../scripts/docs/examples.ts";
import { renderMarkdown } from "../../scripts/docs/markdown.ts";
import { playable } from "../../scripts/docs/play.ts";
import { launch } from "../support/browser.ts";
import { documents, ROOT } from "./documents.ts";

Deno.test("17. Markdown as the pages use it becomes HTML", () => {
  const page = [
    "# A `title`",
    "<!-- setup",
    "hidden();",
    "-->",
    "",
    "Text with **bold**, _dim_, `a < b`, snake_case_name and a [link](a.md#b).",
    "",
    "- one",
    "  goes on",
    "  - nested",
    "- two",
    "",
    "| a | b |",
    "| - | -: |",
    "| `x | y` | [1](b.md) |",
    "",
    "```ts",
    'const n = 1; // → 1 <"',
    "```",
    "",
    "## A `title`",
  ].join("\n");
  const { title, html, sections } = renderMarkdown(page, (target) => target.replace(".md", ".html"));
  assertEquals(title, "A title");
  assertEquals(sections.map(({ id }) => id), ["a-title", "a-title-1"]);
  assertEquals(html.split("\n").slice(1), [
    '<p>Text with <strong>bold</strong>, <em>dim</em>, <code>a &lt; b</code>, snake_case_name and a <a href="a.html#b">link</a>.</p>',
    "<ul>",
    "<li>one",
    "goes on<ul>",
    "<li>nested</li>",
    "</ul></li>",
    "<li>two</li>",
    "</ul>",
    '<div class="wide"><table>',
    '<thead><tr><th>a</th><th class="number">b</th></tr></thead>',
    "<tbody>",
    '<tr><td><code>x | y</code></td><td class="number"><a href="b.html">1</a></td></tr>',
    "</tbody>",
    "</table></div>",
    '<pre><code><i class="word">const</i> n = <i class="text">1</i>; <i class="gives">// → 1 &lt;&quot;</i></code></pre>',
    '<h2 id="a-title-1">A <code>title</code> <a class="to" href="#a-title-1">#</a></h2>',
  ]);
});

/** Links of a site that lead to no page of it, or to no heading. */
async function deadLinks(folder: string): Promise<string[]> {
  const files = new Map<string, string>();
  const look = async (path: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(`${folder}/${path}`)) {
      if (isDirectory) await look(`${path}${name}/`);
      else {files.set(
          `${path}${name}`,
          name.endsWith(".html") ? await Deno.readTextFile(`${folder}/${path}${name}`) : "",
        );}
    }
  };
  await look("");
  const dead: string[] = [];
  for (const [path, html] of files) {
    for (const [, target = ""] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const url = new URL(target, `file:///${path}`);
      const file = decodeURIComponent(url.pathname.slice(1));
      const linked = files.get(file);
      const isThere = linked !== undefined &&
        (!url.hash || linked.includes(` id="${decodeURIComponent(url.hash.slice(1))}"`));
      // Files of the repository are beside the site, and not in it.
      if (!isThere && !/^(?:\.\.\/){2,}(?:src|bench|tests|demo|scripts|[A-Z]+\b)/.test(target)) {
        dead.push(`${path}: ${target}`);
      }
    }
  }
  return dead;
}

/** Runs each example of the site that a reader can run, and compares it with what its page says. Gives their number. */
async function runExamples(page: Page, folder: string): Promise<number> {
  let count = 0;
  for (const document of await documents()) {
    const text = await Deno.readTextFile(`${ROOT}${document}`);
    const path = document.replace(/^docs\//, "").replace(/\.md$/, ".html");
    const plays = playable(path, text);
    if (plays.size === 0) continue;
    await page.goto(`file://${folder}/${path}`);
    for (const { check, shown } of examplesOf(document, text)) {
      const play = plays.get(shown.replace(/\n$/, ""));
      if (play === undefined) continue;
      const place = page.locator(`[data-script="${play.name}"]`);
      await place.getByRole("button", { name: "Run it" }).click();
      const app = place.frameLocator("iframe").locator("#app");
      const said = /^const page = await show\([^\n]*\npage\.text; \/\/ → (".*")$/m.exec(check)?.[1];
      const ready = said === undefined ? /\S/ : JSON.parse(said) as string;
      await app.filter({ hasText: ready }).waitFor();
      if (said !== undefined) assertEquals(await app.textContent(), ready, play.name);
      count++;
    }
  }
  return count;
}

/** The first example of a page, with another server than a good one, and looked into. */
async function playWith(page: Page): Promise<void> {
  const place = page.locator(".play").first();
  const app = place.frameLocator("iframe").locator("#app");
  await place.getByRole("button", { name: "Run it" }).click();
  await app.filter({ hasText: "1 to do" }).waitFor();
  await place.getByLabel("slow").check();
  await place.getByRole("button", { name: "Run it" }).click();
  await app.filter({ hasText: "Loading …" }).waitFor();
  await app.filter({ hasText: "1 to do" }).waitFor();
  await place.getByLabel("failing").check();
  await place.getByRole("button", { name: "Run it" }).click();
  await app.filter({ hasText: "500" }).waitFor();
  await place.getByRole("button", { name: "Look inside" }).click();
  await place.frameLocator("iframe").getByText("Requests").first().waitFor();
}

Deno.test({
  name:
    "17. the site is whole: its links lead somewhere, search works from a disk, dark and light, on a phone; examples run",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      assert(await buildDocs(folder) > 70);
      assertEquals(await deadLinks(folder), []);
      await using browser = await launch();
      const page = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme: "dark" });
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(String(error)));
      await page.goto(`file://${folder}/index.html`);
      const background = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
      assertEquals(await background(), "rgb(18, 22, 28)");
      await page.getByLabel("Dark or light").click();
      assertEquals(await background(), "rgb(255, 255, 255)");
      await page.getByLabel("Search").fill("if-match");
      await page.getByLabel("Search").press("Enter");
      await page.locator("h1", { hasText: "ifMatch" }).waitFor();
      assertEquals(await background(), "rgb(255, 255, 255)");
      for (const path of ["start", "preact", "errors", "api/core", "schemas/union"]) {
        await page.goto(`file://${folder}/${path}.html`);
        assertEquals(await page.evaluate<number>("document.documentElement.scrollWidth"), 390, path);
      }
      await page.setViewportSize({ width: 1280, height: 860 });
      assert(await runExamples(page, folder) > 20);
      await page.goto(`file://${folder}/queries.html`);
      await playWith(page);
      assertEquals(problems, []);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
