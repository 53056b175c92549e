// Apps as their users have them: built by Vite from the packed package, on a real server, in a browser.
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Browser, Locator, Page } from "playwright-core";
import { ROOT } from "../repo/module_graph.ts";
import { Consumer } from "../packaging/consumer.ts";
import { launch } from "../support/browser.ts";
import { PAGE_SIZE, TasksServer } from "./_tasks_server.ts";

const APP = `${ROOT}tests/apps/tasks`;

const VIEWPORTS = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

let consumer: Consumer | undefined;
let site = "";
let browser: Browser | undefined;

Deno.test.beforeAll(async () => {
  consumer = await Consumer.open("apps");
  await consumer.copy(APP, "tasks");
  [site, browser] = await Promise.all([consumer.build("tasks"), launch()]);
});

Deno.test.afterAll(async () => {
  await browser?.close();
});

/** One person with one window, and the server behind it. */
class Visit implements AsyncDisposable {
  /** What the page threw, or wrote into the console, without the test expecting it. */
  readonly problems: string[] = [];
  readonly server = new TasksServer(site);

  private constructor(readonly page: Page) {}

  static async start(options: object): Promise<Visit> {
    const context = await browser!.newContext(options);
    const visit = new Visit(await context.newPage());
    const { page, problems } = visit;
    page.setDefaultTimeout(60_000);
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => {
      // The browser itself says so of each refused request.
      const isRefusal = /^Failed to load resource/.test(message.text());
      if (["error", "warning"].includes(message.type()) && !isRefusal) problems.push(message.text());
    });
    return visit;
  }

  button(name: string): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }

  link(name: string): Locator {
    return this.page.getByRole("link", { name, exact: true });
  }

  /** Waits for a text that a person can read. */
  async sees(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor({ state: "visible" });
  }

  /** Waits until nothing on the page has this text. */
  async seesNo(text: string): Promise<void> {
    await this.page.getByText(text).first().waitFor({ state: "hidden" });
  }

  /** Titles of the rows, once there are so many. */
  async rows(count: number): Promise<string[]> {
    await this.page.waitForFunction((count) => document.querySelectorAll("li").length === count, count);
    return await this.page.locator("li > a:first-of-type").allInnerTexts();
  }

  /** What the server is asked while something is done. */
  async asked(act: () => Promise<unknown>): Promise<string[]> {
    const from = this.server.requests.length;
    await act();
    return this.server.requests.slice(from);
  }

  /** Keeps requests waiting until what it gives is called. */
  hold(pattern: RegExp): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.server.gate = (line) => pattern.test(line) ? promise : undefined;
    return () => {
      this.server.gate = undefined;
      resolve();
    };
  }

  /** Nothing stands beyond the edge of the screen. */
  async fits(): Promise<void> {
    const [content, screen] = await this.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert(content! <= screen!, `${content} px on a screen of ${screen}`);
  }

  async login(name: string): Promise<void> {
    await this.page.getByLabel("Your name").fill(name);
    await this.button("Log in").click();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.context().close();
    await this.server[Symbol.asyncDispose]();
  }
}

function refusal(message: string): Response {
  return Response.json({ message }, { status: 409 });
}

for (const [device, options] of Object.entries(VIEWPORTS)) {
  Deno.test(`the tasks app does what a person expects on a ${device}`, async (t) => {
    await using visit = await Visit.start(options);
    const { page, server } = visit;
    for (let n = 1; n <= 25; n++) {
      server.add({ title: n % 10 === 0 ? `Buy milk ${n}` : `Task ${n}`, person: 1 + n % 2 });
    }
    // What follows a step needs it.
    const step = async (name: string, act: () => Promise<void>) => {
      if (!await t.step(name, act)) throw new Error(`${name}: ${visit.server.requests.slice(-12).join(", ")}`);
    };
    const top = ["Task 25", "Task 24", "Task 23", "Task 22", "Task 21", "Buy milk 20", "Task 19", "Task 18", "Task 17"];

    await step("a refused login says why, and one that is on its way says so", async () => {
      await page.goto(`${server.origin}/`);
      await visit.login("Eve");
      await visit.sees("Eve may not come in.");
      const release = visit.hold(/session/);
      await visit.login("Ann");
      assert(await visit.button("Logging in …").isDisabled());
      assertEquals(await page.getByRole("alert").count(), 0);
      release();
      await visit.sees("25 in all.");
    });

    await step("the list is loaded page by page, and the button says that it waits", async () => {
      assertEquals((await visit.rows(PAGE_SIZE)).slice(0, 9), top);
      const release = visit.hold(/cursor/);
      const lines = await visit.asked(async () => {
        await visit.button("More").click();
        assert(await visit.button("Loading …").isDisabled());
        release();
        await visit.rows(20);
        await visit.button("More").click();
        await visit.rows(25);
      });
      assertEquals(lines, ["GET /api/tasks?cursor=16&done=false", "GET /api/tasks?cursor=6&done=false"]);
      assertEquals(await visit.button("More").count(), 0);
      await visit.fits();
    });

    await step("the search asks once for what was typed, and the old rows stay meanwhile", async () => {
      const release = visit.hold(/q=/);
      const lines = await visit.asked(async () => {
        // Letter by letter, however slow the machine is.
        await page.getByLabel("Search").evaluate((field: HTMLInputElement) => {
          for (const text of ["m", "mi", "mil", "milk"]) {
            field.value = text;
            field.dispatchEvent(new InputEvent("input", { bubbles: true }));
          }
        });
        await page.locator("section[aria-busy=true]").waitFor();
        assertEquals((await visit.rows(25))[0], "Task 25");
        release();
        assertEquals(await visit.rows(2), ["Buy milk 20", "Buy milk 10"]);
      });
      assertEquals(lines, ["GET /api/tasks?done=false&q=milk"]);
      await visit.sees("2 in all.");
      // All of it is there already.
      const again = await visit.asked(async () => {
        await page.getByLabel("Search").fill("");
        await visit.rows(25);
      });
      assertEquals(again, []);
    });

    await step("a new task is there at once, and a refused one is taken back and said why", async () => {
      const release = visit.hold(/POST/);
      await page.getByLabel("What is to be done").fill("Call the bank");
      await page.getByLabel("Who").selectOption("Bob");
      await visit.button("Add").click();
      assertEquals((await visit.rows(26))[0], "Call the bank");
      assert(await visit.button("Adding …").isDisabled());
      release();
      await visit.button("Add").waitFor();
      assertEquals(await page.getByLabel("What is to be done").inputValue(), "");
      await visit.sees("26 in all.");
      assertEquals((await visit.rows(26)).slice(0, 2), ["Call the bank", "Task 25"]);

      await page.getByLabel("What is to be done").fill("  ");
      await visit.button("Add").click();
      await visit.sees("A task needs a title.");
      assertEquals((await visit.rows(26))[0], "Call the bank");
      assertEquals(await page.getByLabel("What is to be done").inputValue(), "  ");
      await page.getByLabel("What is to be done").fill("");
    });

    await step("a task that is ticked moves to the other list before the server has answered", async () => {
      const release = visit.hold(/PATCH/);
      await page.getByLabel("Done: Task 25").click();
      assertEquals((await visit.rows(25))[1], "Task 24");
      await visit.link("Done").click();
      release();
      assertEquals(await visit.rows(1), ["Task 25"]);
      await visit.sees("1 in all.");
      await visit.link("Tasks").click();
      assertEquals((await visit.rows(25)).slice(0, 2), ["Call the bank", "Task 24"]);
      await visit.sees("25 in all.");
    });

    await step("what cannot be sent is taken back", async () => {
      await page.context().setOffline(true);
      await page.getByLabel("Done: Task 24").click();
      await visit.sees("The server cannot be reached.");
      assertEquals((await visit.rows(25))[1], "Task 24");
      await page.context().setOffline(false);
    });

    await step("a task opens without a request, and an edit says when it is refused and when it is sent", async () => {
      const lines = await visit.asked(async () => {
        await visit.link("Task 22").click();
        await page.getByRole("heading", { name: "Task 22" }).waitFor();
      });
      assertEquals(lines.filter((line) => !line.includes("?")), []);
      await visit.fits();
      await visit.button("Edit").click();
      await page.getByLabel("Title").fill("");
      await visit.button("Save").click();
      await visit.sees("A task needs a title.");
      await page.getByLabel("Title").fill("Task twenty-two");
      await page.getByLabel("Notes").fill("Soon.");
      const release = visit.hold(/PATCH/);
      await visit.button("Save").click();
      assert(await visit.button("Saving …").isDisabled());
      release();
      await page.getByRole("heading", { name: "Task twenty-two" }).waitFor();
      await visit.sees("Soon.");
      await visit.link("Tasks").click();
      assertEquals((await visit.rows(25))[3], "Task twenty-two");
    });

    await step("a task is deleted on its page: nobody asks for it any more, and back does not lead to it", async () => {
      await visit.link("Task 23").click();
      await visit.button("Delete").waitFor();
      const release = visit.hold(/DELETE/);
      const lines = await visit.asked(async () => {
        await visit.button("Delete").click();
        assertEquals((await visit.rows(24)).slice(0, 3), ["Call the bank", "Task 24", "Task twenty-two"]);
        await visit.sees("Deleting …");
        release();
        await visit.seesNo("Deleting …");
        await visit.sees("24 in all.");
      });
      assertEquals(lines.filter((line) => !line.includes("?")), ["DELETE /api/tasks/23"]);
      assertEquals(await page.getByRole("alert").count(), 0);
      await page.goBack();
      await visit.rows(24);

      // Refused: it is back, and the page says why.
      server.gate = (line) => /DELETE/.test(line) ? Promise.resolve(refusal("It is locked.")) : undefined;
      await visit.link("Task 24").click();
      await visit.button("Delete").click();
      await visit.sees("It is locked.");
      server.gate = undefined;
      assertEquals((await visit.rows(24))[1], "Task 24");
    });

    await step("a person's page has her tasks, and an address that leads nowhere says so", async () => {
      await visit.link("Bob").first().click();
      await page.getByRole("heading", { name: "Bob" }).waitFor();
      assertEquals((await visit.rows(PAGE_SIZE))[0], "Call the bank");
      await page.goto(`${server.origin}/#/tasks/999`);
      await visit.sees("There is no such task.");
      await visit.link("Tasks").click();
      await visit.rows(24);
    });

    await step("whom the server does not know any more logs in again, and sees nothing of before", async () => {
      server.tokens.clear();
      await page.reload();
      await page.getByLabel("Your name").waitFor();
      assertEquals(await page.evaluate(() => localStorage.getItem("token")), null);
      await visit.login("Bob");
      await visit.rows(PAGE_SIZE);
      const lines = await visit.asked(async () => {
        await visit.button("Log out").click();
        await visit.login("Ann");
        await visit.rows(PAGE_SIZE);
      });
      assertEquals(lines.toSorted(), ["GET /api/people", "GET /api/tasks?done=false", "POST /api/session"]);
    });

    assertEquals(visit.problems, []);
  });
}

Deno.test("the tasks app fits its types", async () => {
  await consumer!.checkTypes("tasks/tsconfig.json");
});

Deno.test("the tasks app passes its own tests, by the testing kit under Vitest", async () => {
  const said = await consumer!.run("node", `${consumer!.modules}/vitest/vitest.mjs`, "run", "--root", "tasks");
  assertMatch(said, /Tests +3 passed \(3\)/);
});
