/** The inspector as a person uses it: in a real page under a strict policy, by pointer, by keyboard, and until it is gone. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Locator, Page } from "playwright-core";
import { launch } from "../support/browser.ts";
import { bundle } from "./_bundle.ts";
import { FilmSite, HOSTILE } from "./_inspector_site.ts";

/** Waits until something holds that the page does not tell. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Waits until the middle of a box over the page lies in an element. */
async function litOver(page: Page, selector: string): Promise<void> {
  await page.waitForFunction((selector) => {
    const inside = document.querySelector("rejoin-inspector")!.shadowRoot!;
    const place = document.querySelector(selector)!.getBoundingClientRect();
    return [...inside.querySelectorAll(".lit")].some((box) => {
      const { left, top, width, height } = box.getBoundingClientRect();
      return Math.abs(left - place.left) < 2 && Math.abs(top - place.top) < 2 &&
        Math.abs(width - place.width) < 2 && Math.abs(height - place.height) < 2;
    });
  }, selector);
}

async function litCount(page: Page): Promise<number> {
  return await page.locator("rejoin-inspector .lit").count();
}

/** Everything in the panel that can be used has a role and a name, and nothing is wider than the window. */
async function checkNames(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const inside = document.querySelector("rejoin-inspector")!.shadowRoot!;
    const nameless: string[] = [];
    for (const control of inside.querySelectorAll<HTMLElement>("button, input, [role], section, ul, ol, table")) {
      if (!control.checkVisibility() || control.closest("[aria-hidden]")) continue;
      const labelled = control.getAttribute("aria-labelledby");
      const name = control.getAttribute("aria-label") ?? (labelled && inside.getElementById(labelled)?.textContent) ??
        control.closest("label")?.textContent ?? control.textContent;
      if (!name?.trim() && control.childElementCount === 0 && /BUTTON|INPUT|TABLE/.test(control.tagName)) {
        nameless.push(control.outerHTML);
      }
      if (/^(SECTION|TABLE)$/.test(control.tagName) || control.getAttribute("role") === "tabpanel") {
        if (!control.getAttribute("aria-label") && !labelled && !control.querySelector("h3, h4")) {
          nameless.push(control.outerHTML.slice(0, 80));
        }
      }
    }
    const { scrollWidth, clientWidth } = document.documentElement;
    const ids = [...inside.querySelectorAll("[id]")].map(({ id }) => id);
    return { nameless, isWide: scrollWidth > clientWidth, isUnique: new Set(ids).size === ids.length };
  });
  assertEquals(found, { nameless: [], isWide: false, isUnique: true });
}

Deno.test("16 the inspector shows requests, layers, records, places and the past, and goes without a trace", async (t) => {
  const { code } = (await bundle("_inspector_page.tsx")).get("_inspector_page.tsx")!;
  await using browser = await launch();
  await using site = new FilmSite(code);
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() !== "log" && !/status of 500/.test(message.text())) problems.push(message.text());
  });
  await page.goto(site.url);
  await page.waitForSelector("#row1");
  const traces = () =>
    page.evaluate(() => {
      const { page } = globalThis as unknown as { page: { parts(): number; listeners(): number } };
      const { children } = document.documentElement;
      return [page.parts(), page.listeners(), children.length, document.adoptedStyleSheets.length];
    });
  const before = await traces();

  const panel = page.getByRole("region", { name: "Rejoin inspector" });
  const opener = page.getByRole("button", { name: /^Rejoin/ });
  const strip = panel.getByRole("list", { name: "Requests, the newest last" }).getByRole("listitem");
  const tab = (name: string) => panel.getByRole("tab", { name });
  const row = (name: RegExp): Locator => panel.getByRole("row", { name });

  await t.step("it is opened from the corner, and takes the focus", async () => {
    await page.evaluate("page.inspect()");
    assertEquals(await panel.count(), 0);
    await opener.click();
    await panel.waitFor();
    await checkNames(page);
    assertEquals(
      await page.evaluate(() => document.querySelector("rejoin-inspector")!.shadowRoot!.activeElement?.textContent),
      "Requests",
    );
  });

  await t.step("a request is pending, and then failed, with its reason as plain text", async () => {
    await page.evaluate("page.ask('1')");
    await strip.filter({ hasText: "GET /slow/1" }).filter({ hasText: "pending" }).waitFor();
    await until(() => site.held === 1);
    site.answer(500);
    await strip.filter({ hasText: "GET /slow/1" }).filter({ hasText: /\d m?s, failed/ }).waitFor();
    await row(/GET \/slow\/1 failed · TypeError: refused: .*<b>500/).click();
    assertMatch(await panel.locator(".requests > .words").innerText(), /^slow: failed · TypeError/);
  });

  await t.step("a pending mutation is a layer, and falls back when it is refused", async () => {
    await page.click("#rate");
    await strip.filter({ hasText: "PATCH /films/1" }).filter({ hasText: "pending" }).waitFor();
    const layer = panel.getByRole("button", { name: "Film 1: rating: 1 → 2" });
    await layer.hover();
    await litOver(page, "#row1");
    await litOver(page, "#rate");
    await until(() => site.held === 1);
    site.answer(500);
    await strip.filter({ hasText: "PATCH /films/1" }).filter({ hasText: "failed, fell back" }).waitFor();
    await panel.getByRole("heading", { name: "No pending layers" }).waitFor();
    await page.waitForFunction(() => document.querySelector("#row1")!.textContent!.endsWith("· 1"));
    await page.mouse.move(640, 400);
    assertEquals(await litCount(page), 0);
  });

  await t.step("by keyboard: a table, a record, its graph, and what it refers to lights up", async () => {
    await tab("Requests").focus();
    await page.keyboard.press("ArrowRight");
    await tab("Store").and(page.locator(":focus")).waitFor();
    assertEquals(await tab("Store").getAttribute("aria-selected"), "true");
    await panel.getByRole("button", { name: "Film, 3 records" }).focus();
    await page.keyboard.press("Enter");
    await panel.getByRole("searchbox", { name: "Filter" }).focus();
    await page.keyboard.press("Tab");
    await row(/^1 fresh/).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await row(/^3 fresh/).and(page.locator(":focus")).waitFor();
    await litOver(page, "#row3");
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    const details = panel.getByRole("region", { name: "Details" });
    await details.and(page.locator(":focus")).waitFor();
    assertMatch(await details.locator(".words").innerText(), /^Film "1" came at [\d:.]+ .*It is fresh: it expires in/);
    assertEquals(await row(/^1 fresh/).getAttribute("aria-selected"), "true");
    const held = details.getByRole("list", { name: "Held by" });
    assertEquals(await held.getByRole("button").allInnerTexts(), ["[Film] /films {}", "GET /films/1", "GET /films"]);
    await details.getByRole("button", { name: "genre Genre drama" }).focus();
    await litOver(page, "article");
    await page.keyboard.press("Enter");
    await details.getByRole("heading", { name: "Genre drama" }).waitFor();
    await checkNames(page);
  });

  await t.step("an answer is explained", async () => {
    await panel.getByRole("button", { name: /^Answers/ }).click();
    await row(/^GET \/films fresh/).click();
    const details = panel.getByRole("region", { name: "Details" });
    assertMatch(await details.locator(".words").innerText(), /^"Film\.getList" is fresh: it is of .* and fresh until/);
    const facts = await details.locator(".facts").innerText();
    for (const fact of [/wouldFetch\s+false/, /source\s+answer/, /arguments\s+\[\]/]) {
      assertMatch(facts, fact);
    }
  });

  await t.step("hostile texts are texts", async () => {
    await panel.getByRole("button", { name: "Film, 3 records" }).click();
    await panel.getByRole("searchbox", { name: "Filter" }).fill("onerror");
    await row(/^3 fresh/).click();
    assertEquals(await panel.locator("tbody tr:visible").count(), 1);
    assert((await panel.locator(".facts").innerText()).includes(HOSTILE.slice(0, 16)));
    assertEquals(await page.locator("rejoin-inspector img").count(), 0);
    assertEquals(await page.evaluate("globalThis.harmed"), undefined);
    await panel.getByRole("searchbox", { name: "Filter" }).fill("");
  });

  await t.step("the past is looked at without the page, and with it when told", async () => {
    await page.evaluate("page.set('2', 'Second')");
    await page.waitForFunction(() => document.querySelector("#row2")!.textContent!.startsWith("Second"));
    await page.evaluate("page.set('2', 'Third')");
    await tab("Time").click();
    await row(/set Film Film 2/).first().waitFor();
    await panel.getByRole("button", { name: "One commit back" }).click();
    await panel.getByText("You look at the past.").waitFor();
    assertEquals(
      await panel.getByRole("slider", { name: "Moment" }).inputValue(),
      await page.evaluate(() => {
        const slider = document.querySelector("rejoin-inspector")!.shadowRoot!.querySelector<HTMLInputElement>(
          "[type=range]",
        )!;
        return String(Number(slider.max) - 1);
      }),
    );
    await tab("Store").click();
    await row(/^2 fresh/).click();
    const details = panel.getByRole("region", { name: "Details" });
    assertMatch(await details.innerText(), /As it was at [\d:.]+\.\s[\s\S]*title\s+"Second"/);
    assertEquals(await page.evaluate("page.title('2')"), "Third");
    assertMatch(await page.locator("#row2").innerText(), /^Third/);

    await tab("Time").click();
    await panel.getByRole("slider", { name: "Moment" }).focus();
    await page.keyboard.press("ArrowLeft");
    await panel.getByRole("button", { name: "Show on the page" }).click();
    await page.waitForFunction(() => document.querySelector("#row2")!.textContent!.startsWith("Film number 2"));
    await page.click("#rate");
    await page.evaluate("page.set('2', 'Not now')");
    await panel.getByText("The page shows the past; nothing is sent or stored.").waitFor();
    assertEquals([site.held, await page.evaluate("page.title('2')")], [0, "Film number 2"]);
    await panel.getByRole("button", { name: "Back to now" }).click();
    // The present, and what the server says to whoever is mounted: they are asked again.
    await page.waitForFunction(() => /^(Third|Film number 2)/.test(document.querySelector("#row2")!.textContent!));
    await panel.getByText("The page shows the past").waitFor({ state: "hidden" });
    await panel.getByText("You look at the past.").waitFor({ state: "hidden" });
    await page.evaluate("page.set('2', 'Now')");
    await page.waitForFunction(() => document.querySelector("#row2")!.textContent!.startsWith("Now"));
    problems.splice(0, problems.length, ...problems.filter((text) => !/devtools show another moment/.test(text)));
  });

  await t.step("components are outlined as they run", async () => {
    await panel.getByRole("checkbox", { name: "Outlines" }).check();
    await page.evaluate("page.set('2', 'Outlined')");
    await page.locator("rejoin-inspector .box.ran").first().waitFor({ state: "attached" });
    await panel.getByText(/^\d components? ran$/).waitFor();
    await page.waitForFunction(() => {
      return document.querySelector("rejoin-inspector")!.shadowRoot!.querySelectorAll(".box.ran").length === 0;
    });
    await panel.getByRole("checkbox", { name: "Outlines" }).uncheck();
  });

  await t.step("ten thousand records and thousands of commits do not stall the page", async () => {
    await page.evaluate("page.fill(10000)");
    await tab("Store").click();
    await panel.getByRole("button", { name: "Price, 10,000 records" }).click();
    assert(await panel.locator("tbody tr:visible").count() <= 100);
    await panel.getByRole("button", { name: "100 more of 9,900 records" }).click();
    await page.waitForFunction(() => {
      const rows = document.querySelector("rejoin-inspector")!.shadowRoot!.querySelectorAll(".rows tbody tr");
      return rows.length === 200;
    });
    await row(/^p5 /).click();
    const busy = await page.evaluate("page.churn(2000, 10)") as { commits: number; longest: number };
    await page.evaluate("page.remove()");
    const alone = await page.evaluate("page.churn(1000, 10)") as { commits: number; longest: number };
    console.log(
      `with the panel ${busy.commits / 2} commits/s, longest task ${busy.longest.toFixed()} ms; ` +
        `without ${alone.commits}, ${alone.longest.toFixed()} ms`,
    );
    // Whatever else the machine does: work for each commit would make it a hundred times slower.
    assert(busy.commits / 2 > alone.commits / 10, `${busy.commits} in 2 s, ${alone.commits} in 1 s`);
  });

  await t.step("it goes without a trace", async () => {
    assertEquals(await page.locator("rejoin-inspector").count(), 0);
    assertEquals(await traces(), before);
    await page.evaluate("page.set('1', 'Alone')");
    await page.waitForFunction(() => document.querySelector("#row1")!.textContent!.startsWith("Alone"));
  });

  await t.step("on a phone all of it is within the window, and Escape closes it", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate("page.inspect({ open: true, outlines: true })");
    for (const name of ["Requests", "Store", "Time"]) {
      await tab(name).click();
      await checkNames(page);
    }
    await tab("Store").click();
    await panel.getByRole("button", { name: "Film, 3 records" }).click();
    await row(/^1 /).click();
    const box = await panel.getByRole("region", { name: "Details" }).boundingBox();
    assert(box !== null && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
    await panel.getByRole("button", { name: "Close the details" }).click();
    await row(/^1 /).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Escape");
    assertEquals(await panel.count(), 0);
    await opener.and(page.locator(":focus")).waitFor();
    await page.evaluate("page.remove()");
    assertEquals(await traces(), before);
  });

  await t.step("two stores have a button each, which can both be pressed", async () => {
    await page.evaluate("page.inspectAnother()");
    await page.evaluate("page.inspect()");
    for (const at of [0, 1]) {
      await opener.nth(at).click();
      await page.keyboard.press("Escape");
    }
    await page.evaluate("page.removeAnother()");
    await page.evaluate("page.remove()");
    assertEquals(await traces(), before);
  });

  assertEquals(problems, []);
});
